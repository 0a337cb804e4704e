import { Readable } from "node:stream";
import { type Row, statement, type Transaction } from "../../database/database.ts";
import { type Mail, storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import { errorsHeader } from "../columns.ts";
import { buildDownloadUrl, buildFileKey, buildRemovalJob, type Exchange } from "../exchange-context.ts";
import { nameFileContent } from "../exchange-types.ts";
import { formatCsvLine } from "../formats/csv.ts";
import type { ReadColumn } from "./column-report.ts";
import {
  announceProgress,
  countResults,
  type ImportJob,
  importJob,
  importsTable,
  lockImports,
  maxImportBytes,
} from "./imports.ts";

// The end of an import: writes its log file and the file of its refused rows, emails the requester and starts the next import
// of the account.

const selectRefused = statement(
  "SELECT line, message, cells FROM import_rows WHERE import_id = $1 AND state = 'refused' AND line > $2 ORDER BY line LIMIT 1000",
);
const selectColumns = statement("SELECT columns FROM imports WHERE id = $1");
// A request to stop that came after the last row stopped nothing.
const markFinished = statement(
  `UPDATE imports SET state = $2, stopped = stopped AND $2 <> 'done', message = $3, finished_at = $4, last_audit_id = (SELECT max(id) FROM audit_lines)
WHERE id = $1 AND finished_at IS NULL RETURNING account_id, token, file`,
);
const selectNextImport = statement(
  "SELECT id, token FROM imports WHERE account_id = $1 AND state = 'queued' ORDER BY id LIMIT 1",
);
const selectEmail = statement(
  "SELECT primary_email FROM people WHERE id = $1 AND NOT disabled AND life_cycle = 'active'",
);

export const buildLogKey = (job: ImportJob): string => buildFileKey(job.account_id, job.token, "log.txt");
export const buildErrorFileKey = (job: ImportJob): string => buildFileKey(job.account_id, job.token, "errors.csv");

export async function finishImport(
  exchange: Exchange,
  id: number,
  state: "done" | "error",
  message: string | null,
): Promise<void> {
  const { engine, files } = exchange;
  const [row] = await engine.database.read(importsTable.byId, [id]);
  const job = importsTable.of(row as Row);
  const log = buildLogKey(job);
  await files.write(log, Readable.from(generateLog(exchange, job, message), { objectMode: false }), maxImportBytes);
  if (Number(job.failures) + Number(job.errors) > 0) {
    const lines = Readable.from(generateErrorFile(exchange, job), { objectMode: false });
    await files.write(buildErrorFileKey(job), lines, maxImportBytes);
  }
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    lockImports(tx, job.account_id);
    const ended = await tx.query(markFinished, [id, state, message, now.toISOString()]);
    if (ended.length === 0) return;
    // The file of a check is imported later.
    if (job.dry_run === "f")
      addJob(tx, { kind: "remove file", account: job.account_id, payload: { key: job.file }, runAt: now });
    addJob(tx, buildRemovalJob(job.account_id, job.token, now));
    await startNextImport(tx, job.account_id, now);
    const subject = `Your import of ${nameFileContent(engine.types, job.type)} ${state === "done" ? "is done" : "failed"}`;
    if (job.dry_run === "f")
      await mailRequester(tx, now, job, subject, [
        ...(message === null ? [] : [message, ""]),
        ...Object.entries(countResults(job)).map(([name, count]) => `${name}: ${count}`),
        ...["", buildDownloadUrl(exchange, exchange.origin(), log, now)],
      ]);
  });
  await announceProgress(exchange, job, Number(job.rows));
}

/** Imports of an account run one at a time: the end of one starts the next. */
export async function startNextImport(tx: Transaction, account: string, now: Date): Promise<void> {
  const [next] = await tx.query(selectNextImport, [account]);
  if (next === undefined) return;
  addJob(tx, { kind: importJob, key: next[1] as string, account, payload: { id: Number(next[0]) }, runAt: now });
}

/** Notifies the requester of the end by email. */
export async function mailRequester(
  tx: Transaction,
  now: Date,
  job: { account_id: string; person_id: string },
  subject: string,
  lines: readonly string[],
  about: Mail["about"] = undefined,
): Promise<void> {
  if (tx.suppressMail) return;
  const [row] = await tx.query(selectEmail, [Number(job.person_id)]);
  if (row === undefined) return;
  const mail = { account: job.account_id, recipient: row[0] as string, subject, body: `${lines.join("\n")}\n`, about };
  addJob(tx, await storeMail(tx, now, mail));
}

type RefusedRow = { line: string; message: string; cells: string };

async function* loadRefusedRows({ engine }: Exchange, job: ImportJob): AsyncGenerator<RefusedRow[]> {
  for (let from = 0; ; ) {
    const rows = await engine.database.read(selectRefused, [job.id, from]);
    if (rows.length === 0) return;
    from = Number(rows.at(-1)?.[0]);
    yield rows.map(([line, message, cells]) => ({ line, message, cells }) as RefusedRow);
  }
}

async function* generateLog(exchange: Exchange, job: ImportJob, message: string | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`Import of ${job.type}\n`);
  for await (const rows of loadRefusedRows(exchange, job))
    yield Buffer.from(rows.map(({ line, message: text }) => `${line}: ${text}\n`).join(""));
  if (message !== null) yield Buffer.from(`${message}\n`);
}

/** The refused rows with what is wrong: repaired, the file can be imported as it is. */
async function* generateErrorFile(exchange: Exchange, job: ImportJob): AsyncGenerator<Buffer> {
  const [row] = await exchange.engine.database.read(selectColumns, [job.id]);
  const headers = (JSON.parse(row?.[0] ?? "[]") as ReadColumn[]).map(({ header }) => header);
  const hasErrors = headers.includes(errorsHeader);
  const write = (cells: readonly string[], text: string) =>
    formatCsvLine(
      hasErrors
        ? cells.map((cell, index) => (headers[index] === errorsHeader ? text : cell))
        : [...headers.map((_, index) => cells[index] ?? ""), text],
      "\n",
    );
  yield Buffer.from(write(headers, errorsHeader));
  for await (const rows of loadRefusedRows(exchange, job))
    yield Buffer.from(rows.map(({ message, cells }) => write(JSON.parse(cells) as string[], message)).join(""));
}
