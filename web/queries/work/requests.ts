import { queryOptions } from "@tanstack/react-query";
import type { Api, Query } from "../../api/index.ts";
import { changesOfList } from "../change-rules.ts";
import { listQueries, recordQueries } from "../records.ts";

// Data of the request page in addition to the record.

type Id = number | string;

export const requestQueries = {
  orderLines: (api: Api, id: Id) =>
    recordQueries.part(api, "request", id, "order lines", () => api.call("GET /requests/:id/order_lines", { id })),
  /** The number of requests that match a filter. */
  count: (api: Api, filter: Query) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/requests"), "to tell", filter],
      queryFn: () => api.list("/requests", { ...filter, fields: "id", per_page: "1" }),
      meta: { changedBy: changesOfList("/requests") },
    }),
  /** A person's recent requests. */
  latestOf: (api: Api, person: Id) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/requests"), "of", String(person)],
      queryFn: () =>
        api.list("request", {
          fields: ["subject", "status"],
          ...{ requested_for: String(person), sort: "-id", per_page: "6" },
        }),
      meta: { changedBy: changesOfList("/requests") },
    }),
  /** Broadcasts that refer to a group of requests. */
  broadcasts: (api: Api, request: number) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/broadcasts"), "of request", request],
      queryFn: async () => {
        const fields = ["message", "disabled", "start_at", "end_at"] as const;
        return (await api.list("broadcast", { fields, request: String(request) })).rows;
      },
      retry: false,
      meta: { changedBy: changesOfList("/broadcasts") },
    }),
  /** Articles that may answer a text. A changed article doesn't trigger another search. */
  suggestions: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "suggestions", text],
      queryFn: () => api.call("GET /suggestions", { text }),
      staleTime: 300_000,
    }),
  /** Records that match the typed number or words, for mentions in a note. */
  mentionable: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "mention", text],
      queryFn: () =>
        api.call("GET /search", { q: text, per_page: 6, types: "request,problem,workflow,task,knowledge-article" }),
    }),
};
