import type { projectTask } from "../../../records/work/project-task.ts";
import type { task } from "../../../records/work/task.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Change, DeleteContext } from "../../engine/rules.ts";
import { getNumberOrNull } from "../shared/get-number.ts";
import { buildDelegatorsSql } from "../time/out-of-office-period.ts";

// Votes on approval tasks: AP1 to AP13, for the approvals of tasks and the assignments of project tasks. An approver
// votes by saving the task with the status approved or rejected.

type TaskChange = Change<typeof task | typeof projectTask>;
type Approval = { id: number; person: number; status: string };
type ApprovalKind = {
  /** the type of the approvals, and its field that names the approver */
  recordType: "task_approval" | "project_task_assignment";
  personField: "approver" | "assignee";
  taskType: "task" | "project_task";
};
type Vote = "approved" | "rejected";

const isVote = (status: unknown): status is Vote => status === "approved" || status === "rejected";
const isOpen = (status: string | null): boolean => status === "registered" || status === "assigned";

const selectDelegators = statement(buildDelegatorsSql("$1", "$2"));

/** The approval of an absent person who made the caller their delegate. */
async function findDelegatedApproval(
  { tx, by }: TaskChange,
  approvals: readonly Approval[],
): Promise<Approval | undefined> {
  if (approvals.length === 0 || by.isService) return undefined;
  const people = (await tx.query(selectDelegators, [by.person, toTimestamp(by.now)])).map(([person]) => Number(person));
  return approvals.find(({ person }) => people.includes(person));
}

/** People who have several approvals count once. */
const countPeople = (approvals: readonly Approval[]): number => new Set(approvals.map(({ person }) => person)).size;
const countApproved = (approvals: readonly Approval[]): number =>
  countPeople(approvals.filter(({ status }) => status === "approved"));
/** AP7 */
const countNeeded = (required: number | null, approvals: readonly Approval[]): number =>
  Math.min(required ?? 1, countPeople(approvals));
const isApproved = (required: number | null, approvals: readonly Approval[]): boolean =>
  countApproved(approvals) > 0 && countApproved(approvals) >= countNeeded(required, approvals);

/** AP2, AP8, AP10, AP11: the status that an approval gets when its task changes to another one; null: it keeps its own. */
function pickApprovalStatus(approval: Approval, taskStatus: string | null, isRework: boolean) {
  if (taskStatus === "registered") return "registered";
  if (taskStatus === "assigned") return isRework || approval.status === "registered" ? "assigned" : null;
  return isOpen(approval.status) ? "canceled" : null;
}

