// Finds actions by a few letters: every typed word must begin a word of the name or of its synonyms.

const normalize = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

const split = (text: string): string[] =>
  normalize(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** 0: no match; higher is better. A name that begins with the text ranks first, synonyms last. */
export function rankMatch(typed: string, name: string, synonyms = ""): number {
  const wanted = split(typed);
  if (wanted.length === 0) return 1;
  const matches = (words: readonly string[]) => wanted.every((each) => words.some((word) => word.startsWith(each)));
  if (normalize(name).startsWith(normalize(typed).trim())) return 4;
  if (matches(split(name))) return 3;
  if (normalize(name).includes(normalize(typed).trim())) return 2;
  return matches(split(`${name} ${synonyms}`)) ? 1 : 0;
}
