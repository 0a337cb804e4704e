import { enumerations } from "../../../records/enumerations/index.ts";
import type { InputOf } from "../../../records/vocabulary/index.ts";
import { projectTask } from "../../../records/work/project-task.ts";
import { projectTaskAssignment } from "../../../records/work/project-task-assignment.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { statement } from "../../database/database.ts";
import { parseChoice } from "../../database/rows.ts";
import { type Change, isChangeOf, rulesFor, steps } from "../../engine/rules.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { defineApprovals } from "./approvals.ts";
import { projectGraph } from "./project-graph.ts";
import { parseUtcTimestampOrNull } from "./utc-timestamp.ts";

// The people who work on a project task, each with a status of their own, or who approve it: PT2 to PT4, AP9.

type ProjectTaskChange = Change<typeof projectTask>;
type AssignmentChange = Change<typeof projectTaskAssignment>;
type TaskStatus = (typeof enumerations)["project_task.status"][number];

export const assignments = defineApprovals({
  recordType: "project_task_assignment",
  personField: "assignee",
  taskType: "project_task",
});

export const activeStatuses = ["assigned", "accepted", "in_progress", "waiting_for"] as const;
const isActive = (status: string | null | undefined): boolean => activeStatuses.some((active) => active === status);

/** PT3: an open activity has the least advanced status of its open assignments. */
function calculateActivityStatus(statuses: readonly (string | null)[]): TaskStatus | null {
  if (statuses.length === 0) return null;
  if (statuses.includes("failed")) return "failed";
  const open = statuses.filter((status) => !isFinished(status));
  if (open.length === 0) return statuses.includes("completed") ? "completed" : "canceled";
  return enumerations["project_task.status"].find((status) => open.includes(status)) ?? null;
}

const specialistRoles = ["specialist", "project_manager", "account_administrator", "directory_administrator"];
type AssignmentUpdate = { id: number; values: InputOf<typeof projectTaskAssignment> };
const ownUpdates = new WeakMap<Change, AssignmentUpdate>();

/** PT3: a customer who sets the status of an activity sets that of their own assignment; a specialist that of all. */
export async function settleStatusByOwnAssignment(change: ProjectTaskChange): Promise<void> {
  const { by, id, before, after, changed, cause } = change;
  if (before === null || after.category !== "activity" || cause !== null || !changed.has("status")) return;
  if (by.isService || specialistRoles.some((role) => by.roles.has(role))) return;
  const all = await assignments.load(change, id);
  const own = all.find(({ person }) => person === by.person);
  if (own === undefined) return;
  const { status, waiting_until } = after;
  ownUpdates.set(change, { id: own.id, values: { status, waiting_until } });
  change.runAfterSave(() => saveOwnAssignment(change));
  after.status = calculateActivityStatus(all.map((each) => (each === own ? status : each.status)));
}

async function saveOwnAssignment(change: Change): Promise<void> {
  const own = ownUpdates.get(change);
  ownUpdates.delete(change);
  if (own !== undefined) await change.update("project_task_assignment", own.id, own.values);
}

/** PT3: in `afterSave` of the task, its new status becomes that of its open assignments. */
export async function updateAssignments(change: ProjectTaskChange): Promise<void> {
  const { id, before, after, cause } = change;
  const from = before?.status ?? "registered";
  if (after.category === "approval" || from === after.status || isChangeOf(projectTaskAssignment, cause)) return;
  if (ownUpdates.has(change)) return saveOwnAssignment(change);
  const { status, waiting_until } = after;
  for (const each of await assignments.load(change, id))
    if (isFinished(from) || !isFinished(each.status))
      await change.update("project_task_assignment", each.id, { status, waiting_until });
}

const selectTask = statement("SELECT status, category FROM project_tasks WHERE id = $1 AND account_id = $2");
const selectEarliestWaitingUntil = statement(
  "SELECT to_json(min(waiting_until) AT TIME ZONE 'UTC') FROM project_task_assignments WHERE project_task_id = $1 AND account_id = $2 AND status = 'waiting_for'",
);

/** PT3: after an assignment got another status, was added or deleted. */
async function updateTaskFromAssignments(change: Change, taskId: number): Promise<void> {
  const { tx, account, cause, update } = change;
  if (isChangeOf(projectTask, cause)) return;
  const [row] = await tx.query(selectTask, [taskId, account]);
  const oldStatus = parseChoice(projectTask.fields.status, row?.[0]);
  if (row?.[1] !== "activity" || isFinished(oldStatus) || oldStatus === "registered") return;
  const status = calculateActivityStatus((await assignments.load(change, taskId)).map((each) => each.status));
  if (status === null || status === oldStatus) return;
  const [earliest] = status === "waiting_for" ? await tx.query(selectEarliestWaitingUntil, [taskId, account]) : [];
  await update("project_task", taskId, { status, waiting_until: parseUtcTimestampOrNull(earliest?.[0]) });
}

/** AP9, PT2: an assignment that is added to an active task is assigned immediately. */
async function assignToActiveTask({ tx, account, before, after }: AssignmentChange): Promise<void> {
  if (before !== null || after.project_task === null) return;
  const [row] = await tx.query(selectTask, [after.project_task, account]);
  if (isActive(row?.[0])) after.status = "assigned";
}

export const projectTaskAssignmentRules = rulesFor(projectTaskAssignment, {
  lockFirst: projectGraph.lockFirstForTaskChild("project_task_assignments"),
  beforeSave: steps(assignments.beforeSaveApproval, assignToActiveTask, checkWaitingUntil),
  async afterSave(change) {
    const { before, after } = change;
    if (before?.status !== after.status) await updateTaskFromAssignments(change, after.project_task);
  },
  async afterDelete(context) {
    await assignments.afterDeleteApproval(context);
    await updateTaskFromAssignments(context.change, context.values.project_task);
  },
});
