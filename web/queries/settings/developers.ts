import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { sendRaw } from "../../api/call.ts";
import type { Api } from "../../api/index.ts";
import type { ApiCall } from "../../api/request-log.ts";
import { pagesBefore } from "./pages.ts";

export const callsOnPage = 100;
const everyHalfMinute = 30_000;

export const developerQueries = {
  /** The OpenAPI document as text; the same for all accounts. */
  document: () =>
    queryOptions({
      queryKey: ["openapi"],
      queryFn: async () => (await sendRaw({ method: "GET", path: "/v1/openapi.json" })).body,
      staleTime: Number.POSITIVE_INFINITY,
    }),
  calls: (api: Api, filter: Readonly<Record<string, string | undefined>>) =>
    infiniteQueryOptions({
      queryKey: [api.account, "request log", filter],
      queryFn: ({ pageParam }) =>
        api.get<ApiCall[]>("/request_log", { ...filter, ...(pageParam === "" ? {} : { before: pageParam }) }),
      ...pagesBefore(callsOnPage),
    }),
  callStatistics: (api: Api, hours: string) =>
    queryOptions({
      queryKey: [api.account, "request log statistics", hours],
      queryFn: () => api.call("GET /request_log_statistics", { hours }),
      refetchInterval: everyHalfMinute,
    }),
  rateLimit: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "rate limit"],
      queryFn: () => api.call("GET /rate_limit", {}),
      refetchInterval: everyHalfMinute,
    }),
};
