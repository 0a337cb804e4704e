import { enumerations } from "../../../records/enumerations/index.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Change, TypeRules, Values } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes } from "../communication/notes.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { setResolutionDurationOfTask, settleTaskTimes } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { defineApprovals } from "./approvals.ts";
import { checkManagerOnlyStatus } from "./manager-actions.ts";
import { createPredecessorRules } from "./predecessors.ts";
import { projectGraph as progress } from "./project-graph.ts";
import { checkStatusOfCategory, withoutApprovalStatuses } from "./status-by-category.ts";

// PS1 to PS14, PT1 to PT10, PJ1

const predecessorRules = createPredecessorRules("project_task", "project", progress.afterReorder);
const assignments = defineApprovals({
  recordType: "project_task_assignment",
  personField: "assignee",
  taskType: "project_task",
});

// The template is of one type or the other: an id names one record, so the other table gives and counts nothing. A task
// template has no category that a project task could take.
const templateFields = {
  ...sameNamedFields("subject", "planned_duration", "planned_effort", "required_approvals", "work_hours_are_24x7"),
  ...sameNamedFields("instructions", "note"),
  ...{ team: "team_id", supplier: "supplier_id", skill_pool: "skill_pool_id" },
};
const copyTemplateValues = [
  copyFromTemplate("task_templates", { ...templateFields, ...sameNamedFields("urgent") }),
  copyFromTemplate("project_task_templates", { ...templateFields, ...sameNamedFields("category") }),
];
const countTemplate = [countTemplateUse("task_templates"), countTemplateUse("project_task_templates")];

// biome-ignore format: a table keeps its columns
const statusesByCategory: Record<string, readonly string[]> = {
  activity:  withoutApprovalStatuses(enumerations["project_task.status"]),
  approval:  ["registered", "assigned", "rejected", "approved", "canceled"],
  milestone: ["registered", "assigned", "completed", "canceled"],
};
const activeStatuses = ["assigned", "accepted", "in_progress", "waiting_for"];

const isAssignedToMe = (by: Caller, further: string): Clause => ({
  key: `assigned to me${further}`,
  sql: (alias, next) =>
    `${alias}.id IN (SELECT project_task_id FROM project_task_assignments WHERE assignee_id = ${next()}${further})`,
  values: [by.person],
});
const selectProjectManager = statement("SELECT manager_id FROM projects WHERE id = $1");

const checkManagerOnly = checkManagerOnlyStatus("project_manager");
const selectOpenProject = statement("SELECT 1 FROM projects WHERE id = $1 AND status <> 'completed'");

const mayStart = async (change: Change): Promise<boolean> =>
  (await change.tx.query(selectOpenProject, [change.after.project as number])).length > 0 &&
  (await progress.mayTaskStart(change));

/** PT3: the task is as far as the one who is least far. */
function calculateActivityStatus(statuses: readonly string[]): string | null {
  if (statuses.length === 0) return null;
  if (statuses.includes("failed")) return "failed";
  const open = statuses.filter((status) => !isFinished(status));
  if (open.length === 0) return statuses.includes("completed") ? "completed" : "canceled";
  return enumerations["project_task.status"].find((status) => open.includes(status)) ?? null;
}

const specialistRoles = ["specialist", "project_manager", "account_administrator", "directory_administrator"];
type OwnAssignment = { id: number; values: Values };
const ownAssignments = new WeakMap<Change, OwnAssignment>();

/** PT3: who works on a project as its customer speaks for themselves; everybody else for all who work on the task. */
async function checkOwnAssignment(change: Change): Promise<void> {
  const { tx, by, id, before, after, changed, cause } = change;
  if (before === null || after.category !== "activity" || cause !== null || !changed.has("status")) return;
  if (by.isService || specialistRoles.some((role) => by.roles.has(role))) return;
  const all = await assignments.load(tx, id);
  const mine = all.find((each) => each.person === by.person);
  if (mine === undefined) return;
  ownAssignments.set(change, {
    id: mine.id,
    values: { status: after.status ?? null, waiting_until: after.waiting_until ?? null },
  });
  change.runAfterSave(() => saveOwnAssignment(change));
  after.status = calculateActivityStatus(all.map((each) => (each === mine ? String(after.status) : each.status)));
}

async function saveOwnAssignment(change: Change): Promise<void> {
  const part = ownAssignments.get(change);
  ownAssignments.delete(change);
  if (part !== undefined) await change.update("project_task_assignment", part.id, part.values);
}

