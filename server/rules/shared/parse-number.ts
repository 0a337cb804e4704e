/** A number that PostgreSQL told as text, or null. */
export const parseNumberOrNull = (text: string | null | undefined): number | null =>
  text == null ? null : Number(text);
