import type { Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { createTaskGraph } from "./task-graph.ts";
import { createTargetLoader } from "./task-targets.ts";

const selectLatestTarget = statement(
  `SELECT to_json(max(completion_target_at) AT TIME ZONE 'UTC') FROM project_tasks
WHERE project_id = $1 AND status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled')`,
);

async function calculateProjectValues(tx: Transaction, id: number, isCompleted: boolean): Promise<Values> {
  const target = (await tx.query(selectLatestTarget, [id]))[0]?.[0];
  return { completion_target_at: isCompleted || target == null ? null : `${JSON.parse(target)}Z` };
}

export const projectGraph = createTaskGraph(
  { container: "project", task: "project_task", phase: "project_phase" },
  { calculateValues: calculateProjectValues, loadTargetChanges: createTargetLoader("project") },
);
