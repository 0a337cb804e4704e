import { deriveLabel, lowerFirst } from "./derive-label.ts";
import { en } from "./names/en.ts";

/** English, in the middle of a sentence: "requests", "SLA coverage groups". */
export const pluralName = ({ name, collection }: { name: string; collection: string }): string =>
  lowerFirst(en.types[name]?.[1] ?? deriveLabel(collection));
