import type { problem } from "../../../records/work/problem.ts";
import type { project } from "../../../records/work/project.ts";
import type { request } from "../../../records/work/request.ts";
import { workflow } from "../../../records/work/workflow.ts";
import { type Change, isChangeOf } from "../../engine/rules.ts";
import { updateReleaseOfWorkflow } from "../task-graph/release-status.ts";
import { workflowGraph } from "../task-graph/workflow-graph.ts";
import { updatePendingRecords } from "./pending-on-workflow-or-project.ts";

/** After a save of a workflow or a project: updates the records that wait for it and the release of the workflow. */
export async function updateRecordsLinkedToContainer(change: Change<typeof workflow | typeof project>): Promise<void> {
  if (!isChangeOf(workflow, change)) return updatePendingRecords(change, "project");
  await updatePendingRecords(change, "workflow");
  await updateReleaseOfWorkflow(change);
}

/** After a save of a request or a problem: the planned effort of the linked workflow includes that of the record. */
export async function refreshLinkedWorkflows(change: Change<typeof request | typeof problem>): Promise<void> {
  const { before, after } = change;
  const [previous, current] = [before?.workflow ?? null, after.workflow];
  if (previous === current && (current === null || before?.planned_effort === after.planned_effort)) return;
  for (const id of [previous, current].sort()) if (id !== null) await workflowGraph.refresh(change, id);
}
