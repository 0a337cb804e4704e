import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import { useLiveEvent, useTopics } from "../../live/use-topics.ts";
import { currentTime } from "../../parts/now.ts";
import { type Approval, approvalQueries } from "../../queries/work/approvals.ts";

export type { Approval } from "../../queries/work/approvals.ts";

export function useApprovals(id: number | string, enabled: boolean) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const query = approvalQueries.ofTask(api, id, currentTime);
  // A vote that isn't decisive doesn't change the task, so votes are subscribed to as well.
  useTopics(enabled ? ["list/task_approval"] : []);
  useLiveEvent("change", ({ type, kind, id: changed }) => {
    const isKnown = queries.getQueryData(query.queryKey)?.some((approval) => approval.id === changed) === true;
    if (enabled && type === "task_approval" && (isKnown || kind === "create"))
      void queries.invalidateQueries({ queryKey: query.queryKey });
  });
  return useQuery({ ...query, enabled });
}

export type Decision = {
  approvals: readonly Approval[];
  approved: number;
  needed: number;
  /** the approval that the reader decides: their own, or that of an absent person */
  own: Approval | null;
};

const countPeople = (approvals: readonly Approval[]): number =>
  new Set(approvals.map(({ approver }) => approver.id)).size;

export function summarizeApprovals(approvals: readonly Approval[], required: unknown, person: number): Decision {
  const pending = approvals.filter(({ status }) => status === "assigned");
  return {
    approvals,
    approved: countPeople(approvals.filter(({ status }) => status === "approved")),
    needed: Math.max(1, Math.min(typeof required === "number" ? required : 1, countPeople(approvals))),
    own:
      pending.find(({ approver }) => approver.id === person) ??
      pending.find(({ delegate }) => delegate?.id === person) ??
      null,
  };
}
