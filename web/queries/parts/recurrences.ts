import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

export const recurrenceQueries = {
  /** The next moments of a recurrence, given as JSON. */
  next: (api: Api, recurrence: string, count: number) =>
    queryOptions({
      queryKey: [api.account, "next dates", recurrence],
      queryFn: () => api.call("POST /recurrence_occurrences", {}, { recurrence: JSON.parse(recurrence), count }),
      placeholderData: keepPreviousData,
      retry: false,
    }),
};
