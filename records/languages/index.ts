// The words people read: labels of choices and fields, and messages, per language.
import { type EnumerationName, enumerations } from "../enumerations/index.ts";
import { de } from "./de.ts";
import { derivedLabels } from "./derived-labels.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { labelOf } from "./label-of.ts";
import { nl } from "./nl.ts";
import type { Language } from "./type.ts";

export type { Language } from "./type.ts";
export { labelOf };

export const languages: Record<string, Language> = { en, nl, de, fr, es };

/** The id of enumeration `language` that a header or setting means: EN is en-US, pt is pt-PT, sr@cyrillic is sr. */
export function languageOf(code: string): string | null {
  const wanted = code.toLowerCase();
  const exact = enumerations.language.find((id) => id.toLowerCase() === wanted);
  if (exact) return exact;
  const bare = wanted.replace(/@.*$/, "");
  return enumerations.language.find((id) => prefixOf(id) === bare) ?? null;
}

export function choiceLabel(code: string, key: EnumerationName, value: string): string {
  const derive = own(derivedLabels, key);
  if (derive) return derive(value, code);
  const label = own(own(wordsOf(code).choices, key) ?? {}, value) ?? own(own(en.choices, key) ?? {}, value);
  if (label === undefined) throw new Error(`No label for ${key} ${value}`);
  return label;
}

export function fieldLabel(code: string, field: string): string {
  return own(wordsOf(code).fields, field) ?? own(en.fields, field) ?? labelOf(field);
}

export function message(code: string, template: string, values: Record<string, string | number> = {}): string {
  // What is wrong with a member of a hash is said like what is wrong with a field.
  const [, member = "", wording = template] = /^(\{member\} )(.*)$/.exec(template) ?? [];
  const text = member + (own(wordsOf(code).messages, wording) ?? own(en.messages, wording) ?? wording);
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => String(own(values, name) ?? placeholder));
}

/** What is wrong with a field, as a sentence that begins with its label. */
export const sentence = (
  code: string,
  [field, text, values]: readonly [field: string, text: string, values?: Record<string, string | number>],
): string => `${fieldLabel(code, field)} ${message(code, text, values)}`;

// fr-CA reads fr; a language without a file reads English.
function wordsOf(code: string): Language {
  return own(languages, prefixOf(code)) ?? en;
}

function prefixOf(code: string): string {
  return code.replace(/[-@].*$/, "");
}

// Field names come from callers: "constructor" must not find what every object inherits.
function own<Value>(table: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
