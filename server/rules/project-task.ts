import { enumerations } from "../../records/enumerations/index.ts";
import type { Caller } from "../engine/caller.ts";
import type { Clause } from "../engine/clauses.ts";
import type { TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { alike, countApplied, takingOver } from "./from-template.ts";
import { addNotes } from "./notes.ts";
import { checkStatusFits, worked } from "./status-fits.ts";
import { orderWithin } from "./task-order.ts";
import { checkTimeSpent, enterTimeSpent } from "./time-spent.ts";
import { checkWaiting } from "./waiting.ts";

// Reference: lifecycles.md sections 8 and 11.

const order = orderWithin("project_task", "project");

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

export const projectTaskRules: TypeRules = {
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
    checkStatusFits(change, statuses);
    checkWaiting(change);
    checkTimeSpent(change);
    await order.check(change);
  },
  async saved(change) {
    order.saved(change);
    for (const count of countTemplate) count(change);
    await addNotes(change);
    await enterTimeSpent(change);
  },
  linked: order.linked,
};

const statusOfTask = statement("SELECT status FROM project_tasks WHERE id = $1");

export const projectTaskAssignmentRules: TypeRules = {
  /** Who joins while the task is being worked on, is assigned at once: lifecycles AP9, PT2. */
  async check(change) {
    const { tx, before, after } = change;
    if (before === null && after.project_task != null) {
      const [row] = await tx.query(statusOfTask, [after.project_task as number]);
      if (beingWorkedOn.includes(String(row?.[0]))) after.status = "assigned";
    }
    checkWaiting(change);
  },
};
