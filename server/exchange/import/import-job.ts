import { TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { statement, unnamedStatement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Exchange, loadAdministrator, WorkInterrupted, withJobSlot } from "../exchange-context.ts";
import type { CsvRow } from "../formats/csv.ts";
import { UnreadableFile } from "../formats/text-encoding.ts";
import { checkFile } from "./check-file.ts";
import { ColumnReport } from "./column-report.ts";
import { finishImport } from "./finish-import.ts";
import { buildImportOrigin } from "./import-context.ts";
import { type RowWords, storeRows } from "./import-rows.ts";
import {
  announceProgress,
  type ImportJob,
  ImportStopped,
  importJob,
  importsTable,
  lockImport,
  lockImports,
  saveColumns,
} from "./imports.ts";
import { type OpenFile, openFile, readRows, splitIntoChunks } from "./read-file.ts";
import { prepareSaver, type RowSaver } from "./row-saver.ts";
import type { RowResult } from "./save-rows.ts";
import { findDuplicateRows } from "./within-file/duplicate-rows.ts";
import { loadWaitingRows, releaseRows, type SettleRows, saveLateRows } from "./within-file/late-rows.ts";
import { refuseDuplicates } from "./within-file/refuse-duplicates.ts";

// IE1 to IE13. A job imports the file in chunks of rows. The transaction of a chunk also stores the progress, so an
// interrupted job continues after the last saved row.

/** A chunk is as large as can be saved in about a second, so that its locks are held for a short time only. */
const chunkSize = { first: 100, least: 20, most: 500, milliseconds: 1000 };
const maxFailures = 10_000;

const selectEarlierWork = statement(
  `SELECT 1 FROM imports WHERE account_id = $1 AND (id < $2 AND state IN ('queued', 'processing')
OR undo_state IN ('queued', 'processing')) LIMIT 1`,
);
const markStarted = statement(
  `UPDATE imports SET state = 'processing', started_at = coalesce(started_at, $2), first_audit_id = coalesce(first_audit_id, (SELECT max(id) FROM audit_lines))
WHERE id = $1 AND state IN ('queued', 'processing')`,
);
const saveTotal = statement("UPDATE imports SET total = $2 WHERE id = $1");
const lockProgress = statement("SELECT rows, stopped FROM imports WHERE id = $1 AND state = 'processing' FOR UPDATE");
const saveProgress = statement(
  `UPDATE imports SET rows = $2, line = $3, position = $4, created = created + $5, updated = updated + $6, unchanged = unchanged + $7,
failures = failures + $8, errors = errors + $9 WHERE id = $1 RETURNING failures + errors`,
);

const addCounts = statement(
  `UPDATE imports SET created = created + $2, updated = updated + $3, unchanged = unchanged + $4, failures = failures + $5, errors = errors + $6
WHERE id = $1 RETURNING failures + errors`,
);

class TooManyFailures extends UnreadableFile {
  constructor(count: number) {
    super(`too many failures: ${count}`);
  }
}

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
      if (error instanceof UnreadableFile || error instanceof ImportStopped)
        return finishImport(exchange, id, "error", error.message);
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

/** One import or undo at a time per account: the end of one starts the next. */
const claimTurn = ({ engine }: Exchange, { id, account_id: account }: ImportJob): Promise<boolean> =>
  engine.database.transaction(async (tx) => {
    lockImports(tx, account);
    if ((await tx.query(selectEarlierWork, [account, Number(id)])).length > 0) return false;
    tx.send(markStarted, [Number(id), engine.clock.now().toISOString()]);
    return true;
  });

async function importFile(exchange: Exchange, job: ImportJob): Promise<void> {
  const { database } = exchange.engine;
  /** Loaded again for every chunk: the role may be removed meanwhile. */
  const loadRequester = async (): Promise<Caller> => {
    const by = await loadAdministrator(exchange, job, { ...job, changeOrigin: buildImportOrigin(job) });
    if (by === null) throw new UnreadableFile("the person who started the import is no administrator any more");
    return { ...by, suppressMail: true as const };
  };
  await loadRequester();
  const file = await openFile(exchange, job);
  try {
    const prepared = prepareSaver(exchange, job, file.headers);
    const readAll = () => readRows(exchange, job);
    const { duplicates, count } = await findDuplicateRows(readAll, Number(job.size), prepared.listKeys);
    if (job.total === null) await database.change(saveTotal, [job.id, count]);
    const saver = refuseDuplicates(prepared, duplicates);
    const report = new ColumnReport(file.headers, saver.columns, saver.unknown);
    if (job.dry_run === "t") await checkFile(exchange, job, { by: await loadRequester(), saver, file, report });
    else {
      await saveColumns(exchange, job, report);
      const mistake = await saveFile(exchange, job, { saver, file, loadRequester }).then(
        () => null,
        (error: unknown) => error,
      );
      // The rows before a mistake are imported, also those that wait for others.
      if (mistake !== null && (!(mistake instanceof UnreadableFile) || mistake instanceof TooManyFailures))
        throw mistake;
      await saveLateRows(database, job, saver, (selection, save) =>
        settleRows(exchange, job, saver, { loadRequester, selection, save }),
      );
      if (mistake !== null) throw mistake;
    }
  } finally {
    file.close();
  }
}

async function saveFile(
  exchange: Exchange,
  job: ImportJob,
  { saver, file, loadRequester }: { saver: RowSaver; file: OpenFile; loadRequester(): Promise<Caller> },
): Promise<void> {
  let done = Number(job.rows);
  // Without new statistics PostgreSQL takes the table for empty and scans it for every row.
  let analyzeAt = done + 1000;
  const pace = { rows: chunkSize.first };
  for await (const chunk of splitIntoChunks(file.rows, done, pace)) {
    const startTime = performance.now();
    await saveChunk(exchange, job, saver, {
      ...{ by: await loadRequester(), rows: chunk, done, position: file.position() },
    });
    const target = (chunk.length * chunkSize.milliseconds) / (performance.now() - startTime);
    pace.rows = Math.round(Math.min(chunkSize.most, Math.max(chunkSize.least, target)));
    done += chunk.length;
    await announceProgress(exchange, job, done);
    if (done >= analyzeAt && saver.table !== null) {
      await exchange.engine.database.change(unnamedStatement(`ANALYZE ${saver.table}`));
      analyzeAt = done * 4;
    }
    if (exchange.closing) throw new WorkInterrupted();
  }
}

async function saveChunk(
  exchange: Exchange,
  job: ImportJob,
  saver: RowSaver,
  { by, rows, done, position }: { by: Caller; rows: readonly CsvRow[]; done: number; position: number },
): Promise<void> {
  const { engine } = exchange;
  const failed = await engine.database.transaction(async (tx) => {
    lockImport(tx, job.id);
    const [progress] = await tx.query(lockProgress, [job.id]);
    if (Number(progress?.[0] ?? -1) !== done) throw new ImportTakenOver();
    if (progress?.[1] === "t") throw new ImportStopped();
    const results = await saver.saveRows(withoutEvents(engine, job), by, tx, rows, "wait");
    const { created, updated, unchanged, failures, errors } = storeRows(
      tx,
      job,
      results,
      describeRows(exchange, job, by, saver),
    );
    const last = rows.at(-1)?.line ?? 0;
    const reached = [job.id, done + rows.length, last, position];
    const [sum] = await tx.query(saveProgress, [...reached, created, updated, unchanged, failures, errors]);
    return Number(sum?.[0]);
  }, by.zone);
  if (failed >= maxFailures) throw new TooManyFailures(failed);
}

/** Rows that waited for others. The transaction loads them, so that two processes do not save them twice. */
async function settleRows(
  exchange: Exchange,
  job: ImportJob,
  saver: RowSaver,
  { loadRequester, selection, save }: LateWork,
): Promise<RowResult[]> {
  const { engine } = exchange;
  const by = await loadRequester();
  const { results, failed } = await engine.database.transaction(async (tx) => {
    lockImport(tx, job.id);
    const [progress] = await tx.query(lockProgress, [job.id]);
    if (progress === undefined) throw new ImportTakenOver();
    if (progress[1] === "t") throw new ImportStopped();
    const rows = await loadWaitingRows(tx, job, selection);
    if (rows.length === 0) return { results: [], failed: 0 };
    const results = await save(withoutEvents(engine, job), by, tx, rows);
    const settled = releaseRows(tx, job, results);
    const { created, updated, unchanged, failures, errors } = storeRows(
      tx,
      job,
      settled,
      describeRows(exchange, job, by, saver),
    );
    const [sum] = await tx.query(addCounts, [job.id, created, updated, unchanged, failures, errors]);
    return { results, failed: Number(sum?.[0]) };
  }, by.zone);
  if (failed >= maxFailures) throw new TooManyFailures(failed);
  if (exchange.closing) throw new WorkInterrupted();
  return results;
}

type LateWork = {
  loadRequester(): Promise<Caller>;
  selection: Parameters<SettleRows>[0];
  save: Parameters<SettleRows>[1];
};

const withoutEvents = (engine: Engine, job: ImportJob): Engine =>
  job.suppress_events === "t" ? { ...engine, suppressEvents: true as const } : engine;

const describeRows = (exchange: Exchange, job: ImportJob, by: Caller, saver: RowSaver): RowWords => ({
  language: by.language,
  translateError: saver.translateError,
  onFault: (line, error) =>
    exchange.log.error("a row of an import failed", { import: job.id, line, ...describeError(error) }),
});
