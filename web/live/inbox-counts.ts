import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { type InboxCounts, liveApi } from "../api/index.ts";
import { setUnread } from "../base/document-title.ts";
import { whenIdle } from "../base/when-idle.ts";
import { onLiveEvent } from "./events.ts";
import { useTopics } from "./use-topics.ts";

// How much is in the inbox, for its tabs, the menu and the title of the window; how many notifications are unread.

type Counts = { inbox: InboxCounts | null; notifications: number | null };

let counts: Counts = { inbox: null, notifications: null };
const listeners = new Set<() => void>();

function replace(next: Partial<Counts>): void {
  counts = { ...counts, ...next };
  setUnread(counts.inbox?.unread ?? 0);
  for (const listener of listeners) listener();
}

export const setInboxCounts = (inbox: InboxCounts): void => replace({ inbox });
export const setUnreadNotifications = (notifications: number): void => replace({ notifications });
onLiveEvent("inbox", ({ counts: inbox }) => setInboxCounts(inbox));
onLiveEvent("notification", ({ unread }) => setUnreadNotifications(unread));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useInboxCounts = (): InboxCounts | null => useSyncExternalStore(subscribe, () => counts.inbox);
export const useUnreadNotifications = (): number | null => useSyncExternalStore(subscribe, () => counts.notifications);

/** Mounted once per account: counts are loaded after the page, then kept up to date by the stream. */
export function useCountsOfAccount(): void {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  useTopics(["inbox"]);
  useEffect(() => {
    let isCurrent = true;
    replace({ inbox: null, notifications: null });
    const load = () => {
      const api = liveApi(account.id);
      // The response of the inbox contains them.
      const isInbox = ({ queryKey }: Query) => queryKey[0] === account.id && queryKey[1] === "inbox";
      if (counts.inbox === null && queries.isFetching({ predicate: isInbox }) === 0)
        void api.inboxCounts().then(
          (inbox) => isCurrent && counts.inbox === null && setInboxCounts(inbox),
          () => {}, // the menu does without a number
        );
      void api.notifications("").then(
        ({ unread }) => isCurrent && setUnreadNotifications(unread),
        () => {},
      );
    };
    whenIdle(load);
    const stop = onLiveEvent("reset", load);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [account.id, queries]);
}
