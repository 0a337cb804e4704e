// People and records that a text names: "@Soren Lindqvist" and "#48213" while it is written, marks when it is sent. The draft
// stores which mark the words stand for, so that it can be sent from another device.

export type Mention = { words: string; mark: string };

export const mentionPerson = (id: number | string, name: string): Mention => ({
  words: `@${name}`,
  mark: `<@${id}|${name.replace(/[<>|\n]/g, " ")}>`,
});

export const mentionRecord = (type: string, id: number | string): Mention => ({
  words: `#${id}`,
  mark: `<${type}#${id}>`,
});

/** The text with its marks, the longest words first: "@Ann Lee" before "@Ann". */
export function writeMarks(text: string, mentions: Readonly<Record<string, string>>): string {
  const known = Object.entries(mentions)
    .filter(([words]) => text.includes(words))
    .sort(([one], [other]) => other.length - one.length);
  return known.reduce((result, [words, mark]) => {
    const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return result.replace(new RegExp(`(?<![\\w<])${escaped}(?![\\w>])`, "gu"), mark);
  }, text);
}

/** The word that is being written at the cursor, when it begins with @ or #. */
export function findTrigger(text: string, cursor: number): { sign: "@" | "#"; query: string; from: number } | null {
  const match = /(?:^|\s)([@#])([\p{L}\p{N}'. -]{0,40})$/u.exec(text.slice(0, cursor));
  if (match === null) return null;
  const query = match[2] ?? "";
  // Two blanks end a name: the sentence goes on.
  if (query.startsWith(" ") || /\s\S*\s\S*\s/.test(query)) return null;
  return { sign: match[1] === "@" ? "@" : "#", query, from: cursor - query.length - 1 };
}
