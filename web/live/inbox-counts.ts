import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { useCurrentAccount } from "../api/current-account.ts";
import { type InboxCounts, liveApi } from "../api/index.ts";
import { setUnread } from "../base/document-title.ts";
import { whenIdle } from "../base/when-idle.ts";
import { onLiveEvent } from "./events.ts";
import { useTopics } from "./use-topics.ts";

// The number of inbox items, for the tabs, the menu and the window title; the number of unread notifications.

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

/** Mounted once per account: loads the counts after the page; the stream then keeps them up to date. */
export function useCountsOfAccount(): void {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  useTopics(["inbox"]);
  useEffect(() => {
    let isCurrent = true;
    replace({ inbox: null, notifications: null });
    const load = () => {
      const api = liveApi(account.id);
      // The inbox response contains them.
      const isInbox = ({ queryKey }: Query) => queryKey[0] === account.id && queryKey[1] === "inbox";
      if (counts.inbox === null && queries.isFetching({ predicate: isInbox }) === 0)
        void api.inboxCounts().then(
          (inbox) => isCurrent && counts.inbox === null && setInboxCounts(inbox),
          () => {}, // the menu shows no number
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
