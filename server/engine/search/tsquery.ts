/** "red|green appl" as a tsquery: 'red' | 'green' & 'appl':*. The last word is a prefix. */
export function buildTsquery(text: string): string {
  const groups = text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .split("|")
    .map((group) => group.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)))
    .filter((group) => group.length > 0);
  const quotedWords = groups.map((group) =>
    group.map((word) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`),
  );
  const last = quotedWords.at(-1);
  if (last === undefined) return "";
  last.push(`${last.pop()}:*`);
  return quotedWords.map((group) => `(${group.join(" & ")})`).join(" | ");
}
