import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem } from "../../api/index.ts";
import { inboxQueries } from "../../queries/workspace/inbox.ts";
import { buildItemKey } from "./inbox-groups.ts";

const delay = 80; // milliseconds: rows that the focus only passes through are not loaded

/** Preloads the peek and the page of the record that may be opened next. */
export function usePrefetch(item: InboxItem | null): void {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const prefetch = useEffectEvent(() => {
    if (item === null) return;
    void queries.prefetchQuery(inboxQueries.record(api, item));
    void queries.prefetchQuery(inboxQueries.latestNotes(api, item));
  });
  const key = item === null ? "" : buildItemKey(item);
  useEffect(() => {
    if (key === "") return;
    const timer = setTimeout(prefetch, delay);
    return () => clearTimeout(timer);
  }, [key]);
}