/** PT3: what the task becomes, those who are still at it become. */
async function updateAssignments(change: Change): Promise<void> {
  const { tx, id, before, after, cause } = change;
  const from = before?.status ?? "registered";
  if (after.category === "approval" || from === after.status || cause?.type === "project_task_assignment") return;
  if (ownAssignments.has(change)) return saveOwnAssignment(change);
  const isRework = isFinished(from as string | null);
  for (const each of await assignments.load(tx, id))
    if (isRework || !isFinished(each.status))
      await change.update("project_task_assignment", each.id, {
        status: after.status ?? null,
        waiting_until: after.waiting_until ?? null,
      });
}

export const projectTaskRules: TypeRules = {
  beforePurge: removeFromBoardAndSprints("project_task"),
  lockFirst: progress.lockFirstForTask,
  conditions: {
    "assigned to me": (by) => isAssignedToMe(by, ""),
    "assigned to me and open": (by) =>
      isAssignedToMe(by, ` AND status IN (${activeStatuses.map((status) => `'${status}'`).join(", ")})`),
  },
  // When the project gets another manager, its own rules tell the tasks.
  derive: {
    "manager of its project": async ({ tx, before, after }) =>
      before !== null || typeof after.project !== "number"
        ? (before?.manager ?? null)
        : Number((await tx.query(selectProjectManager, [after.project]))[0]?.[0]),
  },
  async beforeSave(change) {
    for (const take of copyTemplateValues) await take(change);
    await placeOnBoard(change, { completedStatus: "completed" });
    checkStatusOfCategory(change, statusesByCategory);
    await assignments.checkVote(change);
    checkManagerOnly(change);
    checkWaitingUntil(change);
    await checkOwnAssignment(change);
    if (change.after.status !== "waiting_for") change.after.waiting_until = null;
    await predecessorRules.beforeSave(change);
    settleTaskTimes(change);
  },
  guards: {
    "nothing else holds it back": mayStart,
    "it is a milestone that is reached": async (change) =>
      change.after.category === "milestone" && (await mayStart(change)) && (await progress.isMilestoneReached(change)),
  },
  effects: { "tell how long it took": setResolutionDurationOfTask },
  async afterSave(change) {
    predecessorRules.afterSave(change);
    for (const count of countTemplate) count(change);
    await progress.afterSaveTask(change, async () => {
      await progress.releaseAfterStartChange(change, mayStart);
      await addNotes(change);
      await addTimeEntry(change);
      await syncBoard(change);
      await assignments.updateWithTask(change);
      await updateAssignments(change);
    });
  },
  afterLinkChange: predecessorRules.linked,
};

const selectTask = statement("SELECT status, category FROM project_tasks WHERE id = $1");

const selectEarliestWaitingUntil = statement(
  "SELECT to_json(min(waiting_until) AT TIME ZONE 'UTC') FROM project_task_assignments WHERE project_task_id = $1 AND status = 'waiting_for'",
);

/** PT3: one who works on the task got further, came or went. */
async function updateTaskFromAssignments({ tx, cause, update }: Change, task: number): Promise<void> {
  if (cause?.type === "project_task") return;
  const [row] = await tx.query(selectTask, [task]);
  if (row?.[1] !== "activity" || isFinished(row[0] as string) || row[0] === "registered") return;
  const status = calculateActivityStatus((await assignments.load(tx, task)).map((each) => each.status));
  if (status === null || status === row[0]) return;
  const [until] = status === "waiting_for" ? await tx.query(selectEarliestWaitingUntil, [task]) : [];
  await update("project_task", task, { status, waiting_until: until?.[0] == null ? null : `${JSON.parse(until[0])}Z` });
}

export const projectTaskAssignmentRules: TypeRules = {
  lockFirst: progress.lockFirstForTaskChild("project_task_assignments"),
  /** Who joins while the task is being worked on, is assigned at once: AP9, PT2. */
  async beforeSave(change) {
    const { tx, before, after } = change;
    await assignments.beforeSaveApproval(change);
    if (before === null && after.project_task != null) {
      const [row] = await tx.query(selectTask, [after.project_task as number]);
      if (activeStatuses.includes(String(row?.[0]))) after.status = "assigned";
    }
    checkWaitingUntil(change);
  },
  async afterSave(change) {
    const { before, after } = change;
    if (before?.status !== after.status) await updateTaskFromAssignments(change, after.project_task as number);
  },
  async afterDelete(gone) {
    await assignments.afterDeleteApproval(gone);
    await updateTaskFromAssignments(gone.change, gone.values.project_task as number);
  },
};
