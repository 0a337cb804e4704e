import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { explainedTargets } from "../../records/answers/targets.ts";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api, Row } from "../api/index.ts";
import { type NamedType, pagePath, recordQueries } from "./records.ts";
import type { Reference } from "./reference.ts";

// The queries of a record page. All keys begin with those of the record: a change of the record reloads all of them.

export { pagePath };

/** The key of `recordQueries.all`. */
export const recordKey = (account: string, type: Pick<NamedType, "name">, id: string | number) =>
  recordQueries.all({ account }, type.name, id);

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

/** GET /requests/:id/targets */
export type ExplainedTargets = AnswerOf<typeof explainedTargets>;

export function usePageRecord(type: RecordType, id: string) {
  const { api } = useCurrentAccount();
  return useQuery(recordQueries.page(api, type, id));
}

function usePart<T>(type: RecordType, id: string, name: string, load: () => Promise<T>, enabled = true) {
  const { api } = useCurrentAccount();
  return useQuery({ ...recordQueries.part(api, type.name, id, name, load), enabled });
}

/** The newest hundred; older ones are on the pages before. */
export function useNotes(type: RecordType, id: string) {
  const { api } = useCurrentAccount();
  return usePart(type, id, "notes", async () => {
    const page = await api.list<NoteRow>(`${pagePath(type, id)}/notes`, { sort: "-id", per_page: "100" });
    return { notes: page.rows.reverse(), total: page.total, isTotalOld: page.isTotalOld };
  });
}

export function usePageAudit(type: RecordType, id: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  return usePart(
    type,
    id,
    "audit",
    async () => (await api.list<AuditRow>(`${pagePath(type, id)}/audit`, { per_page: "100" })).rows.reverse(),
    enabled,
  );
}

export function useTargets(type: RecordType, id: string, enabled: boolean) {
  const { api } = useCurrentAccount();
  return usePart(type, id, "targets", () => api.call("GET /requests/:id/targets", { id }), enabled);
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
      const { rows } = await api.list<TimeEntryRow>(`${pagePath(type, id)}/time_entries`, { fields, per_page: "100" });
      return rows.filter((entry) => entry.deleted !== true);
    },
    enabled && "time_entries" in type.lists,
  );
}

/** A list below the record: linked items, watchers. */
export function useSubList(type: RecordType, id: string, name: string, query: Record<string, string>, enabled = true) {
  const { api } = useCurrentAccount();
  return usePart(type, id, name, () => api.list(`${pagePath(type, id)}/${name}`, query), enabled);
}

export const teamQueries = {
  members: (api: Api, team: number | string) =>
    queryOptions({
      queryKey: [api.account, "team members", String(team)],
      queryFn: async () =>
        (await api.list<Row & Reference>(`/teams/${team}/members`, { fields: "name,picture_uri", per_page: "100" }))
          .rows,
      staleTime: 300_000,
    }),
};

/** The members of a team, who sign notes and can be assigned work. */
export function useTeamMembers(team: Reference | null, enabled = true) {
  const { api } = useCurrentAccount();
  return useQuery({ ...teamQueries.members(api, team?.id ?? ""), enabled: enabled && team !== null });
}

/**
 * Delays low-priority queries until the page has rendered: none of them is needed to read the conversation. The least
 * important ones wait longer, so that opening a page doesn't cause a burst of calls.
 */
export function useSettled(after: "soon" | "late" = "soon"): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    // All parts of a page in the same moment, so that their reads are combined into one call.
    const due = Math.ceil((performance.now() + (after === "soon" ? 300 : 2200)) / 100) * 100;
    const timer = setTimeout(() => setSettled(true), due - performance.now());
    return () => clearTimeout(timer);
  }, [after]);
  return settled;
}

export function useRefreshRecord(type: RecordType, id: string) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  return (): Promise<void> => queries.invalidateQueries({ queryKey: recordQueries.all(api, type.name, id) });
}
