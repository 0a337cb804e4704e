import { stampOf } from "../base/clock.ts";
import type { Caller } from "../engine/caller.ts";
import { addJob } from "../queue/jobs.ts";
import { type Row, statement } from "../storage/database.ts";
import { addressOf, type Exchange, keptSeconds, momentOf, readableSeconds } from "./exchange.ts";
import { newToken } from "./imports.ts";
import { over, rowsWanted } from "./rows-wanted.ts";
import type { Subject } from "./words.ts";

// Reference: import-export.md section 2. Exports that were ordered, and how far they have come.

export const exportJob = "export";

export type Wanted = {
  subjects: readonly Subject[];
  format: "csv" | "xlsx";
  lineSeparator: "lf" | "crlf";
  since: Date | null;
};

const insert = statement(
  `INSERT INTO exports (account_id, token, person_id, types, format, line_separator, changed_since, state, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'queued', $8) RETURNING id`,
);
const forget = statement(
  "DELETE FROM exports WHERE account_id = $1 AND finished_at < $2::timestamptz - interval '30 days'",
);

/** Null: nothing has changed since then. */
export async function beginExport({ engine, wake }: Exchange, by: Caller, wanted: Wanted): Promise<string | null> {
  const { subjects, since } = wanted;
  if (since !== null) {
    const some = await Promise.all(
      subjects.map(async (subject) => {
        const asked = over(
          rowsWanted(engine, by, subject, since),
          (where) => `SELECT 1 FROM ${subject.type.ownTable} a WHERE ${where} LIMIT 1`,
        );
        return (await engine.database.read(asked.statement, asked.values)).length > 0;
      }),
    );
    if (!some.includes(true)) return null;
  }
  const token = newToken();
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    tx.send(forget, [by.account, now.toISOString()]);
    const [row] = await tx.query(insert, [
      ...[by.account, token, by.person],
      subjects.map(({ word }) => word),
      ...[wanted.format, wanted.lineSeparator, since?.toISOString() ?? null, stampOf(now)],
    ]);
    addJob(tx, { kind: exportJob, key: token, account: by.account, payload: { id: Number(row?.[0]) }, runAt: now });
  });
  wake();
  return token;
}

const names = [
  ...["id", "account_id", "token", "person_id", "types", "format", "line_separator", "since", "state", "type", "line"],
  ...["file", "exceeded", "finished_at"],
] as const;
const selected = names
  .map((name) => (name === "types" ? "to_json(types)" : name === "since" ? "extract(epoch FROM changed_since)" : name))
  .join(", ");
export type Export = Record<(typeof names)[number], string>;
export const exportOf = (row: Row): Export =>
  Object.fromEntries(names.map((name, index) => [name, row[index]])) as Export;
export const byId = statement(`SELECT ${selected} FROM exports WHERE id = $1`);
const byToken = statement(`SELECT ${selected} FROM exports WHERE token = $1 AND account_id = $2`);
export async function exportState(
  exchange: Exchange,
  by: Caller,
  token: string,
): Promise<Record<string, unknown> | null> {
  const { engine } = exchange;
  const [row] = await engine.database.read(byToken, [token, by.account]);
  if (row === undefined) return null;
  const job = exportOf(row);
  if (job.finished_at === null)
    return job.state === "queued" ? { state: "queued" } : { state: job.state, type: job.type, line: Number(job.line) };
  const finished = momentOf(job.finished_at);
  if (engine.clock.now().getTime() - finished.getTime() > readableSeconds * 1000) return null;
  if (job.file === null)
    return { state: job.state, ...(job.exceeded === null ? {} : { rate_limit_exceeded: job.exceeded }) };
  const expires_at = stampOf(new Date(finished.getTime() + keptSeconds * 1000));
  return { state: job.state, url: addressOf(exchange, by.origin, job.file, finished), expires_at };
}
