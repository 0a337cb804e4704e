import { Readable } from "node:stream";
import { type Mail, storeMail } from "../mail/mails.ts";
import { addJob } from "../queue/jobs.ts";
import { type Row, statement, type Transaction } from "../storage/database.ts";
import { addressOf, type Exchange, keyOfFile, removal } from "./exchange.ts";
import { type Import, importJob, imports, largestImport, oneAtATime, resultsOf } from "./imports.ts";

// The end of an import: its log becomes a file, whoever asked for it hears of it, and the next one of the account begins.

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
const emailOf = statement("SELECT primary_email FROM people WHERE id = $1 AND NOT disabled AND life_cycle = 'active'");

export async function finish(
  exchange: Exchange,
  id: number,
  state: "done" | "error",
  message: string | null,
): Promise<void> {
  const { engine, files } = exchange;
  const [row] = await engine.database.read(imports.byId, [id]);
  const job = imports.of(row as Row);
  const log = keyOfFile(job.account_id, job.token, "log.txt");
  await files.write(log, Readable.from(logLines(exchange, job, message), { objectMode: false }), largestImport);
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    tx.send(oneAtATime, [job.account_id]);
    const ended = await tx.query(end, [id, state, message, now.toISOString()]);
    if (ended.length === 0) return;
    tx.send(dropLines, [id]);
    addJob(tx, { kind: "remove file", account: job.account_id, payload: { key: job.file }, runAt: now });
    addJob(tx, removal(job.account_id, job.token, now));
    const [next] = await tx.query(nextOne, [job.account_id]);
    const following = { kind: importJob, key: next?.[1] as string, account: job.account_id, runAt: now };
    if (next !== undefined) addJob(tx, { ...following, payload: { id: Number(next[0]) } });
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
  about: Mail["about"] = undefined,
): Promise<void> {
  const [row] = await tx.query(emailOf, [Number(job.person_id)]);
  if (row === undefined) return;
  const mail = { account: job.account_id, recipient: row[0] as string, subject, body: `${lines.join("\n")}\n`, about };
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
