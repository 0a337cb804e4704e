import type { Database } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { allOf, type Clause } from "../engine/sql/clauses.ts";
import { deleteDeadJob, loadDeadJob } from "../queue/dead-jobs.ts";

// Jobs that failed too often, as the administrators of an account see and delete them.

const isDead: Clause = { key: "dead", sql: (alias) => `${alias}.dead_at IS NOT NULL`, values: [] };

/** Payloads and keys may hold secrets and are not shown. */
export const listDeadJobsOfAccount = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "dead jobs",
    table: "jobs a",
    columns: "a.id, a.kind, a.attempts, a.last_error AS error, date_trunc('second', a.dead_at) AS dead_at",
    where: allOf([isDead, isEqual("account_id", by.account)]),
    filters: { kind: (text) => isEqual("kind", text) },
  });

/** By kind of job: ends what waits for a job that never runs again. It may run twice. */
export type AbandonHandlers = Readonly<Record<string, (payload: never, reason: string) => Promise<void>>>;

/**
 * Deletes a job that can never succeed. What waits for it ends first: should the process die in between, the job is still
 * there to be deleted. False: there is no such job.
 */
export async function abandonDeadJob(
  database: Database,
  handlers: AbandonHandlers,
  account: string,
  id: number,
): Promise<boolean> {
  const job = await loadDeadJob(database, account, id);
  if (job === null) return false;
  const reason = job.error === null ? "an administrator deleted its job" : `given up after many attempts: ${job.error}`;
  if (Object.hasOwn(handlers, job.kind)) await handlers[job.kind]?.(job.payload, reason);
  return deleteDeadJob(database, account, id);
}
