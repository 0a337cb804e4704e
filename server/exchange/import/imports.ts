import type { Readable } from "node:stream";
import { toTimestamp } from "../../base/clock.ts";
import type { Caller } from "../../engine/caller.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { acquireLock, buildLockKey } from "../../storage/advisory-lock.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { runIndependently } from "../../storage/joint-transaction.ts";
import {
  buildDownloadUrl,
  buildFileKey,
  buildRemovalJob,
  createToken,
  type Exchange,
  removeFolderJob,
} from "../context.ts";
import { defineJobTable, makeStatusLoader, parseTimestamp } from "../job-status.ts";

// IE1 to IE13. Queues imports and reports their progress.

export const importJob = "import";
export const maxImportBytes = 1_073_741_824;

const insert = statement(
  `INSERT INTO imports (account_id, token, person_id, type, file, size, suppress_events, language, source, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', $10) RETURNING id`,
);
const deleteOldImports = statement(
  "DELETE FROM imports WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '30 days'",
);

/** An upload that takes longer counts as abandoned. */
const maxUploadSeconds = 86_400;

/** Stores the file and queues its import. `options` is a function because form fields may follow the file. */
export async function queueImport(
  { engine, files, wake }: Exchange,
  by: Caller,
  file: Readable,
  options: () => { word: string; suppressEvents: boolean },
): Promise<string> {
  const { database, clock } = engine;
  const token = createToken();
  const key = buildFileKey(by.account, token, "file");
  // If the process crashes before the import is stored, this job removes the file.
  const removal = buildRemovalJob(by.account, token, clock.now(), maxUploadSeconds);
  await runIndependently(() => database.transaction(async (tx) => addJob(tx, removal)));
  try {
    const { size } = await files.write(key, file, maxImportBytes);
    const { word, suppressEvents } = options();
    const now = clock.now();
    await database.transaction(async (tx) => {
      tx.send(deleteOldImports, [by.account, now.toISOString()]);
      const values = [by.account, token, by.person, word, key, size];
      const [row] = await tx.query(insert, [...values, suppressEvents, by.language, by.source, toTimestamp(now)]);
      addJob(tx, { kind: importJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
      deleteJob(tx, removeFolderJob, token);
      tx.afterCommit(wake);
    });
  } catch (error) {
    await files.remove(key);
    throw error;
  }
  return token;
}

// biome-ignore format: a list keeps its lines
const columns = [
  "id", "account_id", "token", "person_id", "type", "file", "suppress_events", "language", "source", "state", "rows",
  "message", "line", "position", "size", "created", "updated", "unchanged", "failures", "errors", "started_at", "finished_at",
] as const;
/** Serializes start and end of the imports of an account, so that none is left waiting. */
export const lockImports = (tx: Transaction, account: string): void =>
  tx.send(acquireLock, [buildLockKey("imports", account)]);

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

export const loadImportState = makeStatusLoader(importsTable, {
  running(job, now) {
    const seconds = (now.getTime() - parseTimestamp(job.started_at).getTime()) / 1000;
    const [rows, position, size] = [job.rows, job.position, job.size].map(Number) as [number, number, number];
    const hasRate = seconds > 0 && rows > 0 && position > 0;
    const rate = hasRate
      ? { rate: Math.round((rows / seconds) * 10) / 10, remaining: Math.ceil(((size - position) * seconds) / position) }
      : {};
    return { line: Number(job.line), ...rate };
  },
  ended(exchange, by, job, finished) {
    const log = buildFileKey(job.account_id, job.token, "log.txt");
    return {
      ...(job.message === null ? {} : { message: job.message }),
      results: countResults(job),
      logfile: buildDownloadUrl(exchange, by.origin, log, finished),
    };
  },
});
