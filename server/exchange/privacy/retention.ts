import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { retentionPeriod } from "../../../records/answers/privacy.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { eraseInTransaction } from "../../engine/archive-and-trash.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Type } from "../../engine/types.ts";
import { addJob } from "../../queue/jobs.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { type Exchange, WorkInterrupted } from "../exchange-context.ts";
import { isRetryable } from "../import/retryable.ts";

// How long an account keeps what. What can expire follows from the declarations (`deletion.expires`); what the service keeps
// beside records is listed here. A daily job erases in slices. D-491

/** `condition`: on the rows `a`, as SQL with the moment $2; `type`: null for rows that are no records */
type Subject = { name: string; table: string; since: string; condition: string; type: Type | null; isJournal: boolean };

const serviceSubjects: readonly Omit<Subject, "condition" | "type" | "isJournal">[] = [
  { name: "sent_mails", table: "mails", since: "created_at" },
  { name: "security_trail", table: "security_events", since: "created_at" },
];

const maxDays = 36_500;
const minDays = 1;
const windowSize = 2000;
const eraseSize = 50;

export function listSubjects(engine: Engine): Subject[] {
  const records = engine.types.all.flatMap((type): Subject[] => {
    const { expires } = type.deletion;
    if (expires === null) return [];
    const since = quoteIdentifier(type.columns.get(expires.since) ?? expires.since);
    const { when } = expires;
    const isEnded = when === undefined ? "" : ` AND a.${quoteIdentifier(when.field)} = '${when.is}'`;
    return [
      {
        ...{ name: type.collection, table: type.ownTable, since, type, isJournal: type.storage.journal },
        condition: `a.${since} < $2${isEnded}`,
      },
    ];
  });
  return [
    ...records,
    ...serviceSubjects.map((each) => ({
      ...{ ...each, type: null, isJournal: true },
      condition: `a.${each.since} < $2`,
    })),
  ];
}

function findSubject(engine: Engine, name: string): Subject {
  const subject = listSubjects(engine).find((each) => each.name === name);
  if (subject === undefined) throw new NotFound();
  return subject;
}

type Period = { subject: string; days: number; last_run_at: string | null; last_deleted: number };
const selectPeriods = jsonStatement<Period>(
  "SELECT subject, days, date_trunc('second', last_run_at) AS last_run_at, last_deleted FROM retention_periods WHERE account_id = $1",
);

/** The types that can expire, and the number of days after which they do in the account; null: never. */
export async function listRetention(engine: Engine, account: string): Promise<AnswerOf<typeof retentionPeriod>[]> {
  const periods = await queryRows(engine.database, selectPeriods, [account]);
  return listSubjects(engine).map(({ name }) => {
    const period = periods.find(({ subject }) => subject === name);
    return {
      ...{ subject: name, days: period?.days ?? null },
      ...{ last_run_at: period?.last_run_at ?? null, last_deleted: period?.last_deleted ?? 0 },
    };
  });
}

export function parseDays(given: unknown): number | null {
  if (given === null || given === "" || given === undefined) return null;
  const days = typeof given === "string" && /^\d{1,6}$/.test(given) ? Number(given) : given;
  if (typeof days !== "number" || !Number.isInteger(days) || days < minDays || days > maxDays)
    throw new Invalid([["days", "is not valid"]]);
  return days;
}

