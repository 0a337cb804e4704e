import { enumerations } from "../../../records/enumerations/index.ts";
import type { Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { createTaskGraph } from "./task-graph.ts";
import { createTargetLoader } from "./task-targets.ts";

// What a workflow takes from its tasks and from what is linked to it: WF12.

const selectTotals = statement(
  `SELECT coalesce((SELECT t.impact FROM tasks t WHERE t.workflow_id = $1 AND t.impact IS NOT NULL ORDER BY array_position($2::text[], t.impact) DESC LIMIT 1), 'none'),
  coalesce((SELECT sum(coalesce(t.planned_effort, t.planned_duration)) FROM tasks t WHERE t.workflow_id = $1), 0),
  coalesce((SELECT sum(e.time_spent) FROM time_entries e JOIN tasks t ON t.id = e.task_id WHERE t.workflow_id = $1 AND NOT e.deleted AND e.life_cycle <> 'trashed'), 0),
  coalesce((SELECT sum(r.planned_effort) FROM requests r WHERE r.workflow_id = $1), 0) + coalesce((SELECT sum(p.planned_effort) FROM problems p WHERE p.workflow_id = $1), 0),
  (SELECT to_json(max(t.completion_target_at) AT TIME ZONE 'UTC') FROM tasks t WHERE t.workflow_id = $1 AND t.status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled'))`,
);
const impactRanks = enumerations["task.impact"];

async function calculateWorkflowValues(tx: Transaction, id: number, isCompleted: boolean): Promise<Values> {
  const [row] = await tx.query(selectTotals, [id, impactRanks]);
  const [impact, ofTasks, spent, linked, target] = row as [string, string, string, string, string | null];
  const planned = Number(ofTasks) + Number(linked);
  const actual = Number(spent) + Number(linked);
  return {
    impact,
    planned_effort: planned,
    actual_effort: actual,
    actual_vs_planned_effort_percentage: planned === 0 ? null : Math.round((100 * actual) / planned),
    completion_target_at: isCompleted || target == null ? null : `${JSON.parse(target)}Z`,
  };
}

export const workflowGraph = createTaskGraph(
  { container: "workflow", task: "task", phase: "workflow_phase" },
  { calculateValues: calculateWorkflowValues, loadTargetChanges: createTargetLoader("workflow") },
);
