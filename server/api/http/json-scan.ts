import { BadRequest } from "../../base/errors.ts";

// Measures a body in one pass, before the parser runs: the time that parsing and validating take depends on the number of
// members and values much more than on the number of bytes. The scan does not check the grammar; the parser does.

export type BodyLimits = {
  depth: number;
  /** of one object */
  members: number;
  /** members of all objects and entries of all lists together */
  values: number;
};

/** More than any record needs: a list has at most 1000 entries, an object at most some hundred members. */
export const bodyLimits: BodyLimits = { depth: 32, members: 1000, values: 20_000 };
/** for forms and for requests that need no credentials */
export const smallBodyLimits: BodyLimits = { depth: 8, members: 100, values: 1000 };

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];

/** The names of one object; null: a list. */
type OpenContainer = Set<string> | null;

/** Refuses JSON that is nested too deeply, has too many members or values, or names a member of an object twice. */
export function scanJson(text: string, limits: BodyLimits = bodyLimits): void {
  const open: OpenContainer[] = [];
  let names: OpenContainer = null;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = findStringEnd(text, at);
      if (names !== null && isFollowedByColon(text, end + 1)) addName(names, readName(text, at, end), limits);
      at = end;
    } else if (code === comma || code === colon) {
      if (++values > limits.values) throw new BadRequest("The JSON has too many members and values");
    } else if (code === openBrace || code === openBracket) {
      if (open.push(names) > limits.depth) throw new BadRequest("The JSON is nested too deeply");
      names = code === openBrace ? new Set() : null;
    } else if (code === closeBrace || code === closeBracket) names = open.pop() ?? null;
  }
}

/** The position of the closing quote, or the end of a text without one. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

function isFollowedByColon(text: string, start: number): boolean {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === colon;
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end);
  if (!name.includes("\\")) return name;
  try {
    return JSON.parse(text.slice(start, end + 1)) as string;
  } catch {
    return name; // the parser refuses the whole text
  }
}

function addName(names: Set<string>, name: string, { members }: BodyLimits): void {
  if (names.size === members) throw new BadRequest(`An object of the JSON has more than ${members} members`);
  if (names.size === names.add(name).size)
    throw new BadRequest(`The JSON names the member "${name.slice(0, 40).toWellFormed()}" twice`);
}

/** Refuses forms with too many fields. */
export function scanForm(text: string, limit: number): void {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1))
    if (++fields > limit) throw new BadRequest(`The form has more than ${limit} fields`);
}
