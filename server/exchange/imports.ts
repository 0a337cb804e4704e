import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { stampOf } from "../base/clock.ts";
import type { Caller } from "../engine/caller.ts";
import { addJob } from "../queue/jobs.ts";
import { type Row, statement } from "../storage/database.ts";
import { addressOf, type Exchange, keyOfFile, momentOf, readableSeconds } from "./exchange.ts";

// Reference: import-export.md section 1. Files that wait to be read in, and how far that has come.

export const importJob = "import";
export const largestImport = 1_073_741_824;

const insert = statement(
  `INSERT INTO imports (account_id, token, person_id, type, file, size, suppress_events, language, source, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', $10) RETURNING id`,
);
const forget = statement(
  "DELETE FROM imports WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '30 days'",
);

export const newToken = (): string => randomBytes(16).toString("hex");

/** Keeps the file that a call brings, and the wish to have it read. */
export async function beginImport(
  { engine, files, wake }: Exchange,
  by: Caller,
  given: { word: string; file: Readable; suppressEvents: boolean },
): Promise<string> {
  const token = newToken();
  const key = keyOfFile(by.account, token, "file");
  const { size } = await files.write(key, given.file, largestImport);
  const now = engine.clock.now();
  const kept = engine.database.transaction(async (tx) => {
    tx.send(forget, [by.account, now.toISOString()]);
    const { word, suppressEvents } = given;
    const what = [by.account, token, by.person, word, key, size];
    const [row] = await tx.query(insert, [...what, suppressEvents, by.language, by.source, stampOf(now)]);
    addJob(tx, { kind: importJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
  });
  await kept.catch(async (error) => {
    await files.remove(key);
    throw error;
  });
  wake();
  return token;
}

// biome-ignore format: a list keeps its lines
const columns = [
  "id", "account_id", "token", "person_id", "type", "file", "suppress_events", "language", "source", "state", "rows",
  "message", "line", "position", "size", "created", "updated", "unchanged", "failures", "errors", "started_at", "finished_at",
] as const;
/** Who begins and who ends an import of an account take turns, so that none is left waiting. */
export const oneAtATime = statement("SELECT pg_advisory_xact_lock(hashtext('imports of ' || $1))");

export type Import = Record<(typeof columns)[number], string>;
export const importOf = (row: Row): Import =>
  Object.fromEntries(columns.map((name, index) => [name, row[index]])) as Import;

export const byId = statement(`SELECT ${columns.join(", ")} FROM imports WHERE id = $1`);
const byToken = statement(`SELECT ${columns.join(", ")} FROM imports WHERE token = $1 AND account_id = $2`);

export const resultsOf = (job: Import) => ({
  created: Number(job.created),
  updated: Number(job.updated),
  deleted: 0,
  unchanged: Number(job.unchanged),
  failures: Number(job.failures),
  errors: Number(job.errors),
});

/** How far an import of this account has come; null: there is none, or it ended some time ago. */
export async function importState(
  exchange: Exchange,
  by: Caller,
  token: string,
): Promise<Record<string, unknown> | null> {
  const { engine } = exchange;
  const [row] = await engine.database.read(byToken, [token, by.account]);
  if (row === undefined) return null;
  const job = importOf(row);
  const now = engine.clock.now().getTime();
  if (job.finished_at !== null) {
    const finished = momentOf(job.finished_at);
    if (now - finished.getTime() > readableSeconds * 1000) return null;
    const log = keyOfFile(job.account_id, job.token, "log.txt");
    const logfile = addressOf(exchange, by.origin, log, finished);
    return {
      state: job.state,
      ...(job.message === null ? {} : { message: job.message }),
      results: resultsOf(job),
      logfile,
    };
  }
  if (job.state === "queued") return { state: "queued" };
  const seconds = (now - momentOf(job.started_at).getTime()) / 1000;
  const [rows, position, size] = [job.rows, job.position, job.size].map(Number) as [number, number, number];
  const hasRate = seconds > 0 && rows > 0 && position > 0;
  const rate = hasRate
    ? { rate: Math.round((rows / seconds) * 10) / 10, remaining: Math.ceil(((size - position) * seconds) / position) }
    : {};
  return { state: "processing", line: Number(job.line), ...rate };
}