const momentBefore = (now: Date, days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

/** How many would be erased now. */
export async function previewRetention(engine: Engine, by: Caller, name: string, days: number): Promise<number> {
  const { table, condition } = findSubject(engine, name);
  const query = statement(`SELECT count(*) FROM ${table} a WHERE a.account_id = $1 AND ${condition}`);
  const [row] = await engine.database.readMany(query, [by.account, momentBefore(engine.clock.now(), days)], by);
  return Number(row?.[0] ?? 0);
}

const deletePeriod = statement("DELETE FROM retention_periods WHERE account_id = $1 AND subject = $2");
const savePeriod = statement(
  `INSERT INTO retention_periods (account_id, subject, days, updated_by_id, updated_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account_id, subject) DO UPDATE SET days = excluded.days, updated_by_id = excluded.updated_by_id, updated_at = excluded.updated_at`,
);

/** `note` writes the security trail in the same transaction. */
export async function setRetention(
  { engine, wake }: Exchange,
  by: Caller,
  name: string,
  days: number | null,
  note: (tx: Transaction) => void,
): Promise<void> {
  findSubject(engine, name);
  const now = engine.clock.now();
  await engine.database.transaction(async (tx) => {
    if (days === null) tx.send(deletePeriod, [by.account, name]);
    else {
      tx.send(savePeriod, [by.account, name, days, by.person, now.toISOString()]);
      addJob(tx, buildJob(now)); // the first run begins immediately
    }
    note(tx);
    tx.afterCommit(wake);
  });
}

export const retentionJob = "apply retention";
const everySeconds = 86_400;
const buildJob = (runAt: Date) => ({ kind: retentionJob, key: "all", account: null, payload: {}, runAt });
const selectJob = statement("SELECT 1 FROM jobs WHERE kind = $1 AND key = 'all' AND dead_at IS NULL");

/** One job for the whole instance, once a day. */
export const scheduleRetention = (database: Database, now: Date): Promise<void> =>
  database.transaction(async (tx) => {
    if ((await tx.query(selectJob, [retentionJob])).length === 0) addJob(tx, buildJob(now));
  });

const selectAllPeriods = jsonStatement<{ account_id: string; subject: string; days: number }>(
  "SELECT account_id, subject, days FROM retention_periods ORDER BY account_id, subject",
);
const saveRun = statement(
  "UPDATE retention_periods SET last_run_at = $3, last_deleted = $4 WHERE account_id = $1 AND subject = $2",
);

export async function applyRetention(exchange: Exchange): Promise<void> {
  const { engine } = exchange;
  const now = engine.clock.now();
  for (const { account_id: account, subject: name, days } of await queryRows(engine.database, selectAllPeriods, [])) {
    const subject = listSubjects(engine).find((each) => each.name === name);
    if (subject === undefined) continue;
    const deleted = await eraseExpired(exchange, subject, account, momentBefore(now, days));
    await engine.database.change(saveRun, [account, name, now.toISOString(), deleted]);
  }
  const runAt = new Date(now.getTime() + everySeconds * 1000);
  await engine.database.transaction(async (tx) => addJob(tx, buildJob(runAt)));
}

/** Goes through the rows of the account by id. Rows of a journal are in the order of time: the first window without one ends it. */
async function eraseExpired(exchange: Exchange, subject: Subject, account: string, before: string): Promise<number> {
  const { database } = exchange.engine;
  const { table, condition, isJournal } = subject;
  const selectWindow = statement(
    `SELECT a.id, (${condition}) FROM (SELECT * FROM ${table} w WHERE w.account_id = $1 AND w.id > $3 ORDER BY w.id LIMIT ${windowSize}) a ORDER BY a.id`,
  );
  let deleted = 0;
  for (let after = 0; ; ) {
    const rows = await database.read(selectWindow, [account, before, after]);
    if (rows.length === 0) return deleted;
    after = Number(rows.at(-1)?.[0]);
    const expired = rows.filter(([, isExpired]) => isExpired === "t").map(([id]) => Number(id));
    if (isJournal && expired.length === 0) return deleted;
    for (let at = 0; at < expired.length; at += isJournal ? windowSize : eraseSize) {
      deleted += await eraseSlice(
        exchange,
        subject,
        account,
        expired.slice(at, at + (isJournal ? windowSize : eraseSize)),
      );
      if (exchange.closing) throw new WorkInterrupted();
    }
  }
}

/** Records that others need stay: a slice that fails is tried one by one. */
async function eraseSlice(
  exchange: Exchange,
  { table, type, isJournal }: Subject,
  account: string,
  ids: readonly number[],
): Promise<number> {
  const { engine } = exchange;
  if (type === null || isJournal) {
    const rows = await engine.database.change(
      statement(`DELETE FROM ${table} WHERE id = ANY($1::integer[]) AND account_id = $2 RETURNING 1`),
      [ids, account],
    );
    return rows.length;
  }
  const erase = (some: readonly number[]) =>
    engine.database.transaction((tx) => eraseInTransaction(engine, tx, type, some, account));
  try {
    await erase(ids);
    return ids.length;
  } catch (error) {
    if (isRetryable(error)) throw error;
    if (ids.length === 1) return 0;
    let deleted = 0;
    for (const id of ids) deleted += await eraseSlice(exchange, { table, type, isJournal } as Subject, account, [id]);
    return deleted;
  }
}
