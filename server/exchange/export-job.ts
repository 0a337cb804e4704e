import { Readable } from "node:stream";
import { TimedOut, Unavailable } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import type { Caller } from "../engine/caller.ts";
import { addJob } from "../queue/jobs.ts";
import { unnamedStatement, statement, type Transaction } from "../storage/database.ts";
import { DiskFull } from "../storage/files/index.ts";
import { type Column, cellsOf, exportColumns } from "./columns.ts";
import { csvLine } from "./csv.ts";
import { addressOf, administratorOf, type Exchange, inPlace, keyOfFile, PutDown, removal } from "./exchange.ts";
import { type Export, exportJob, exports } from "./exports.ts";
import { tell } from "./import-end.ts";
import { over, rowsWanted } from "./rows-wanted.ts";
import { exportSubject, type Subject } from "./words.ts";
import { xlsx } from "./xlsx.ts";
import { type ZipEntry, zip } from "./zip.ts";

// Reference: import-export.md section 2. A job writes the file from one snapshot of the database, row by row.

/** more records than this are exported once a day, and stand in several workbooks */
const many = 10_000;
/** so many rows are fetched at once as make about that much text */
const fetched = { first: 32, most: 512, characters: 500_000 };
const largest = 64 * 1024 ** 3;

const reached = statement(
  "UPDATE exports SET state = 'processing', type = $2, line = $3 WHERE id = $1 AND finished_at IS NULL",
);
const end = statement(
  "UPDATE exports SET state = $2, file = $3, large_types = $4, exceeded = $5, finished_at = $6 WHERE id = $1 AND finished_at IS NULL RETURNING 1",
);
const oneAtATime = statement("SELECT pg_advisory_xact_lock(hashtext('exports of ' || $1))");
const exportedToday = statement(
  `SELECT word FROM unnest($3::text[]) word WHERE EXISTS (SELECT 1 FROM exports WHERE account_id = $1 AND id <> $2
AND word = ANY(large_types) AND (finished_at IS NULL OR finished_at > $4::timestamptz - interval '1 day')) LIMIT 1`,
);
const keepLarge = statement("UPDATE exports SET large_types = $2 WHERE id = $1 AND finished_at IS NULL");
const snapshot = statement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
const closeCursor = unnamedStatement("CLOSE exported");

/** Too often for so many records. */
class TooOften extends Error {}

export async function runExport(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const { engine } = exchange;
  const [row] = await engine.database.read(exports.byId, [id]);
  if (row === undefined) return;
  const job = exports.of(row);
  if (job.finished_at !== null) return;
  const again = { kind: exportJob, key: job.token, account: job.account_id, payload: { id } };
  await inPlace(exchange, again, async () => {
    try {
      const { key, large } = await writeFile(exchange, job);
      await finish(exchange, job, { state: "done", key, large });
    } catch (error) {
      if (error instanceof TooOften) return finish(exchange, job, { state: "failed", exceeded: error.message });
      const isForLater = error instanceof PutDown || error instanceof Unavailable || error instanceof TimedOut;
      if (isForLater && !(error instanceof DiskFull)) throw error;
      exchange.log.error("an export failed", { export: id, ...describeError(error) });
      await finish(exchange, job, { state: "failed" });
    }
  });
}

async function finish(
  exchange: Exchange,
  job: Export,
  outcome: { state: string; key?: string; large?: readonly string[]; exceeded?: string },
): Promise<void> {
  const { engine } = exchange;
  const now = engine.clock.now();
  const { state, key = null, large = [], exceeded = null } = outcome;
  await engine.database.transaction(async (tx) => {
    const ended = await tx.query(end, [job.id, state, key, large, exceeded, now.toISOString()]);
    if (ended.length === 0) return;
    const words = (JSON.parse(job.types) as string[]).join(", ");
    addJob(tx, removal(job.account_id, job.token, now));
    const link = key === null ? [] : [addressOf(exchange, exchange.origin(), key, now)];
    await tell(tx, now, job, `Export of ${words}: ${state}`, link, { type: "export", id: Number(job.id) });
  });
}

