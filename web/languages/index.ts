import { toIntlLocale } from "../../records/languages/intl-locale.ts";
import type { words as english } from "./en/index.ts";
import type { Message } from "./message.ts";

// The words of the interface. A language is a folder with one file per area (docs/translating.md); only the language of the
// reader is loaded.

export type MessageKey = keyof typeof english;
export type Catalogue = Readonly<Record<MessageKey, Message>>;

/** The words of the frame and the inbox, which come first. */
type FirstWords = Readonly<Record<string, Message>>;

/** By the code of the language, which is the name of its folder. */
const byFolder = <Module>(modules: Readonly<Record<string, () => Promise<Module>>>) =>
  Object.fromEntries(Object.entries(modules).map(([path, load]) => [path.split("/")[1] ?? "", load]));

const firstWords = byFolder(import.meta.glob<FirstWords>("./*/first.ts", { import: "first" }));
const catalogues = byFolder(import.meta.glob<Catalogue>("./*/index.ts", { import: "words" }));
export const languageCodes: readonly string[] = Object.keys(catalogues);

let current: FirstWords = {};
let locale = "en-US";
let language = "en";
let isPseudo = false;
let pseudo: typeof import("./pseudo.ts") | null = null;
/** some page has needed more than the first words */
let isWhole = false;

const storageKey = "steward-language";

/** "?language=pseudo" (for tests of the layout) or another language, kept until the tab is closed. */
export function requestedLanguage(): string | null {
  try {
    const asked = new URLSearchParams(location.search).get("language");
    if (asked !== null) sessionStorage.setItem(storageKey, asked);
    return sessionStorage.getItem(storageKey);
  } catch {
    return null; // storage is switched off
  }
}

/** The language this browser had last, for what is shown before it is known who is there. */
export function rememberedLanguage(): string {
  try {
    return localStorage.getItem(storageKey) ?? navigator.language;
  } catch {
    return navigator.language;
  }
}

export async function loadLanguage(wanted: string): Promise<void> {
  const code = requestedLanguage() ?? wanted;
  isPseudo = code === "pseudo";
  if (isPseudo) pseudo = await import("./pseudo.ts");
  locale = isPseudo ? "en-GB" : toIntlLocale(code);
  const wish = locale.split("-")[0] ?? "en";
  language = languageCodes.includes(wish) ? wish : "en";
  // Meanwhile, a page may have requested all words, or the reader another language.
  for (let [whole, wanted] = [!isWhole, language]; whole !== isWhole || wanted !== language; ) {
    [whole, wanted] = [isWhole, language];
    show((await (whole ? catalogues : firstWords)[wanted]?.()) ?? {});
  }
  document.documentElement.lang = language;
  try {
    if (!isPseudo) localStorage.setItem(storageKey, code);
  } catch {
    // storage is switched off: the next visit begins with the language of the browser
  }
}

const show = (loaded: FirstWords): void => {
  current = isPseudo && pseudo !== null ? pseudo.buildPseudoCatalogue(loaded) : loaded;
};

/** The words of all pages, for whatever is loaded after the frame and the inbox. */
export async function loadAllWords(): Promise<void> {
  if (isWhole) return;
  const wanted = language;
  const loaded = await catalogues[wanted]?.();
  isWhole = true;
  // Another language was chosen meanwhile: its own words are on their way.
  show((wanted === language ? loaded : await catalogues[language]?.()) ?? {});
}

/** What a text becomes in the language for tests of the layout; in all others it stays. */
export const finishText = (text: string): string => (isPseudo && pseudo !== null ? pseudo.toPseudo(text) : text);

/** For numbers and dates. */
export const currentLocale = (): string => locale;
export const currentLanguage = (): string => locale.split("-")[0] ?? "en";

export type Values = Readonly<Record<string, string | number>>;

// Making a formatter takes longer than formatting a hundred numbers.
let formats = { of: "", numbers: new Intl.NumberFormat(), plurals: new Intl.PluralRules() };
function currentFormats(): typeof formats {
  if (formats.of !== locale)
    formats = { of: locale, numbers: new Intl.NumberFormat(locale), plurals: new Intl.PluralRules(locale) };
  return formats;
}

const formatNumeral = (value: string | number): string =>
  typeof value === "number" ? currentFormats().numbers.format(value) : value;

function pickForm(message: Message, values: Values): string {
  if (typeof message === "string") return message;
  const forms = message as Readonly<Record<string, string | undefined>> & { other: string };
  const form = forms.by === undefined ? currentFormats().plurals.select(Number(values.count)) : values[forms.by];
  return forms[String(form)] ?? forms.other;
}

export const fillMessage = (message: Message, values: Values): string =>
  pickForm(message, values).replace(/\{(\w+)\}/g, (place, name: string) => formatNumeral(values[name] ?? place));

export function t(key: MessageKey, values: Values = {}): string {
  const message: Message | undefined = current[key];
  return message === undefined ? key : fillMessage(message, values);
}

/** For the portal, which loads words of its own: those that the shared parts need, and the locale of the reader. */
export function adoptWords(words: Partial<Catalogue>, wanted: string): void {
  current = words as Catalogue;
  locale = toIntlLocale(wanted);
}

export const isMessage = (key: string): key is MessageKey => Object.hasOwn(current, key);
