import { TextDecoder } from "node:util";

// RFC 4180 and its sister with tabs, read as a stream of text and written row by row. A cell holds at most a megabyte and
// a row eight: a quote that is never closed must not swallow the whole file.

/** Why a file cannot be read any further, said to whoever sent it. */
export class UnreadableFile extends Error {}

export type CsvRow = { /** where it begins, counted from 1 */ line: number; cells: string[] };

const largestCell = 1_048_576;
const largestRow = 8 * largestCell;
const mostCells = 1000;

/** Text in pieces to rows. Lines that are empty are none. */
export async function* rowsOf(pieces: AsyncIterable<string>, separator?: string): AsyncGenerator<CsvRow> {
  let between = separator;
  let waiting = "";
  let fresh = "";
  let line = 1;
  for await (const piece of pieces) {
    fresh += piece;
    // A long row is not looked through again for every piece of it.
    if (fresh.length < waiting.length) continue;
    waiting += fresh;
    fresh = "";
    // Without the end of the first line nobody knows what separates its cells.
    if (between === undefined) {
      if (!/[\r\n]/.test(waiting) && waiting.length < largestCell) continue;
      between = separatorIn(waiting);
    }
    const taken = take(waiting, between, line, false);
    yield* taken.rows;
    ({ line, rest: waiting } = taken);
    if (waiting.length > largestRow) refuseHuge(waiting, line);
  }
  waiting += fresh;
  yield* take(waiting, between ?? separatorIn(waiting), line, true).rows;
}

function separatorIn(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  return first.split("\t").length > first.split(",").length ? "\t" : ",";
}

function refuseHuge(text: string, line: number): never {
  const what = text.includes('"') ? "a cell is larger than 1 MiB, or its quotes do not end" : "a row is too long";
  throw new UnreadableFile(`line ${line}: ${what}`);
}

/** The whole rows at the beginning of a text, and what is left. */
function take(text: string, separator: string, from: number, isEnd: boolean) {
  const rows: CsvRow[] = [];
  let line = from;
  let begin = 0;
  let cells: string[] = [];
  let lines = 0;
  let at = 0;
  const breaks = new RegExp(`[${separator}\r\n]`, "g");
  const rest = () => ({ rows, line, rest: begin === 0 ? text : text.slice(begin) });
  for (;;) {
    let cell: string;
    if (text.charCodeAt(at) === 34) {
      const end = closingQuote(text, at);
      if (end < 0 || (end === text.length - 1 && !isEnd)) {
        if (isEnd) throw new UnreadableFile(`line ${line + lines}: the quotes of a cell do not end`);
        return rest();
      }
      const inner = text.slice(at + 1, end);
      for (let next = inner.indexOf("\n"); next >= 0; next = inner.indexOf("\n", next + 1)) lines++;
      cell = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
      at = end + 1;
      if (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n")
        throw new UnreadableFile(`line ${line + lines}: there is text behind the quotes of a cell`);
    } else {
      breaks.lastIndex = at;
      const found = breaks.exec(text);
      if (found === null && !isEnd) return rest();
      const end = found?.index ?? text.length;
      cell = text.slice(at, end);
      at = end;
    }
    if (cell.length > largestCell) throw new UnreadableFile(`line ${line}: a cell is larger than 1 MiB`);
    if (cells.push(cell) > mostCells) throw new UnreadableFile(`line ${line}: there are more than ${mostCells} cells`);
    if (text[at] === separator) {
      at++;
      if (at === text.length && !isEnd) return rest();
      continue;
    }
    // A carriage return at the end of a piece may be half of a line end.
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

/** A doubled quote is one of the text. */
function closingQuote(text: string, from: number): number {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0 || text[at + 1] !== '"') return at;
  }
}

/** Bytes to text: UTF-8, or UTF-16LE when a mark or every other byte says so. What is neither is refused. */
export async function* textOf(bytes: AsyncIterable<Buffer>, read: (position: number) => void): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let head: Buffer = Buffer.alloc(0);
  let position = 0;
  const decode = (chunk?: Buffer) => {
    try {
      return (decoder as TextDecoder).decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new UnreadableFile(`invalid byte sequence before byte ${position}`);
    }
  };
  for await (const chunk of bytes) {
    position += chunk.length;
    read(position);
    if (decoder !== null) {
      yield decode(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 4) continue;
    if (head.readUInt32BE() === archive)
      throw new UnreadableFile("the file is an archive or a workbook: save it as CSV or as tab-separated text");
    decoder = decoderFor(head);
    yield decode(head);
  }
  if (decoder === null) {
    decoder = decoderFor(head);
    yield decode(head);
  }
  yield decode();
}

const archive = 0x504b0304;

const decoderFor = (head: Buffer): TextDecoder => {
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head.length >= 4 && head[1] === 0 && head[3] === 0);
  return new TextDecoder(wide ? "utf-16le" : "utf-8", { fatal: true });
};

const needsQuotes = /[",\r\n\t]|^\s|\s$/;

export const csvLine = (cells: readonly string[], lineEnd: string): string =>
  `${cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}${lineEnd}`;
