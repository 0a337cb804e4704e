import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { exchangeApi, type ImportSummary, type RowState } from "../../api/exchange.ts";
import type { Api } from "../../api/index.ts";
import { cursorPages, toCursor } from "./pages.ts";

const rowsOnPage = 50;

export const exchangeQueries = {
  imports: (api: Api) =>
    infiniteQueryOptions({
      queryKey: [api.account, "imports"],
      queryFn: ({ pageParam }) =>
        exchangeApi(api.account).imports({ dry_run: "false", per_page: "20", search_after: toCursor(pageParam) }),
      ...cursorPages,
      // The page is opened to check an import that has just begun.
      staleTime: 0,
    }),
  import: (api: Api, token: string) =>
    queryOptions({
      queryKey: [api.account, "import", token],
      queryFn: () => exchangeApi(api.account).summary(token),
    }),
  /** A running import gets more rows with every progress. */
  rows: (api: Api, { token, done }: Pick<ImportSummary, "token" | "done">, state: RowState) =>
    infiniteQueryOptions({
      queryKey: [api.account, "import rows", token, state, done],
      queryFn: ({ pageParam }) => exchangeApi(api.account).rows(token, state, pageParam),
      initialPageParam: 0,
      getNextPageParam: (rows) => (rows.length < rowsOnPage ? undefined : rows.at(-1)?.line),
      placeholderData: keepPreviousData,
    }),
  types: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "import types"],
      queryFn: () => exchangeApi(api.account).types(),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  type: (api: Api, type: string) =>
    queryOptions({
      queryKey: [api.account, "import type", type],
      queryFn: () => exchangeApi(api.account).type(type),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  exports: (api: Api) =>
    queryOptions({
      queryKey: [api.account, "exports"],
      queryFn: () => exchangeApi(api.account).exports({ per_page: "20" }),
      staleTime: 0,
    }),
};
