import type { InputOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import { isActive, isFinished } from "../../../records/work/task-states.ts";
import type { workflow } from "../../../records/work/workflow.ts";
import { Invalid } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";

// A task with a request template generates a request, and follows its status: RG1 to RG11.

const isGenerating = (status: string | null): boolean =>
  status === "assigned" || status === "accepted" || status === "in_progress";
const selectFirstRequester = statement(
  `SELECT coalesce((SELECT r.requested_for_id FROM requests r WHERE r.workflow_id = w.id AND r.account_id = w.account_id ORDER BY r.id LIMIT 1), w.manager_id), w.manager_id
FROM workflows w WHERE w.id = $1 AND w.account_id = $2`,
);
const selectOpenRequest = statement(
  "SELECT 1 FROM requests WHERE id = $1 AND account_id = $2 AND status <> 'completed'",
);
const selectGeneratingTask = statement("SELECT status, category FROM tasks WHERE id = $1 AND account_id = $2");
const setSavepoint = statement("SAVEPOINT generated_request");
const rollBackToSavepoint = statement("ROLLBACK TO SAVEPOINT generated_request");
const releaseSavepoint = statement("RELEASE SAVEPOINT generated_request");

const addSystemNote = (change: Change, task: number, text: string) =>
  change.create("note", { task, text, medium: "system" });

/** RG1, RG2, RG5: in `afterSave` of a task. */
export async function generateRequest(change: Change<typeof task>): Promise<void> {
  const { tx, by, id, account, after } = change;
  if (!isGenerating(after.status) || after.request_template === null || after.request !== null) return;
  const [row] = await tx.query(selectFirstRequester, [after.workflow, account]);
  const [requester, manager] = [Number(row?.[0]), Number(row?.[1])];
  const values: InputOf<typeof request> = {
    template: after.request_template,
    service_instance: after.request_service_instance,
    requested_by: requester,
    requested_for: requester,
    task: id,
    ...(by.isService ? { created_by: manager } : {}),
  };
  tx.send(setSavepoint);
  try {
    const request = await change.create("request", values);
    await change.update("task", id, { request });
    tx.send(releaseSavepoint);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    tx.send(rollBackToSavepoint);
    tx.send(releaseSavepoint);
    const reasons = error.problems.map(([field, text]) => `${field}: ${text}`).join("\n");
    await addSystemNote(change, id, `The request could not be generated.\n${reasons}`);
  }
}

const withdrawnValues = { status: "completed", completion_reason: "withdrawn" } as const;

/** RG11: withdraws the request of a task that is canceled. */
export async function withdrawRequestOfTask(change: Change<typeof task>): Promise<void> {
  const { tx, account, before, after } = change;
  if (after.status !== "canceled" || before?.status === "canceled" || after.request === null) return;
  if ((await tx.query(selectOpenRequest, [after.request, account])).length === 0) return;
  await change.update("request", after.request, withdrawnValues);
}

const selectOpenRequestsOfWorkflow = statement(
  "SELECT r.id FROM tasks t JOIN requests r ON r.task_id = t.id AND r.account_id = $2 WHERE t.workflow_id = $1 AND t.account_id = $2 AND r.status <> 'completed' ORDER BY r.id",
);

/** RG11: withdraws the open requests of the tasks of a workflow that is completed. */
export async function withdrawRequestsOfWorkflow(change: Change<typeof workflow>): Promise<void> {
  const { tx, id, account, before, after, update } = change;
  if (after.status !== "completed" || before === null || before.status === "completed") return;
  for (const [requestId] of await tx.query(selectOpenRequestsOfWorkflow, [id, account]))
    await update("request", Number(requestId), withdrawnValues);
}

/** RG6 to RG9: in `afterSave` of a request, for the task that generated it. */
export async function updateGeneratingTask(change: Change<typeof request>): Promise<void> {
  const { tx, id, account, before, after, update } = change;
  const [from, to] = [before?.status ?? null, after.status];
  const taskId = after.task;
  if (taskId === null || from === to) return;
  const [row] = await tx.query(selectGeneratingTask, [taskId, account]);
  if (row === undefined || row[1] === "approval") return; // only votes decide about approval tasks
  const status = String(row[0]);
  if (to === "completed") {
    if (isFinished(status)) return;
    if (after.completion_reason === "solved") await update("task", taskId, { request: id, status: "completed" });
    else {
      await update("task", taskId, { request: id, status: "failed" });
      await addSystemNote(change, taskId, `The request was completed with the reason ${after.completion_reason}.`);
    }
  } else if (from === "completed") {
    // A task that was not finished by this request stays finished.
    if (status === (before?.completion_reason === "solved" ? "completed" : "failed"))
      await update("task", taskId, { request: id, status: "assigned" });
  } else if (to === "waiting_for_customer" || to === "declined") {
    // Automation tasks have no such statuses.
    if (isActive(status) && row[1] !== "automation") await update("task", taskId, { request: id, status: to });
  } else if (from === "waiting_for_customer" && status === "waiting_for_customer")
    await update("task", taskId, { status: "assigned" });
}
