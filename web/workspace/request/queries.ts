import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { type Row, revisionsApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { readAfterWrites } from "../../live/write-queue.ts";
import type { Reference } from "../../queries/reference.ts";

// What a record page reads. All keys begin with those of the record, so that news about it renews everything of it.

export const recordKey = (account: string, type: RecordType, id: string | number): readonly string[] => [
  account,
  "record",
  type.name,
  String(id),
];

export const pagePath = (type: RecordType, id: string | number): string =>
  `/${type.collection}/${encodeURIComponent(id)}`;

export type NoteRow = Row & {
  text: string;
  person: Reference | null;
  internal?: boolean;
  medium?: string;
  created_at: string;
  attachments?: readonly { key: string; name: string; uri: string; size: number | null; inline: boolean }[];
};
export type AuditRow = Row & {
  action: string;
  created_at: string;
  created_by: Reference | null;
  changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>> | null;
};

type Target = {
  target_at: string | null;
  maximum: number | null;
  maximum_in_days: number | null;
  allowed: number | null;
  used: number;
  actual_at: string | null;
  met: boolean | null;
};
/** GET /requests/:id/targets */
export type ExplainedTargets = {
  sla: Reference;
  service_instance: Reference;
  accountability: string;
  decides: boolean;
  because: { coverage: string; via: { type: string; name: string } | null; person: Reference | null };
  offering: Reference | null;
  kind: string | null;
  hours: Reference | null;
  time_zone: string;
  started_at: string;
  changes: readonly { at: string; field: string; from: unknown; to: unknown }[];
  stopped: readonly { from: string; to: string | null; minutes: number; reason: string }[];
  response: Target;
  resolution: Target;
  next_target_at: string | null;
  steps: readonly string[];
};

export function usePageRecord(type: RecordType, id: string) {
  const { account } = useCurrentAccount();
  return useQuery({
    queryKey: [...recordKey(account.id, type, id), "page"],
    queryFn: () => readAfterWrites(() => revisionsApi(account.id).get(pagePath(type, id))),
  });
}

function usePart<T>(type: RecordType, id: string, name: string, load: () => Promise<T>, enabled = true) {
  const { account } = useCurrentAccount();
  return useQuery({ queryKey: [...recordKey(account.id, type, id), name], queryFn: load, enabled });
}

/** The newest hundred; older ones are on the pages before. */
export function useNotes(type: RecordType, id: string) {
  const { api } = useCurrentAccount();
  return usePart(type, id, "notes", async () => {
    const page = await api.list(`${pagePath(type, id)}/notes`, { sort: "-id", per_page: "100" });
    return { notes: (page.rows as NoteRow[]).reverse(), total: page.total, isTotalOld: page.isTotalOld };
  });
}

export function usePageAudit(type: RecordType, id: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  return usePart(
    type,
    id,
    "audit",
    async () => (await api.list(`${pagePath(type, id)}/audit`, { per_page: "100" })).rows.reverse() as AuditRow[],
    enabled,
  );
}

export function useTargets(type: RecordType, id: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  return usePart(type, id, "targets", () => api.get<ExplainedTargets[]>(`${pagePath(type, id)}/targets`), enabled);
}

export type TimeEntryRow = Row & { time_spent: number; person: Reference | null; date: string; deleted?: boolean };

export function useTimeEntries(type: RecordType, id: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  return usePart(
    type,
    id,
    "time",
    async () => {
      const fields = "time_spent,person,date,description,deleted,created_at";
      const { rows } = await api.list(`${pagePath(type, id)}/time_entries`, { fields, per_page: "100" });
      return (rows as TimeEntryRow[]).filter((entry) => entry.deleted !== true);
    },
    enabled && "time_entries" in type.lists,
  );
}

/** A list below the record: linked items, watchers. */
export function useSubList(type: RecordType, id: string, name: string, query: Record<string, string>, enabled = true) {
  const { api } = useCurrentAccount();
  return usePart(type, id, name, () => api.list(`${pagePath(type, id)}/${name}`, query), enabled);
}

/** The members of a team, by whom notes are signed and to whom work is given. */
export function useTeamMembers(team: Reference | null, enabled = true) {
  const { account, api } = useCurrentAccount();
  return useQuery({
    queryKey: [account.id, "team members", String(team?.id ?? "")],
    queryFn: async () =>
      (await api.list(`/teams/${team?.id}/members`, { fields: "name,picture_uri", per_page: "100" })).rows as (Row &
        Reference)[],
    enabled: enabled && team !== null,
    staleTime: 300_000,
  });
}

/**
 * What is asked for once the page stands: nothing of it is needed to read the conversation. What is least missed waits
 * longer, so that opening a page is no burst of calls.
 */
export function useSettled(after: "soon" | "late" = "soon"): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    // All parts of a page at the same moment: what they ask for then is one call.
    const due = Math.ceil((performance.now() + (after === "soon" ? 300 : 2200)) / 100) * 100;
    const timer = setTimeout(() => setSettled(true), due - performance.now());
    return () => clearTimeout(timer);
  }, [after]);
  return settled;
}

export function useRefreshRecord(type: RecordType, id: string) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: recordKey(account.id, type, id) });
}
