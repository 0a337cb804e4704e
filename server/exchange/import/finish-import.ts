import { Readable } from "node:stream";
import { type Mail, storeMail } from "../../mail/mails.ts";
import { addJob } from "../../queue/jobs.ts";
import { type Row, statement, type Transaction } from "../../storage/database.ts";
import { buildDownloadUrl, buildFileKey, buildRemovalJob, type Exchange } from "../context.ts";
import { countResults, type ImportJob, importJob, importsTable, lockImports, maxImportBytes } from "./imports.ts";

// The end of an import: writes its log file, mails the requester and starts the next import of the account.

const selectLogLines = statement(
  "SELECT id, line, message FROM import_lines WHERE import_id = $1 AND id > $2 ORDER BY id LIMIT 1000",
);
const deleteLogLines = statement("DELETE FROM import_lines WHERE import_id = $1");
const markFinished = statement(
  "UPDATE imports SET state = $2, message = $3, finished_at = $4 WHERE id = $1 AND finished_at IS NULL RETURNING account_id, token, file",
);
const selectNextImport = statement(
  "SELECT id, token FROM imports WHERE account_id = $1 AND state = 'queued' ORDER BY id LIMIT 1",
);
const selectEmail = statement(
  "SELECT primary_email FROM people WHERE id = $1 AND NOT disabled AND life_cycle = 'active'",
);

export async function finishImport(
  exchange: Exchange,
  id: number,
  state: "done" | "error",
  message: string | null,
): Promise<void> {
  const { engine, files } = exchange;
  const [row] = await engine.database.read(importsTable.byId, [id]);
  const job = importsTable.of(row as Row);
  const log = buildFileKey(job.account_id, job.token, "log.txt");
  await files.write(log, Readable.from(generateLog(exchange, job, message), { objectMode: false }), maxImportBytes);
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    lockImports(tx, job.account_id);
    const ended = await tx.query(markFinished, [id, state, message, now.toISOString()]);
    if (ended.length === 0) return;
    tx.send(deleteLogLines, [id]);
    addJob(tx, { kind: "remove file", account: job.account_id, payload: { key: job.file }, runAt: now });
    addJob(tx, buildRemovalJob(job.account_id, job.token, now));
    const [next] = await tx.query(selectNextImport, [job.account_id]);
    const nextJob = { kind: importJob, key: next?.[1] as string, account: job.account_id, runAt: now };
    if (next !== undefined) addJob(tx, { ...nextJob, payload: { id: Number(next[0]) } });
    await mailRequester(tx, now, job, `Import of ${job.type}: ${state}`, [
      ...(message === null ? [] : [message, ""]),
      ...Object.entries(countResults(job)).map(([name, count]) => `${name}: ${count}`),
      ...["", buildDownloadUrl(exchange, exchange.origin(), log, now)],
    ]);
  });
}

/** Tells the requester about the end by mail. */
export async function mailRequester(
  tx: Transaction,
  now: Date,
  job: { account_id: string; person_id: string },
  subject: string,
  lines: readonly string[],
  about: Mail["about"] = undefined,
): Promise<void> {
  const [row] = await tx.query(selectEmail, [Number(job.person_id)]);
  if (row === undefined) return;
  const mail = { account: job.account_id, recipient: row[0] as string, subject, body: `${lines.join("\n")}\n`, about };
  addJob(tx, await storeMail(tx, now, mail));
}

async function* generateLog({ engine }: Exchange, job: ImportJob, message: string | null): AsyncGenerator<Buffer> {
  yield Buffer.from(`Import of ${job.type}\n`);
  for (let from = 0; ; ) {
    const rows = await engine.database.read(selectLogLines, [job.id, from]);
    if (rows.length === 0) break;
    from = Number(rows.at(-1)?.[0]);
    yield Buffer.from(rows.map(([, line, text]) => `${line}: ${text}\n`).join(""));
  }
  if (message !== null) yield Buffer.from(`${message}\n`);
}