async function writeFile(exchange: Exchange, job: Export): Promise<{ key: string; large: string[] }> {
  const { engine, files } = exchange;
  const by = await orderer(exchange, job);
  const subjects = (JSON.parse(job.types) as string[]).map((word) => exportSubject(engine.types, word) as Subject);
  const since = job.since === null ? null : new Date(Number(job.since) * 1000);
  const now = engine.clock.now();
  return engine.database.transaction(async (tx) => {
    await tx.query(snapshot);
    const counts = new Map<string, number>();
    for (const subject of subjects) {
      const asked = over(
        rowsWanted(engine, by, subject, since),
        (where) => `SELECT count(*) FROM (SELECT 1 FROM ${subject.type.ownTable} a WHERE ${where} LIMIT ${many + 1}) x`,
      );
      const [counted] = await tx.query(asked.statement, asked.values);
      counts.set(subject.word, Number(counted?.[0]));
    }
    const large = subjects.map(({ word }) => word).filter((word) => since === null && (counts.get(word) ?? 0) > many);
    if (large.length > 0) await takeTurn(exchange, job, large, now);
    const writing: Writing = { exchange, tx, by, job, since, now };
    const isSplit = job.format === "xlsx" && subjects.some(({ word }) => (counts.get(word) ?? 0) > many);
    const day = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    const archived = subjects.length > 1 || isSplit;
    const name = archived
      ? `${subjects.length > 1 ? "export" : subjects[0]?.word}-${day}.zip`
      : `${subjects[0]?.word}-${day}.${job.format}`;
    const key = keyOfFile(job.account_id, job.token, name);
    const bytes = archived
      ? zip(entriesOf(writing, subjects), now)
      : fileOf(writing, rowsOf(writing, subjects[0] as Subject));
    await files.write(key, Readable.from(bytes, { objectMode: false }), largest);
    await orderer(exchange, job); // a role may have been taken away meanwhile
    return { key, large };
  }, by.zone);
}

async function orderer(exchange: Exchange, job: Export): Promise<Caller> {
  const by = await administratorOf(exchange, job, { language: "en", source: "" });
  if (by === null) throw new Error("the person is no administrator any more");
  return by;
}

/** Many records once a day: what is being written counts, so of two at once one is too many. */
const takeTurn = ({ engine }: Exchange, job: Export, large: readonly string[], now: Date): Promise<void> =>
  engine.database.transaction(async (tx) => {
    tx.send(oneAtATime, [job.account_id]);
    const [taken] = await tx.query(exportedToday, [job.account_id, job.id, large, now.toISOString()]);
    if (taken !== undefined) throw new TooOften(taken[0] as string);
    tx.send(keepLarge, [job.id, large]);
  });

type Writing = { exchange: Exchange; tx: Transaction; by: Caller; job: Export; since: Date | null; now: Date };
type Rows = AsyncGenerator<string[][], void>;

/** Headers first, then rows, some at a time. */
async function* rowsOf({ exchange, tx, by, job, since }: Writing, subject: Subject): Rows {
  const { engine } = exchange;
  const columns: Column[] = exportColumns(engine.types, subject, by);
  const cells = columns.map(({ sql }) => (sql as (row: string) => string)("a")).join(", ");
  const declared = over(
    rowsWanted(engine, by, subject, since),
    (where) =>
      `DECLARE exported NO SCROLL CURSOR FOR SELECT ${cells} FROM ${subject.type.ownTable} a WHERE ${where} ORDER BY a.id`,
  );
  yield [columns.map(({ header }) => header)];
  await tx.query(declared.statement, declared.values);
  let [line, told, size] = [1, 0, fetched.first];
  for (;;) {
    const rows = (await tx.query(unnamedStatement(`FETCH ${size} FROM exported`))).map((row) => cellsOf(columns, row));
    if (rows.length > 0) yield rows;
    line += rows.length;
    if (rows.length < size) break;
    if (exchange.closing) throw new PutDown();
    if (line - told >= fetched.most) {
      await engine.database.read(reached, [job.id, subject.word, line]);
      told = line;
    }
    const characters = rows.reduce((sum, cells) => sum + cells.reduce((length, cell) => length + cell.length, 0), 0);
    if (characters * 2 < fetched.characters) size = Math.min(size * 2, fetched.most);
    else if (characters > fetched.characters * 2) size = Math.max(1, Math.floor(size / 2));
  }
  await tx.query(closeCursor);
}

function fileOf({ job, now }: Writing, rows: AsyncIterable<string[][]>): AsyncIterable<Buffer> {
  if (job.format === "xlsx") return xlsx(rows, now);
  const lineEnd = job.line_separator === "crlf" ? "\r\n" : "\n";
  return (async function* () {
    for await (const some of rows) yield Buffer.from(some.map((cells) => csvLine(cells, lineEnd)).join(""));
  })();
}

async function* entriesOf(writing: Writing, subjects: readonly Subject[]): AsyncGenerator<ZipEntry> {
  const { format } = writing.job;
  for (const subject of subjects) {
    const rows = rowsOf(writing, subject);
    if (format === "csv") {
      yield { name: `${subject.word}.csv`, bytes: fileOf(writing, rows) };
      continue;
    }
    const headers = ((await rows.next()).value ?? [[]]) as string[][];
    const more = async () => (await rows.next()).value ?? [];
    let waiting = await more();
    for (let number = 1; number === 1 || waiting.length > 0; number++) {
      async function* part(): AsyncGenerator<string[][]> {
        yield headers;
        for (let left = many; left > 0 && waiting.length > 0; ) {
          const some = waiting.slice(0, left);
          yield some;
          left -= some.length;
          waiting = some.length < waiting.length ? waiting.slice(some.length) : await more();
        }
      }
      const name = number === 1 ? `${subject.word}.xlsx` : `${subject.word}-${number}.xlsx`;
      yield { name, bytes: xlsx(part(), writing.now) };
    }
  }
}
