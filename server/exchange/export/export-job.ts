import { Readable } from "node:stream";
import { systemOrigin } from "../../../records/journal/change-origins.ts";
import { TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { acquireLock, buildLockKey } from "../../database/advisory-lock.ts";
import { statement, type Transaction, unnamedStatement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Query } from "../../engine/sql/query.ts";
import { DiskFull } from "../../files/index.ts";
import { addJob } from "../../queue/jobs.ts";
import { type Column, formatCells, pickExportColumns } from "../columns.ts";
import {
  buildDownloadUrl,
  buildFileKey,
  buildRemovalJob,
  type Exchange,
  findRowFile,
  loadAdministrator,
  WorkInterrupted,
  withJobSlot,
} from "../exchange-context.ts";
import { type ExchangeType, findExportType, nameFileContent } from "../exchange-types.ts";
import { formatCsvLine } from "../formats/csv.ts";
import { writeXlsx } from "../formats/xlsx.ts";
import { writeZip, type ZipEntry } from "../formats/zip.ts";
import { mailRequester } from "../import/finish-import.ts";
import { listColumns, type RowFile } from "../row-files/row-file.ts";
import { buildExportFilter, buildFilteredStatement } from "./export-filter.ts";
import { type ExportJob, type ExportSubject, exportJob, exportsTable, isRowFile } from "./exports.ts";

// IE14 to IE19. A job writes the file row by row from one snapshot of the database.

/** Larger exports of a type are limited to one a day, and are split into several workbooks. */
const largeExportRows = 10_000;
/** The number of rows per fetch adapts to this many characters. */
const fetchSize = { first: 32, max: 512, characters: 500_000 };
const maxFileBytes = 64 * 1024 ** 3;

const saveProgress = statement(
  "UPDATE exports SET state = 'processing', type = $2, line = $3 WHERE id = $1 AND finished_at IS NULL",
);
const markFinished = statement(
  "UPDATE exports SET state = $2, file = $3, large_types = $4, exceeded = $5, finished_at = $6 WHERE id = $1 AND finished_at IS NULL RETURNING 1",
);
const exportedToday = statement(
  `SELECT word FROM unnest($3::text[]) word WHERE EXISTS (SELECT 1 FROM exports WHERE account_id = $1 AND id <> $2
AND word = ANY(large_types) AND (finished_at IS NULL OR finished_at > $4::timestamptz - interval '1 day')) LIMIT 1`,
);
const saveLargeTypes = statement("UPDATE exports SET large_types = $2 WHERE id = $1 AND finished_at IS NULL");
const closeCursor = unnamedStatement("CLOSE exported");

/** Its message is the type that was exported already today. */
class DailyLimitExceeded extends Error {}

export async function runExport(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const { engine } = exchange;
  const [row] = await engine.database.read(exportsTable.byId, [id]);
  if (row === undefined) return;
  const job = exportsTable.of(row);
  if (job.finished_at !== null) return;
  const queueJob = { kind: exportJob, key: job.token, account: job.account_id, payload: { id } };
  await withJobSlot(exchange, queueJob, async () => {
    try {
      const { key, large } = await writeFile(exchange, job);
      await finishExport(exchange, job, { state: "done", key, large });
    } catch (error) {
      if (error instanceof DailyLimitExceeded)
        return finishExport(exchange, job, { state: "failed", exceeded: error.message });
      const isRetryable = error instanceof WorkInterrupted || error instanceof Unavailable || error instanceof TimedOut;
      if (isRetryable && !(error instanceof DiskFull)) throw error;
      exchange.log.error("an export failed", { export: id, ...describeError(error) });
      await finishExport(exchange, job, { state: "failed" });
    }
  });
}

/** Ends an export whose job is deleted. */
export async function abandonExport(exchange: Exchange, { id }: { id: number }): Promise<void> {
  const [row] = await exchange.engine.database.read(exportsTable.byId, [id]);
  if (row !== undefined) await finishExport(exchange, exportsTable.of(row), { state: "failed" });
}

async function finishExport(
  exchange: Exchange,
  job: ExportJob,
  outcome: { state: string; key?: string; large?: readonly string[]; exceeded?: string },
): Promise<void> {
  const { engine } = exchange;
  const now = engine.clock.now();
  const { state, key = null, large = [], exceeded = null } = outcome;
  await engine.database.transaction(async (tx) => {
    const ended = await tx.query(markFinished, [job.id, state, key, large, exceeded, now.toISOString()]);
    if (ended.length === 0) return;
    const contents = (JSON.parse(job.types) as string[]).map((word) => nameFileContent(engine.types, word)).join(", ");
    const subject = `Your export of ${contents} ${state === "done" ? "is ready" : "failed"}`;
    addJob(tx, buildRemovalJob(job.account_id, job.token, now));
    const link = key === null ? [] : [buildDownloadUrl(exchange, exchange.origin(), key, now)];
    await mailRequester(tx, now, job, subject, link, { type: "export", id: Number(job.id) });
  });
}

async function writeFile(exchange: Exchange, job: ExportJob): Promise<{ key: string; large: string[] }> {
  const { engine, files } = exchange;
  const by = await loadRequester(exchange, job);
  const subjects = (JSON.parse(job.types) as string[]).map(
    (word) => findRowFile(exchange, word) ?? (findExportType(engine.types, word) as ExchangeType),
  );
  const since = job.since === null ? null : new Date(Number(job.since) * 1000);
  const now = engine.clock.now();
  return engine.database.readSnapshot(async (tx) => {
    const counts = new Map<string, number>();
    for (const exchangeType of subjects) {
      if (isRowFile(exchangeType)) continue;
      const query = buildFilteredStatement(
        buildExportFilter(engine, by, exchangeType, since),
        (where) =>
          `SELECT count(*) FROM (SELECT 1 FROM ${exchangeType.type.ownTable} a WHERE ${where} LIMIT ${largeExportRows + 1}) x`,
      );
      const [counted] = await tx.query(query.statement, query.values);
      counts.set(exchangeType.name, Number(counted?.[0]));
    }
    const large = subjects
      .map(({ name: word }) => word)
      .filter((word) => since === null && (counts.get(word) ?? 0) > largeExportRows);
    if (large.length > 0) await enforceDailyLimit(exchange, job, large, now);
    const context: ExportContext = { exchange, tx, by, job, since, now };
    const isSplit =
      job.format === "xlsx" && subjects.some(({ name: word }) => (counts.get(word) ?? 0) > largeExportRows);
    const day = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
    const archived = subjects.length > 1 || isSplit;
    const name = archived
      ? `${subjects.length > 1 ? "export" : subjects[0]?.name}-${day}.zip`
      : `${subjects[0]?.name}-${day}.${job.format}`;
    const key = buildFileKey(job.account_id, job.token, name);
    const bytes = archived
      ? writeZip(buildArchiveEntries(context, subjects), now)
      : encodeFile(context, fetchRows(context, subjects[0] as ExportSubject));
    await files.write(key, Readable.from(bytes, { objectMode: false }), maxFileBytes);
    await loadRequester(exchange, job); // the role may have been removed meanwhile
    return { key, large };
  }, by.zone);
}

async function loadRequester(exchange: Exchange, job: ExportJob): Promise<Caller> {
  const by = await loadAdministrator(exchange, job, {
    ...{ language: "en", source: "" },
    changeOrigin: systemOrigin,
  });
  if (by === null) throw new Error("the person is no administrator any more");
  return by;
}

/** Running exports count, so the second of two concurrent ones is refused. */
const enforceDailyLimit = ({ engine }: Exchange, job: ExportJob, large: readonly string[], now: Date): Promise<void> =>
  engine.database.transaction(async (tx) => {
    tx.send(acquireLock, [buildLockKey("exports", job.account_id)]);
    const [taken] = await tx.query(exportedToday, [job.account_id, job.id, large, now.toISOString()]);
    if (taken !== undefined) throw new DailyLimitExceeded(taken[0] as string);
    tx.send(saveLargeTypes, [job.id, large]);
  });

type ExportContext = { exchange: Exchange; tx: Transaction; by: Caller; job: ExportJob; since: Date | null; now: Date };
type RowChunks = AsyncGenerator<string[][], void>;

/** Yields the headers, then chunks of rows. */
async function* fetchRows(context: ExportContext, subject: ExportSubject): RowChunks {
  const { exchange, tx, job } = context;
  const { engine } = exchange;
  const { columns, declared } = isRowFile(subject) ? selectRowFile(context, subject) : selectRecords(context, subject);
  yield [columns.map(({ header }) => header)];
  await tx.query(declared.statement, declared.values);
  let [line, savedLine, size] = [1, 0, fetchSize.first];
  for (;;) {
    const rows = (await tx.query(unnamedStatement(`FETCH ${size} FROM exported`))).map((row) =>
      formatCells(columns, row),
    );
    if (rows.length > 0) yield rows;
    line += rows.length;
    if (rows.length < size) break;
    if (exchange.closing) throw new WorkInterrupted();
    if (line - savedLine >= fetchSize.max) {
      await engine.database.change(saveProgress, [job.id, subject.name, line]);
      savedLine = line;
    }
    const characters = rows.reduce((sum, cells) => sum + cells.reduce((length, cell) => length + cell.length, 0), 0);
    if (characters * 2 < fetchSize.characters) size = Math.min(size * 2, fetchSize.max);
    else if (characters > fetchSize.characters * 2) size = Math.max(1, Math.floor(size / 2));
  }
  await tx.query(closeCursor);
}

type SelectedRows = { columns: readonly Column[]; declared: Query };

function selectRecords({ exchange, by, since }: ExportContext, exchangeType: ExchangeType): SelectedRows {
  const { engine } = exchange;
  const columns = pickExportColumns(engine.types, exchangeType, by);
  const cells = columns.map(({ sql }) => (sql as (row: string) => string)("a")).join(", ");
  const declared = buildFilteredStatement(
    buildExportFilter(engine, by, exchangeType, since),
    (where) =>
      `DECLARE exported NO SCROLL CURSOR FOR SELECT ${cells} FROM ${exchangeType.type.ownTable} a WHERE ${where} ORDER BY a.id`,
  );
  return { columns, declared };
}

const selectRowFile = ({ exchange, by }: ExportContext, file: RowFile): SelectedRows => ({
  columns: listColumns(file),
  declared: {
    statement: unnamedStatement(`DECLARE exported NO SCROLL CURSOR FOR ${file.buildSelect(exchange.engine.types)}`),
    values: [by.account],
  },
});

function encodeFile({ job, now }: ExportContext, rows: AsyncIterable<string[][]>): AsyncIterable<Buffer> {
  if (job.format === "xlsx") return writeXlsx(rows, now);
  const lineEnd = job.line_separator === "crlf" ? "\r\n" : "\n";
  return (async function* () {
    for await (const chunk of rows) yield Buffer.from(chunk.map((cells) => formatCsvLine(cells, lineEnd)).join(""));
  })();
}

async function* buildArchiveEntries(
  context: ExportContext,
  subjects: readonly ExportSubject[],
): AsyncGenerator<ZipEntry> {
  const { format } = context.job;
  for (const exchangeType of subjects) {
    const rows = fetchRows(context, exchangeType);
    if (format === "csv") {
      yield { name: `${exchangeType.name}.csv`, bytes: encodeFile(context, rows) };
      continue;
    }
    const headers = ((await rows.next()).value ?? [[]]) as string[][];
    const fetchMore = async () => (await rows.next()).value ?? [];
    let pending = await fetchMore();
    for (let number = 1; number === 1 || pending.length > 0; number++) {
      async function* takeWorkbookRows(): AsyncGenerator<string[][]> {
        yield headers;
        for (let left = largeExportRows; left > 0 && pending.length > 0; ) {
          const chunk = pending.slice(0, left);
          yield chunk;
          left -= chunk.length;
          pending = chunk.length < pending.length ? pending.slice(chunk.length) : await fetchMore();
        }
      }
      const name = number === 1 ? `${exchangeType.name}.xlsx` : `${exchangeType.name}-${number}.xlsx`;
      yield { name, bytes: writeXlsx(takeWorkbookRows(), context.now) };
    }
  }
}
