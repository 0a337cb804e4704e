import { deriveLabel } from "./derive-label.ts";
import { en } from "./names/en.ts";

/** English, in the middle of a sentence: "requests", "SLA coverage groups". */
export function pluralName({ name, collection }: { name: string; collection: string }): string {
  const label = en.types[name]?.[1] ?? deriveLabel(collection);
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}
