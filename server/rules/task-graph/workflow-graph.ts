import { enumerations } from "../../../records/enumerations/index.ts";
import type { InputOf } from "../../../records/vocabulary/index.ts";
import { workflow } from "../../../records/work/workflow.ts";
import { statement } from "../../database/database.ts";
import { parseChoice } from "../../database/rows.ts";
import type { Change } from "../../engine/rules.ts";
import { createTaskGraph } from "./graph/task-graph.ts";
import { createTargetLoader } from "./task-targets.ts";
import { parseUtcTimestampOrNull } from "./utc-timestamp.ts";

// The values of a workflow that follow from its tasks and from the records linked to it: WF12.

const selectTotals = statement(
  `SELECT coalesce((SELECT t.impact FROM tasks t WHERE t.workflow_id = $1 AND t.account_id = $3 AND t.impact IS NOT NULL ORDER BY array_position($2::text[], t.impact) DESC LIMIT 1), 'none'),
  coalesce((SELECT sum(coalesce(t.planned_effort, t.planned_duration)) FROM tasks t WHERE t.workflow_id = $1 AND t.account_id = $3), 0),
  coalesce((SELECT sum(e.time_spent) FROM time_entries e JOIN tasks t ON t.id = e.task_id AND e.account_id = $3 WHERE t.workflow_id = $1 AND t.account_id = $3 AND NOT e.deleted AND e.life_cycle <> 'trashed'), 0),
  coalesce((SELECT sum(r.planned_effort) FROM requests r WHERE r.workflow_id = $1 AND r.account_id = $3), 0) + coalesce((SELECT sum(p.planned_effort) FROM problems p WHERE p.workflow_id = $1 AND p.account_id = $3), 0),
  (SELECT to_json(max(t.completion_target_at) AT TIME ZONE 'UTC') FROM tasks t WHERE t.workflow_id = $1 AND t.account_id = $3 AND t.status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled'))`,
);
const impactRanks = enumerations["task.impact"];

async function calculateWorkflowValues(
  { tx, account }: Change,
  id: number,
  isCompleted: boolean,
): Promise<InputOf<typeof workflow>> {
  const [row] = await tx.query(selectTotals, [id, impactRanks, account]);
  const [impact, effortOfTasks, timeSpent, effortOfLinked, target] = row ?? [];
  const planned = Number(effortOfTasks) + Number(effortOfLinked);
  const actual = Number(timeSpent) + Number(effortOfLinked);
  return {
    impact: parseChoice(workflow.fields.impact, impact),
    planned_effort: planned,
    actual_effort: actual,
    actual_vs_planned_effort_percentage: planned === 0 ? null : Math.round((100 * actual) / planned),
    completion_target_at: isCompleted ? null : parseUtcTimestampOrNull(target),
  };
}

export const workflowGraph = createTaskGraph(
  { containerType: "workflow", taskType: "task", phaseType: "workflow_phase" },
  { calculateValues: calculateWorkflowValues, loadTargetChanges: createTargetLoader("workflow") },
);
