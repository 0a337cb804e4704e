import { task } from "../../../records/work/task.ts";
import { taskApproval } from "../../../records/work/task-approval.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { statement } from "../../database/database.ts";
import { type Change, isChangeOf, rulesFor } from "../../engine/rules.ts";
import { defineApprovals } from "./approvals.ts";
import { loadTemplateAssignees, type TemplateAssignee } from "./template-assignees.ts";
import { workflowGraph } from "./workflow-graph.ts";

// The member of a task and the approvers of an approval task: TK12, AP1, AP8.

type TaskChange = Change<typeof task>;

export const approvals = defineApprovals({
  recordType: "task_approval",
  personField: "approver",
  taskType: "task",
});

const selectWorkflowManager = statement("SELECT manager_id FROM workflows WHERE id = $1 AND account_id = $2");
export const loadManager = async ({ tx, account, after }: TaskChange): Promise<number> =>
  Number((await tx.query(selectWorkflowManager, [after.workflow, account]))[0]?.[0]);

const newApprovers = new WeakMap<Change, readonly TemplateAssignee[]>();

const pickOnlyPerson = ([only, ...others]: readonly TemplateAssignee[]): number | null =>
  only !== undefined && others.length === 0 ? only.person : null;

const becomesApproval = ({ before }: TaskChange): boolean => before !== null && before.category !== "approval";

/** TK12, AP1 */
async function chooseAssigneesOfNewTask(change: TaskChange): Promise<void> {
  const { after, changed } = change;
  const { flagged, approvers } = await loadTemplateAssignees(change);
  if (after.category !== "approval") {
    if (!changed.has("member") && flagged[0] !== undefined) after.member = flagged[0].person;
    return;
  }
  const only = after.member ?? (after.status === "assigned" ? await loadManager(change) : null);
  const all = approvers.length > 0 || only === null ? approvers : [{ person: only, plannedEffort: null }];
  newApprovers.set(change, all);
  after.member = pickOnlyPerson(all);
}

/** AP1, AP8: in `beforeSave`, after the steps that choose the status. */
export async function chooseAssignees(change: TaskChange): Promise<void> {
  const { id, before, after, changed, cause, problem } = change;
  if (before === null) return chooseAssigneesOfNewTask(change);
  if (after.category !== "approval") return;
  const isActivated = after.status === "assigned" && (before.status !== "assigned" || becomesApproval(change));
  if (!changed.has("member") && !isActivated) return;
  const all = await approvals.load(change, id);
  // A vote belongs to the approver who gave it, so a finished task cannot get another one.
  if (isFinished(after.status) && all.length === 1 && changed.has("member") && cause === null)
    problem("member", "is not valid");
  if (all.length > 1) after.member = null;
  else if (all.length === 1) after.member ??= before.member;
  else if (isActivated) after.member ??= await loadManager(change);
}

/** In `afterSave`: creates the approvals of a new task, and gives the only approval to a new member. */
export async function saveApprovers(change: TaskChange): Promise<void> {
  const { id, before, after, cause } = change;
  for (const { person, plannedEffort } of newApprovers.get(change) ?? [])
    await change.create("task_approval", { task: id, approver: person, planned_effort: plannedEffort });
  if (before === null || after.category !== "approval" || after.member === null) return;
  if (before.member === after.member && !becomesApproval(change)) return;
  if (isChangeOf(taskApproval, cause)) return;
  const all = await approvals.load(change, id);
  const [only] = all;
  if (only === undefined) await change.create("task_approval", { task: id, approver: after.member });
  else if (all.length === 1) await change.update("task_approval", only.id, { approver: after.member });
}

const selectTaskCategory = statement("SELECT category FROM tasks WHERE id = $1 AND account_id = $2");

/** AP1 */
async function updateMemberFromApprovals(change: Change, taskId: number): Promise<void> {
  const { tx, account, cause, update } = change;
  if (isChangeOf(task, cause)) return;
  const [row] = await tx.query(selectTaskCategory, [taskId, account]);
  if (row?.[0] === "approval")
    await update("task", taskId, { member: approvals.pickMember(await approvals.load(change, taskId)) });
}

export const taskApprovalRules = rulesFor(taskApproval, {
  lockFirst: workflowGraph.lockFirstForTaskChild("task_approvals"),
  beforeSave: approvals.beforeSaveApproval,
  afterSave: (change) => updateMemberFromApprovals(change, change.after.task),
  async afterDelete(context) {
    await approvals.afterDeleteApproval(context);
    await updateMemberFromApprovals(context.change, context.values.task);
  },
});
