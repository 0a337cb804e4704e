import { type EnumerationValue, enumerations } from "../../../records/enumerations/index.ts";
import { task } from "../../../records/work/task.ts";
import { isActive } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import { ofReachableAccounts } from "../../engine/access.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { lockBoardFirst, placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes } from "../communication/notes.ts";
import { isAssignedToMyTeam, selectTeamMember } from "../people/team.ts";
import { checkOwnRequest } from "../shared/own-request.ts";
import { copyFromTemplate, countTemplateUse, sameNamedFields } from "../shared/template-values.ts";
import { updateRequestsOfTask } from "../sla/affected-slas.ts";
import { buildDelegatorsSql } from "../time/out-of-office-period.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { isAssignedOrDeclined } from "../work-item/assignment-checks.ts";
import { setResolutionDurationOfTask, settleTaskTimes } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { generateRequest, withdrawRequestOfTask } from "./generated-request.ts";
import { checkManagerOnlyStatus } from "./manager-actions.ts";
import { createPredecessorRules } from "./predecessors.ts";
import { checkStatusOfCategory, withoutApprovalStatuses } from "./status-by-category.ts";
import { approvals, chooseAssignees, loadManager, saveApprovers } from "./task-approvers.ts";
import { workflowGraph as graph } from "./workflow-graph.ts";

// TK1 to TK18, T1 to T15, TA1 to TA5, PS1 to PS14

type TaskChange = Change<typeof task>;
type TaskStatus = EnumerationValue<"task.status">;

const predecessorRules = createPredecessorRules("task", "workflow", graph.afterReorder);
const copyTemplateValues = copyFromTemplate(
  "task_templates",
  sameNamedFields("urgent", "work_hours_are_24x7", "required_approvals"),
);

// biome-ignore format: a table keeps its columns
const statusesByCategory: Record<TaskChange["after"]["category"], readonly TaskStatus[]> = {
  risk_and_impact: withoutApprovalStatuses(enumerations["task.status"]),
  implementation:  withoutApprovalStatuses(enumerations["task.status"]),
  approval:        ["registered", "assigned", "rejected", "approved", "canceled"],
  automation:      ["registered", "assigned", "in_progress", "failed", "completed", "canceled"],
};

/** A template may be a placeholder, which an order replaces by one task per article; a task may not. */
function refusePlaceholder({ after, problem }: Change): void {
  if (after.category === "fulfillment_placeholder") problem("category", "is not valid");
}

/** RG3, RG12: these two statuses describe the request that the task generated. */
function checkStatusNeedingRequest({ after, changed, problem }: TaskChange): void {
  if (!changed.has("status") && !changed.has("request")) return;
  const needsRequest = after.status === "waiting_for_customer" || after.status === "request_pending";
  if (needsRequest && after.request === null) problem("status", "is not valid");
}

/** TK11: the member belongs to the team; an approver need not. */
async function checkMember({ tx, before, after, changed, problem }: TaskChange): Promise<void> {
  if (after.category === "approval" || after.member === null || after.team === null) return;
  if (before !== null && !changed.has("member") && !changed.has("team")) return;
  if ((await tx.query(selectTeamMember, [after.team, after.member])).length > 0) return;
  // A member that the caller did not choose comes from the template or from the previous team.
  if (changed.has("member")) problem("member", "is not valid");
  else after.member = null;
}

/** T12 */
function assignToNewTeam({ by, before, after, changed, given }: TaskChange): void {
  if (before === null || !changed.has("team") || given.has("status") || !isActive(before.status)) return;
  after.status = "assigned";
  if (!changed.has("assigned_at")) after.assigned_at = toTimestamp(by.now);
  if (!changed.has("member") && after.category !== "approval") after.member = null;
}

/** T5 */
function assignToWhoStarts({ by, before, after, changed, cause }: TaskChange): void {
  const isWorkedOn = after.status === "accepted" || after.status === "in_progress";
  const isStarted = isWorkedOn && (before?.status !== after.status || changed.has("team"));
  if (isStarted && after.category !== "automation" && cause === null && !by.isService) after.member ??= by.person;
}

const selectPhaseOfWorkflow = statement(
  "SELECT 1 FROM workflow_phases WHERE id = $1 AND workflow_id = $2 AND account_id = $3",
);
const selectTaskOfSameWorkflow = statement(
  "SELECT 1 FROM tasks WHERE id = $1 AND workflow_id = $2 AND id <> $3 AND account_id = $4",
);

