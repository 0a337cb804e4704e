import { enumerations } from "../../../records/enumerations/index.ts";
import { isActive, isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes } from "../communication/notes.ts";
import { isAssignedToMyTeam, selectTeamMember } from "../people/team.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { updateRequestsOfTask } from "../sla/affected-slas.ts";
import { buildDelegatorsSql } from "../time/out-of-office-period.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { isAssignedOrDeclined } from "../work-item/assignment-checks.ts";
import { setResolutionDurationOfTask, settleTaskTimes } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { defineApprovals } from "./approvals.ts";
import { generateRequest, withdrawRequestOfTask } from "./generated-request.ts";
import { checkManagerOnlyStatus } from "./manager-actions.ts";
import { createPredecessorRules } from "./predecessors.ts";
import { checkStatusOfCategory, withoutApprovalStatuses } from "./status-by-category.ts";
import { loadTemplateAssignees, type TemplateAssignee } from "./template-assignees.ts";
import { workflowGraph as progress } from "./workflow-graph.ts";

// TK1 to TK16, T1 to T15, TA1 to TA5, PS1 to PS14

const predecessorRules = createPredecessorRules("task", "workflow", progress.afterReorder);
const approvals = defineApprovals({ recordType: "task_approval", personField: "approver", taskType: "task" });
const countTemplate = countTemplateUse("task_templates");
const checkManagerOnly = checkManagerOnlyStatus("workflow_manager");
const copyTemplateValues = copyFromTemplate(
  "task_templates",
  sameNamedFields("urgent", "work_hours_are_24x7", "required_approvals"),
);

// biome-ignore format: a table keeps its columns
const statusesByCategory: Record<string, readonly string[]> = {
  risk_and_impact: withoutApprovalStatuses(enumerations["task.status"]),
  implementation:  withoutApprovalStatuses(enumerations["task.status"]),
  approval:        ["registered", "assigned", "rejected", "approved", "canceled"],
  automation:      ["registered", "assigned", "in_progress", "failed", "completed", "canceled"],
};
/** these two say what becomes of the request that the task generated */
const statusesNeedingRequest = ["waiting_for_customer", "request_pending"];

/** Whoever works on a task belongs to its team; an approver need not. */
async function checkTaskMember({ tx, before, after, changed, problem }: Change): Promise<void> {
  if (after.category === "approval" || after.member === null || after.team === null) return;
  if (before !== null && !changed.has("member") && !changed.has("team")) return;
  if ((await tx.query(selectTeamMember, [after.team as number, after.member as number])).length > 0) return;
  // Another team than the template or the task had has no use for the member of that one.
  if (changed.has("member")) problem("member", "is not valid");
  else after.member = null;
}

const selectPhaseOfWorkflow = statement("SELECT 1 FROM workflow_phases WHERE id = $1 AND workflow_id = $2");
const selectTaskOfSameWorkflow = statement("SELECT 1 FROM tasks WHERE id = $1 AND workflow_id = $2 AND id <> $3");

async function checkSameWorkflow({ tx, id, after, changed, problem }: Change): Promise<void> {
  const { phase, failure_task: failureTask, workflow } = after as Record<string, number | null>;
  if (
    changed.has("phase") &&
    phase != null &&
    (await tx.query(selectPhaseOfWorkflow, [phase, workflow ?? null])).length === 0
  )
    problem("phase", "is not valid");
  if (!changed.has("failure_task") || failureTask == null) return;
  if ((await tx.query(selectTaskOfSameWorkflow, [failureTask, workflow ?? null, id])).length === 0)
    problem("failure_task", "is not valid");
}

const selectWorkflowManager = statement("SELECT manager_id FROM workflows WHERE id = $1");
const selectStartedWorkflow = statement(
  "SELECT 1 FROM workflows WHERE id = $1 AND status NOT IN ('being_created', 'completed') AND (start_at IS NULL OR start_at <= $2)",
);

/** T5, T12: a task that another team gets is assigned anew; who begins with what nobody has, has it. */
function reassign({ by, before, after, changed, given, cause }: Change): void {
  if (before !== null && changed.has("team") && !given.has("status") && isActive(before.status as string | null)) {
    after.status = "assigned";
    if (!changed.has("assigned_at")) after.assigned_at = toTimestamp(by.now);
    if (!changed.has("member") && after.category !== "approval") after.member = null;
  }
  const isTakenUp =
    ["accepted", "in_progress"].includes(String(after.status)) &&
    (before?.status !== after.status || changed.has("team"));
  if (isTakenUp && after.category !== "automation" && cause === null && !by.isService) after.member ??= by.person;
}

/** T3 */
const mayStart = async (change: Change): Promise<boolean> =>
  (await change.tx.query(selectStartedWorkflow, [change.after.workflow as number, toTimestamp(change.by.now)])).length >
    0 && (await progress.mayTaskStart(change));

const newApprovers = new WeakMap<Change, readonly TemplateAssignee[]>();

const loadManager = async ({ tx, after }: Change): Promise<number> =>
  Number((await tx.query(selectWorkflowManager, [after.workflow as number]))[0]?.[0]);

