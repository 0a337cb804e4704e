// The words of the rule language, for colouring them. What a text means, the server says.

export type TokenKind = "string" | "number" | "word" | "label" | "operator" | "plain";

const pattern =
  /('(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)|(^[A-Za-z]\w*:)|(\b\d+(?:\.\d+)?\b)|(\b(?:or|and|in|not_in|then|else|true|false|nil|update|set|clear|add|remove|to|from|note|internal|with|attachments|call|webhook|payload|send|email|subject|body|after|start)\b)|([!=<>~+\-*/%?]+)/gm;
const kinds: readonly TokenKind[] = ["string", "label", "number", "word", "operator"];

/** A text cut into pieces of one colour each; together they are the text. */
export function tokenize(text: string): { kind: TokenKind; text: string; at: number }[] {
  const pieces: { kind: TokenKind; text: string; at: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ kind: "plain", text: text.slice(from, match.index), at: from });
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)] ?? "plain";
    pieces.push({ kind, text: match[0], at: match.index });
    from = match.index + match[0].length;
  }
  pieces.push({ kind: "plain", text: text.slice(from), at: from });
  return pieces;
}
