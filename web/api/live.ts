import type { InboxPage, InboxTab } from "../../records/answers/inbox.ts";
import { buildPath, openEvents, readJson } from "./call.ts";
import { recordsApi } from "./records.ts";
import { callRest } from "./rest.ts";
import { callSessionApi } from "./session.ts";

export type { InboxCounts, InboxItem, InboxPage, InboxTab } from "../../records/answers/inbox.ts";
export type { NotificationPage, PageNotification } from "../../records/answers/notifications.ts";

/** A person's work in an account (inbox, notifications, drafts), and the stream of changes and presence. */
export const liveApi = (account: string) => {
  const at = `/accounts/${encodeURIComponent(account)}`;
  const { call } = recordsApi(account);
  return {
    /** Server-sent events; `lastEventId` resumes where another tab stopped. */
    openStream: (topics: readonly string[], lastEventId: string): EventSource =>
      openEvents(
        buildPath(`/session-api${at}/stream`, { topics: topics.join(), last_event_id: lastEventId || undefined }),
      ),
    /** A separate call: batched reads arrive with the slowest of them, which would often be this one. */
    inbox: (tab: InboxTab, after: string) =>
      readJson<InboxPage>(
        callRest(account, { method: "GET", path: buildPath("/inbox", { tab, after: after || undefined }) }),
      ),
    inboxCounts: async () => (await call("GET /inbox", { per_page: 1 })).counts,
    reportPresence: (type: string, id: number, doing: "viewing" | "writing" | "gone") =>
      callSessionApi("POST", `${at}/presence`, { type, id, doing }, doing === "gone"),
    markSeen: (type: string, id: number) => call("POST /inbox/seen", {}, { type, id }),
    notifications: (after: string) => call("GET /notifications", { after: after || undefined }),
    markNotificationsRead: (ids?: readonly number[]) =>
      call("POST /notifications/read", {}, ids === undefined ? {} : { ids }),
    setMuted: (type: string, id: number, muted: boolean) =>
      call("PUT /notifications/muted/:type/:id", { type, id }, { muted }),
    /** `isLeaving`: the page is being closed, and the call continues without it. */
    keepDraft: (key: string, value: unknown, isLeaving = false) =>
      callRest(account, {
        ...{ method: "PUT", path: `/kept_items/draft/${encodeURIComponent(key)}`, body: { value } },
        keepalive: isLeaving,
      }),
    removeDraft: (key: string) => call("DELETE /kept_items/:kind/:key", { kind: "draft", key }),
  };
};

const seenBroadcasts = new Set<string>();

/** Reports that a banner was shown, once per page and text. Errors are ignored. */
export function markBroadcastSeen(account: string, { id, updated_at }: { id: number; updated_at: string }): void {
  const key = `${account} ${id} ${updated_at}`;
  if (seenBroadcasts.has(key)) return;
  seenBroadcasts.add(key);
  liveApi(account)
    .markSeen("broadcast", id)
    .catch(() => {});
}
