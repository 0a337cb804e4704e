// The words people read: labels of choices and fields, and messages, per language.
import { type EnumerationName, enumerations } from "../enumerations/index.ts";
import { de } from "./de.ts";
import { deriveLabel } from "./derive-label.ts";
import { derivedLabels } from "./derived-labels.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { Language } from "./language.ts";
import { nl } from "./nl.ts";

export type { Language } from "./language.ts";
export { deriveLabel };

export const languages: Record<string, Language> = { en, nl, de, fr, es };

/** The id of enumeration `language` that a header or setting means: EN is en-US, pt is pt-PT, sr@cyrillic is sr. */
export function parseLanguage(code: string): string | null {
  const wanted = code.toLowerCase();
  const exact = enumerations.language.find((id) => id.toLowerCase() === wanted);
  if (exact) return exact;
  const bare = wanted.replace(/@.*$/, "");
  return enumerations.language.find((id) => getPrefix(id) === bare) ?? null;
}

export function choiceLabel(code: string, key: EnumerationName, value: string): string {
  const derive = getOwn(derivedLabels, key);
  if (derive) return derive(value, code);
  const label =
    getOwn(getOwn(getLanguage(code).choices, key) ?? {}, value) ?? getOwn(getOwn(en.choices, key) ?? {}, value);
  if (label === undefined) throw new Error(`No label for ${key} ${value}`);
  return label;
}

export function fieldLabel(code: string, field: string): string {
  return getOwn(getLanguage(code).fields, field) ?? getOwn(en.fields, field) ?? deriveLabel(field);
}

export function formatMessage(code: string, template: string, values: Record<string, string | number> = {}): string {
  // What is wrong with a member of a hash is said like what is wrong with a field.
  const [, member = "", wording = template] = /^(\{member\} )(.*)$/.exec(template) ?? [];
  const text = member + (getOwn(getLanguage(code).messages, wording) ?? getOwn(en.messages, wording) ?? wording);
  return text.replace(/\{(\w+)\}/g, (placeholder, name) => String(getOwn(values, name) ?? placeholder));
}

/** What is wrong with a field, as a sentence that begins with its label. */
export const formatFieldMessage = (
  code: string,
  [field, text, values]: readonly [field: string, text: string, values?: Record<string, string | number>],
): string => `${fieldLabel(code, field)} ${formatMessage(code, text, values)}`;

// fr-CA reads fr; a language without a file reads English.
function getLanguage(code: string): Language {
  return getOwn(languages, getPrefix(code)) ?? en;
}

function getPrefix(code: string): string {
  return code.replace(/[-@].*$/, "");
}

// Field names come from callers: "constructor" must not find what every object inherits.
function getOwn<Value>(table: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
