import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { InboxItem, InboxPage, InboxTab } from "../../api/index.ts";
import { setInboxCounts } from "../../live/inbox-counts.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { inboxQueries } from "../../queries/workspace/inbox.ts";
import { buildItemKey } from "./inbox-groups.ts";

type Pages = InfiniteData<InboxPage, string>;

/**
 * The values that rows show while their changes are being sent. A list requested before a change can arrive after it;
 * without a connection no later one would correct it.
 */
const changesOnTheWay = new Map<string, Partial<InboxItem>[]>();
const showChanges = (item: InboxItem): InboxItem => {
  const changes = changesOnTheWay.get(buildItemKey(item));
  return changes === undefined ? item : Object.assign({}, item, ...changes);
};

/** The rows of a tab, kept up to date by the stream. */
export function useInbox(tab: InboxTab) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const query = useInfiniteQuery(inboxQueries.tab(api, tab));
  const counts = query.data?.pages[0]?.counts;
  useEffect(() => {
    if (counts !== undefined) setInboxCounts(counts);
  }, [counts]);
  useLiveEvent("inbox", () => void queries.invalidateQueries({ queryKey: inboxQueries.all(api) }));
  const items = query.data?.pages.flatMap((page) => page.items).map(showChanges) ?? [];
  return { ...query, items };
}

type ItemKey = Pick<InboxItem, "type" | "id">;

/** Changes rows in all tabs before the server has responded. */
export function useItemPatches() {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const queryKey = inboxQueries.all(api);
  const patch = (item: ItemKey, change: (was: InboxItem) => InboxItem): void => {
    queries.setQueriesData<Pages>({ queryKey }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((each) => (buildItemKey(each) === buildItemKey(item) ? change(each) : each)),
            })),
          },
    );
  };
  /** Shows a change; returns a function to call with the row once the server has responded. */
  const showChange = (item: ItemKey, shown: Partial<InboxItem>) => {
    const key = buildItemKey(item);
    changesOnTheWay.set(key, [...(changesOnTheWay.get(key) ?? []), shown]);
    patch(item, (was) => ({ ...was, ...shown }));
    return (settled: (was: InboxItem) => InboxItem): void => {
      const others = (changesOnTheWay.get(key) ?? []).filter((each) => each !== shown);
      if (others.length > 0) changesOnTheWay.set(key, others);
      else changesOnTheWay.delete(key);
      patch(item, settled);
      // A list that is being fetched may be older than the change.
      if (queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey });
    };
  };
  return { patch, showChange };
}
