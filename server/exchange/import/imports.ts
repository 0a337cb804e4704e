import type { Readable } from "node:stream";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { importProgress } from "../../../records/answers/exchange.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { runIndependently } from "../../database/joint-transaction.ts";
import type { Caller } from "../../engine/caller.ts";
import { announceJobProgress } from "../../queue/job-progress.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { formatProgram } from "../../queue/origin-program.ts";
import type { Mapping } from "../columns.ts";
import {
  buildDownloadUrl,
  buildFileKey,
  buildRemovalJob,
  createToken,
  type Exchange,
  removeFolderJob,
} from "../exchange-context.ts";
import { defineJobTable, makeStatusLoader, parseTimestamp } from "../job-status.ts";
import type { ColumnReport } from "./column-report.ts";
import { type Corrections, mergeCorrections } from "./import-options.ts";

// IE1 to IE13. Queues imports and reports their progress.

export const importJob = "import";
export const maxImportBytes = 1_073_741_824;

const insert = statement(
  `INSERT INTO imports (account_id, token, person_id, type, file, file_name, size, suppress_events, dry_run, mapping, corrections, language, source, program, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'queued', $15) RETURNING id`,
);
const deleteOldImports = statement(
  "DELETE FROM imports WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '30 days'",
);

/** An upload that takes longer counts as abandoned. */
const maxUploadSeconds = 86_400;

export type ImportOptions = {
  word: string;
  suppressEvents: boolean;
  dryRun: boolean;
  mapping: Mapping | null;
  corrections: Corrections | null;
};

/** Stores the file and queues its import. `options` is a function because form fields may follow the file. */
export async function queueImport(
  exchange: Exchange,
  by: Caller,
  file: { stream: Readable; name: string },
  options: () => ImportOptions,
): Promise<string> {
  const { engine, files } = exchange;
  const { database, clock } = engine;
  const token = createToken();
  const key = buildFileKey(by.account, token, "file");
  // If the process crashes before the import is stored, this job removes the file.
  const removal = buildRemovalJob(by.account, token, clock.now(), maxUploadSeconds);
  await runIndependently(() => database.transaction(async (tx) => addJob(tx, removal)));
  try {
    const { size } = await files.write(key, file.stream, maxImportBytes);
    const wanted = { ...options(), key, size, fileName: cutFileName(file.name) };
    await database.transaction(async (tx) => {
      await insertImport(exchange, tx, by, token, wanted);
      deleteJob(tx, removeFolderJob, token);
    });
  } catch (error) {
    await files.remove(key).catch(() => {}); // the job removes it
    throw error;
  }
  return token;
}

/** A name without folders, short enough for a line of a page. */
const cutFileName = (name: string): string | null =>
  name
    .replace(/^.*[\\/]/s, "")
    .replace(/\p{C}/gu, "")
    .slice(0, 200) || null;

