import { jsonStatement, queryRows } from "../../database/rows.ts";
import { hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";

const finishedTasks = ["failed", "rejected", "completed", "approved", "canceled"];
const selectOpenWork = jsonStatement<{ ci: number; count: number }>(
  `SELECT w.ci_id AS ci, count(*)::integer AS count FROM (
  SELECT l.ci_id FROM request_cis l JOIN requests q ON q.id = l.request_id WHERE l.ci_id = ANY($2::integer[]) AND l.account_id = $1 AND q.account_id = $1 AND q.status <> 'completed' AND q.life_cycle = 'active'
  UNION ALL SELECT l.ci_id FROM problem_cis l JOIN problems q ON q.id = l.problem_id WHERE l.ci_id = ANY($2::integer[]) AND l.account_id = $1 AND q.account_id = $1 AND q.status <> 'solved' AND q.life_cycle = 'active'
  UNION ALL SELECT l.ci_id FROM task_cis l JOIN tasks q ON q.id = l.task_id WHERE l.ci_id = ANY($2::integer[]) AND l.account_id = $1 AND q.account_id = $1 AND q.status <> ALL($3::text[]) AND q.life_cycle = 'active'
) w GROUP BY w.ci_id`,
);

/** Whether the caller sees all work in the account, so that a number reveals no hidden records. */
export const seesAllWork = (engine: Engine, by: Caller): boolean =>
  hasAnyGrant(engine.types.get("problem"), "read", by);

/** The open requests, problems and tasks about each of the items; none for those who see only their own work. */
export async function countOpenWork(engine: Engine, by: Caller, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0 || !seesAllWork(engine, by)) return new Map();
  const rows = await queryRows(engine.database, selectOpenWork, [by.account, [...ids], finishedTasks]);
  return new Map(rows.map(({ ci, count }) => [ci, count]));
}
