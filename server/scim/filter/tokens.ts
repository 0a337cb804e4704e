import { invalidFilter } from "../errors.ts";

export type Token =
  | { kind: "name"; text: string }
  | { kind: "value"; value: string | number | boolean | null }
  | { kind: "symbol"; text: "(" | ")" | "[" | "]" | "." };

const pattern =
  /\s*(?:(?<symbol>[()[\].])|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w:])|(?<name>[A-Za-z$][\w$:.-]*))/uy;

const literals = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** The words of a filter or of the path of a patch. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const source = text.trimEnd();
  pattern.lastIndex = 0;
  while (pattern.lastIndex < source.length) {
    const start = pattern.lastIndex;
    const found = pattern.exec(source)?.groups;
    if (found === undefined) throw invalidFilter(`The filter cannot be read at character ${start + 1}.`);
    tokens.push(buildToken(found, start));
  }
  return tokens;
}

function buildToken(found: Record<string, string | undefined>, start: number): Token {
  if (found.symbol !== undefined) return { kind: "symbol", text: found.symbol as "(" };
  if (found.number !== undefined) return { kind: "value", value: Number(found.number) };
  if (found.string !== undefined) return { kind: "value", value: readString(found.string, start) };
  const name = found.name ?? "";
  const literal = literals.get(name.toLowerCase());
  return literal === undefined ? { kind: "name", text: name } : { kind: "value", value: literal };
}

function readString(text: string, start: number): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw invalidFilter(`The text at character ${start + 1} of the filter is not a JSON string.`);
  }
}
