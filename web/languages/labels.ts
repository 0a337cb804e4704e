import { deriveLabel, lowerFirst as lowerFirstLetter } from "../../records/languages/derive-label.ts";
import type { Language } from "../../records/languages/language.ts";
import type { Names } from "../../records/languages/names/names.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { currentLanguage, finishText, loadAllWords, requestedLanguage } from "./index.ts";
import type { OwnLabels } from "./interface-labels.ts";

// Labels of fields and choices come from the same files that the server takes them from, in the language of the
// reader. Only that one language is loaded.

const languageFiles: Readonly<Record<string, () => Promise<Language>>> = {
  en: async () => (await import("../../records/languages/en.ts")).en,
  nl: async () => (await import("../../records/languages/nl.ts")).nl,
  de: async () => (await import("../../records/languages/de.ts")).de,
  fr: async () => (await import("../../records/languages/fr.ts")).fr,
  es: async () => (await import("../../records/languages/es.ts")).es,
};

const nameFiles: Readonly<Record<string, () => Promise<Names>>> = {
  en: async () => (await import("../../records/languages/names/en.ts")).en,
  nl: async () => (await import("../../records/languages/names/nl.ts")).nl,
  de: async () => (await import("../../records/languages/names/de.ts")).de,
  fr: async () => (await import("../../records/languages/names/fr.ts")).fr,
  es: async () => (await import("../../records/languages/names/es.ts")).es,
};

/** Of the rows of the inbox; they come with the frame, the others with the pages that need them. */
const firstChoices: Readonly<Record<string, () => Promise<Language["choices"]>>> = {
  en: async () => (await import("virtual:first-choices/en")).choices,
  nl: async () => (await import("virtual:first-choices/nl")).choices,
  de: async () => (await import("virtual:first-choices/de")).choices,
  fr: async () => (await import("virtual:first-choices/fr")).choices,
  es: async () => (await import("virtual:first-choices/es")).choices,
};

/** What is loaded by now; page-labels.ts reads it, too. */
export let labels: Pick<Language, "fields" | "choices"> = { fields: {}, choices: {} };
/** Labels that only pages after the frame and the inbox need. */
export let ownLabels: OwnLabels = { hints: {}, readChoice: () => undefined };
let chosen: string | null = null;
let isWhole = false;

/** Before it is known who is there, labels are in the language of the words. */
function pickLanguage(): string {
  const wish = chosen ?? currentLanguage();
  return Object.hasOwn(languageFiles, wish) ? wish : "en";
}
export let names: Names = { types: {}, views: {} };

export async function loadLabels(wanted: string): Promise<void> {
  const code = requestedLanguage() ?? wanted;
  chosen = code.replace(/[-@].*$/, "");
  const loadNames = nameFiles[pickLanguage()];
  const [, loaded] = await Promise.all([
    showLabels(),
    loadNames === undefined ? { types: {}, views: {} } : loadNames(),
  ]);
  names = loaded;
}

async function showLabels(): Promise<void> {
  const [whole, language] = [isWhole, pickLanguage()];
  const [loaded, own] = whole
    ? await Promise.all([languageFiles[language]?.(), loadInterfaceLabels(language)])
    : [{ fields: {}, choices: (await firstChoices[language]?.()) ?? {} }];
  // Meanwhile, a page may have requested all labels, or the reader another language.
  if (whole !== isWhole || language !== pickLanguage()) return showLabels();
  labels = loaded ?? labels;
  ownLabels = own ?? ownLabels;
}

async function loadInterfaceLabels(language: string): Promise<OwnLabels | null> {
  const { loadOwnLabels } = await import("./interface-labels.ts");
  return loadOwnLabels(language, { ofType: (name) => nameOf(name)?.[0] ?? deriveLabel(name), ofValue: deriveLabel });
}

/** The labels of all fields and choices. */
async function loadAllLabels(): Promise<void> {
  if (isWhole) return;
  await languageFiles[pickLanguage()]?.();
  isWhole = true;
  await showLabels();
}

/** A part of the interface together with its words and labels. */
export const withWords = async <Loaded>(load: Promise<Loaded>): Promise<Loaded> => {
  const [loaded] = await Promise.all([load, loadAllWords(), loadAllLabels()]);
  return loaded;
};

export const finish = finishText;

export const fieldLabel = (name: string): string =>
  finish(
    (Object.hasOwn(labels.fields, name) && labels.fields[name]) ||
      deriveLabel(name.replace(/^picture_uri$/, "picture")),
  );

/** English labels have a capital on every word, as the API writes them; running text has one on the first. */
function toSentenceCase(label: string): string {
  if (currentLanguage() !== "en") return label;
  return label.replace(/(?<=\s)[A-Z][a-z]+/g, (word) => word.toLowerCase());
}

/** The label as the interface shows it: "Top - Service down for several users". */
const readChoice = (enumeration: string, value: string): string =>
  ownLabels.readChoice(enumeration, value) ??
  toSentenceCase(labels.choices[enumeration]?.[value] ?? deriveLabel(value)).replace(/\.\.\.$/, "…");

/** The whole label of a choice, for menus. */
export const choiceLabel = (enumeration: string, value: string): string => finish(readChoice(enumeration, value));

/** The part before the dash, for chips and rows: "Top". */
export const shortChoiceLabel = (enumeration: string, value: string): string =>
  finish(readChoice(enumeration, value).split(" - ", 1)[0] ?? "");

/** The part after the dash, for the second line of a menu; empty where there is none. */
export function choiceExplanation(enumeration: string, value: string): string {
  const [, ...rest] = readChoice(enumeration, value).split(" - ");
  return rest.length === 0 ? "" : finish(rest.join(" - "));
}

export const nameOf = (type: string): readonly [one: string, many: string] | undefined =>
  Object.hasOwn(names.types, type) ? names.types[type] : undefined;

export const typeLabel = (type: Pick<RecordType, "name">): string =>
  finish(nameOf(type.name)?.[0] ?? deriveLabel(type.name));
export const collectionLabel = (type: Pick<RecordType, "name" | "collection">): string =>
  finish(nameOf(type.name)?.[1] ?? deriveLabel(type.collection));
/** In the middle of a sentence; abbreviations keep their capitals, and so do German nouns. */
export const lowerFirst = (label: string): string => (currentLanguage() === "de" ? label : lowerFirstLetter(label));
