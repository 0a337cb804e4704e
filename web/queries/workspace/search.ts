import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/index.ts";
import type { SearchResult } from "../../api/search.ts";
import { findType } from "../../base/record-types.ts";

// Search results aren't reloaded when a record changes: rows would move under the reader's pointer.

export type SearchCursor = { search_after?: string | undefined; search_before?: string | undefined };

/** By "<type> <id>". */
export type Statuses = ReadonlyMap<string, string>;

/**
 * `wanted`: "request 7,task 8". Search results don't contain the status of records: it takes one call for each type.
 */
async function loadStatuses(api: Api, wanted: string): Promise<Statuses> {
  const byType = Map.groupBy(wanted.split(","), (each) => each.split(" ")[0] ?? "");
  const lists = await Promise.all(
    [...byType].map(async ([name, members]) => {
      const type = findType(name);
      if (type === undefined || !("status" in type.fields) || !type.filterable.includes("id")) return [];
      const id = members.map((each) => each.split(" ")[1]).join();
      // Records that the reader can't list have no status here.
      const { rows } = await api.list(`/${type.collection}`, { id, fields: "status" }).catch(() => ({ rows: [] }));
      return rows.map((row): [string, string] => [`${name} ${row.id}`, String(row.status)]);
    }),
  );
  return new Map(lists.flat());
}

export const searchQueries = {
  page: (api: Api, text: string, { search_after, search_before }: SearchCursor) =>
    queryOptions({
      queryKey: [api.account, "search", text, search_after, search_before],
      queryFn: () => api.list<SearchResult>("/search", { q: text, search_after, search_before }),
      enabled: text !== "",
      placeholderData: keepPreviousData,
    }),
  /** The first results while the reader types. */
  palette: (api: Api, words: string, types: string | undefined) =>
    queryOptions({
      queryKey: [api.account, "palette", words, types],
      queryFn: () => api.list<SearchResult>("/search", { q: words, per_page: "8", types: types?.replaceAll("_", "-") }),
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    }),
  statuses: (api: Api, wanted: string) =>
    queryOptions({
      queryKey: [api.account, "palette statuses", wanted],
      queryFn: () => loadStatuses(api, wanted),
      enabled: wanted !== "",
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    }),
};
