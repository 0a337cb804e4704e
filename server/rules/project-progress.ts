import type { Values } from "../engine/rules.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { progressOf } from "./progress.ts";
import { targetsWithin } from "./targets.ts";

const lastTarget = statement(
  `SELECT to_json(max(completion_target_at) AT TIME ZONE 'UTC') FROM project_tasks
WHERE project_id = $1 AND status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled')`,
);

async function derived(tx: Transaction, id: number, isCompleted: boolean): Promise<Values> {
  const target = (await tx.query(lastTarget, [id]))[0]?.[0];
  return { completion_target_at: isCompleted || target == null ? null : `${JSON.parse(target)}Z` };
}

export const projectProgress = progressOf(
  { container: "project", task: "project_task", phase: "project_phase" },
  { derived, targets: targetsWithin("project") },
);
