import type { project } from "../../../records/work/project.ts";
import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import { isDone, isFinished } from "../../../records/work/task-states.ts";
import type { workflow } from "../../../records/work/workflow.ts";
import { statement } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";
import type { ContainerStatus, TaskNode } from "./container-status.ts";

// Actions that only the manager of a workflow or a project may do: TK10, T10, T11, WF6 to WF9, PJ1.

type TaskChange = Change<typeof task | typeof projectTask>;
type ContainerChange = Change<typeof workflow | typeof project>;

/** In `beforeSave` of a task: only managers cancel a task, or reopen a finished one. */
export const checkManagerOnlyStatus =
  (role: "workflow_manager" | "project_manager") =>
  ({ by, account, before, after, changed, cause, problem }: TaskChange): void => {
    if (before === null || cause !== null || by.isService || !changed.has("status")) return;
    const isVote = after.status === "approved" || after.status === "rejected";
    const isReopened = isFinished(before.status) && !isVote;
    if (after.status !== "canceled" && !isReopened) return;
    if (before.manager !== by.person && !by.roles.has(role) && !isAdministrator(by, account))
      problem("status", "is not valid");
  };

/** In `afterSave` of the container: tasks have the manager of their container (WF11). */
export function copyManagerToTasks(taskType: "task" | "project_task", containerType: "workflow" | "project") {
  const updateManager = statement(
    `UPDATE ${taskType}s SET manager_id = $2, revision = revision + 1 WHERE ${containerType}_id = $1 AND account_id = $3 RETURNING id`,
  );
  return async ({ tx, id, account, before, after, addDerivedUpdate }: ContainerChange): Promise<void> => {
    if (before === null || before.manager === after.manager) return;
    for (const [taskId] of await tx.query(updateManager, [id, after.manager, account]))
      addDerivedUpdate(taskType, Number(taskId), { manager: before.manager }, { manager: after.manager });
  };
}

/** The completion reason of a container that its manager completes without giving one. */
function pickCompletionReason(tasks: readonly TaskNode[]): "complete" | "partial" | "withdrawn" {
  if (tasks.length > 0 && tasks.every(({ status }) => isDone(status))) return "complete";
  return tasks.some(({ status }) => status === "completed" || status === "approved") ? "partial" : "withdrawn";
}

type StatusLoader = {
  loadStatus(change: Change, id: number): Promise<{ status: ContainerStatus; tasks: readonly TaskNode[] }>;
};

/** In `beforeSave` of the container: managers complete and reopen it, every other status follows from its tasks. */
export const checkManualCompletion =
  (graph: StatusLoader) =>
  async (change: ContainerChange): Promise<void> => {
    const { id, before, after, changed, cause, problem } = change;
    const staysCompleted = before?.status === "completed" && after.status === "completed";
    if (cause === null && staysCompleted && changed.has("completion_reason"))
      after.completion_reason ??= pickCompletionReason((await graph.loadStatus(change, id)).tasks);
    if (cause === null && changed.has("status") && after.status !== null) {
      const { status, tasks } = await graph.loadStatus(change, id);
      if (after.status === "completed") {
        after.completion_reason ??= pickCompletionReason(tasks);
        after.closed_by_hand = true;
      } else if (before?.status === "completed" && after.status === "in_progress") {
        after.status = status;
        after.closed_by_hand = false;
      } else if (after.status !== status) problem("status", "is not valid");
    }
    if (after.status !== "completed") after.completion_reason = null;
  };
