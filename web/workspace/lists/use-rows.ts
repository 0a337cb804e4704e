import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RecordType } from "../../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../../api/current-account.ts";
import type { Page, Query, Row } from "../../api/index.ts";
import { rowQueries } from "../../queries/workspace/lists.ts";

/** The rows of a list, page by page. */
export function useRows(type: RecordType, query: Query) {
  const { api } = useCurrentAccount();
  const queries = useQueryClient();
  const wanted = rowQueries.pages(api, type, query);
  const loaded = useInfiniteQuery(wanted);
  const pages = loaded.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);

  /** Shows values of a row, also before the server has confirmed them. */
  const show = (id: number, part: Partial<Row>): void => {
    const change = (page: Page): Page => ({
      ...page,
      rows: page.rows.map((row) => (row.id === id ? { ...row, ...part } : row)),
    });
    queries.setQueryData(wanted.queryKey, (data) =>
      data === undefined ? data : { ...data, pages: data.pages.map(change) },
    );
  };
  const first = pages?.[0];
  return { ...loaded, rows, total: first?.total ?? 0, isTotalOld: first?.isTotalOld ?? false, show };
}
