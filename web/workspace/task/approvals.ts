import { useQuery, useQueryClient } from "@tanstack/react-query";
import { task as taskType } from "../../../records/work/task.ts";
import type { Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { currentTime } from "../../parts/now.ts";
import type { Reference } from "../../queries/reference.ts";
import { pagePath, recordKey } from "../request/queries.ts";

// The approvers of an approval task: who has voted, who is away, and who decides in their place.

export type Approval = {
  id: number;
  approver: Reference;
  status: string;
  updated_at: string;
  /** decides meanwhile, because the approver is away */
  delegate: Reference | null;
  isAway: boolean;
};

type Absence = { person: Reference; delegate: Reference | null };

export function useApprovals(id: number | string, enabled: boolean) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = [...recordKey(account.id, taskType, id), "approvals"];
  // A vote that decides nothing leaves the task as it is.
  useTopics(enabled ? ["list/task_approval"] : []);
  useLiveEvent("change", ({ type, kind, id: changed }) => {
    const isKnown = queries.getQueryData<Approval[]>(queryKey)?.some((approval) => approval.id === changed) === true;
    if (enabled && type === "task_approval" && (isKnown || kind === "create"))
      void queries.invalidateQueries({ queryKey });
  });
  return useQuery({
    queryKey,
    enabled,
    queryFn: async (): Promise<Approval[]> => {
      const fields = "approver,status,updated_at";
      const { rows } = await api.list(`${pagePath(taskType, id)}/approvals`, { fields, per_page: "100" });
      const approvals = rows as (Row & Pick<Approval, "approver" | "status" | "updated_at">)[];
      const asked = approvals.filter(({ status }) => status === "assigned" || status === "registered");
      const absences = asked.length === 0 ? [] : await loadAbsences(asked.map(({ approver }) => approver.id));
      return approvals.map((approval) => {
        const absence = absences.find(({ person }) => person.id === approval.approver.id);
        return { ...approval, delegate: absence?.delegate ?? null, isAway: absence !== undefined };
      });
    },
  });

  /** Whoever may not read the absences of others sees nobody as away. */
  async function loadAbsences(people: readonly (number | string)[]): Promise<Absence[]> {
    const query = { person: people.join(), fields: "person,start_at,end_at,approval_delegate", per_page: "100" };
    try {
      const { rows } = await api.list("/out_of_office_periods/open", query);
      return rows
        .filter((row) => Date.parse(String(row.start_at)) <= currentTime())
        .map((row) => ({
          person: row.person as Reference,
          delegate: (row.approval_delegate as Reference | null) ?? null,
        }));
    } catch {
      return [];
    }
  }
}

export type Decision = {
  approvals: readonly Approval[];
  given: number;
  needed: number;
  /** the approval that the reader decides: the own one, or that of somebody absent */
  own: Approval | null;
};

const countPeople = (approvals: readonly Approval[]): number =>
  new Set(approvals.map(({ approver }) => approver.id)).size;

export function summarizeApprovals(approvals: readonly Approval[], required: unknown, person: number): Decision {
  const asked = approvals.filter(({ status }) => status === "assigned");
  return {
    approvals,
    given: countPeople(approvals.filter(({ status }) => status === "approved")),
    needed: Math.max(1, Math.min(typeof required === "number" ? required : 1, countPeople(approvals))),
    own:
      asked.find(({ approver }) => approver.id === person) ??
      asked.find(({ delegate }) => delegate?.id === person) ??
      null,
  };
}