/** TK12, AP1: who does a new task, or approves it. With several approvers it has no member. */
async function chooseAssignees(change: Change): Promise<void> {
  const { tx, id, before, after, changed, cause, problem } = change;
  if (before === null) {
    const { flagged, approvers } = await loadTemplateAssignees(change);
    if (after.category !== "approval") {
      if (!changed.has("member") && flagged[0] !== undefined) after.member = flagged[0].person;
      return;
    }
    const only = (after.member as number | null) ?? (after.status === "assigned" ? await loadManager(change) : null);
    const all = approvers.length > 0 || only === null ? approvers : [{ person: only, plannedEffort: null }];
    newApprovers.set(change, all);
    after.member = all.length === 1 ? (all[0] as TemplateAssignee).person : null;
  } else if (after.category === "approval") {
    const isActivated = after.status === "assigned" && (before.status !== "assigned" || becomesApproval(change));
    if (!changed.has("member") && !isActivated) return;
    const all = await approvals.load(tx, id);
    // Who has answered, has: nobody else gets that answer.
    const isOver = isFinished(after.status as string | null);
    if (isOver && all.length === 1 && changed.has("member") && cause === null) problem("member", "is not valid");
    if (all.length > 1) after.member = null;
    else if (all.length === 1) after.member ??= before.member ?? null;
    else if (isActivated) after.member ??= await loadManager(change); // AP8
  }
}

const becomesApproval = ({ before }: Change): boolean => before !== null && before.category !== "approval";

async function saveApprovers(change: Change): Promise<void> {
  const { tx, id, before, after, cause } = change;
  for (const { person, plannedEffort } of newApprovers.get(change) ?? [])
    await change.create("task_approval", { task: id, approver: person, planned_effort: plannedEffort });
  if (before === null || after.category !== "approval" || after.member === null) return;
  if (before.member === after.member && !becomesApproval(change)) return;
  if (cause?.type === "task_approval") return;
  const all = await approvals.load(tx, id);
  const only = all[0];
  if (only === undefined) await change.create("task_approval", { task: id, approver: after.member as number });
  else if (all.length === 1) await change.update("task_approval", only.id, { approver: after.member as number });
}

export const taskRules: TypeRules = {
  beforePurge: removeFromBoardAndSprints("task"),
  conditions: {
    "assigned to a team of mine": isAssignedToMyTeam,
    "my approval is asked for": (by) => ({
      key: "approval by me",
      sql(alias, next) {
        const [me, now] = [next(), next()];
        const approvals = `SELECT task_id FROM task_approvals WHERE approver_id = ${me} OR approver_id IN (${buildDelegatorsSql(me, now)})`;
        return `(${alias}.category = 'approval' AND ${alias}.status <> 'registered' AND (${alias}.member_id = ${me} OR ${alias}.id IN (${approvals})))`;
      },
      values: [by.person, toTimestamp(by.now)],
    }),
  },
  lockFirst: progress.lockFirstForTask,
  // When the workflow gets another manager, its own rules tell the tasks.
  derive: {
    "status is assigned or declined": isAssignedOrDeclined,
    "manager of its workflow": async (change) =>
      change.before !== null || typeof change.after.workflow !== "number"
        ? (change.before?.manager ?? null)
        : loadManager(change),
  },
  async beforeSave(change) {
    const { after, problem } = change;
    await copyTemplateValues(change);
    await placeOnBoard(change, { completedStatus: "completed" });
    // A placeholder gives way to one task per ordered article; nobody makes a task of it by hand.
    if (after.category === "fulfillment_placeholder") problem("category", "is not valid");
    checkStatusOfCategory(change, statusesByCategory);
    await approvals.checkVote(change);
    checkManagerOnly(change);
    const isConcerned = change.changed.has("status") || change.changed.has("request");
    if (isConcerned && statusesNeedingRequest.includes(String(after.status)) && after.request === null)
      problem("status", "is not valid");
    await checkTaskMember(change);
    reassign(change);
    await chooseAssignees(change);
    checkWaitingUntil(change);
    await checkSameWorkflow(change);
    await predecessorRules.beforeSave(change);
    settleTaskTimes(change);
  },
  guards: { "nothing else holds it back": mayStart },
  effects: { "tell how long it took": setResolutionDurationOfTask },
  async afterSave(change) {
    predecessorRules.afterSave(change);
    countTemplate(change);
    await progress.afterSaveTask(change, async () => {
      await progress.releaseAfterStartChange(change, mayStart);
      await addNotes(change);
      await addTimeEntry(change);
      await syncBoard(change);
      await saveApprovers(change);
      await approvals.updateWithTask(change);
      await generateRequest(change);
      await withdrawRequestOfTask(change);
      await updateRequestsOfTask(change);
    });
  },
  afterLinkChange: predecessorRules.linked,
};

/** AP1: with one approver the member of the task is that person, with several it is nobody. */
async function updateMemberFromApprovals(change: Change, task: number): Promise<void> {
  const { tx, cause, update } = change;
  if (cause?.type === "task") return;
  const [row] = await tx.query(selectTaskCategory, [task]);
  if (row?.[0] === "approval") await update("task", task, approvals.buildMemberUpdate(await approvals.load(tx, task)));
}

const selectTaskCategory = statement("SELECT category FROM tasks WHERE id = $1");

export const taskApprovalRules: TypeRules = {
  lockFirst: progress.lockFirstForTaskChild("task_approvals"),
  beforeSave: approvals.beforeSaveApproval,
  async afterSave(change) {
    await updateMemberFromApprovals(change, change.after.task as number);
  },
  async afterDelete(gone) {
    await approvals.afterDeleteApproval(gone);
    await updateMemberFromApprovals(gone.change, gone.values.task as number);
  },
};
