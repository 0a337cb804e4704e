import { keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Page, Query, Row } from "../../api.ts";
import { useCurrentAccount } from "../../current-account.ts";
import { readAfterWrites } from "../../live/write-queue.ts";

const perPage = "100";

/** The rows of a list, page by page behind the cursor of the last one. */
export function useRows(type: RecordType, query: Query) {
  const { account, api } = useCurrentAccount();
  const queries = useQueryClient();
  const key = [account.id, "rows", type.collection, query];
  const loaded = useInfiniteQuery({
    queryKey: key,
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
  });
  const pages = loaded.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);

  /** Shows values of a row, also before the server has confirmed them. */
  const show = (id: number, part: Partial<Row>): void =>
    void queries.setQueryData(key, (data: typeof loaded.data) =>
      data === undefined
        ? data
        : {
            ...data,
            pages: data.pages.map(
              (page): Page => ({ ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, ...part } : row)) }),
            ),
          },
    );
  const first = pages?.[0];
  return { ...loaded, rows, total: first?.total ?? 0, isTotalOld: first?.isTotalOld ?? false, show };
}
