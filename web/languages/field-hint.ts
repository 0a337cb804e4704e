import { hints } from "../../records/languages/hints.ts";
import { currentLanguage } from "./index.ts";
import { finish } from "./labels.ts";

/** A sentence below an input, where the label does not say enough. */
export const fieldHint = (name: string): string | undefined => {
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
  if (hint === undefined) return undefined;
  return finish((hint as Readonly<Record<string, string>>)[currentLanguage()] ?? hint.en);
};
