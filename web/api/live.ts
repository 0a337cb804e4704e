import { buildPath, openEvents, type Row, readJson } from "./call.ts";
import type { PortalBroadcast, PortalForm, PortalRequest } from "./portal-types.ts";
import { callSessionApi } from "./session.ts";

/** One row of the inbox. */
export type InboxItem = {
  type: "request" | "task" | "problem" | "project_task";
  id: number;
  subject: string;
  category: string | null;
  status: string;
  impact: string | null;
  urgent: boolean;
  next_target_at: string | null;
  kind_of_target: "response" | "resolution" | "desired" | "completion" | "analysis" | null;
  team: { id: number; name: string } | null;
  member: { id: number; name: string } | null;
  requested_for: { id: number; name: string } | null;
  service_instance: { id: number; name: string } | null;
  major_incident_status: string | null;
  notes: number;
  unread: boolean;
  revision: number;
};
export type InboxTab = "mine" | "my_teams" | "unassigned" | "approvals" | "watching";
export type InboxCounts = Readonly<Record<InboxTab | "unread", number>>;
export type InboxPage = { counts: InboxCounts; items: InboxItem[]; next: string | null };

export type PageNotification = {
  id: number;
  kind: "mention" | "assignment" | "approval" | "answer" | "target" | "team" | "watched" | "halted";
  type: string;
  record: { id: number; name: string };
  note_id: number | null;
  by: { id: number; name: string } | null;
  created_at: string;
  read_at: string | null;
  muted: boolean;
};
export type NotificationPage = { unread: number; items: PageNotification[]; next: string | null };

/** What the session interface offers for live work in an account. */
export const liveApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  return {
    /** Server-sent events; `lastEventId` resumes where another tab ended. */
    openStream: (topics: readonly string[], lastEventId: string): EventSource =>
      openEvents(
        buildPath(`/session-api${at}/stream`, {
          topics: topics.join(),
          last_event_id: lastEventId === "" ? undefined : lastEventId,
        }),
      ),
    inbox: (tab: InboxTab, after: string) =>
      readJson<InboxPage>(
        callSessionApi("GET", buildPath(`${at}/inbox`, { tab, after: after === "" ? undefined : after })),
      ),
    inboxCounts: async (): Promise<InboxCounts> =>
      (await readJson<InboxPage>(callSessionApi("GET", `${at}/inbox?per_page=1`))).counts,
    reportPresence: (type: string, id: number, doing: "viewing" | "writing" | "gone") =>
      callSessionApi("POST", `${at}/presence`, { type, id, doing }, doing === "gone"),
    markSeen: (type: string, id: number) => callSessionApi("POST", `${at}/seen`, { type, id }),
    notifications: (after: string) =>
      readJson<NotificationPage>(
        callSessionApi("GET", buildPath(`${at}/notifications`, { after: after === "" ? undefined : after })),
      ),
    markNotificationsRead: (ids?: readonly number[]) =>
      readJson<{ unread: number }>(
        callSessionApi("POST", `${at}/notifications/read`, ids === undefined ? {} : { ids }),
      ),
    setMuted: (type: string, id: number, muted: boolean) =>
      callSessionApi("PUT", `${at}/muted/${type}/${id}`, { muted }),
    /** `isLeaving`: the page is being closed, and the call goes on without it. */
    keepDraft: (key: string, value: unknown, isLeaving = false) =>
      callSessionApi("PUT", `${at}/kept/draft/${encodeURIComponent(key)}`, value, isLeaving),
    removeDraft: (key: string) => callSessionApi("DELETE", `${at}/kept/draft/${encodeURIComponent(key)}`),
  };
};

export type Suggestions = Record<"services" | "templates" | "articles", readonly Row[]> & {
  similar: readonly PortalRequest[];
};

/** What the beginning of a new request suggests. */
export const loadSuggestions = (account: string, text: string, person: number | null): Promise<Suggestions> =>
  readJson<Suggestions>(
    callSessionApi(
      "GET",
      buildPath(`/accounts/${encodeURIComponent(account)}/suggestions`, {
        text,
        for: person === null ? undefined : String(person),
      }),
    ),
  );

/** The form of a request template, as requesters see it. */
export const loadTemplateForm = (account: string, template: string): Promise<PortalForm> =>
  readJson<PortalForm>(
    callSessionApi("GET", `/accounts/${encodeURIComponent(account)}/portal/forms/${encodeURIComponent(template)}`),
  );

/** What everybody of the account is told at the moment. */
export const loadBroadcasts = (account: string): Promise<PortalBroadcast[]> =>
  readJson<PortalBroadcast[]>(callSessionApi("GET", `/accounts/${encodeURIComponent(account)}/portal/broadcasts`));

const seenBroadcasts = new Set<string>();

/** A banner is before the eyes of the person. It is told once per page and text; that it could not be told is no matter. */
export function markBroadcastSeen(account: string, { id, updated_at }: { id: number; updated_at: string }): void {
  const key = `${account} ${id} ${updated_at}`;
  if (seenBroadcasts.has(key)) return;
  seenBroadcasts.add(key);
  liveApi(account)
    .markSeen("broadcast", id)
    .catch(() => {});
}
