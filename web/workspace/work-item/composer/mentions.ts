// People and records mentioned in a text: "@Soren Lindqvist" and "#48213" while typing, marks when sent. The draft
// stores the mark for each mention, so that it can be sent from another device.

export type Mention = { words: string; mark: string };

export const mentionPerson = (id: number | string, name: string): Mention => ({
  words: `@${name}`,
  mark: `<@${id}|${name.replace(/[<>|\n]/g, " ")}>`,
});

export const mentionRecord = (type: string, id: number | string): Mention => ({
  words: `#${id}`,
  mark: `<${type}#${id}>`,
});

/** The text with its marks, the longest mentions first: "@Ann Lee" before "@Ann". */
export function writeMarks(text: string, mentions: Readonly<Record<string, string>>): string {
  const known = Object.entries(mentions)
    .filter(([words]) => text.includes(words))
    .sort(([one], [other]) => other.length - one.length);
  return known.reduce((result, [words, mark]) => {
    const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return result.replace(new RegExp(`(?<![\\w<])${escaped}(?![\\w>])`, "gu"), mark);
  }, text);
}

/** The word being typed at the cursor, if it begins with @ or #. */
export function findTrigger(text: string, cursor: number): { sign: "@" | "#"; query: string; from: number } | null {
  const match = /(?:^|\s)([@#])([\p{L}\p{N}'. -]{0,40})$/u.exec(text.slice(0, cursor));
  if (match === null) return null;
  const query = match[2] ?? "";
  // Two blanks end a name: the sentence continues.
  if (query.startsWith(" ") || /\s\S*\s\S*\s/.test(query)) return null;
  return { sign: match[1] === "@" ? "@" : "#", query, from: cursor - query.length - 1 };
}
