import type { Change } from "../../engine/rules.ts";
import { updateReleaseOfWorkflow } from "../task-graph/release-status.ts";
import { workflowGraph } from "../task-graph/workflow-graph.ts";
import { updatePendingRecords } from "./pending-on-workflow-or-project.ts";

/** Part of `saved` of a workflow or a project: what waits for it is told, and the release it is part of. */
export async function updateRecordsLinkedToContainer(change: Change): Promise<void> {
  await updatePendingRecords(change, change.type as "workflow" | "project");
  if (change.type === "workflow") await updateReleaseOfWorkflow(change);
}

/** Part of `saved` of a request or a problem: its planned effort counts for the workflow it is linked to. */
export async function refreshLinkedWorkflows(change: Change): Promise<void> {
  const { before, after } = change;
  const [old, now] = [before?.workflow ?? null, after.workflow ?? null];
  if (old === now && (now === null || before?.planned_effort === after.planned_effort)) return;
  for (const workflow of [old, now].sort())
    if (typeof workflow === "number") await workflowGraph.refresh(change, workflow);
}
