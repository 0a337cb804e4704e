import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type InboxItem, type InboxPage, type InboxTab, liveApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { setInboxCounts } from "../../live/inbox-counts.ts";
import { useLiveEvent } from "../../live/use-topics.ts";
import { readAfterWrites } from "../../live/write-queue.ts";
import { keyOf } from "./inbox-groups.ts";

type Pages = InfiniteData<InboxPage, string>;

/** The rows of a tab, kept up to date by the stream. */
export function useInbox(tab: InboxTab) {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [account.id, "inbox", tab],
    queryFn: ({ pageParam }) => readAfterWrites(() => liveApi(account.id).inbox(tab, pageParam)),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchOnMount: "always",
  });
  const counts = query.data?.pages[0]?.counts;
  useEffect(() => {
    if (counts !== undefined) setInboxCounts(counts);
  }, [counts]);
  useLiveEvent("inbox", () => void queries.invalidateQueries({ queryKey: [account.id, "inbox"] }));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { ...query, items };
}

/** Changes rows in all tabs before the server has answered. */
export function usePatchItems() {
  const { account } = useCurrentAccount();
  const queries = useQueryClient();
  return (item: Pick<InboxItem, "type" | "id">, change: (was: InboxItem) => InboxItem): void => {
    queries.setQueriesData<Pages>({ queryKey: [account.id, "inbox"] }, (data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((each) => (keyOf(each) === keyOf(item) ? change(each) : each)),
            })),
          },
    );
  };
}
