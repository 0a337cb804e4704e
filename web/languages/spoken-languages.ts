import type { enumerations } from "../../records/enumerations/index.ts";
import { languageCodes } from "./index.ts";

// The languages in which people write and read texts of an account: those of the interface come first.

type Locale = (typeof enumerations.language)[number];

const regions: Readonly<Record<string, readonly Locale[]>> = { en: ["en-US", "en-GB"] };

/** The locales that the server accepts for each language of the interface, the usual one first. D-760 */
export const offeredLocales: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  languageCodes.map((code) => [code, regions[code] ?? [code]]),
);
const languageOf = (locale: string): string => locale.split(/[-@]/)[0] ?? locale;

/** `preferred`: locales of the reader, such as those of the browser; they choose the region of a language. */
export function pickLocale(language: string, preferred: readonly string[]): string {
  const offered = offeredLocales[language] ?? [language];
  return offered.find((locale) => preferred.includes(locale)) ?? offered[0] ?? language;
}

/** The locale of the original first, then the languages of the interface, then whatever there is besides. */
export function listLocales(own: string, known: readonly string[]): string[] {
  const others = Object.entries(offeredLocales)
    .filter(([language]) => language !== languageOf(own))
    .map(([language, [usual = language]]) => known.find((locale) => languageOf(locale) === language) ?? usual);
  return [...new Set([own, ...others, ...known])];
}

/** A language in its own words: "Nederlands". */
export const languageName = (locale: string): string => nameIn(languageOf(locale), languageOf(locale));
/** The same with its region: "British English". */
export const localeName = (locale: string): string => nameIn(languageOf(locale), locale.replace(/@.*$/, ""));

function nameIn(language: string, code: string): string {
  try {
    const name = new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
  } catch {
    return code; // browsers refuse codes that they cannot read
  }
}
