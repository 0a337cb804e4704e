import { fieldLabel, formatMessage } from "../../../records/languages/index.ts";
import { Forbidden, Invalid, NotFound, TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { translateDatabaseError } from "../../engine/write/database-errors.ts";
import { statement, type Transaction, unnamedStatement } from "../../storage/database.ts";
import { FileMissing } from "../../storage/files/index.ts";
import { matchHeaders } from "../columns.ts";
import { type Exchange, findRowFile, loadAdministrator, WorkInterrupted, withJobSlot } from "../context.ts";
import { type ExchangeType, findImportType } from "../exchange-types.ts";
import { type CsvRow, decodeText, parseCsv, UnreadableFile } from "../formats/csv.ts";
import type { RowFile } from "../row-files/row-file.ts";
import { matchRowFileHeaders, saveRowFile } from "../row-files/save-row-file.ts";
import { finishImport } from "./finish-import.ts";
import { type ImportJob, importJob, importsTable, lockImports } from "./imports.ts";
import { type RowResult, saveRows } from "./save-rows.ts";

// IE1 to IE13. A job imports the file in chunks of rows. The transaction of a chunk also stores the progress, so an
// interrupted job continues after the last saved row.

/** A chunk is as large as can be saved in about a second, so that its locks are held for a short time only. */
const chunkSize = { first: 100, least: 20, most: 500, characters: 4_000_000, milliseconds: 1000 };
const maxFailures = 10_000;

const selectEarlierImport = statement(
  "SELECT 1 FROM imports WHERE account_id = $1 AND id < $2 AND state IN ('queued', 'processing') LIMIT 1",
);
const markStarted = statement(
  "UPDATE imports SET state = 'processing', started_at = coalesce(started_at, $2) WHERE id = $1 AND state IN ('queued', 'processing')",
);
const lockProgress = statement("SELECT rows FROM imports WHERE id = $1 AND state = 'processing' FOR UPDATE");
const saveProgress = statement(
  `UPDATE imports SET rows = $2, line = $3, position = $4, created = created + $5, updated = updated + $6, unchanged = unchanged + $7,
failures = failures + $8, errors = errors + $9 WHERE id = $1 RETURNING failures + errors`,
);
const insertLogLines = statement(
  "INSERT INTO import_lines (account_id, import_id, line, message) SELECT $1, $2, * FROM unnest($3::integer[], $4::text[])",
);

/** Another process imports the file now. */
class ImportTakenOver extends Error {}

export async function runImport(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const [row] = await exchange.engine.database.read(importsTable.byId, [id]);
  if (row === undefined) return;
  const job = importsTable.of(row);
  if (job.finished_at !== null) return;
  const queueJob = { kind: importJob, key: job.token, account: job.account_id, payload: { id } };
  await withJobSlot(exchange, queueJob, async () => {
    if (!(await claimTurn(exchange, job))) return;
    try {
      await importFile(exchange, job);
    } catch (error) {
      if (error instanceof ImportTakenOver) return;
      if (error instanceof UnreadableFile) return finishImport(exchange, id, "error", error.message);
      if (error instanceof WorkInterrupted || error instanceof Unavailable || error instanceof TimedOut) throw error;
      exchange.log.error("an import failed", { import: id, ...describeError(error) });
      return finishImport(exchange, id, "error", "the import failed for a reason of ours");
    }
    await finishImport(exchange, id, "done", null);
  });
}

/** Ends an import whose job is deleted: it would stay in progress forever, and hold up those behind it. */
export async function abandonImport(exchange: Exchange, { id }: { id: number }, reason: string): Promise<void> {
  const [row] = await exchange.engine.database.read(importsTable.byId, [id]);
  if (row !== undefined && importsTable.of(row).finished_at === null) await finishImport(exchange, id, "error", reason);
}

/** One import at a time per account: the end of one starts the next. */
const claimTurn = ({ engine }: Exchange, { id, account_id: account }: ImportJob): Promise<boolean> =>
  engine.database.transaction(async (tx) => {
    lockImports(tx, account);
    if ((await tx.query(selectEarlierImport, [account, Number(id)])).length > 0) return false;
    tx.send(markStarted, [Number(id), engine.clock.now().toISOString()]);
    return true;
  });

async function importFile(exchange: Exchange, job: ImportJob): Promise<void> {
  const { engine, files } = exchange;
  /** Loaded again for every chunk: the role may be removed meanwhile. */
  const loadRequester = async () => {
    const by = await loadAdministrator(exchange, job, job);
    if (by === null) throw new UnreadableFile("the person who started the import is no administrator any more");
    return { ...by, suppressMail: true as const };
  };
  await loadRequester();
  const subject = findRowFile(exchange, job.type) ?? findImportType(engine.types, job.type);
  if (subject === null) throw new UnreadableFile(`there is no type ${job.type}`);
  const { stream } = await files.read(job.file).catch((error) => {
    throw error instanceof FileMissing ? new UnreadableFile("the file is gone") : error;
  });
  try {
    let position = 0;
    const read = (at: number) => {
      position = at;
    };
    const rows = parseCsv(decodeText(stream as AsyncIterable<Buffer>, read));
    const { value: header } = await rows.next();
    if (header === undefined) throw new UnreadableFile("the file is empty");
    const importEngine = job.suppress_events === "t" ? { ...engine, suppressEvents: true as const } : engine;
    const saver =
      "buildSelect" in subject
        ? prepareRowFile(subject, importEngine, header.cells)
        : prepareRecordFile(subject, importEngine, header.cells);
    let done = Number(job.rows);
    // Without new statistics PostgreSQL takes the table for empty and scans it for every row.
    let analyzeAt = done + 1000;
    const pace = { rows: chunkSize.first };
    for await (const chunk of splitIntoChunks(rows, done, pace)) {
      const startTime = performance.now();
      await saveChunk(exchange, job, saver, { by: await loadRequester(), rows: chunk, done, position });
      const target = (chunk.length * chunkSize.milliseconds) / (performance.now() - startTime);
      pace.rows = Math.round(Math.min(chunkSize.most, Math.max(chunkSize.least, target)));
      done += chunk.length;
      if (done >= analyzeAt && saver.table !== null) {
        await engine.database.read(unnamedStatement(`ANALYZE ${saver.table}`));
        analyzeAt = done * 4;
      }
      if (exchange.closing) throw new WorkInterrupted();
    }
  } finally {
    stream.destroy();
  }
}

/** Yields chunks of the rows that were not saved before; on a mistake, the rows before it first. */
async function* splitIntoChunks(rows: AsyncIterable<CsvRow>, saved: number, pace: { rows: number }) {
  let count = 0;
  let chunk: CsvRow[] = [];
  let characters = 0;
  let mistake: unknown = null;
  try {
    for await (const row of rows) {
      if (++count <= saved) continue;
      chunk.push(row);
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (chunk.length < pace.rows && characters < chunkSize.characters) continue;
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

/** How the rows of a file are saved. */
type RowSaver = {
  /** of the records, which grows */
  table: string | null;
  saveRows(by: Caller, tx: Transaction, rows: readonly CsvRow[]): Promise<RowResult[]>;
  translateError(error: unknown): unknown;
};

function prepareRecordFile(exchangeType: ExchangeType, engine: Engine, headers: readonly string[]): RowSaver {
  const { columns, ...mistakes } = matchHeaders(engine.types, exchangeType, headers);
  refuseHeaders(mistakes);
  return {
    table: exchangeType.type.ownTable,
    saveRows: (by, tx, rows) => saveRows({ engine, by, exchangeType, columns }, tx, rows, isRetryable),
    translateError: (error) => translateDatabaseError(exchangeType.type, error),
  };
}

function prepareRowFile(file: RowFile, engine: Engine, headers: readonly string[]): RowSaver {
  const { names, ...mistakes } = matchRowFileHeaders(file, headers);
  refuseHeaders(mistakes);
  return {
    table: null,
    saveRows: (by, tx, rows) => saveRowFile(file, { engine, by, names }, tx, rows, isRetryable),
    translateError: (error) => error,
  };
}

function refuseHeaders({ unknown, twice }: { unknown: readonly string[]; twice: readonly string[] }): void {
  const quoted = (words: readonly string[]) =>
    words
      .slice(0, 20)
      .map((word) => JSON.stringify(word.slice(0, 100)))
      .join(", ");
  if (unknown.length > 0) throw new UnreadableFile(`unknown columns: ${quoted(unknown)}`);
  if (twice.length > 0) throw new UnreadableFile(`columns that stand there twice: ${quoted(twice)}`);
}

async function saveChunk(
  exchange: Exchange,
  job: ImportJob,
  saver: RowSaver,
  { by, rows, done, position }: { by: Caller; rows: readonly CsvRow[]; done: number; position: number },
): Promise<void> {
  const { database } = exchange.engine;
  const failed = await database.transaction(async (tx) => {
    const [progress] = await tx.query(lockProgress, [job.id]);
    if (Number(progress?.[0] ?? -1) !== done) throw new ImportTakenOver();
    const counts = { created: 0, updated: 0, unchanged: 0, failures: 0, errors: 0 };
    const refused: { line: number; text: string }[] = [];
    for (const result of await saver.saveRows(by, tx, rows)) {
      if ("outcome" in result) {
        counts[result.outcome]++;
        continue;
      }
      const error = saver.translateError(result.failure);
      const text = describeRefusal(error, by.language);
      if (text === null)
        exchange.log.error("a row of an import failed", { import: job.id, line: result.line, ...describeError(error) });
      counts[text === null ? "errors" : "failures"]++;
      refused.push({ line: result.line, text: text ?? "the row failed for a reason of ours" });
    }
    if (refused.length > 0)
      tx.send(insertLogLines, [
        job.account_id,
        job.id,
        refused.map(({ line }) => line),
        refused.map(({ text }) => text),
      ]);
    const { created, updated, unchanged, failures, errors } = counts;
    const last = rows.at(-1)?.line ?? 0;
    const reached = [job.id, done + rows.length, last, position];
    const [sum] = await tx.query(saveProgress, [...reached, created, updated, unchanged, failures, errors]);
    return Number(sum?.[0]);
  }, by.zone);
  if (failed >= maxFailures) throw new UnreadableFile(`too many failures: ${failed}`);
}

/** The error message of the API; null: the row is not at fault. */
function describeRefusal(error: unknown, language: string): string | null {
  if (error instanceof Forbidden) return "Forbidden";
  if (error instanceof NotFound) return "Not Found";
  if (!(error instanceof Invalid)) return null;
  const sentence = ([field, text, values]: Invalid["problems"][number]) =>
    field === "base"
      ? formatMessage(language, text, values)
      : `${fieldLabel(language, field)} ${formatMessage(language, text, values)}`;
  return error.problems.map(sentence).join("; ").replace(/\s+/g, " ");
}

/** The database is unavailable, or the transaction conflicted with another: the whole chunk is retried. */
function isRetryable(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof TimedOut) return true;
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? /^Connection/.test(message ?? "") : /^(08|40|53|55P03|57|58)/.test(code);
}
