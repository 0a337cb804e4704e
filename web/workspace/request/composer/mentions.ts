// People and records that a text names: "@Soren Lindqvist" and "#48213" while it is written, marks when it is sent.

type Known = Readonly<Record<string, string>>;

const storageKey = "steward-mentions";
const maxKnown = 200;

function readKnown(): Known {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Known;
  } catch {
    return {};
  }
}

/** Remembers what words stand for, also for a draft that is sent another day. */
function remember(words: string, mark: string): void {
  const entries = Object.entries({ ...readKnown(), [words]: mark }).slice(-maxKnown);
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // the words are sent as they are then
  }
}

export function mentionPerson(id: number | string, name: string): string {
  const words = `@${name}`;
  remember(words, `<@${id}|${name.replace(/[<>|\n]/g, " ")}>`);
  return words;
}

export function mentionRecord(type: string, id: number | string): string {
  const words = `#${id}`;
  remember(words, `<${type}#${id}>`);
  return words;
}

/** The text with its marks, the longest words first: "@Ann Lee" before "@Ann". */
export function writeMarks(text: string): string {
  const known = Object.entries(readKnown())
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
  return { sign: match[1] as "@" | "#", query, from: cursor - query.length - 1 };
}
