import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { summary } from "../../records/answers/search.ts";
import type { Api, Query, Row } from "../api/index.ts";
import { changesOfList, changesOfTypes } from "./change-rules.ts";

/** Totals of groups of records. */
export type Summary = AnswerOf<typeof summary>;
/** The fields of a list's first records. */
export type ListedRow = Row & { subject: string | null; team: { name: string } | null };

const interval = 60_000; // milliseconds

export const dashboardQueries = {
  /** Loaded once a minute rather than with every change: a figure sums up many records. */
  summary: (api: Api, collection: string, query: Query) =>
    queryOptions({
      queryKey: [api.account, "summary", collection, query],
      queryFn: () => api.get<Summary>(`/${collection}/summary`, query),
      placeholderData: keepPreviousData,
      refetchInterval: interval,
    }),
  rows: (api: Api, collection: string, query: Query) =>
    queryOptions({
      queryKey: [api.account, "list", `/${collection}`, "tile", query],
      queryFn: () => api.list<ListedRow>(`/${collection}`, query),
      refetchInterval: interval,
      meta: { changedBy: changesOfList(`/${collection}`) },
    }),
  /** The teams that a dashboard can show. */
  teams: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "dashboard teams"],
      queryFn: async () => {
        const query = { per_page: "100", sort: "name", state: "enabled" };
        return (await api.list("team", { ...query, fields: ["name"] })).rows;
      },
      staleTime: 300_000,
      meta: { changedBy: changesOfTypes("team") },
    }),
  /** Reports sent by email. Schedules aren't records, so no record change invalidates them. */
  schedules: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "report schedules"],
      queryFn: () => api.call("GET /report_schedules", {}),
    }),
};
