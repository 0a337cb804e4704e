import { isDone, isFinished } from "../../../records/work/task-states.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import type { TaskNode } from "./container-status.ts";

// What is left to those who manage a workflow or a project: TK16, T11, WF6 to WF9, PJ1.

/** Part of `check` of a task: only who manages the whole cancels one, or takes up what was finished. */
export const checkManagerOnlyStatus =
  (role: "workflow_manager" | "project_manager") =>
  ({ by, account, before, after, changed, cause, problem }: Change): void => {
    if (before === null || cause !== null || by.isService || !changed.has("status")) return;
    const isVote = ["approved", "rejected"].includes(String(after.status));
    const isTakenUp = isFinished(before.status as string | null) && !isVote;
    if (after.status !== "canceled" && !isTakenUp) return;
    if (before.manager !== by.person && !by.roles.has(role) && !isAdministrator(by, account))
      problem("status", "is not valid");
  };

/** Part of `saved` of the whole: its manager is that of its tasks (WF11). */
export function copyManagerToTasks(task: string, container: string) {
  const tell = statement(`UPDATE ${task}s SET manager_id = $2 WHERE ${container}_id = $1 RETURNING id`);
  return async ({ tx, id, before, after, addDerivedUpdate: moved }: Change): Promise<void> => {
    if (before === null || before.manager === after.manager) return;
    for (const [each] of await tx.query(tell, [id, after.manager as number]))
      moved(task, Number(each), { manager: before.manager ?? null }, { manager: after.manager ?? null });
  };
}

/** What is closed by hand was worth what its tasks came to. */
function pickCompletionReason(steps: readonly TaskNode[]): string {
  if (steps.length > 0 && steps.every((step) => isDone(step.status))) return "complete";
  return steps.some((step) => ["completed", "approved"].includes(step.status)) ? "partial" : "withdrawn";
}

type StatusLoader = { loadStatus(change: Change, id: number): Promise<{ status: string; steps: readonly TaskNode[] }> };

/** Part of `check` of the whole: by hand it is completed, or taken up again; the rest follows from its tasks. */
export const checkManualCompletion =
  (progress: StatusLoader) =>
  async (change: Change): Promise<void> => {
    const { id, before, after, changed, cause, problem } = change;
    if (
      cause === null &&
      after.status === "completed" &&
      before?.status === "completed" &&
      changed.has("completion_reason")
    )
      after.completion_reason ??= pickCompletionReason((await progress.loadStatus(change, id)).steps);
    if (cause === null && changed.has("status") && after.status !== null) {
      const { status, steps } = await progress.loadStatus(change, id);
      if (after.status === "completed") {
        after.completion_reason ??= pickCompletionReason(steps);
        after.closed_by_hand = true;
      } else if (before?.status === "completed" && after.status === "in_progress") {
        after.status = status;
        after.closed_by_hand = false;
      } else if (after.status !== status) problem("status", "is not valid");
    }
    if (after.status !== "completed") after.completion_reason = null;
  };
