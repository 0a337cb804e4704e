import { InvalidByte, UnreadableFile } from "./text-encoding.ts";

// Reads text whose cells are separated by commas, semicolons or tabs (RFC 4180) as a stream, and writes it with commas. A
// cell has at most one megabyte and a row eight, so that an unclosed quote does not read the whole file into memory.

export type CsvRow = { /** its first line, counted from 1 */ line: number; cells: string[] };

const maxCellLength = 1_048_576;
const maxRowLength = 8 * maxCellLength;
const maxCells = 1000;

/** Skips empty lines. On an error the rows before it are yielded first. */
export async function* parseCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let separator: string | null = null;
  let unparsed = "";
  let received = "";
  let line = 1;
  function* takeWholeRows(isEnd: boolean): Generator<CsvRow> {
    unparsed += received;
    received = "";
    if (separator === null) {
      const found = detectSeparator(unparsed, isEnd);
      if (found === null) return;
      separator = found.separator;
      if (found.declaration > 0) [unparsed, line] = [unparsed.slice(found.declaration), line + 1];
    }
    const taken = takeRows(unparsed, separator, line, isEnd);
    yield* taken.rows;
    if (taken.mistake !== null) throw taken.mistake;
    ({ line, rest: unparsed } = taken);
  }
  try {
    for await (const piece of pieces) {
      received += piece;
      // Parsing a long row again for every piece would take quadratic time.
      if (received.length < unparsed.length) continue;
      yield* takeWholeRows(false);
      if (unparsed.length > maxRowLength) throwTooLarge(unparsed, line);
    }
  } catch (error) {
    if (received !== "") yield* takeWholeRows(false);
    throw error instanceof InvalidByte
      ? new UnreadableFile(`line ${line}: invalid byte sequence; save the file as CSV in UTF-8`)
      : error;
  }
  yield* takeWholeRows(true);
}

/** A first line by which Excel and others name the separator. */
const separatorDeclaration = /^"?sep=([,;\t])"?(?:\r?\n|\r|$)/i;

/**
 * The separator that is most frequent in the first row outside quotes, or the one that a declaration names, whose length is
 * returned as well. Null: the first row may be incomplete.
 */
function detectSeparator(text: string, isEnd: boolean): { separator: string; declaration: number } | null {
  const counts = { ",": 0, ";": 0, "\t": 0 };
  let isQuoted = false;
  let hasEnded = isEnd || text.length >= maxCellLength;
  for (const { 0: found, index } of text.matchAll(/["\r\n,;\t]/g)) {
    // A quote opens a cell only at its beginning; a doubled quote continues it.
    if (found === '"') isQuoted = !isQuoted && (index === 0 || /[",;\t]/.test(text[index - 1] as string));
    else if (isQuoted) continue;
    else if (found === "\r" || found === "\n") {
      hasEnded = true;
      break;
    } else counts[found as keyof typeof counts]++;
  }
  if (!hasEnded) return null;
  const declared = separatorDeclaration.exec(text);
  if (declared?.[1] !== undefined) {
    // The line feed after a carriage return may be in the next piece.
    if (declared[0].length === text.length && text.endsWith("\r") && !isEnd) return null;
    return { separator: declared[1], declaration: declared[0].length };
  }
  const separators = Object.keys(counts) as (keyof typeof counts)[];
  return { separator: separators.reduce((one, other) => (counts[other] > counts[one] ? other : one)), declaration: 0 };
}

function throwTooLarge(text: string, line: number): never {
  const what = text.includes('"') ? "a cell is larger than 1 MiB, or its quotes do not end" : "a row is too long";
  throw new UnreadableFile(`line ${line}: ${what}`);
}

/** The complete rows at the beginning of a text, the rest, and the mistake that ends the parsing. */
function takeRows(text: string, separator: string, from: number, isEnd: boolean) {
  const rows: CsvRow[] = [];
  let line = from;
  let begin = 0;
  let cells: string[] = [];
  let lines = 0;
  let at = 0;
  const breaks = new RegExp(`[${separator}\r\n]`, "g");
  const rest = (mistake: string | null = null, at = line) => ({
    ...{ rows, line, rest: begin === 0 ? text : text.slice(begin) },
    mistake: mistake === null ? null : new UnreadableFile(`line ${at}: ${mistake}`),
  });
  for (;;) {
    let cell: string;
    if (text.charCodeAt(at) === 34) {
      const end = findClosingQuote(text, at);
      if (end < 0 || (end === text.length - 1 && !isEnd))
        return isEnd ? rest("the quotes of a cell do not end", line + lines) : rest();
      const inner = text.slice(at + 1, end);
      for (let next = inner.indexOf("\n"); next >= 0; next = inner.indexOf("\n", next + 1)) lines++;
      cell = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
      at = end + 1;
      if (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n")
        return rest("there is text behind the quotes of a cell", line + lines);
    } else {
      breaks.lastIndex = at;
      const found = breaks.exec(text);
      if (found === null && !isEnd) return rest();
      const end = found?.index ?? text.length;
      cell = text.slice(at, end);
      at = end;
    }
    if (cell.length > maxCellLength) return rest("a cell is larger than 1 MiB");
    if (cells.push(cell) > maxCells) return rest(`there are more than ${maxCells} cells`);
    if (text[at] === separator) {
      at++;
      if (at === text.length && !isEnd) return rest();
      continue;
    }
    // The line feed after a carriage return may be in the next piece.
    if (text[at] === "\r" && at === text.length - 1 && !isEnd) return rest();
    if (at >= text.length && !isEnd) return rest();
    if (cells.length > 1 || cells[0] !== "") rows.push({ line, cells });
    const ended = at < text.length;
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    line += lines + 1;
    begin = Math.min(at, text.length);
    cells = [];
    lines = 0;
    if (!ended || at >= text.length) return rest();
  }
}

/** A doubled quote is an escaped one. */
function findClosingQuote(text: string, from: number): number {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text[at + 1] !== '"') return at;
  }
}

const needsQuotes = /[",\r\n\t]|^\s|\s$/;

export const formatCsvLine = (cells: readonly string[], lineEnd: string): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}${lineEnd}`;
