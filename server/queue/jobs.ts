import { type Database, statement, type Transaction } from "../storage/database.ts";

// Jobs are rows, added in the transaction of the change that wants them. A job with a key is unique in its kind: adding
// it again moves it.

/** `about`: what jobs of one kind are about; whoever runs them can ask for the oldest */
export type Job = {
  kind: string;
  key?: string;
  about?: string;
  account: string | null;
  payload: unknown;
  runAt: Date;
};

const insert = statement(
  `INSERT INTO jobs (account_id, kind, key, payload, run_at, about) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (kind, key) DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at, attempts = 0, leased_until = NULL, fence = jobs.fence + 1`,
);
const remove = statement("DELETE FROM jobs WHERE kind = $1 AND key = $2");

export function addJob(tx: Pick<Transaction, "send">, job: Job): void {
  const { account, kind, key = null, payload, runAt, about = null } = job;
  tx.send(insert, [account, kind, key, JSON.stringify(payload), runAt.toISOString(), about]);
}

const countDue = statement("SELECT count(*), count(*) FILTER (WHERE attempts > 0) FROM jobs WHERE run_at <= $1");

/** `failing`: due jobs that failed at least once. */
export async function countDueJobs(database: Database, now: Date): Promise<{ due: number; failing: number }> {
  const [row] = await database.read(countDue, [now.toISOString()]);
  return { due: Number(row?.[0] ?? 0), failing: Number(row?.[1] ?? 0) };
}

export function deleteJob(tx: Transaction, kind: string, key: string): void {
  tx.send(remove, [kind, key]);
}
