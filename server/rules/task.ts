import { enumerations } from "../../records/enumerations/index.ts";
import type { Change, TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { tellRequests } from "./affected-slas.ts";
import { alike, countApplied, takingOver } from "./from-template.ts";
import { addNotes } from "./notes.ts";
import { checkStatusFits, worked } from "./status-fits.ts";
import { orderWithin } from "./task-order.ts";
import { assignedToMyTeam, isMember } from "./team.ts";
import { checkTimeSpent, enterTimeSpent } from "./time-spent.ts";
import { checkWaiting } from "./waiting.ts";

// Reference: lifecycles.md sections 5 and 8, records/workflows-and-tasks.md.

const order = orderWithin("task", "workflow");
const countTemplate = countApplied("task_templates");
const takeOver = takingOver("task_templates", alike("urgent", "work_hours_are_24x7", "required_approvals"));

// biome-ignore format: a table keeps its columns
const statuses: Record<string, readonly string[]> = {
  risk_and_impact: worked(enumerations["task.status"]),
  implementation:  worked(enumerations["task.status"]),
  approval:        ["registered", "assigned", "rejected", "approved", "canceled"],
  automation:      ["registered", "assigned", "in_progress", "failed", "completed", "canceled"],
};
/** these two say what becomes of the request that the task generated */
const needRequest = ["waiting_for_customer", "request_pending"];

/** Whoever works on a task belongs to its team; an approver need not. */
async function checkMember({ tx, before, after, changed, problem }: Change): Promise<void> {
  if (after.category === "approval" || after.member === null || after.team === null) return;
  if (before !== null && !changed.has("member") && !changed.has("team")) return;
  if ((await tx.query(isMember, [after.team as number, after.member as number])).length > 0) return;
  // Another team than the template or the task had has no use for the member of that one.
  if (changed.has("member")) problem("member", "is not valid");
  else after.member = null;
}

const phaseOf = statement("SELECT 1 FROM workflow_phases WHERE id = $1 AND workflow_id = $2");
const siblingOf = statement("SELECT 1 FROM tasks WHERE id = $1 AND workflow_id = $2 AND id <> $3");

async function checkSameWorkflow({ tx, id, after, changed, problem }: Change): Promise<void> {
  const { phase, failure_task: failureTask, workflow } = after as Record<string, number | null>;
  if (changed.has("phase") && phase != null && (await tx.query(phaseOf, [phase, workflow ?? null])).length === 0)
    problem("phase", "is not valid");
  if (!changed.has("failure_task") || failureTask == null) return;
  if ((await tx.query(siblingOf, [failureTask, workflow ?? null, id])).length === 0)
    problem("failure_task", "is not valid");
}

const managerOf = statement("SELECT manager_id FROM workflows WHERE id = $1");

export const taskRules: TypeRules = {
  conditions: {
    "assigned to a team of mine": assignedToMyTeam,
    "my approval is asked for": (by) => ({
      key: "approval by me",
      sql: (alias, next) =>
        `(${alias}.category = 'approval' AND ${alias}.status <> 'registered' AND (${alias}.member_id = ${next()} OR ${alias}.id IN (SELECT task_id FROM task_approvals WHERE approver_id = ${next()})))`,
      values: [by.person, by.person],
    }),
  },
  // When the workflow gets another manager, its own rules tell the tasks.
  derive: {
    "manager of its workflow": async ({ tx, before, after }) =>
      before !== null || typeof after.workflow !== "number"
        ? (before?.manager ?? null)
        : Number((await tx.query(managerOf, [after.workflow]))[0]?.[0]),
  },
  async check(change) {
    const { after, problem } = change;
    await takeOver(change);
    // A placeholder gives way to one task per ordered article; nobody makes a task of it by hand.
    if (after.category === "fulfillment_placeholder") problem("category", "is not valid");
    checkStatusFits(change, statuses);
    if (needRequest.includes(String(after.status)) && after.request === null) problem("status", "is not valid");
    checkWaiting(change);
    checkTimeSpent(change);
    await checkMember(change);
    await checkSameWorkflow(change);
    await order.check(change);
  },
  async saved(change) {
    order.saved(change);
    countTemplate(change);
    await addNotes(change);
    await enterTimeSpent(change);
    await tellRequests(change);
  },
  linked: order.linked,
};

const statusOfTask = statement("SELECT status FROM tasks WHERE id = $1");

export const taskApprovalRules: TypeRules = {
  /** Who is asked while the task is assigned, is asked at once: lifecycles AP9. */
  async check({ tx, before, after }) {
    if (before !== null || after.task == null) return;
    const [row] = await tx.query(statusOfTask, [after.task as number]);
    if (row?.[0] === "assigned") after.status = "assigned";
  },
};
