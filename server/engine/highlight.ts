// Where the words somebody looked for stand in a text. Accents count for nothing here, as in the index.

const length = 300;
const marks = /[\u0300-\u036f]/g;
const bare = (text: string) => text.normalize("NFD").replace(marks, "").toLowerCase();

/** Each letter may carry accents; all but the last word are whole. */
export function pattern(text: string): RegExp {
  const words = bare(text)
    .split(/[\s|]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => [...word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")]);
  if (words.length === 0) return /(?!)/gu;
  const accented = (letters: string[]) =>
    letters.map((letter) => `${letter.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}[\\u0300-\\u036f]*`).join("");
  const all = words.map(accented);
  const begun = `${all.pop()}[\\p{L}\\p{N}\\u0300-\\u036f]*`;
  const whole = all.map((word) => `${word}(?![\\p{L}\\p{N}])`);
  return new RegExp(`(?<![\\p{L}\\p{N}\\u0300-\\u036f])(?:${[...whole, begun].join("|")})`, "giu");
}

/** A piece of a long text around the first of the words. */
export function startOf(text: string, words: RegExp): string {
  const characters = [...text.normalize("NFC")];
  if (characters.length <= length) return characters.join("");
  const decomposed = characters.join("").normalize("NFD");
  const at = Math.max(0, decomposed.search(words));
  const before = [...decomposed.slice(0, at).normalize("NFC")].length;
  const from = before < length / 2 ? 0 : Math.min(before - 60, characters.length - length);
  const piece = characters
    .slice(from, from + length)
    .join("")
    .trim();
  return `${from > 0 ? "…" : ""}${piece}${from + length < characters.length ? "…" : ""}`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] as string);

/** The text as HTML, its words inside <em>. */
export function highlighted(text: string, words: RegExp): string {
  const decomposed = text.normalize("NFD");
  let html = "";
  let done = 0;
  for (const match of decomposed.matchAll(words)) {
    html += `${escaped(decomposed.slice(done, match.index))}<em>${escaped(match[0])}</em>`;
    done = match.index + match[0].length;
  }
  return (html + escaped(decomposed.slice(done))).normalize("NFC");
}
