import { getTraceparent } from "../base/tracing/spans.ts";
import { type Database, type Statement, statement, type Transaction, type Value } from "../database/database.ts";

// A job is a row, added in the transaction of the change that causes it. A job with a key is unique in its kind: adding it
// again replaces payload and time, and revives a dead job.

/** `about`: groups jobs of one kind, so that their handler can run them in order */
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
ON CONFLICT (kind, key) DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at, attempts = 0, leased_until = NULL, dead_at = NULL, fence = jobs.fence + 1`,
);
const remove = statement("DELETE FROM jobs WHERE kind = $1 AND key = $2");

/** The trace that a job belongs to, beside the members of its payload. */
const traceMember = "_traceparent";

function addTrace(payload: unknown): unknown {
  const traceparent = getTraceparent();
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  return traceparent === undefined || !isObject ? payload : { ...payload, [traceMember]: traceparent };
}

/** Takes the trace out of a stored payload: handlers know nothing of it. */
export function parsePayload(text: string): { payload: unknown; traceparent: string | null } {
  const payload = JSON.parse(text) as unknown;
  if (!text.includes(traceMember)) return { payload, traceparent: null };
  const { [traceMember]: traceparent, ...rest } = payload as Record<string, unknown>;
  return { payload: rest, traceparent: typeof traceparent === "string" ? traceparent : null };
}

export function addJob(tx: Pick<Transaction, "send">, job: Job): void {
  const { account, kind, key = null, payload, runAt, about = null } = job;
  tx.send(insert, [account, kind, key, JSON.stringify(addTrace(payload)), runAt.toISOString(), about]);
}

export type AddedJob = { kind: string; key: string | null; payload: unknown; runAt: Date };

/** The job that a statement adds; null: it adds none. For work of the past, whose jobs are run at their moments. */
export function readAddedJob(sent: Statement, values: readonly Value[]): AddedJob | null {
  if (sent !== insert) return null;
  const [, kind, key, payload, runAt] = values as readonly string[];
  return {
    kind: String(kind),
    key: key ?? null,
    payload: parsePayload(String(payload)).payload,
    runAt: new Date(String(runAt)),
  };
}

const insertSeveral = statement(
  `INSERT INTO jobs (account_id, kind, key, payload, run_at)
SELECT $1, $2, key, payload, $3 FROM json_to_recordset($4::json) AS given (key text, payload jsonb)
ON CONFLICT (kind, key) DO UPDATE SET payload = excluded.payload, run_at = excluded.run_at, attempts = 0, leased_until = NULL, dead_at = NULL, fence = jobs.fence + 1`,
);

/** Jobs of one kind with different keys, in one statement. */
export function addJobs(
  tx: Pick<Transaction, "send">,
  given: Pick<Job, "kind" | "account" | "runAt"> & { jobs: readonly { key: string; payload: unknown }[] },
): void {
  const { account, kind, runAt, jobs } = given;
  const rows = jobs.map(({ key, payload }) => ({ key, payload: addTrace(payload) }));
  if (rows.length > 0) tx.send(insertSeveral, [account, kind, runAt.toISOString(), JSON.stringify(rows)]);
}

const countAll = statement(
  `SELECT count(*), count(*) FILTER (WHERE attempts > 0), (SELECT count(*) FROM jobs WHERE dead_at IS NOT NULL)
FROM jobs WHERE run_at <= $1 AND dead_at IS NULL`,
);

/** Counting many waiting jobs must not delay the reads of others. */
const monitoring = { account: "", person: 0, zone: "UTC" };

export type JobCounts = { due: number; failing: number; dead: number };

/** `failing`: due jobs that failed at least once. */
export async function countJobs(database: Database, now: Date): Promise<JobCounts> {
  const [row = []] = await database.readMany(countAll, [now.toISOString()], monitoring);
  const [due = 0, failing = 0, dead = 0] = row.map(Number);
  return { due, failing, dead };
}

export function deleteJob(tx: Transaction, kind: string, key: string): void {
  tx.send(remove, [kind, key]);
}