export function defineApprovals({ recordType, personField, taskType }: ApprovalKind) {
  const selectApprovals = statement(
    `SELECT id, ${personField}_id, status FROM ${recordType}s WHERE ${taskType}_id = $1 AND account_id = $2 ORDER BY id`,
  );
  const selectTask = statement(
    `SELECT category, status, required_approvals, manager_id FROM ${taskType}s WHERE id = $1 AND account_id = $2`,
  );
  const pendingVotes = new WeakMap<Change, { ids: readonly number[]; vote: Vote }>();

  const loadApprovals = async ({ tx, account }: Pick<Change, "tx" | "account">, taskId: number): Promise<Approval[]> =>
    (await tx.query(selectApprovals, [taskId, account])).map(([id, person, status]) => ({
      id: Number(id),
      person: Number(person),
      status: String(status),
    }));
  const createApproval = (change: Change, taskId: number, person: number): Promise<number> =>
    change.create(recordType, { [taskType]: taskId, [personField]: person });

  async function saveVote(change: Change): Promise<void> {
    const pending = pendingVotes.get(change);
    pendingVotes.delete(change);
    if (pending !== undefined)
      for (const id of pending.ids) await change.update(recordType, id, { status: pending.vote });
  }

  return {
    load: loadApprovals,

    /** AP7: fewer required approvals can decide about an assigned task. */
    async applyRequiredApprovals(change: TaskChange): Promise<void> {
      const { id, before, after, changed, cause } = change;
      after.required_approvals ??= 1;
      if (after.category !== "approval" || cause !== null || !changed.has("required_approvals")) return;
      if (before?.status !== "assigned" || after.status !== "assigned") return;
      if (isApproved(after.required_approvals, await loadApprovals(change, id))) after.status = "approved";
    },

    /** AP3 to AP6: only an approver, or the delegate of one, can vote. */
    async checkVote(change: TaskChange): Promise<void> {
      const { by, id, before, after, changed, cause, problem } = change;
      if (after.category !== "approval" || cause !== null) return;
      const vote = after.status;
      if (!changed.has("status") || !isVote(vote)) return;
      const approvals = before === null ? [] : await loadApprovals(change, id);
      const assigned = approvals.filter(({ status }) => status === "assigned");
      const own =
        assigned.find(({ person }) => person === by.person) ?? (await findDelegatedApproval(change, assigned));
      if (own === undefined) return problem("status", "is not valid");
      const ids = assigned.filter(({ person }) => person === own.person).map((approval) => approval.id);
      pendingVotes.set(change, { ids, vote });
      // A vote that decides nothing leaves the task unchanged: without this action nothing would run after the save.
      change.runAfterSave(() => saveVote(change));
      const isDecided = countApproved(approvals) + 1 >= countNeeded(after.required_approvals, approvals);
      if (vote === "approved" && !isDecided) after.status = before?.status ?? null;
    },

    /** In `afterSave` of the task. */
    async updateWithTask(change: TaskChange): Promise<void> {
      const { id, before, after } = change;
      if (after.category !== "approval") return;
      await saveVote(change);
      const from = before?.status ?? "registered";
      const becomesApproval = before !== null && before.category !== "approval";
      if (from === after.status && !becomesApproval) return;
      let approvals = await loadApprovals(change, id);
      if (after.status === "assigned" && approvals.length === 0 && after.manager !== null) {
        await createApproval(change, id, after.manager);
        approvals = await loadApprovals(change, id);
      }
      const isRework = becomesApproval || !isOpen(from);
      for (const approval of approvals) {
        const status = pickApprovalStatus(approval, after.status, isRework);
        if (status !== null && status !== approval.status) await change.update(recordType, approval.id, { status });
      }
    },

    /** AP9: an approver who joins an assigned task is asked immediately. A vote cannot be handed to another person. */
    async beforeSaveApproval({ tx, account, before, after, problem }: Change): Promise<void> {
      const isHandedOn = before !== null && before[personField] !== after[personField] && isVote(before.status);
      const taskId = getNumberOrNull(after, taskType);
      if (taskId === null || (before !== null && !isHandedOn)) return;
      const [row] = await tx.query(selectTask, [taskId, account]);
      if (row?.[1] === "assigned" && row[0] === "approval") after.status = "assigned";
      else if (isHandedOn) problem(personField, "is not valid");
    },

    /** AP9: the votes of the other approvers may be enough now; without any approver the manager becomes one. */
    async afterDeleteApproval({ tx, values, change }: DeleteContext): Promise<void> {
      const taskId = getNumberOrNull(values, taskType);
      if (taskId === null) return;
      const [row] = await tx.query(selectTask, [taskId, change.account]);
      if (row === undefined || row[0] !== "approval" || row[1] !== "assigned") return;
      const [required, manager] = [parseNumberOrNull(row[2]), parseNumberOrNull(row[3])];
      const approvals = await loadApprovals(change, taskId);
      if (approvals.length === 0) {
        if (manager !== null) await createApproval(change, taskId, manager);
      } else if (isApproved(required, approvals)) await change.update(taskType, taskId, { status: "approved" });
    },

    /** AP1: the member of an approval task is its only approver. */
    pickMember: ([only, ...others]: readonly Approval[]): number | null =>
      only !== undefined && others.length === 0 ? only.person : null,
  };
}
