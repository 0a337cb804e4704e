import type { InputOf } from "../../../records/vocabulary/index.ts";
import type { project } from "../../../records/work/project.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import { createTaskGraph } from "./graph/task-graph.ts";
import { createTargetLoader } from "./task-targets.ts";
import { parseUtcTimestampOrNull } from "./utc-timestamp.ts";

const selectLatestTarget = statement(
  `SELECT to_json(max(completion_target_at) AT TIME ZONE 'UTC') FROM project_tasks
WHERE project_id = $1 AND account_id = $2 AND status NOT IN ('failed', 'rejected', 'completed', 'approved', 'canceled')`,
);

async function calculateProjectValues(
  { tx, account }: Change,
  id: number,
  isCompleted: boolean,
): Promise<InputOf<typeof project>> {
  const [row] = await tx.query(selectLatestTarget, [id, account]);
  return { completion_target_at: isCompleted ? null : parseUtcTimestampOrNull(row?.[0]) };
}

export const projectGraph = createTaskGraph(
  { containerType: "project", taskType: "project_task", phaseType: "project_phase" },
  { calculateValues: calculateProjectValues, loadTargetChanges: createTargetLoader("project") },
);
