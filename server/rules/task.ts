import { enumerations } from "../../records/enumerations/index.ts";
import { isActive, isFinished } from "../../records/work/finished.ts";
import { stampOf } from "../base/clock.ts";
import type { Change, TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { tellRequests } from "./affected-slas.ts";
import { ballotsOf } from "./ballots.ts";
import { keepBoard, leaveAgile, placeOnBoard } from "./board.ts";
import { alike, countApplied, takingOver } from "./from-template.ts";
import { generateRequest, withdrawRequest } from "./generated-request.ts";
import { settleTimes, tellHowLongItTook } from "./how-long.ts";
import { checkManaged } from "./managed.ts";
import { addNotes } from "./notes.ts";
import { standsInFor } from "./out-of-office-period.ts";
import { type Asked, peopleOf } from "./people-of-task.ts";
import { checkStatusFits, worked } from "./status-fits.ts";
import { orderWithin } from "./task-order.ts";
import { assignedToMyTeam, isMember } from "./team.ts";
import { enterTimeSpent } from "./time-spent.ts";
import { checkWaiting } from "./waiting.ts";
import { isNewAssignment } from "./work.ts";
import { workflowProgress as progress } from "./workflow-progress.ts";

// Reference: lifecycles.md sections 5 and 8, records/workflows-and-tasks.md.

const order = orderWithin("task", "workflow", progress.reordered);
const approvals = ballotsOf({ ballot: "task_approval", person: "approver", task: "task" });
const countTemplate = countApplied("task_templates");
const checkManagedHere = checkManaged("workflow_manager");
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
const mayBeginIn = statement(
  "SELECT 1 FROM workflows WHERE id = $1 AND status NOT IN ('being_created', 'completed') AND (start_at IS NULL OR start_at <= $2)",
);

/** T5, T12: a task that another team gets is assigned anew; who begins with what nobody has, has it. */
function assignAnew({ by, before, after, changed, given, cause }: Change): void {
  if (before !== null && changed.has("team") && !given.has("status") && isActive(before.status as string | null)) {
    after.status = "assigned";
    if (!changed.has("assigned_at")) after.assigned_at = stampOf(by.now);
    if (!changed.has("member") && after.category !== "approval") after.member = null;
  }
  const isTakenUp =
    ["accepted", "in_progress"].includes(String(after.status)) &&
    (before?.status !== after.status || changed.has("team"));
  if (isTakenUp && after.category !== "automation" && cause === null && !by.isService) after.member ??= by.person;
}

/** T3 */
const mayStart = async (change: Change): Promise<boolean> =>
  (await change.tx.query(mayBeginIn, [change.after.workflow as number, stampOf(change.by.now)])).length > 0 &&
  (await progress.nothingHoldsBack(change));

const asked = new WeakMap<Change, readonly Asked[]>();

const managerIn = async ({ tx, after }: Change): Promise<number> =>
  Number((await tx.query(managerOf, [after.workflow as number]))[0]?.[0]);

/** TK12, AP1: who does a new task, or approves it. With several approvers it has no member. */
async function choosePeople(change: Change): Promise<void> {
  const { tx, id, before, after, changed, cause, problem } = change;
  if (before === null) {
    const { flagged, approvers } = await peopleOf(change);
    if (after.category !== "approval") {
      if (!changed.has("member") && flagged[0] !== undefined) after.member = flagged[0].person;
      return;
    }
    const only = (after.member as number | null) ?? (after.status === "assigned" ? await managerIn(change) : null);
    const all = approvers.length > 0 || only === null ? approvers : [{ person: only, plannedEffort: null }];
    asked.set(change, all);
    after.member = all.length === 1 ? (all[0] as Asked).person : null;
  } else if (after.category === "approval") {
    const isActivated = after.status === "assigned" && (before.status !== "assigned" || becomesApproval(change));
    if (!changed.has("member") && !isActivated) return;
    const all = await approvals.all(tx, id);
    // Who has answered, has: nobody else gets that answer.
    const isOver = isFinished(after.status as string | null);
    if (isOver && all.length === 1 && changed.has("member") && cause === null) problem("member", "is not valid");
    if (all.length > 1) after.member = null;
    else if (all.length === 1) after.member ??= before.member ?? null;
    else if (isActivated) after.member ??= await managerIn(change); // AP8
  }
}

const becomesApproval = ({ before }: Change): boolean => before !== null && before.category !== "approval";

async function askPeople(change: Change): Promise<void> {
  const { tx, id, before, after, cause } = change;
  for (const { person, plannedEffort } of asked.get(change) ?? [])
    await change.create("task_approval", { task: id, approver: person, planned_effort: plannedEffort });
  if (before === null || after.category !== "approval" || after.member === null) return;
  if (before.member === after.member && !becomesApproval(change)) return;
  if (cause?.type === "task_approval") return;
  const all = await approvals.all(tx, id);
  const only = all[0];
  if (only === undefined) await change.create("task_approval", { task: id, approver: after.member as number });
  else if (all.length === 1) await change.update("task_approval", only.id, { approver: after.member as number });
}

export const taskRules: TypeRules = {
  erased: leaveAgile("task"),
  conditions: {
    "assigned to a team of mine": assignedToMyTeam,
    "my approval is asked for": (by) => ({
      key: "approval by me",
      sql(alias, next) {
        const [me, now] = [next(), next()];
        const approvals = `SELECT task_id FROM task_approvals WHERE approver_id = ${me} OR approver_id IN (${standsInFor(me, now)})`;
        return `(${alias}.category = 'approval' AND ${alias}.status <> 'registered' AND (${alias}.member_id = ${me} OR ${alias}.id IN (${approvals})))`;
      },
      values: [by.person, stampOf(by.now)],
    }),
  },
  turns: progress.turnsOfTasks,
  // When the workflow gets another manager, its own rules tell the tasks.
  derive: {
    "status is assigned or declined": isNewAssignment,
    "manager of its workflow": async (change) =>
      change.before !== null || typeof change.after.workflow !== "number"
        ? (change.before?.manager ?? null)
        : managerIn(change),
  },
  async check(change) {
    const { after, problem } = change;
    await takeOver(change);
    await placeOnBoard(change, { completed: "completed" });
    // A placeholder gives way to one task per ordered article; nobody makes a task of it by hand.
    if (after.category === "fulfillment_placeholder") problem("category", "is not valid");
    checkStatusFits(change, statuses);
    await approvals.checkVote(change);
    checkManagedHere(change);
    const isConcerned = change.changed.has("status") || change.changed.has("request");
    if (isConcerned && needRequest.includes(String(after.status)) && after.request === null)
      problem("status", "is not valid");
    await checkMember(change);
    assignAnew(change);
    await choosePeople(change);
    checkWaiting(change);
    await checkSameWorkflow(change);
    await order.check(change);
    settleTimes(change);
  },
  when: { "nothing else holds it back": mayStart },
  effects: { "tell how long it took": tellHowLongItTook },
  async saved(change) {
    order.saved(change);
    countTemplate(change);
    await progress.taskSaved(change, async () => {
      await progress.followStart(change, mayStart);
      await addNotes(change);
      await enterTimeSpent(change);
      await keepBoard(change);
      await askPeople(change);
      await approvals.follow(change);
      await generateRequest(change);
      await withdrawRequest(change);
      await tellRequests(change);
    });
  },
  linked: order.linked,
};

/** AP1: with one approver the member of the task is that person, with several it is nobody. */
async function tellMember(change: Change, task: number): Promise<void> {
  const { tx, cause, update } = change;
  if (cause?.type === "task") return;
  const [row] = await tx.query(categoryOf, [task]);
  if (row?.[0] === "approval") await update("task", task, approvals.onlyOne(await approvals.all(tx, task)));
}

const categoryOf = statement("SELECT category FROM tasks WHERE id = $1");

export const taskApprovalRules: TypeRules = {
  turns: progress.turnsBelowTasks("task_approvals"),
  check: approvals.checkNew,
  async saved(change) {
    await tellMember(change, change.after.task as number);
  },
  async removed(gone) {
    await approvals.removed(gone);
    await tellMember(gone.change, gone.values.task as number);
  },
};
