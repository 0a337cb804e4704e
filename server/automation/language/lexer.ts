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

const longOperators = new Set(["!=", "!~", "<=", ">="]);
const operators = new Set("!=<>~+-*/%?:.[](){},");
// Far more than people write; they keep a text from taking long.
const maxCharacters = 65_536;
const maxTokens = 20_000;
// Typographic characters from pasted texts mean the same as plain ones.
const typographic: Record<string, string> = { "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-" };
const toPlainCharacter = (character: string): string => typographic[character] ?? character;

const namePattern = /[A-Za-z][A-Za-z0-9_]*/y;
const numberPattern = /\d+(?:\.\d+)?/y;

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let lineStart = 0;
  if (source.length > maxCharacters) throw new SyntaxProblem(`more than ${maxCharacters} characters`, maxCharacters);
  const push = (kind: Token["kind"], text: string, end: number) => {
    if (tokens.length >= maxTokens) throw new SyntaxProblem(`more than ${maxTokens} words and signs`, at);
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
    } else if (/\d/.test(character)) {
      const number = matchAt(numberPattern, source, at);
      push("number", number, at + number.length);
    } else if (/[A-Za-z]/.test(character)) {
      const name = matchAt(namePattern, source, at);
      push("name", name, at + name.length);
    } else {
      const operator = readOperator(source, at);
      if (operator === null) throw new SyntaxProblem(`unexpected '${[...source.slice(at, at + 2)][0]}'`, at);
      push("operator", operator, at + operator.length);
    }
  }
  push("end", "", at);
  return tokens;
}

function readOperator(source: string, at: number): string | null {
  const first = toPlainCharacter(source[at] as string);
  const both = first + toPlainCharacter(source[at + 1] ?? "");
  return longOperators.has(both) ? both : operators.has(first) ? first : null;
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
