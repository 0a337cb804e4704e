import { type Database, statement } from "../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../database/rows.ts";

// A job that has failed too often is dead: it stays as a row and does not run until it is retried. Administrators
// see the jobs of their account, operators all of them. Payloads and keys may hold secrets and are not shown.

export type DeadJob = {
  id: number;
  account: string | null;
  kind: string;
  attempts: number;
  error: string | null;
  dead_at: string;
};

const isSelected = "dead_at IS NOT NULL AND ($1::text IS NULL OR account_id = $1)";
const selectDead = jsonStatement<DeadJob>(
  `SELECT id, account_id AS account, kind, attempts, last_error AS error, dead_at
FROM jobs WHERE ${isSelected} ORDER BY dead_at DESC, id DESC LIMIT 100`,
);
const revive = statement(
  `UPDATE jobs SET dead_at = NULL, attempts = 0, run_at = $3, leased_until = NULL, fence = fence + 1
WHERE ${isSelected} AND ($2::integer IS NULL OR id = $2) RETURNING 1`,
);
const selectOne = jsonStatement<AbandonedJob>(
  `SELECT kind, payload::json AS payload, last_error AS error FROM jobs WHERE ${isSelected} AND id = $2`,
);
const remove = statement(`DELETE FROM jobs WHERE ${isSelected} AND id = $2 RETURNING 1`);

/** The latest hundred; `account` null: of all accounts and of the instance itself. */
export const listDeadJobs = (database: Database, account: string | null): Promise<DeadJob[]> =>
  queryRows(database, selectDead, [account]);

/** Makes them due with a full number of attempts, and returns how many there were. Null means all. */
export async function retryDeadJobs(
  database: Database,
  now: Date,
  { account, id }: { account: string | null; id: number | null },
): Promise<number> {
  return (await database.change(revive, [account, id, now.toISOString()])).length;
}

export type AbandonedJob = { kind: string; payload: never; error: string | null };

/** A dead job of an account; null: there is none with this id. */
export const loadDeadJob = (database: Database, account: string, id: number): Promise<AbandonedJob | null> =>
  queryFirst(database, selectOne, [account, id]);

/** False: it was deleted or retried meanwhile. */
export const deleteDeadJob = async (database: Database, account: string, id: number): Promise<boolean> =>
  (await database.change(remove, [account, id])).length > 0;
