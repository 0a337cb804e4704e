import { keepPreviousData, useQueries } from "@tanstack/react-query";
import type { Query } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";

/** What the API answers about a group of records. */
export type SummaryGroup = Readonly<Record<string, unknown>> & {
  count: number;
  value: number | null;
  /** the query of the list with exactly these records */
  query: string | null;
  part?: { count: number; query: string | null };
};
export type Summary = { groups: readonly SummaryGroup[]; total: SummaryGroup; more: boolean };

export type Question = { collection: string; query: Query };

/** The answers to some questions at once: null until all are there. */
export function useSummaries(questions: readonly Question[]) {
  const { account, api } = useCurrentAccount();
  return useQueries({
    queries: questions.map(({ collection, query }) => ({
      queryKey: [account.id, "summary", collection, query],
      queryFn: () => api.get<Summary>(`/${collection}/summary`, query),
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    })),
    combine: (results) => ({
      error: results.find(({ error }) => error !== null)?.error ?? null,
      summaries: results.every(({ data }) => data !== undefined) ? results.map(({ data }) => data as Summary) : null,
      refetch: () => results.forEach((result) => void result.refetch()),
    }),
  });
}
