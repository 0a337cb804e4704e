import { useQueries } from "@tanstack/react-query";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Query } from "../../api/index.ts";
import { dashboardQueries } from "../../queries/dashboards.ts";

export type Question = { collection: string; query: Query };

/** The responses to several queries: null until all are loaded. */
export function useSummaries(questions: readonly Question[]) {
  const { api } = useCurrentAccount();
  return useQueries({
    queries: questions.map(({ collection, query }) => dashboardQueries.summary(api, collection, query)),
    combine(results) {
      const summaries = results.flatMap(({ data }) => data ?? []);
      return {
        error: results.find(({ error }) => error !== null)?.error ?? null,
        summaries: summaries.length === results.length ? summaries : null,
        refetch: () => results.forEach((result) => void result.refetch()),
      };
    },
  });
}
