import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import type { SecurityTrailEntry } from "../../api/administration.ts";
import type { Api, Query } from "../../api/index.ts";
import type { Reference } from "../reference.ts";
import { cursorPages, toCursor } from "./pages.ts";

// The audit logs of an account.

export type AuditChange = [before: unknown, after: unknown];
export type AuditLine = {
  id: number;
  action: string;
  audited: string;
  created_by: Reference | null;
  user: Reference | null;
  /** absent in lines that are older than this field */
  origin: ChangeOrigin | null;
  changes: Record<string, AuditChange> | null;
  created_at: string;
};

export const journalQueries = {
  lines: (api: Api, query: Query) =>
    infiniteQueryOptions({
      queryKey: [api.account, "audit lines", query],
      queryFn: ({ pageParam }) =>
        api.list<AuditLine>("/audit_lines", { ...query, per_page: "50", search_after: toCursor(pageParam) }),
      ...cursorPages,
    }),
  securityTrail: (api: Api, query: Query) =>
    infiniteQueryOptions({
      queryKey: [api.account, "trail", query],
      queryFn: ({ pageParam }) =>
        api.list<SecurityTrailEntry>("/security_trail", {
          ...query,
          ...{ per_page: "50", search_after: toCursor(pageParam) },
        }),
      ...cursorPages,
    }),
  counts: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "trail counts"],
      queryFn: () => api.call("GET /trail_counts", {}),
      retry: false,
    }),
};
