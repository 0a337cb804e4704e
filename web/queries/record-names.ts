import { useQueries } from "@tanstack/react-query";
import { useCurrentAccount } from "../current-account.ts";
import { findType } from "../record-types.ts";

/** By "<type> <id>". */
export type RecordNames = ReadonlyMap<string, string>;

/** Names of records that are known by id alone: one call per type, however many there are. */
export function useRecordNames(wanted: ReadonlyMap<string, ReadonlySet<number>>): RecordNames {
  const { account, api } = useCurrentAccount();
  const queries = [...wanted].flatMap(([name, ids]) => {
    const type = findType(name);
    if (type === undefined || !type.filterable.includes("id")) return [];
    const list = [...ids]
      .sort((one, other) => one - other)
      .slice(0, 100)
      .join(",");
    return [
      {
        queryKey: [account.id, "names", name, list],
        queryFn: async () => {
          const { rows } = await api.list(`/${type.collection}`, { ids: list, fields: type.display, per_page: "100" });
          return rows.map((row): [string, string] => [`${name} ${row.id}`, String(row[type.display])]);
        },
        staleTime: 60_000,
      },
    ];
  });
  return useQueries({ queries, combine: (results) => new Map(results.flatMap(({ data }) => data ?? [])) });
}
