import { toTimestamp } from "../../base/clock.ts";
import type { Change, DeleteContext, Values } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { buildDelegatorsSql } from "../time/out-of-office-period.ts";

// Who is asked to approve, and what they said: AP1 to AP13, for the approvals of tasks and the assignments of project
// tasks. A vote is a save of the task with its outcome, by a person who is asked.

type Approval = { id: number; person: number; status: string };
type ApprovalKind = {
  /** the record type of a ballot, and the reference that says whose it is */
  recordType: "task_approval" | "project_task_assignment";
  personField: "approver" | "assignee";
  taskType: "task" | "project_task";
};

const selectDelegators = statement(buildDelegatorsSql("$1", "$2"));

/** The ballot of somebody who is away and whose delegate the caller is. */
async function findDelegatedApproval({ tx, by }: Change, asked: readonly Approval[]): Promise<Approval | undefined> {
  if (asked.length === 0 || by.isService) return undefined;
  const people = (await tx.query(selectDelegators, [by.person, toTimestamp(by.now)])).map(([person]) => Number(person));
  return asked.find(({ person }) => people.includes(person));
}

const outcomeStatuses = ["approved", "rejected"];
const openStatuses = ["registered", "assigned"];

export function defineApprovals({ recordType: ballot, personField: person, taskType: task }: ApprovalKind) {
  const all = statement(`SELECT id, ${person}_id, status FROM ${ballot}s WHERE ${task}_id = $1 ORDER BY id`);
  const taskOf = statement(`SELECT category, status, required_approvals, manager_id FROM ${task}s WHERE id = $1`);
  const ballots = async (tx: Transaction, id: number): Promise<Approval[]> =>
    (await tx.query(all, [id])).map(([own, who, status]) => ({
      id: Number(own),
      person: Number(who),
      status: String(status),
    }));
  const cast = new WeakMap<Change, { ids: readonly number[]; answer: string }>();

  // One person is one voice, however often asked.
  const voices = (list: readonly Approval[]): number => new Set(list.map((each) => each.person)).size;
  const approved = (list: readonly Approval[]): number => voices(list.filter(({ status }) => status === "approved"));
  /** AP7 */
  const needed = (required: unknown, list: readonly Approval[]): number =>
    Math.min(Number(required ?? 1), voices(list));

  async function enterVote(change: Change): Promise<void> {
    const vote = cast.get(change);
    cast.delete(change);
    for (const id of vote?.ids ?? []) await change.update(ballot, id, { status: vote?.answer ?? null });
  }

  return {
    load: ballots,

    /** Part of `check`. AP3 to AP6: the answer of a person who is asked; nobody else can give one. */
    async checkVote(change: Change): Promise<void> {
      const { tx, by, id, before, after, changed, cause, problem } = change;
      after.required_approvals ??= 1; // AP7
      if (after.category !== "approval" || cause !== null) return;
      const answer = String(after.status);
      if (before?.status === "assigned" && answer === "assigned" && changed.has("required_approvals")) {
        const list = await ballots(tx, id);
        if (approved(list) > 0 && approved(list) >= needed(after.required_approvals, list)) after.status = "approved";
      }
      if (!changed.has("status") || !outcomeStatuses.includes(answer)) return;
      const list = before === null ? [] : await ballots(tx, id);
      const asked = list.filter(({ status }) => status === "assigned");
      const mine = asked.find((each) => each.person === by.person) ?? (await findDelegatedApproval(change, asked));
      if (mine === undefined) return problem("status", "is not valid");
      const ids = asked.filter((each) => each.person === mine.person).map((each) => each.id);
      cast.set(change, { ids, answer });
      // A vote that decides nothing changes nothing but itself.
      change.runAfterSave(() => enterVote(change));
      if (answer === "approved" && approved(list) + 1 < needed(after.required_approvals, list))
        after.status = before?.status ?? null;
    },

    /** Part of `saved`. AP2, AP8, AP10, AP11: what becomes of the ballots when the task moves. */
    async updateWithTask(change: Change): Promise<void> {
      const { tx, id, before, after } = change;
      if (after.category !== "approval") return;
      await enterVote(change);
      const [from, to] = [before?.status ?? "registered", String(after.status)];
      const isNoBallotYet = before !== null && before.category !== "approval";
      if (from === to && !isNoBallotYet) return;
      let list = await ballots(tx, id);
      if (to === "assigned" && list.length === 0 && after.manager !== null) {
        await change.create(ballot, { [task]: id, [person]: after.manager as number });
        list = await ballots(tx, id);
      }
      const isRework = isNoBallotYet || !openStatuses.includes(String(from));
      for (const each of list) {
        let status: string | null = null;
        if (to === "registered") status = to;
        else if (to === "assigned") status = isRework || each.status === "registered" ? to : null;
        else if (openStatuses.includes(each.status)) status = "canceled";
        if (status !== null && status !== each.status) await change.update(ballot, each.id, { status });
      }
    },

    /**
     * Of a ballot: who is asked while the task is assigned, is asked at once (AP9). Nobody takes over what somebody else
     * has answered.
     */
    async beforeSaveApproval({ tx, before, after, problem }: Change): Promise<void> {
      const isTakenOver =
        before !== null && before[person] !== after[person] && outcomeStatuses.includes(String(before.status));
      if (after[task] == null || (before !== null && !isTakenOver)) return;
      const [row] = await tx.query(taskOf, [after[task] as number]);
      if (row?.[1] === "assigned" && row[0] === "approval") after.status = "assigned";
      else if (isTakenOver) problem(person, "is not valid");
    },

    /** AP9: one less is asked. That may be enough; the last one gives way to the manager. */
    async afterDeleteApproval({ tx, values, change }: DeleteContext): Promise<void> {
      const id = values[task] as number;
      const [row] = await tx.query(taskOf, [id]);
      if (row === undefined || row[0] !== "approval" || row[1] !== "assigned") return;
      const list = await ballots(tx, id);
      if (list.length === 0) {
        if (row[3] !== null) await change.create(ballot, { [task]: id, [person]: Number(row[3]) });
      } else if (approved(list) > 0 && approved(list) >= needed(row[2], list))
        await change.update(task, id, { status: "approved" });
    },

    /** AP1: the member of an approval task is its only approver. */
    buildMemberUpdate: (list: readonly Approval[]): Values => ({
      member: list.length === 1 ? (list[0] as Approval).person : null,
    }),
  };
}
