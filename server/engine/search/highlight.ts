// Finds the words of a search in a text. Accents are ignored, as in the index.

const excerptLength = 300;
const combiningMarks = /[\u0300-\u036f]/g;
const foldAccents = (text: string) => text.normalize("NFD").replace(combiningMarks, "").toLowerCase();

/** Letters may carry accents; the last word is a prefix, the others are whole words. */
export function buildWordPattern(text: string): RegExp {
  const words = foldAccents(text)
    .split(/[\s|]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => [...word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")]);
  if (words.length === 0) return /(?!)/gu;
  const accented = (letters: string[]) =>
    letters.map((letter) => `${letter.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}[\\u0300-\\u036f]*`).join("");
  const all = words.map(accented);
  const prefix = `${all.pop()}[\\p{L}\\p{N}\\u0300-\\u036f]*`;
  const whole = all.map((word) => `${word}(?![\\p{L}\\p{N}])`);
  return new RegExp(`(?<![\\p{L}\\p{N}\\u0300-\\u036f])(?:${[...whole, prefix].join("|")})`, "giu");
}

/** The part of a long text around its first match. */
export function buildExcerpt(text: string, words: RegExp): string {
  const characters = [...text.normalize("NFC")];
  if (characters.length <= excerptLength) return characters.join("");
  const decomposed = characters.join("").normalize("NFD");
  const at = Math.max(0, decomposed.search(words));
  const before = [...decomposed.slice(0, at).normalize("NFC")].length;
  const from = before < excerptLength / 2 ? 0 : Math.min(before - 60, characters.length - excerptLength);
  const excerpt = characters
    .slice(from, from + excerptLength)
    .join("")
    .trim();
  return `${from > 0 ? "…" : ""}${excerpt}${from + excerptLength < characters.length ? "…" : ""}`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] as string);

/** The text as HTML, its words inside <em>. */
export function highlightWords(text: string, words: RegExp): string {
  const decomposed = text.normalize("NFD");
  let html = "";
  let done = 0;
  for (const match of decomposed.matchAll(words)) {
    html += `${escapeText(decomposed.slice(done, match.index))}<em>${escapeText(match[0])}</em>`;
    done = match.index + match[0].length;
  }
  return (html + escapeText(decomposed.slice(done))).normalize("NFC");
}
