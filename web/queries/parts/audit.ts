import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Api, Row } from "../../api/index.ts";
import { changesOfPath } from "../change-rules.ts";
import type { Reference } from "../reference.ts";

export type AuditEntry = Row & {
  action: string;
  created_at: string;
  created_by: Reference | null;
  /** Only for people who may read the whole trail. */
  origin: ChangeOrigin | null;
  changes: Record<string, [before: unknown, after: unknown]>;
};

const auditFields = "action,created_at,created_by,user,changes,origin";

export const auditQueries = {
  trail: (api: Api, path: string) =>
    infiniteQueryOptions({
      queryKey: [api.account, "audit", path],
      queryFn: ({ pageParam }) =>
        api.list<AuditEntry>(`${path}/audit`, {
          fields: auditFields,
          search_after: pageParam === "" ? undefined : pageParam,
        }),
      initialPageParam: "",
      getNextPageParam: (page) => page.next,
      meta: { changedBy: changesOfPath(path) },
    }),
};

export function useAudit(path: string) {
  const { api } = useCurrentAccount();
  return useInfiniteQuery(auditQueries.trail(api, path));
}
