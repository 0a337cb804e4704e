import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfRecord } from "../change-rules.ts";
import { recordQueries } from "../records.ts";
import type { Reference } from "../reference.ts";

// The approvers of an approval task: their votes, absences and delegates.

export type Approval = {
  readonly id: number;
  readonly approver: Reference;
  readonly status: string;
  readonly updated_at: string;
  /** decides while the approver is absent */
  readonly delegate: Reference | null;
  readonly isAway: boolean;
};

type Absence = { person: Reference | null; delegate: Reference | null };

/** Readers who may not read other people's absences see all of them as present. */
async function loadAbsences(api: Api, people: readonly (number | string)[], now: number): Promise<Absence[]> {
  const fields = ["person", "start_at", "end_at", "approval_delegate"] as const;
  const query = { at: "/out_of_office_periods/open", fields, person: people.join(), per_page: "100" };
  try {
    const { rows } = await api.list("out_of_office_period", query);
    return rows
      .filter(({ start_at }) => Date.parse(String(start_at)) <= now)
      .map(({ person, approval_delegate }) => ({ person, delegate: approval_delegate ?? null }));
  } catch {
    return [];
  }
}

export const approvalQueries = {
  /** `now`: by the server's clock */
  ofTask: (api: Api, task: number | string, now: () => number) =>
    queryOptions({
      queryKey: [...recordQueries.all(api, "task", task), "approvals"],
      queryFn: async (): Promise<readonly Approval[]> => {
        const fields = ["approver", "status", "updated_at"] as const;
        const { rows } = await api.list("task_approval", { at: `/tasks/${task}/approvals`, fields, per_page: "100" });
        const pending = rows.filter(({ status }) => status === "assigned" || status === "registered");
        const people = pending.map(({ approver }) => approver.id);
        const absences = people.length === 0 ? [] : await loadAbsences(api, people, now());
        return rows.map((approval) => {
          const absence = absences.find(({ person }) => person?.id === approval.approver.id);
          return { ...approval, delegate: absence?.delegate ?? null, isAway: absence !== undefined };
        });
      },
      meta: { changedBy: changesOfRecord("task", task) },
    }),
  /** The background of the decision. */
  background: (api: Api, task: number) =>
    queryOptions({
      queryKey: [api.account, "approval background", task],
      queryFn: () => api.call("GET /portal/approvals/:id", { id: task }),
    }),
};
