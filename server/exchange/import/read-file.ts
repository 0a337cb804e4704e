import { FileMissing } from "../../files/index.ts";
import type { Exchange } from "../exchange-context.ts";
import { type CsvRow, parseCsv } from "../formats/csv.ts";
import { decodeText, UnreadableFile } from "../formats/text-encoding.ts";
import { type Corrections, correctRows } from "./import-options.ts";
import type { ImportJob } from "./imports.ts";

/** An uploaded file that is being read. */
export type OpenFile = {
  headers: readonly string[];
  /** with the corrections of the import */
  rows: AsyncIterable<CsvRow>;
  /** how many bytes have been read */
  position(): number;
  close(): void;
};

export async function openFile({ files, log }: Exchange, job: ImportJob): Promise<OpenFile> {
  const { stream } = await files.read(job.file).catch((error) => {
    if (!(error instanceof FileMissing)) throw error;
    log.error("the file of an import is missing: do all servers of this database have the same FILES_URL?", {
      ...{ import: job.id, file: job.file },
    });
    throw new UnreadableFile("the file is gone");
  });
  try {
    let position = 0;
    const parsed = parseCsv(
      decodeText(stream as AsyncIterable<Buffer>, (at) => {
        position = at;
      }),
    );
    const { value: header } = await parsed.next();
    if (header === undefined) throw new UnreadableFile("the file is empty");
    const corrections = (job.corrections === null ? {} : JSON.parse(job.corrections)) as Corrections;
    return {
      headers: header.cells,
      rows: correctRows(parsed, header.cells, corrections),
      position: () => position,
      close: () => stream.destroy(),
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** The rows of the file. A mistake ends them: the import finds it, too. */
export async function* readRows(exchange: Exchange, job: ImportJob): AsyncGenerator<CsvRow> {
  const file = await openFile(exchange, job);
  try {
    yield* file.rows;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  } finally {
    file.close();
  }
}

const maxCharacters = 4_000_000;

/** Yields chunks of the rows that were not saved before; on a mistake, the rows before it first. */
export async function* splitIntoChunks(rows: AsyncIterable<CsvRow>, saved: number, pace: { rows: number }) {
  let count = 0;
  let chunk: CsvRow[] = [];
  let characters = 0;
  let mistake: unknown = null;
  try {
    for await (const row of rows) {
      if (++count <= saved) continue;
      chunk.push(row);
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (chunk.length < pace.rows && characters < maxCharacters) continue;
      const full = chunk;
      [chunk, characters] = [[], 0];
      yield full;
    }
  } catch (error) {
    mistake = error;
  }
  if (chunk.length > 0) yield chunk;
  if (mistake !== null) throw mistake;
}