async function insertImport(
  { engine, wake }: Exchange,
  tx: Transaction,
  by: Caller,
  token: string,
  wanted: ImportOptions & { key: string; size: number; fileName: string | null },
): Promise<void> {
  const now = engine.clock.now();
  tx.send(deleteOldImports, [by.account, now.toISOString()]);
  const { word, key, fileName, size, suppressEvents, dryRun, mapping, corrections } = wanted;
  const [row] = await tx.query(insert, [
    ...[by.account, token, by.person, word, key, fileName, size, suppressEvents, dryRun],
    mapping === null ? null : JSON.stringify(mapping),
    corrections === null || Object.keys(corrections).length === 0 ? null : JSON.stringify(corrections),
    ...[by.language, by.source, formatProgram(by.changeOrigin), toTimestamp(now)],
  ]);
  addJob(tx, { kind: importJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
  tx.afterCommit(wake);
}

const selectStarted = statement(
  "SELECT token FROM imports WHERE account_id = $1 AND file = $2 AND NOT dry_run ORDER BY id LIMIT 1",
);

/**
 * Reads the file of an earlier check again: with other options, or to import it. A file is imported once: a second call
 * returns the same import. D-773
 */
export async function queueAgain(
  exchange: Exchange,
  by: Caller,
  earlier: ImportJob,
  options: Omit<ImportOptions, "word">,
): Promise<string> {
  const token = createToken();
  const known = (earlier.corrections === null ? {} : JSON.parse(earlier.corrections)) as Corrections;
  return exchange.engine.database.transaction(async (tx) => {
    lockImports(tx, by.account);
    const [started] = await tx.query(selectStarted, [by.account, earlier.file]);
    if (started !== undefined) {
      if (options.dryRun) throw new Invalid([["base", "was imported already"]]);
      return started[0] as string;
    }
    await insertImport(exchange, tx, by, token, {
      ...{ ...options, word: earlier.type, key: earlier.file, size: Number(earlier.size), fileName: earlier.file_name },
      mapping: options.mapping ?? (earlier.mapping === null ? null : (JSON.parse(earlier.mapping) as Mapping)),
      corrections: mergeCorrections(known, options.corrections ?? {}),
    });
    return token;
  });
}

// biome-ignore format: a list keeps its lines
const columns = [
  "id", "account_id", "token", "person_id", "type", "file", "file_name", "suppress_events", "dry_run", "mapping", "corrections",
  "language", "source", "program", "state", "stopped", "total", "rows", "message", "line", "position", "size", "created", "updated",
  "unchanged", "failures", "errors", "started_at", "finished_at", "last_audit_id", "undo_audit_id", "undo_state",
] as const;

/** Open pages of the person load how far the import is. */
export const announceProgress = (
  { engine }: Exchange,
  { account_id: account, person_id, token }: ImportJob,
  done: number,
): Promise<void> => announceJobProgress(engine.database, { account, person: Number(person_id), token, done, total: 0 });

/** A person has stopped it. */
export class ImportStopped extends Error {
  constructor() {
    super("the import was stopped");
  }
}

const storeColumns = statement("UPDATE imports SET columns = $2 WHERE id = $1");

/** Stores how the columns of the file are read. */
export const saveColumns = async ({ engine }: Exchange, job: ImportJob, report: ColumnReport): Promise<void> =>
  void (await engine.database.change(storeColumns, [job.id, JSON.stringify(report.columns)]));

/** The import of that name in the account of the caller. */
export async function loadImport({ engine }: Exchange, by: Caller, token: string): Promise<ImportJob> {
  const [row] = await engine.database.read(importsTable.byToken, [token, by.account]);
  if (row === undefined) throw new NotFound();
  return importsTable.of(row);
}

/** Serializes start and end of the imports of an account, so that none is left waiting. */
export const lockImports = (tx: Transaction, account: string): void =>
  tx.send(acquireLock, [buildLockKey("imports", account)]);

/**
 * Serializes the chunks of an import with a request to stop it. Advisory locks are granted in order of arrival; a row lock
 * is not, so the next chunk could overtake the request.
 */
export const lockImport = (tx: Transaction, id: string): void => tx.send(acquireLock, [buildLockKey("import", id)]);

export const importsTable = defineJobTable("imports", columns, {});
export type ImportJob = ReturnType<typeof importsTable.of>;

export const countResults = (job: ImportJob) => ({
  created: Number(job.created),
  updated: Number(job.updated),
  deleted: 0,
  unchanged: Number(job.unchanged),
  failures: Number(job.failures),
  errors: Number(job.errors),
});

/** Rows per second, and the seconds that the rest takes at this rate. */
export function describePace(job: ImportJob, now: Date): { rate?: number; remaining?: number } {
  const seconds = (now.getTime() - parseTimestamp(job.started_at).getTime()) / 1000;
  const [rows, position, size] = [job.rows, job.position, job.size].map(Number) as [number, number, number];
  if (!(seconds > 0 && rows > 0 && position > 0)) return {};
  // The file is read ahead of the saved rows, so rows are a better measure than bytes if their number is known.
  const remaining =
    job.total === null ? ((size - position) * seconds) / position : ((Number(job.total) - rows) * seconds) / rows;
  return { rate: Math.round((rows / seconds) * 10) / 10, remaining: Math.max(0, Math.ceil(remaining)) };
}

export const loadImportState = makeStatusLoader<ImportJob, AnswerOf<typeof importProgress>>(importsTable, {
  running: (job, now) => ({
    line: Number(job.line),
    ...(job.total === null ? {} : { total: Number(job.total) }),
    ...describePace(job, now),
  }),
  ended(exchange, by, job, finished) {
    const log = buildFileKey(job.account_id, job.token, "log.txt");
    return {
      ...(job.message === null ? {} : { message: job.message }),
      results: countResults(job),
      logfile: buildDownloadUrl(exchange, by.origin, log, finished),
    };
  },
});
