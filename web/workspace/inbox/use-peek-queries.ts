import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type InboxItem, revisionsApi } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { readAfterWrites } from "../../live/write-queue.ts";
import { recordPageKey } from "../../queries/index.ts";
import { findEntry } from "../../type-index.ts";

const recordPath = ({ type, id }: InboxItem): string => `/${findEntry(type)?.collection}/${id}`;
const notesQuery = { per_page: "2", sort: "-id", fields: "id,text,internal,person,created_at" };

/** What a peek shows, also wanted before it is opened. */
export function usePeekQueries(item: InboxItem) {
  const { account, api } = useCurrentAccount();
  const path = recordPath(item);
  return {
    record: {
      // The same as on the record's page, which then opens at once.
      queryKey: recordPageKey(account.id, item.type, item.id),
      queryFn: () => readAfterWrites(() => revisionsApi(account.id).get(path)),
      staleTime: 30_000,
    },
    notes: {
      queryKey: [account.id, "list", `${path}/notes`, notesQuery],
      queryFn: () => api.list(`${path}/notes`, notesQuery),
      staleTime: 30_000,
    },
  };
}

/** Loads the record that may be opened next. */
export function usePrefetch(item: InboxItem | null): void {
  const queries = useQueryClient();
  const wanted = usePeekQueries(item ?? ({ type: "request", id: 0 } as InboxItem));
  const key = item === null ? "" : recordPath(item);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which record it is
  useEffect(() => {
    if (key === "") return;
    const timer = setTimeout(() => {
      void queries.prefetchQuery(wanted.record);
      void queries.prefetchQuery(wanted.notes);
    }, 80);
    return () => clearTimeout(timer);
  }, [key]);
}