async function checkPhase({ tx, account, after, changed, problem }: TaskChange): Promise<void> {
  if (!changed.has("phase") || after.phase === null) return;
  if ((await tx.query(selectPhaseOfWorkflow, [after.phase, after.workflow, account])).length === 0)
    problem("phase", "is not valid");
}

/** PS10 */
async function checkFailureTask({ tx, id, account, after, changed, problem }: TaskChange): Promise<void> {
  if (!changed.has("failure_task") || after.failure_task === null) return;
  if ((await tx.query(selectTaskOfSameWorkflow, [after.failure_task, after.workflow, id, account])).length === 0)
    problem("failure_task", "is not valid");
}

const selectStartedWorkflow = statement(
  "SELECT 1 FROM workflows WHERE id = $1 AND account_id = $3 AND status NOT IN ('being_created', 'completed') AND (start_at IS NULL OR start_at <= $2)",
);

/** T3 */
async function mayStart(change: TaskChange): Promise<boolean> {
  const { tx, by, account, after } = change;
  const started = await tx.query(selectStartedWorkflow, [after.workflow, toTimestamp(by.now), account]);
  return started.length > 0 && (await graph.mayTaskStart(change));
}

const afterSaveWithinGraph = steps<typeof task>(
  (change) => graph.assignAfterStartChange(change, () => mayStart(change)),
  addNotes,
  addTimeEntry,
  syncBoard,
  saveApprovers, // before updateWithTask, which makes the manager the approver when there is none
  approvals.updateWithTask,
  generateRequest,
  withdrawRequestOfTask,
  updateRequestsOfTask,
);

export const taskRules = rulesFor(task, {
  beforePurge: removeFromBoardAndSprints("task"),
  conditions: {
    "assigned to a team of mine": isAssignedToMyTeam,
    "my approval is asked for": (by) => {
      const ofAccounts = ofReachableAccounts(by);
      return {
        key: `approval by me ${ofAccounts.key}`,
        sql(alias, next) {
          const [me, now] = [next(), next()];
          const ownApprovals = `SELECT v.task_id FROM task_approvals v WHERE (v.approver_id = ${me} OR v.approver_id IN (${buildDelegatorsSql(me, now)})) AND ${ofAccounts.sql("v", next)}`;
          return `(${alias}.category = 'approval' AND ${alias}.status <> 'registered' AND (${alias}.member_id = ${me} OR ${alias}.id IN (${ownApprovals})))`;
        },
        values: [by.person, toTimestamp(by.now), ...ofAccounts.values],
      };
    },
  },
  async lockFirst(tx, target) {
    await graph.lockFirstForTask(tx, target);
    await lockBoardFirst("task")(tx, target);
  },
  derive: {
    "status is assigned or declined": isAssignedOrDeclined,
    // A workflow that gets another manager updates its tasks itself.
    "manager of its workflow": (change) =>
      change.before !== null || change.after.workflow === null ? (change.before?.manager ?? null) : loadManager(change),
  },
  beforeSave: steps(
    copyTemplateValues, // first: the steps below read the values of the template
    (change) => placeOnBoard(change, { completedStatus: "completed" }),
    refusePlaceholder,
    (change) => checkStatusOfCategory(change, statusesByCategory),
    approvals.applyRequiredApprovals,
    approvals.checkVote,
    checkManagerOnlyStatus("workflow_manager"),
    checkStatusNeedingRequest,
    checkMember,
    assignToNewTeam,
    assignToWhoStarts,
    chooseAssignees,
    checkWaitingUntil,
    checkPhase,
    checkFailureTask,
    checkOwnRequest,
    predecessorRules.beforeSave,
    settleTaskTimes,
  ),
  guards: { "nothing else holds it back": mayStart },
  effects: { "set the resolution duration": setResolutionDurationOfTask },
  afterSave: steps(
    predecessorRules.afterSave, // first: the graph reads the stored predecessors
    countTemplateUse("task_templates"),
    (change) => graph.afterSaveTask(change, change.after.workflow, () => afterSaveWithinGraph(change)),
  ),
  afterLinkChange: predecessorRules.afterLinkChange,
});
