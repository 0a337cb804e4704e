import { SyntaxProblem } from "./errors.ts";

// AL1

export type Token = {
  kind: "number" | "text" | "name" | "operator" | "end";
  /** the source text, for texts without quotes and escapes */
  text: string;
  at: number;
  end: number;
  /** the first token of its line, at column 1 */
  startsLine: boolean;
};

const operators = ["!=", "!~", "<=", ">=", ..."!=<>~+-*/%?:.[](){},"];
// Typographic characters from pasted texts mean the same as plain ones.
const typographic: Record<string, string> = { "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-" };
const toPlainCharacter = (character: string): string => typographic[character] ?? character;

const namePattern = /[A-Za-z][A-Za-z0-9_]*/y;
const numberPattern = /\d+(?:\.\d+)?/y;

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let lineStart = 0;
  const push = (kind: Token["kind"], text: string, end: number) => {
    tokens.push({ kind, text, at, end, startsLine: at === lineStart });
    at = end;
  };
  while (at < source.length) {
    const character = source[at] as string;
    if (character === "\n") {
      at++;
      lineStart = at;
    } else if (/\s/.test(character)) at++;
    else if (toPlainCharacter(character) === "'" || toPlainCharacter(character) === '"') {
      const start = lineStart;
      const { text, end } = readText(source, at);
      push("text", text, end);
      const newline = source.lastIndexOf("\n", end - 1);
      // A token after a multi-line text is on the line of its closing quote.
      if (newline >= start) lineStart = newline + 1;
    } else if (/\d/.test(character))
      push("number", matchAt(numberPattern, source, at), at + matchAt(numberPattern, source, at).length);
    else if (/[A-Za-z]/.test(character))
      push("name", matchAt(namePattern, source, at), at + matchAt(namePattern, source, at).length);
    else {
      const operator = operators.find((one) =>
        [...one].every((part, i) => toPlainCharacter(source[at + i] ?? "") === part),
      );
      if (operator === undefined) throw new SyntaxProblem(`unexpected '${[...source.slice(at, at + 2)][0]}'`, at);
      push("operator", operator, at + operator.length);
    }
  }
  push("end", "", at);
  return tokens;
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}

function readText(source: string, at: number): { text: string; end: number } {
  const quote = source[at] as string;
  const straight = toPlainCharacter(quote);
  // A text in straight quotes may contain curly ones.
  const closes = (character: string) =>
    character === straight || (quote !== straight && toPlainCharacter(character) === straight);
  let text = "";
  for (let i = at + 1; i < source.length; i++) {
    const character = source[i] as string;
    if (closes(character)) return { text, end: i + 1 };
    if (character !== "\\") {
      text += character;
      continue;
    }
    const next = source[i + 1] ?? "";
    const escaped = next === "n" ? "\n" : next === "\\" || closes(next) || next === "'" || next === '"' ? next : null;
    if (escaped === null) text += "\\";
    else {
      text += escaped;
      i++;
    }
  }
  throw new SyntaxProblem(`the text that begins here has no closing ${straight}`, at);
}
