import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import { changesOfList } from "../change-rules.ts";
import { listQueries } from "../records.ts";

export type Progress = { done: number; total: number };

/** The number of finished tasks in each workflow. */
async function countTasks(api: Api, workflows: readonly number[]): Promise<ReadonlyMap<number, Progress>> {
  const counts = new Map<number, Progress>();
  const query = { fields: ["workflow", "finished_at"] as const, workflow: workflows.join(), per_page: "100" };
  for (let after: string | null = ""; after !== null; ) {
    const page: TaskPage = await api.list("task", after === "" ? query : { ...query, search_after: after });
    for (const { workflow, finished_at } of page.rows) {
      const id = workflow?.id ?? 0;
      const { done, total } = counts.get(id) ?? { done: 0, total: 0 };
      counts.set(id, { done: done + (finished_at === null ? 0 : 1), total: total + 1 });
    }
    after = page.next;
  }
  return counts;
}
type TaskPage = {
  rows: { workflow: { id: number } | null; finished_at: string | null }[];
  next: string | null;
};

export const releaseQueries = {
  progress: (api: Api, workflows: readonly number[]) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/tasks"), "of workflows", workflows.join()],
      queryFn: () => countTasks(api, workflows),
      enabled: workflows.length > 0,
      meta: { changedBy: changesOfList("/tasks") },
    }),
};

export const riskQueries = {
  /** The account's severities, the most severe first. */
  severities: (api: Api) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/risk_severities"), "matrix"],
      queryFn: async () => {
        const fields = ["name", "reference", "position"] as const;
        const order = { disabled: "false", sort: "-position", per_page: "100" };
        return (await api.list("risk_severity", { fields, ...order })).rows;
      },
      staleTime: 300_000,
      meta: { changedBy: changesOfList("/risk_severities") },
    }),
  /** All open risks, up to the size of a list page. */
  open: (api: Api) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/risks"), "matrix"],
      queryFn: async () => {
        const fields = ["subject", "severity", "status"] as const;
        return (await api.list("risk", { fields, state: "open", per_page: "100" })).rows;
      },
      meta: { changedBy: changesOfList("/risks") },
    }),
};
