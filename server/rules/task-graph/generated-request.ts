import { isActive, isFinished } from "../../../records/work/task-states.ts";
import { Invalid } from "../../base/errors.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

// A task with a request template has somebody else do the work: RG1 to RG11.

const generatingStatuses = ["assigned", "accepted", "in_progress"];
const selectFirstRequester = statement(
  `SELECT coalesce((SELECT r.requested_for_id FROM requests r WHERE r.workflow_id = w.id ORDER BY r.id LIMIT 1), w.manager_id), w.manager_id
FROM workflows w WHERE w.id = $1`,
);
const selectOpenRequest = statement("SELECT 1 FROM requests WHERE id = $1 AND status <> 'completed'");
const selectGeneratingTask = statement("SELECT status, category FROM tasks WHERE id = $1");
const setSavepoint = statement("SAVEPOINT generated_request");
const rollBackToSavepoint = statement("ROLLBACK TO SAVEPOINT generated_request");
const releaseSavepoint = statement("RELEASE SAVEPOINT generated_request");

const addSystemNote = (change: Change, task: number, text: string) =>
  change.create("note", { task, text, medium: "system" });

/** RG1, RG2, RG5: part of `saved` of a task. */
export async function generateRequest(change: Change): Promise<void> {
  const { tx, by, id, after } = change;
  if (!generatingStatuses.includes(String(after.status)) || after.request_template == null || after.request != null)
    return;
  const [row] = await tx.query(selectFirstRequester, [after.workflow as number]);
  const [requester, manager] = [Number(row?.[0]), Number(row?.[1])];
  const values: Values = {
    template: after.request_template,
    service_instance: after.request_service_instance ?? null,
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
    const why = error.problems.map(([field, text]) => `${field}: ${text}`).join("\n");
    await addSystemNote(change, id, `The request could not be generated.\n${why}`);
  }
}

const withdrawnValues: Values = { status: "completed", completion_reason: "withdrawn" };

/** RG11: nobody waits for the request of a task that was canceled. */
export async function withdrawRequestOfTask(change: Change): Promise<void> {
  const { tx, before, after } = change;
  if (after.status !== "canceled" || before?.status === "canceled" || after.request == null) return;
  if ((await tx.query(selectOpenRequest, [after.request as number])).length === 0) return;
  await change.update("request", after.request as number, withdrawnValues);
}

const selectOpenRequestsOfWorkflow = statement(
  "SELECT r.id FROM tasks t JOIN requests r ON r.task_id = t.id WHERE t.workflow_id = $1 AND r.status <> 'completed' ORDER BY r.id",
);

/** RG11: nor for those of a workflow that is over. Part of `saved` of a workflow. */
export async function withdrawRequestsOfWorkflow({ tx, id, before, after, update }: Change): Promise<void> {
  if (after.status !== "completed" || before === null || before.status === "completed") return;
  for (const [request] of await tx.query(selectOpenRequestsOfWorkflow, [id]))
    await update("request", Number(request), withdrawnValues);
}

/** RG6 to RG9: part of `saved` of a request, for the task that generated it. */
export async function updateGeneratingTask(change: Change): Promise<void> {
  const { tx, id, before, after, update } = change;
  const [from, to] = [before?.status ?? null, String(after.status)];
  if (after.task == null || from === to) return;
  const task = after.task as number;
  const [row] = await tx.query(selectGeneratingTask, [task]);
  if (row === undefined || row[1] === "approval") return; // votes decide about those
  const status = String(row[0]);
  const solved = after.completion_reason === "solved";
  if (to === "completed") {
    if (isFinished(status)) return;
    if (solved) await update("task", task, { request: id, status: "completed" });
    else {
      await update("task", task, { request: id, status: "failed" });
      await addSystemNote(change, task, `The request was completed with the reason ${after.completion_reason}.`);
    }
  } else if (from === "completed") {
    // Finished by something else than this request, it stays finished.
    if (status === (before?.completion_reason === "solved" ? "completed" : "failed"))
      await update("task", task, { request: id, status: "assigned" });
  } else if (to === "waiting_for_customer" || to === "declined") {
    // Nobody has an automation task on the desk who could wait or decline.
    if (isActive(status) && row[1] !== "automation") await update("task", task, { request: id, status: to });
  } else if (from === "waiting_for_customer" && status === "waiting_for_customer")
    await update("task", task, { status: "assigned" });
}
