import { enumerations } from "../../records/enumerations/index.ts";
import { isFinished } from "../../records/work/finished.ts";
import type { Caller } from "../engine/caller.ts";
import type { Clause } from "../engine/clauses.ts";
import type { Change, TypeRules, Values } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { ballotsOf } from "./ballots.ts";
import { keepBoard, leaveAgile, placeOnBoard } from "./board.ts";
import { alike, countApplied, takingOver } from "./from-template.ts";
import { settleTimes, tellHowLongItTook } from "./how-long.ts";
import { checkManaged } from "./managed.ts";
import { addNotes } from "./notes.ts";
import { projectProgress as progress } from "./project-progress.ts";
import { checkStatusFits, worked } from "./status-fits.ts";
import { orderWithin } from "./task-order.ts";
import { enterTimeSpent } from "./time-spent.ts";
import { checkWaiting } from "./waiting.ts";

// Reference: lifecycles.md sections 8 and 11.

const order = orderWithin("project_task", "project", progress.reordered);
const assignments = ballotsOf({ ballot: "project_task_assignment", person: "assignee", task: "project_task" });

// The template is of one type or the other: an id names one record, so the other table gives and counts nothing. A task
// template has no category that a project task could take.
const shared = {
  ...alike("subject", "planned_duration", "planned_effort", "required_approvals", "work_hours_are_24x7"),
  ...alike("instructions", "note"),
  ...{ team: "team_id", supplier: "supplier_id", skill_pool: "skill_pool_id" },
};
const takeOver = [
  takingOver("task_templates", { ...shared, ...alike("urgent") }),
  takingOver("project_task_templates", { ...shared, ...alike("category") }),
];
const countTemplate = [countApplied("task_templates"), countApplied("project_task_templates")];

// biome-ignore format: a table keeps its columns
const statuses: Record<string, readonly string[]> = {
  activity:  worked(enumerations["project_task.status"]),
  approval:  ["registered", "assigned", "rejected", "approved", "canceled"],
  milestone: ["registered", "assigned", "completed", "canceled"],
};
const beingWorkedOn = ["assigned", "accepted", "in_progress", "waiting_for"];

const assigned = (by: Caller, further: string): Clause => ({
  key: `assigned to me${further}`,
  sql: (alias, next) =>
    `${alias}.id IN (SELECT project_task_id FROM project_task_assignments WHERE assignee_id = ${next()}${further})`,
  values: [by.person],
});
const managerOf = statement("SELECT manager_id FROM projects WHERE id = $1");

const checkManagedHere = checkManaged("project_manager");
const mayBeginIn = statement("SELECT 1 FROM projects WHERE id = $1 AND status <> 'completed'");

const mayStart = async (change: Change): Promise<boolean> =>
  (await change.tx.query(mayBeginIn, [change.after.project as number])).length > 0 &&
  (await progress.nothingHoldsBack(change));

/** PT3: the task is as far as the one who is least far. */
function statusOfActivity(statuses: readonly string[]): string | null {
  if (statuses.length === 0) return null;
  if (statuses.includes("failed")) return "failed";
  const open = statuses.filter((status) => !isFinished(status));
  if (open.length === 0) return statuses.includes("completed") ? "completed" : "canceled";
  return enumerations["project_task.status"].find((status) => open.includes(status)) ?? null;
}

const workers = ["specialist", "project_manager", "account_administrator", "directory_administrator"];
type Part = { id: number; values: Values };
const own = new WeakMap<Change, Part>();

/** PT3: who works on a project as its customer speaks for themselves; everybody else for all who work on the task. */
async function checkOwnPart(change: Change): Promise<void> {
  const { tx, by, id, before, after, changed, cause } = change;
  if (before === null || after.category !== "activity" || cause !== null || !changed.has("status")) return;
  if (by.isService || workers.some((role) => by.roles.has(role))) return;
  const all = await assignments.all(tx, id);
  const mine = all.find((each) => each.person === by.person);
  if (mine === undefined) return;
  own.set(change, {
    id: mine.id,
    values: { status: after.status ?? null, waiting_until: after.waiting_until ?? null },
  });
  change.whenSaved(() => enterOwnPart(change));
  after.status = statusOfActivity(all.map((each) => (each === mine ? String(after.status) : each.status)));
}

