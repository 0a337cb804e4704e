/** The beginning of a text from outside, as PostgreSQL can store it. It is made storable last: a cut may halve a character. */
export const cutToStorable = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll("\0", "").toWellFormed();
