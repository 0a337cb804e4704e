/** The locale of a person as Intl knows it, which has no "sr@latin"; en-US for what a directory may write that is none. */
export function toIntlLocale(code: string): string {
  try {
    return Intl.getCanonicalLocales(code.replace(/@.*$/, ""))[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}
