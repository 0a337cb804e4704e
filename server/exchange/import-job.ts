import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { fieldLabel, message as worded } from "../../records/languages/index.ts";
import { stampOf } from "../base/clock.ts";
import { Forbidden, Invalid, NotFound, TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { isAdministrator } from "../engine/access.ts";
import type { Caller } from "../engine/caller.ts";
import { asProblem } from "../engine/save.ts";
import { storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { passing, type Row, statement, type Transaction } from "../storage/database.ts";
import { FileMissing } from "../storage/files/index.ts";
import { saveRows } from "./batch.ts";
import { columnsNamed } from "./columns.ts";
import { type CsvRow, rowsOf, textOf, UnreadableFile } from "./csv.ts";
import { addressOf, type Exchange, keptSeconds, keyOfFile, momentOf, PutDown, readableSeconds } from "./exchange.ts";
import type { Reading } from "./reading.ts";
import type { Outcome } from "./rows.ts";
import { importSubject } from "./words.ts";

// Reference: import-export.md section 1. A job reads the file in batches of rows. How far it has come is written in the
// transaction of the rows, so a job that is taken up again goes on behind the last row that was saved.

export const importJob = "import";
export const largestImport = 1_073_741_824;

const batchRows = 500;
const batchMilliseconds = 2000;
const mostFailures = 10_000;

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
  await engine.database.transaction(async (tx) => {
    tx.send(forget, [by.account, now.toISOString()]);
    const { word, suppressEvents } = given;
    const values = [
      by.account,
      token,
      by.person,
      word,
      key,
      size,
      suppressEvents,
      by.language,
      by.source,
      stampOf(now),
    ];
    const [row] = await tx.query(insert, values);
    addJob(tx, { kind: importJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
  });
  wake();
  return token;
}

const columns = [
  ...[
    "id",
    "account_id",
    "token",
    "person_id",
    "type",
    "file",
    "suppress_events",
    "language",
    "source",
    "state",
    "rows",
  ],
  ...[
    "message",
    "line",
    "position",
    "size",
    "created",
    "updated",
    "unchanged",
    "failures",
    "errors",
    "started_at",
    "finished_at",
  ],
] as const;
type Import = Record<(typeof columns)[number], string>;
const importOf = (row: Row): Import => Object.fromEntries(columns.map((name, index) => [name, row[index]])) as Import;

const byId = statement(`SELECT ${columns.join(", ")} FROM imports WHERE id = $1`);
const byToken = statement(`SELECT ${columns.join(", ")} FROM imports WHERE token = $1 AND account_id = $2`);
const earlier = statement(
  "SELECT 1 FROM imports WHERE account_id = $1 AND id < $2 AND state IN ('queued', 'processing') LIMIT 1",
);
const begin = statement(
  "UPDATE imports SET state = 'processing', started_at = coalesce(started_at, $2) WHERE id = $1 AND state IN ('queued', 'processing')",
);
const hold = statement("SELECT rows FROM imports WHERE id = $1 AND state = 'processing' FOR UPDATE");
const advance = statement(
  `UPDATE imports SET rows = $2, line = $3, position = $4, created = created + $5, updated = updated + $6, unchanged = unchanged + $7,
failures = failures + $8, errors = errors + $9 WHERE id = $1 RETURNING failures + errors`,
);
const note = statement(
  "INSERT INTO import_lines (account_id, import_id, line, message) SELECT $1, $2, * FROM unnest($3::integer[], $4::text[])",
);

/** Somebody else reads this file now. */
class TakenOver extends Error {}

export async function runImport(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const { engine } = exchange;
  const { database } = engine;
  const [row] = await database.read(byId, [id]);
  if (row === undefined) return;
  const job = importOf(row);
  if (job.finished_at !== null) return;
  // One at a time per account: the end of the one before starts this one.
  if ((await database.read(earlier, [job.account_id, id])).length > 0) return;
  await database.read(begin, [id, engine.clock.now().toISOString()]);
  try {
    await readFile(exchange, job);
    await finish(exchange, id, "done", null);
  } catch (error) {
    if (error instanceof TakenOver) return;
    if (error instanceof UnreadableFile) return finish(exchange, id, "error", error.message);
    if (error instanceof PutDown || error instanceof Unavailable || error instanceof TimedOut) throw error;
    exchange.log.error("an import failed", { import: id, ...describeError(error) });
    await finish(exchange, id, "error", "the import failed for a reason of ours");
  }
}

async function readFile(exchange: Exchange, job: Import): Promise<void> {
  const { engine, files } = exchange;
  const who = { person: Number(job.person_id), account: job.account_id, language: job.language, source: job.source };
  const by = await exchange.callerOf(who);
  if (by === null || !isAdministrator(by, by.account))
    throw new UnreadableFile("the person who started the import is no administrator any more");
  const subject = importSubject(engine.types, job.type);
  if (subject === null) throw new UnreadableFile(`there is no type ${job.type}`);
  const { stream } = await files.read(job.file).catch((error) => {
    throw error instanceof FileMissing ? new UnreadableFile("the file is gone") : error;
  });
  try {
    let position = 0;
    const text = textOf(stream as AsyncIterable<Buffer>, (at) => {
      position = at;
    });
    let reading: Reading | null = null;
    let count = 0;
    let done = Number(job.rows);
    let batch: CsvRow[] = [];
    // A table that was empty a moment ago is still taken for one: looking for a row would read them all.
    let analyzeAt = done + 1000;
    const save = async () => {
      if (reading === null || batch.length === 0) return;
      const rows = batch;
      batch = [];
      await saveBatch(exchange, job, { ...reading, by: { ...by, now: engine.clock.now() } }, rows, done, position);
      done += rows.length;
      if (done >= analyzeAt) {
        await engine.database.read(passing(`ANALYZE ${subject.type.table}`));
        analyzeAt = done * 4;
      }
      if (exchange.closing) throw new PutDown();
    };
    let since = Date.now();
    for await (const row of rowsOf(text)) {
      if (reading === null) {
        const silent = job.suppress_events === "t" ? { ...engine, silent: true as const } : engine;
        reading = { engine: silent, by, subject, columns: headed(exchange, subject, row.cells) };
        continue;
      }
      if (++count <= Number(job.rows)) continue; // saved before
      batch.push(row);
      if (batch.length < batchRows && Date.now() - since < batchMilliseconds) continue;
      await save();
      since = Date.now();
    }
    if (reading === null) throw new UnreadableFile("the file is empty");
    await save();
  } finally {
    stream.destroy();
  }
}

function headed({ engine }: Exchange, subject: Reading["subject"], headers: readonly string[]): Reading["columns"] {
  const { columns, unknown, twice } = columnsNamed(engine.types, subject, headers);
  const quoted = (words: readonly string[]) =>
    words
      .slice(0, 20)
      .map((word) => JSON.stringify(word.slice(0, 100)))
      .join(", ");
  if (unknown.length > 0) throw new UnreadableFile(`unknown columns: ${quoted(unknown)}`);
  if (twice.length > 0) throw new UnreadableFile(`columns that stand there twice: ${quoted(twice)}`);
  return columns;
}

async function saveBatch(
  exchange: Exchange,
  job: Import,
  reading: Reading,
  rows: readonly CsvRow[],
  done: number,
  position: number,
): Promise<void> {
  const { database } = exchange.engine;
  const failed = await database.transaction(async (tx) => {
    const [held] = await tx.query(hold, [job.id]);
    if (Number(held?.[0] ?? -1) !== done) throw new TakenOver();
    const counts: Record<Outcome | "failures" | "errors", number> = {
      created: 0,
      updated: 0,
      unchanged: 0,
      failures: 0,
      errors: 0,
    };
    const refused: { line: number; text: string }[] = [];
    for (const result of await saveRows(reading, tx, rows, isOurs)) {
      if ("outcome" in result) {
        counts[result.outcome]++;
        continue;
      }
      const error = asProblem(reading.subject.type, result.failure);
      const text = refusal(error, reading.by.language);
      if (text === null)
        exchange.log.error("a row of an import failed", { import: job.id, line: result.line, ...describeError(error) });
      counts[text === null ? "errors" : "failures"]++;
      refused.push({ line: result.line, text: text ?? "the row failed for a reason of ours" });
    }
    if (refused.length > 0)
      tx.send(note, [job.account_id, job.id, refused.map(({ line }) => line), refused.map(({ text }) => text)]);
    const { created, updated, unchanged, failures, errors } = counts;
    const last = rows.at(-1)?.line ?? 0;
    const [sum] = await tx.query(advance, [
      job.id,
      done + rows.length,
      last,
      position,
      created,
      updated,
      unchanged,
      failures,
      errors,
    ]);
    return Number(sum?.[0]);
  }, reading.by.zone);
  if (failed >= mostFailures) throw new UnreadableFile(`too many failures: ${failed}`);
}

/** Why a row was refused, as the API would say it; null: it was no mistake of the row. */
function refusal(error: unknown, language: string): string | null {
  if (error instanceof Forbidden) return "Forbidden";
  if (error instanceof NotFound) return "Not Found";
  if (!(error instanceof Invalid)) return null;
  const sentence = ([field, text, values]: Invalid["problems"][number]) =>
    field === "base"
      ? worded(language, text, values)
      : `${fieldLabel(language, field)} ${worded(language, text, values)}`;
  return error.problems.map(sentence).join("; ").replace(/\s+/g, " ");
}

/** The database is away, or two changes were in each other's way: the whole batch is tried again. */
const isOurs = (error: unknown): boolean =>
  error instanceof Unavailable ||
  error instanceof TimedOut ||
  /^(08|40|53|57|58)/.test((error as { code?: string }).code ?? "") ||
  /Connection/.test((error as Error).message);

const someLines = statement(
  "SELECT id, line, message FROM import_lines WHERE import_id = $1 AND id > $2 ORDER BY id LIMIT 1000",
);
const dropLines = statement("DELETE FROM import_lines WHERE import_id = $1");
const end = statement(
  "UPDATE imports SET state = $2, message = $3, finished_at = $4 WHERE id = $1 AND finished_at IS NULL RETURNING account_id, token, file",
);
const nextOne = statement(
  "SELECT id, token FROM imports WHERE account_id = $1 AND state = 'queued' ORDER BY id LIMIT 1",
);
const emailOf = statement("SELECT primary_email FROM people WHERE id = $1");

async function finish(exchange: Exchange, id: number, state: "done" | "error", message: string | null): Promise<void> {
  const { engine, files } = exchange;
  const [row] = await engine.database.read(byId, [id]);
  const job = importOf(row as Row);
  const log = keyOfFile(job.account_id, job.token, "log.txt");
  await files.write(log, Readable.from(logLines(exchange, job, message), { objectMode: false }), largestImport);
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    const ended = await tx.query(end, [id, state, message, now.toISOString()]);
    if (ended.length === 0) return;
    tx.send(dropLines, [id]);
    addJob(tx, { kind: "remove file", account: job.account_id, payload: { key: job.file }, runAt: now });
    const later = new Date(now.getTime() + keptSeconds * 1000);
    addJob(tx, { kind: "remove file", account: job.account_id, payload: { key: log }, runAt: later });
    const [next] = await tx.query(nextOne, [job.account_id]);
    if (next !== undefined)
      addJob(tx, {
        kind: importJob,
        key: next[1] as string,
        account: job.account_id,
        payload: { id: Number(next[0]) },
        runAt: now,
      });
    await tell(tx, now, job, `Import of ${job.type}: ${state}`, [
      ...(message === null ? [] : [message, ""]),
      ...Object.entries(resultsOf(job)).map(([name, count]) => `${name}: ${count}`),
      ...["", addressOf(exchange, exchange.origin(), log, now)],
    ]);
  });
}

/** The person who asked hears of the end by mail. */
export async function tell(
  tx: Transaction,
  now: Date,
  job: { account_id: string; person_id: string },
  subject: string,
  lines: readonly string[],
): Promise<void> {
  const [row] = await tx.query(emailOf, [Number(job.person_id)]);
  if (row === undefined) return;
  const mail = { account: job.account_id, recipient: row[0] as string, subject, body: `${lines.join("\n")}\n` };
  addJob(tx, await storeMail(tx, now, mail));
}

async function* logLines({ engine }: Exchange, job: Import, message: string | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`Import of ${job.type}\n`);
  for (let from = 0; ; ) {
    const rows = await engine.database.read(someLines, [job.id, from]);
    if (rows.length === 0) break;
    from = Number(rows.at(-1)?.[0]);
    yield Buffer.from(rows.map(([, line, text]) => `${line}: ${text}\n`).join(""));
  }
  if (message !== null) yield Buffer.from(`${message}\n`);
}

const resultsOf = (job: Import) => ({
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
