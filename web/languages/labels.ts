import { deriveLabel } from "../../records/languages/derive-label.ts";
import type { Language } from "../../records/languages/language.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { currentLanguage, requestedLanguage } from "./index.ts";
import { toPseudo } from "./pseudo.ts";

// Labels of fields and choices come from the same files that the server takes them from, in the language of the
// reader. Only that one language is loaded.

const languageFiles: Readonly<Record<string, () => Promise<Language>>> = {
  en: async () => (await import("../../records/languages/en.ts")).en,
  nl: async () => (await import("../../records/languages/nl.ts")).nl,
  de: async () => (await import("../../records/languages/de.ts")).de,
  fr: async () => (await import("../../records/languages/fr.ts")).fr,
  es: async () => (await import("../../records/languages/es.ts")).es,
};

let labels: Pick<Language, "fields" | "choices"> = { fields: {}, choices: {} };
let pseudo = false;

export async function loadLabels(wanted: string): Promise<void> {
  const code = requestedLanguage() ?? wanted;
  pseudo = code === "pseudo";
  const load = languageFiles[code.replace(/[-@].*$/, "")] ?? languageFiles.en;
  labels = (await load?.()) ?? labels;
}

const finish = (label: string): string => (pseudo ? toPseudo(label) : label);

export const fieldLabel = (name: string): string =>
  finish(
    (Object.hasOwn(labels.fields, name) && labels.fields[name]) ||
      deriveLabel(name.replace(/^picture_uri$/, "picture")),
  );

/** English labels have a capital on every word, as the API writes them; running text has one on the first. */
function toSentenceCase(label: string): string {
  if (currentLanguage() !== "en") return label;
  return label.replace(/(?<=\s)[A-Z][a-z]+/g, (word) => word.toLowerCase()).replace(/\.\.\.$/, "…");
}

/** The whole label of a choice, for menus: "Top - Service down for several users". */
export const choiceLabel = (enumeration: string, value: string): string =>
  finish(toSentenceCase(labels.choices[enumeration]?.[value] ?? deriveLabel(value)));

/** The part before the dash, for chips and rows: "Top". */
export function shortChoiceLabel(enumeration: string, value: string): string {
  const label = labels.choices[enumeration]?.[value] ?? deriveLabel(value);
  return finish(toSentenceCase(label.split(" - ")[0] ?? label));
}

/** The part after the dash, for the second line of a menu; empty where there is none. */
export function choiceExplanation(enumeration: string, value: string): string {
  const [, ...rest] = (labels.choices[enumeration]?.[value] ?? "").split(" - ");
  return rest.length === 0 ? "" : finish(toSentenceCase(rest.join(" - ")));
}

export const typeLabel = (type: RecordType): string => finish(deriveLabel(type.name));
export const collectionLabel = (type: RecordType): string => finish(deriveLabel(type.collection));
/** In the middle of a sentence; abbreviations keep their capitals. */
export const lowerFirst = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
export const viewLabel = (view: string): string => finish(deriveLabel(view));
