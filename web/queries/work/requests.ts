import { queryOptions } from "@tanstack/react-query";
import type { Api, Query } from "../../api/index.ts";
import { changesOfList } from "../change-rules.ts";
import { listQueries, recordQueries } from "../records.ts";

// What the page of a request shows beside the record.

type Id = number | string;

export const requestQueries = {
  orderLines: (api: Api, id: Id) =>
    recordQueries.part(api, "request", id, "order lines", () => api.call("GET /requests/:id/order_lines", { id })),
  /** How many requests a filter finds. */
  count: (api: Api, filter: Query) =>
    queryOptions({
      queryKey: [...listQueries.of(api, "/requests"), "to tell", filter],
      queryFn: () => api.list("/requests", { ...filter, fields: "id", per_page: "1" }),
      meta: { changedBy: changesOfList("/requests") },
    }),
  /** What a person asked for lately. */
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
  /** Broadcasts that point to a group of requests. */
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
  /** Articles that may answer a text. No change of an article is worth another search. */
  suggestions: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "suggestions", text],
      queryFn: () => api.call("GET /suggestions", { text }),
      staleTime: 300_000,
    }),
  /** Records whose number or words a note can mention. */
  mentionable: (api: Api, text: string) =>
    queryOptions({
      queryKey: [api.account, "mention", text],
      queryFn: () =>
        api.call("GET /search", { q: text, per_page: 6, types: "request,problem,workflow,task,knowledge-article" }),
    }),
};
