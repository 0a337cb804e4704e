import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";
import type { BodyOf } from "../api/operations.ts";
import { changesOfList, changesOfRecord } from "./change-rules.ts";

type Id = number | string;

export const broadcastQueries = {
  /** Prefix of the lists of broadcasts, those on pages of requests included. */
  lists: (api: Api) => [api.account, "list", "/broadcasts"] as const,
  byState: (api: Api) =>
    queryOptions({
      queryKey: [...broadcastQueries.lists(api), "by state"],
      queryFn: () =>
        api.list("broadcast", {
          fields: ["message", "message_type", "visibility", "start_at", "end_at", "disabled"],
          sort: "-start_at",
          per_page: "100",
        }),
      meta: { changedBy: changesOfList("/broadcasts") },
    }),
  translations: (api: Api, id: Id) => {
    const at = `/broadcasts/${encodeURIComponent(id)}/translations`;
    return queryOptions({
      queryKey: [api.account, "list", at],
      queryFn: async () => {
        const fields = ["locale", "message", "updated_at"] as const;
        const { rows } = await api.list("broadcast_translation", { at, fields, per_page: "100" });
        return rows.flatMap(({ locale, ...row }) => (locale === null ? [] : [{ ...row, locale }]));
      },
      meta: { changedBy: changesOfRecord("broadcast", id) },
    });
  },
  /** The audience of a broadcast, counted by the server, also before the broadcast is saved. */
  audience: (api: Api, body: BodyOf<"POST /broadcasts/audience">) =>
    queryOptions({
      queryKey: [api.account, "audience", body],
      queryFn: () => api.call("POST /broadcasts/audience", {}, body),
      placeholderData: keepPreviousData,
    }),
  /** The number of people in the audience who have seen it. */
  seen: (api: Api, id: number) =>
    queryOptions({
      queryKey: [api.account, "list", `/broadcasts/${id}/audience`],
      queryFn: () => api.call("GET /broadcasts/:id/audience", { id }),
      refetchInterval: 30_000,
      meta: { changedBy: changesOfRecord("broadcast", id) },
    }),
  /** The requests grouped under the broadcast's request; only their number is used. */
  followers: (api: Api, request: Id) => {
    const path = `/requests/${request}/grouped_requests`;
    return queryOptions({
      queryKey: [api.account, "list", path, "count"],
      queryFn: () => api.list(path, { per_page: "1" }),
      meta: { changedBy: changesOfRecord("request", request) },
    });
  },
};
