// The languages in which people write and read texts of an account: those of the interface come first.

const shownLanguages = ["en", "nl", "de", "fr", "es"];
const languageOf = (locale: string): string => locale.split("-")[0] ?? locale;

/** The locale of the original first, then the languages of the interface, then whatever there is besides. */
export function listLocales(own: string, known: readonly string[]): string[] {
  const others = shownLanguages
    .filter((language) => language !== languageOf(own))
    .map((language) => known.find((locale) => languageOf(locale) === language) ?? language);
  return [...new Set([own, ...others, ...known])];
}

/** A language in its own words: "Nederlands". */
export function languageName(locale: string): string {
  const name = new Intl.DisplayNames([locale], { type: "language" }).of(languageOf(locale)) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}
