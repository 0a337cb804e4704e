const namesByLanguage = new Map<string, Intl.DisplayNames>();

/** The name of a country in a language of enumeration `language`, else in English. */
export function countryName(country: string, code: string): string {
  return getDisplayNames(code).of(country) ?? getDisplayNames("en").of(country) ?? country;
}

function getDisplayNames(code: string): Intl.DisplayNames {
  const known = namesByLanguage.get(code);
  if (known) return known;
  const tag = code.replace("@latin", "-Latn"); // sr@latin is the one id that Intl does not know
  const names = new Intl.DisplayNames([tag, "en"], { type: "region", fallback: "none" });
  namesByLanguage.set(code, names);
  return names;
}
