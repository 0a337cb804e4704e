import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Api, type Query, revisionsApi } from "../../api/index.ts";
import { readAfterWrites } from "../../live/write-queue.ts";
import { keptQueries } from "../kept/kept-items.ts";
import { type NamedType, pagePath, recordQueries } from "../records.ts";

type Collection = Pick<NamedType, "collection">;

const perPage = "100";

export const rowQueries = {
  /**
   * Prefix of the lists and calendars of a collection. No record change invalidates them directly: `useLiveRows`
   * reloads them, at a rate that depends on their length.
   */
  all: (api: Api, { collection }: Collection) => [api.account, "rows", collection] as const,
  /** The rows of a list, page by page from the cursor of the last one. */
  pages: (api: Api, type: Collection, query: Query) =>
    infiniteQueryOptions({
      queryKey: [...rowQueries.all(api, type), query],
      queryFn: ({ pageParam }) =>
        readAfterWrites(() =>
          api.list(`/${type.collection}`, {
            ...query,
            per_page: perPage,
            ...(pageParam === "" ? {} : { search_after: pageParam }),
          }),
        ),
      initialPageParam: "",
      getNextPageParam: (page) => page.next,
      placeholderData: keepPreviousData,
    }),
  /** A row's record with its revision. Unlike on the record page, saving a row doesn't wait for earlier writes. */
  record: (api: Api, type: NamedType, id: number) =>
    queryOptions({
      ...recordQueries.page(api, type, id),
      queryFn: () => revisionsApi(api.account).get(pagePath(type, id)),
      staleTime: 10_000,
    }),
};

export type SavedView = {
  name: string;
  collection: string;
  query: string;
  widths?: Record<string, number>;
  /** A team's default view: opened if the address names no view. */
  isDefault?: boolean;
};

export const viewQueries = {
  all: (api: Api) =>
    queryOptions({
      ...keptQueries.items<SavedView>(api.account, "view"),
      staleTime: 30_000,
    }),
};
