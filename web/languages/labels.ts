import { deriveLabel } from "../../records/languages/derive-label.ts";
import type { Language } from "../../records/languages/language.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";

// Labels of fields come from the same files that the server takes them from, in the language of the reader. Only that
// one language is loaded.

const languageFiles: Readonly<Record<string, () => Promise<Language>>> = {
  en: async () => (await import("../../records/languages/en.ts")).en,
  nl: async () => (await import("../../records/languages/nl.ts")).nl,
  de: async () => (await import("../../records/languages/de.ts")).de,
  fr: async () => (await import("../../records/languages/fr.ts")).fr,
  es: async () => (await import("../../records/languages/es.ts")).es,
};

let fields: Readonly<Record<string, string>> = {};

export async function loadLabels(code: string): Promise<void> {
  const load = languageFiles[code.replace(/[-@].*$/, "")] ?? languageFiles.en;
  fields = (await load?.())?.fields ?? {};
}

export const fieldLabel = (name: string): string =>
  (Object.hasOwn(fields, name) && fields[name]) || deriveLabel(name.replace(/^picture_uri$/, "picture"));

export const typeLabel = (type: RecordType): string => deriveLabel(type.name);
export const collectionLabel = (type: RecordType): string => deriveLabel(type.collection);
/** In the middle of a sentence; abbreviations keep their capitals. */
export const lowerFirst = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
export const viewLabel = (view: string): string => deriveLabel(view);
