// The keywords of the rule language, for highlighting. The server parses the text.

export type TokenKind = "string" | "number" | "word" | "label" | "operator" | "field" | "choice" | "plain";
export type Token = { kind: TokenKind; text: string; at: number };
export type KnownNames = { fields: ReadonlySet<string>; names: ReadonlySet<string> };

const pattern =
  /('(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)|(^[A-Za-z]\w*:)|(\b\d+(?:\.\d+)?\b)|(\b[A-Za-z]\w*\b)|([!=<>~+\-*/%?]+)/gm;
const groupKinds: readonly TokenKind[] = ["string", "label", "number", "word", "operator"];
const operators = /^(?:or|and|in|not_in|then|else|true|false|nil)$/;
const actionWords =
  /^(?:update|set|clear|add|remove|to|from|note|internal|with|attachments|call|webhook|payload|send|email|subject|body|after|start)$/;
const functions = /^(?:find|find_all|search|new|coalesce|self|now|today|rule|account|current_person|first|last)$/;

/** Splits a text into tokens of one color each; joined, they are the text again. */
export function tokenize(text: string, known: KnownNames, isAction = false): Token[] {
  const pieces: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ kind: "plain", text: text.slice(from, match.index), at: from });
    const group = groupKinds[match.slice(1).findIndex((each) => each !== undefined)] ?? "plain";
    const kind = group === "word" ? pickKind(match[0], text[match.index - 1] === ".", known, isAction) : group;
    pieces.push({ kind, text: match[0], at: match.index });
    from = match.index + match[0].length;
  }
  pieces.push({ kind: "plain", text: text.slice(from), at: from });
  return pieces;
}

function pickKind(word: string, isMember: boolean, { fields, names }: KnownNames, isAction: boolean): TokenKind {
  if (isMember) return "field";
  if (operators.test(word)) return "word";
  if (names.has(word)) return "plain";
  if (isAction && actionWords.test(word)) return "word";
  if (fields.has(word.replace(/_was$/, ""))) return "field";
  return functions.test(word) ? "plain" : "choice";
}

/** The names that a rule's expressions define, with the line of each definition, from 0. */
export const listNames = (expressions: string): ReadonlyMap<string, number> =>
  new Map(
    expressions.split("\n").flatMap((line, index) => {
      const name = /^([A-Za-z]\w*):/.exec(line)?.[1];
      return name === undefined ? [] : [[name, index] as const];
    }),
  );
