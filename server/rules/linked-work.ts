import type { Change } from "../engine/rules.ts";
import { containerChanged } from "./pending.ts";
import { updateRelease } from "./release-status.ts";
import { workflowProgress } from "./workflow-progress.ts";

/** Part of `saved` of a workflow or a project: what waits for it is told, and the release it is part of. */
export async function tellLinkedWork(change: Change): Promise<void> {
  await containerChanged(change, change.type as "workflow" | "project");
  if (change.type === "workflow") await updateRelease(change);
}

/** Part of `saved` of a request or a problem: its planned effort counts for the workflow it is linked to. */
export async function tellWorkflows(change: Change): Promise<void> {
  const { before, after } = change;
  const [old, now] = [before?.workflow ?? null, after.workflow ?? null];
  if (old === now && (now === null || before?.planned_effort === after.planned_effort)) return;
  for (const workflow of [old, now].sort())
    if (typeof workflow === "number") await workflowProgress.refresh(change, workflow);
}
