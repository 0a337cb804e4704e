import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type Api, type InboxItem, type InboxTab, liveApi } from "../../api/index.ts";
import { findEntry } from "../../base/type-index.ts";
import { readAfterWrites } from "../../live/write-queue.ts";
import { listQueries, recordQueries } from "../records.ts";

type ItemKey = Pick<InboxItem, "type" | "id">;

const buildEntry = ({ type }: ItemKey) => ({ name: type, collection: `${findEntry(type)?.collection}` });

export const inboxQueries = {
  /** Prefix of all tabs. No record change invalidates them: the stream has a separate event for the inbox. */
  all: (api: Api) => [api.account, "inbox"] as const,
  tab: (api: Api, tab: InboxTab) =>
    infiniteQueryOptions({
      queryKey: [...inboxQueries.all(api), tab],
      queryFn: ({ pageParam }) => readAfterWrites(() => liveApi(api.account).inbox(tab, pageParam)),
      initialPageParam: "",
      getNextPageParam: (page) => page.next,
      refetchOnMount: "always",
    }),
  /** The next items of the reader's teams. */
  next: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "inbox-next", "my_teams"],
      queryFn: () => liveApi(api.account).inbox("my_teams", ""),
    }),
  /** The same query as on the record's page, which then opens immediately. */
  record: (api: Api, item: ItemKey) => ({
    ...recordQueries.page(api, buildEntry(item), item.id),
    staleTime: 30_000,
  }),
  latestNotes: (api: Api, item: ItemKey) => ({
    ...listQueries.type(api, "note", {
      at: `/${buildEntry(item).collection}/${item.id}/notes`,
      fields: ["id", "text", "internal", "person", "created_at"],
      sort: "-id",
      per_page: "2",
    }),
    staleTime: 30_000,
  }),
};
