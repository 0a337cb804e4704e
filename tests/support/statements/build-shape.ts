/** Returns the same shape for statements that differ only in numbers and in the length of lists. */
export const buildShape = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, "'…'")
    .replace(/\$\d+/g, "$")
    .replace(/\b\d+\b/g, "0")
    .replace(/\((\$|'…')(?:, (?:\$|'…'))+\)/g, "($1)")
    .replace(/\s+/g, " ")
    .trim();
