import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../api/index.ts";
import { readAfterOwnCalls } from "../live/own-calls.ts";
import { readAfterWrites } from "../live/write-queue.ts";
import { changesOfRecord, changesOfTypes } from "./change-rules.ts";

type Id = number | string;

/** The number that a menu shows. */
const maxSiblings = 20;

export const boardQueries = {
  board: (api: Api, id: Id) =>
    queryOptions({
      queryKey: [api.account, "list", "board", String(id)],
      queryFn: () => readAfterWrites(() => api.call("GET /agile_boards/:id/items", { id })),
      meta: { changedBy: changesOfRecord("agile_board", id) },
    }),
  backlog: (api: Api, id: Id) =>
    queryOptions({
      queryKey: [api.account, "list", "backlog", String(id)],
      queryFn: () =>
        readAfterOwnCalls(() => readAfterWrites(() => api.call("GET /product_backlogs/:id/items", { id }))),
      meta: { changedBy: changesOfRecord("product_backlog", id) },
    }),
  /** The first boards or backlogs by name. */
  siblings: (api: Api, type: "agile_board" | "product_backlog") =>
    queryOptions({
      queryKey: [api.account, "siblings", type],
      queryFn: async () => {
        const query = { per_page: maxSiblings, sort: "name", state: "enabled" };
        return (await api.list(type, { ...query, fields: ["name"] })).rows;
      },
      staleTime: 60_000,
      meta: { changedBy: changesOfTypes(type) },
    }),
  /** The people who can be assigned a team's card. */
  teamMembers: (api: Api, team: Id) =>
    queryOptions({
      queryKey: [api.account, "team member names", String(team)],
      queryFn: async () => {
        const at = `/teams/${team}/members`;
        return (await api.list("person", { at, fields: ["name"], per_page: "100" })).rows;
      },
      staleTime: 60_000,
      meta: { changedBy: changesOfRecord("team", team) },
    }),
};
