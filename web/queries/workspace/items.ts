import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";

// Data of the configuration item page in addition to the record.

export const itemQueries = {
  graph: (api: Api, id: number, depth: number) =>
    queryOptions({
      queryKey: [api.account, "ci graph", id, depth],
      queryFn: () => api.call("GET /cis/:id/graph", { id, depth }),
    }),
  /** Some readers have no permission: the page is shown without it. */
  outlook: (api: Api, id: number) =>
    queryOptions({
      queryKey: [api.account, "ci outlook", id],
      queryFn: () => api.call("GET /cis/:id/outlook", { id }),
      retry: false,
    }),
  /** The next dates of a maintenance rule. */
  occurrences: (api: Api, recurrence: Readonly<Record<string, unknown>> | null | undefined) =>
    queryOptions({
      queryKey: [api.account, "occurrences", recurrence],
      queryFn: async () =>
        (await api.call("POST /recurrence_occurrences", {}, { recurrence: recurrence ?? {}, count: 6 })).occurrences,
      enabled: recurrence != null,
    }),
  /** The category of a product, by its reference: a list of one, or empty. */
  productCategory: (api: Api, reference: string | undefined) =>
    queryOptions({
      queryKey: [api.account, "product category", reference],
      queryFn: () =>
        api.get<readonly { id: number; localized_name: string }[]>("/product_categories", {
          reference: String(reference),
          fields: "localized_name",
        }),
      enabled: reference !== undefined,
      retry: false,
      staleTime: 300_000,
    }),
};
