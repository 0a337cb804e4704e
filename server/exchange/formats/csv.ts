import { TextDecoder } from "node:util";

// Reads and writes comma- and tab-separated text (RFC 4180) as a stream. A cell has at most one megabyte and a row eight,
// so that an unclosed quote does not read the whole file into memory.

/** Its message is shown to the person who sent the file. */
export class UnreadableFile extends Error {}

export type CsvRow = { /** its first line, counted from 1 */ line: number; cells: string[] };

const maxCellLength = 1_048_576;
const maxRowLength = 8 * maxCellLength;
const maxCells = 1000;

/** Skips empty lines. On an error the rows before it are yielded first. */
export async function* parseCsv(pieces: AsyncIterable<string>, separator?: string): AsyncGenerator<CsvRow> {
  let knownSeparator = separator;
  let unparsed = "";
  let received = "";
  let line = 1;
  function* takeWholeRows(isEnd: boolean): Generator<CsvRow> {
    unparsed += received;
    received = "";
    const taken = takeRows(unparsed, knownSeparator ?? detectSeparator(unparsed), line, isEnd);
    yield* taken.rows;
    if (taken.mistake !== null) throw taken.mistake;
    ({ line, rest: unparsed } = taken);
  }
  try {
    for await (const piece of pieces) {
      received += piece;
      // Parsing a long row again for every piece would take quadratic time.
      if (received.length < unparsed.length) continue;
      // The whole first line is needed to detect the separator.
      if (knownSeparator === undefined) {
        unparsed += received;
        received = "";
        if (!/[\r\n]/.test(unparsed) && unparsed.length < maxCellLength) continue;
        knownSeparator = detectSeparator(unparsed);
      }
      yield* takeWholeRows(false);
      if (unparsed.length > maxRowLength) throwTooLarge(unparsed, line);
    }
  } catch (error) {
    if (received !== "") yield* takeWholeRows(false);
    throw error instanceof InvalidByte ? new UnreadableFile(`line ${line}: invalid byte sequence`) : error;
  }
  yield* takeWholeRows(true);
}

function detectSeparator(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  return first.split("\t").length > first.split(",").length ? "\t" : ",";
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

/** Decodes UTF-8, or UTF-16LE where a byte order mark or zero bytes indicate it. Other encodings are refused. */
export async function* decodeText(
  bytes: AsyncIterable<Buffer>,
  read: (position: number) => void,
): AsyncGenerator<string> {
  let decoder: Decoder | null = null;
  let head: Buffer = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of bytes) {
    position += chunk.length;
    read(position);
    if (decoder !== null) {
      yield* decoder.decode(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 4) continue;
    if (head.readUInt32BE() === zipSignature)
      throw new UnreadableFile("the file is an archive or a workbook: save it as CSV or as tab-separated text");
    decoder = new Decoder(head);
    yield* decoder.begin(head);
  }
  if (decoder === null) {
    decoder = new Decoder(head);
    yield* decoder.begin(head);
  }
  decoder.end();
}

/** A byte sequence that is invalid in the encoding. */
class InvalidByte extends Error {}

class Decoder {
  private readonly isWide: boolean;
  private readonly decoder: TextDecoder;
  /** the first bytes of a character that continues in the next chunk */
  private partial: Buffer = Buffer.alloc(0);

  constructor(head: Buffer) {
    this.isWide = (head[0] === 0xff && head[1] === 0xfe) || (head.length >= 4 && head[1] === 0 && head[3] === 0);
    this.decoder = new TextDecoder(this.isWide ? "utf-16le" : "utf-8", { fatal: true, ignoreBOM: true });
  }

  *begin(head: Buffer): Generator<string> {
    const mark = this.isWide ? "\u00ff\u00fe" : "\u00ef\u00bb\u00bf";
    yield* this.decode(head.toString("latin1", 0, mark.length) === mark ? head.subarray(mark.length) : head);
  }

  *decode(chunk: Buffer): Generator<string> {
    const bytes = this.partial.length === 0 ? chunk : Buffer.concat([this.partial, chunk]);
    const whole = bytes.length - (this.isWide ? countPartialUtf16(bytes) : countPartialUtf8(bytes));
    this.partial = bytes.subarray(whole);
    try {
      yield this.decoder.decode(bytes.subarray(0, whole));
    } catch {
      yield* this.decodeLines(bytes.subarray(0, whole));
      throw new InvalidByte();
    }
  }

  /** The lines before the invalid one. */
  private *decodeLines(bytes: Buffer): Generator<string> {
    for (let at = 0; at < bytes.length; ) {
      const lineEnd = this.isWide ? bytes.indexOf("\n", at, "utf16le") : bytes.indexOf("\n", at);
      const next = lineEnd < 0 ? bytes.length : lineEnd + (this.isWide ? 2 : 1);
      try {
        yield this.decoder.decode(bytes.subarray(at, next));
      } catch {
        return;
      }
      at = next;
    }
  }

  end(): void {
    if (this.partial.length > 0) throw new InvalidByte();
  }
}

/** The number of bytes at the end that begin an incomplete UTF-8 character. */
function countPartialUtf8(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** The same for UTF-16LE: half a unit, or the first of a surrogate pair. */
function countPartialUtf16(bytes: Buffer): number {
  const odd = bytes.length % 2;
  const last = bytes[bytes.length - odd - 1] ?? 0;
  return odd + (bytes.length > odd && (last & 0xfc) === 0xd8 ? 2 : 0);
}

const zipSignature = 0x504b0304;

const needsQuotes = /[",\r\n\t]|^\s|\s$/;

export const formatCsvLine = (cells: readonly string[], lineEnd: string): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}${lineEnd}`;
