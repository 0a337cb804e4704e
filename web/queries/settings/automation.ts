import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import type { BodyOf } from "../../api/operations.ts";
import { pagesBefore } from "./pages.ts";

const runsOnPage = 100;
export type RunFilter = { rule_id?: string; outcome?: string; record_type?: string; record_id?: string };

export const automationQueries = {
  statistics: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "rule statistics"],
      queryFn: () => api.call("GET /automation_rule_statistics", {}),
    }),
  /** The errors in a rule's expressions; while they are checked, the previous errors. */
  check: (api: Api, rule: BodyOf<"POST /automation_rule_check">) =>
    queryOptions({
      queryKey: [api.account, "rule check", rule],
      queryFn: () => api.call("POST /automation_rule_check", {}, rule),
      placeholderData: keepPreviousData,
    }),
  runs: (api: Api, filter: RunFilter) =>
    infiniteQueryOptions({
      queryKey: [api.account, "runs", filter],
      queryFn: ({ pageParam }) =>
        api.call("GET /automation_rule_runs", { ...filter, ...(pageParam === "" ? {} : { before: pageParam }) }),
      ...pagesBefore(runsOnPage),
    }),
  lastRuns: (api: Api, rule: number) =>
    queryOptions({
      queryKey: [api.account, "runs", rule, "last"],
      queryFn: () => api.call("GET /automation_rules/:id/runs", { id: rule }),
    }),
  /** The record for which a rule ran last, else the newest one. `rule` 0: not saved yet. */
  recordToTry: (api: Api, rule: number, { name, collection }: { name: string; collection: string }) =>
    queryOptions({
      queryKey: [api.account, "rule record", rule, name],
      queryFn: async () => {
        const runs = rule === 0 ? [] : await api.call("GET /automation_rules/:id/runs", { id: rule });
        const last = runs.find(({ record_type }) => record_type === name);
        const filter = last === undefined ? { per_page: "1" } : { id: String(last.record_id) };
        return (await api.list(`/${collection}`, filter)).rows[0] ?? null;
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
