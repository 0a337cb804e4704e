import { queryOptions, useQueries } from "@tanstack/react-query";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api } from "../api/index.ts";
import { findType } from "../base/record-types.ts";

/** By "<type> <id>". */
export type RecordNames = ReadonlyMap<string, string>;

export const recordNameQueries = {
  names: (api: Api, type: Pick<RecordType, "name" | "collection" | "display">, ids: string) =>
    queryOptions({
      queryKey: [api.account, "names", type.name, ids],
      queryFn: async () => {
        const { rows } = await api.list(`/${type.collection}`, { ids, fields: type.display, per_page: "100" });
        return rows.map((row): [string, string] => [`${type.name} ${row.id}`, String(row[type.display])]);
      },
      staleTime: 60_000,
    }),
};

/** Names of records that are known by id alone: one call per type, however many there are. */
export function useRecordNames(wanted: ReadonlyMap<string, ReadonlySet<number>>): RecordNames {
  const { api } = useCurrentAccount();
  const queries = [...wanted].flatMap(([name, ids]) => {
    const type = findType(name);
    if (type === undefined || !type.filterable.includes("id")) return [];
    const list = [...ids]
      .sort((one, other) => one - other)
      .slice(0, 100)
      .join(",");
    return [recordNameQueries.names(api, type, list)];
  });
  return useQueries({ queries, combine: (results) => new Map(results.flatMap(({ data }) => data ?? [])) });
}