async function enterOwnPart(change: Change): Promise<void> {
  const part = own.get(change);
  own.delete(change);
  if (part !== undefined) await change.update("project_task_assignment", part.id, part.values);
}

/** PT3: what the task becomes, those who are still at it become. */
async function followActivity(change: Change): Promise<void> {
  const { tx, id, before, after, cause } = change;
  const from = before?.status ?? "registered";
  if (after.category === "approval" || from === after.status || cause?.type === "project_task_assignment") return;
  if (own.has(change)) return enterOwnPart(change);
  const isRework = isFinished(from as string | null);
  for (const each of await assignments.all(tx, id))
    if (isRework || !isFinished(each.status))
      await change.update("project_task_assignment", each.id, {
        status: after.status ?? null,
        waiting_until: after.waiting_until ?? null,
      });
}

export const projectTaskRules: TypeRules = {
  erased: leaveAgile("project_task"),
  turns: progress.turnsOfTasks,
  conditions: {
    "assigned to me": (by) => assigned(by, ""),
    "assigned to me and open": (by) =>
      assigned(by, ` AND status IN (${beingWorkedOn.map((status) => `'${status}'`).join(", ")})`),
  },
  // When the project gets another manager, its own rules tell the tasks.
  derive: {
    "manager of its project": async ({ tx, before, after }) =>
      before !== null || typeof after.project !== "number"
        ? (before?.manager ?? null)
        : Number((await tx.query(managerOf, [after.project]))[0]?.[0]),
  },
  async check(change) {
    for (const take of takeOver) await take(change);
    await placeOnBoard(change, { completed: "completed" });
    checkStatusFits(change, statuses);
    await assignments.checkVote(change);
    checkManagedHere(change);
    checkWaiting(change);
    await checkOwnPart(change);
    if (change.after.status !== "waiting_for") change.after.waiting_until = null;
    await order.check(change);
    settleTimes(change);
  },
  when: {
    "nothing else holds it back": mayStart,
    "it is a milestone that is reached": async (change) =>
      change.after.category === "milestone" && (await mayStart(change)) && (await progress.isReached(change)),
  },
  effects: { "tell how long it took": tellHowLongItTook },
  async saved(change) {
    order.saved(change);
    for (const count of countTemplate) count(change);
    await progress.taskSaved(change, async () => {
      await progress.followStart(change, mayStart);
      await addNotes(change);
      await enterTimeSpent(change);
      await keepBoard(change);
      await assignments.follow(change);
      await followActivity(change);
    });
  },
  linked: order.linked,
};

const taskOf = statement("SELECT status, category FROM project_tasks WHERE id = $1");

const firstMoment = statement(
  "SELECT to_json(min(waiting_until) AT TIME ZONE 'UTC') FROM project_task_assignments WHERE project_task_id = $1 AND status = 'waiting_for'",
);

/** PT3: one who works on the task got further, came or went. */
async function tellTask({ tx, cause, update }: Change, task: number): Promise<void> {
  if (cause?.type === "project_task") return;
  const [row] = await tx.query(taskOf, [task]);
  if (row?.[1] !== "activity" || isFinished(row[0] as string) || row[0] === "registered") return;
  const status = statusOfActivity((await assignments.all(tx, task)).map((each) => each.status));
  if (status === null || status === row[0]) return;
  const [until] = status === "waiting_for" ? await tx.query(firstMoment, [task]) : [];
  await update("project_task", task, { status, waiting_until: until?.[0] == null ? null : `${JSON.parse(until[0])}Z` });
}

export const projectTaskAssignmentRules: TypeRules = {
  turns: progress.turnsBelowTasks("project_task_assignments"),
  /** Who joins while the task is being worked on, is assigned at once: lifecycles AP9, PT2. */
  async check(change) {
    const { tx, before, after } = change;
    await assignments.checkNew(change);
    if (before === null && after.project_task != null) {
      const [row] = await tx.query(taskOf, [after.project_task as number]);
      if (beingWorkedOn.includes(String(row?.[0]))) after.status = "assigned";
    }
    checkWaiting(change);
  },
  async saved(change) {
    const { before, after } = change;
    if (before?.status !== after.status) await tellTask(change, after.project_task as number);
  },
  async removed(gone) {
    await assignments.removed(gone);
    await tellTask(gone.change, gone.values.project_task as number);
  },
};
