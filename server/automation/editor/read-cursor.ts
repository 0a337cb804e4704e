// Reads the text before the cursor of a rule. The text is unfinished, so no parser reads it: brackets and quotes are
// counted, and the chain of names before the cursor is cut out.

export type Cursor = {
  /** the offset of the first character that a suggestion replaces */
  from: number;
  /** the chain before the dot in front of the word; null: no dot */
  chain: string | null;
  /** the text before the word, without the chain */
  head: string;
  /** the lists whose elements the text is about, the outermost first: the chains before `.select(` */
  iterations: readonly string[];
  /** the function whose first argument is at the cursor */
  call: string | null;
  /** the names that are completed inside of quotes */
  inQuotes: "webhook" | "rule" | "expressions" | null;
};

const iterationPattern = /\.(?:select|reject|map|sum|min|max|sort)$/;

type Brackets = {
  /** the index of the opening bracket by that of the closing one */
  openings: ReadonlyMap<number, number>;
  unclosed: readonly number[];
  /** the index of the quote that is not closed */
  openQuote: number | null;
};

function matchBrackets(text: string): Brackets {
  const openings = new Map<number, number>();
  const unclosed: number[] = [];
  let quote: number | null = null;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] as string;
    if (quote !== null) {
      if (character === "\\") i++;
      else if (character === text[quote]) quote = null;
    } else if (character === "'" || character === '"') quote = i;
    else if (character === "(" || character === "[") unclosed.push(i);
    else if (character === ")" || character === "]") {
      const opening = unclosed.pop();
      if (opening !== undefined) openings.set(i, opening);
    }
  }
  return { openings, unclosed, openQuote: quote };
}

/** The names, calls and indexes that end the text: "workflow.requests[first].requested_for". */
export function cutChain(text: string, { openings }: Pick<Brackets, "openings"> = matchBrackets(text)): string {
  let start = text.length;
  for (;;) {
    for (let opening = openings.get(start - 1); opening !== undefined; opening = openings.get(start - 1))
      start = opening;
    start -= /\w*$/.exec(text.slice(0, start))?.[0].length ?? 0;
    if (text[start - 1] !== ".") return text.slice(start);
    start--;
  }
}

const nothing = { chain: null, iterations: [], call: null };

/** `text` ends at the cursor. */
export function readCursor(text: string): Cursor | null {
  const brackets = matchBrackets(text);
  const { openQuote } = brackets;
  if (openQuote === null) return readCode(text, brackets);
  const inner = text.slice(openQuote + 1);
  const placeholder = inner.lastIndexOf("{{");
  if (placeholder >= 0 && inner.indexOf("}}", placeholder) < 0) {
    const source = inner.slice(placeholder + 2);
    const cursor = readCode(source, matchBrackets(source));
    return { ...cursor, from: cursor.from + openQuote + placeholder + 3, head: "{{" };
  }
  const word = /\b(webhook|start|payload)\s*$/.exec(text.slice(0, openQuote))?.[1];
  if (word === undefined) return null;
  if (word === "payload") {
    const from = text.length - (/\w*$/.exec(inner)?.[0].length ?? 0);
    return { from, head: "", ...nothing, inQuotes: "expressions" };
  }
  return { from: openQuote + 1, head: "", ...nothing, inQuotes: word === "webhook" ? "webhook" : "rule" };
}

function readCode(text: string, brackets: Brackets): Cursor {
  const word = /[A-Za-z]\w*$/.exec(text)?.[0] ?? "";
  const from = text.length - word.length;
  const before = text.slice(0, from);
  const chain = before.endsWith(".") ? cutChain(before.slice(0, -1), brackets) : null;
  const head = chain === null ? before : before.slice(0, -1 - chain.length);
  const opening = brackets.unclosed.at(-1);
  const call =
    opening === undefined || text[opening] !== "(" || text.slice(opening + 1, from).trim() !== ""
      ? null
      : (/(?:^|[^.\w])(\w+)$/.exec(text.slice(0, opening))?.[1] ?? null);
  const iterations = brackets.unclosed.flatMap((at) => {
    const member = text[at] === "(" ? iterationPattern.exec(text.slice(0, at)) : null;
    return member === null ? [] : [cutChain(text.slice(0, member.index), brackets)];
  });
  return { from, chain, head, iterations, call, inQuotes: null };
}
