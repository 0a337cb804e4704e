import { queryOptions, useQueries } from "@tanstack/react-query";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api } from "../api/index.ts";
import { findType } from "../base/record-types.ts";

/** By "<type> <id>". */
export type RecordNames = ReadonlyMap<string, string>;

/** The ids of records by their type. */
type WantedRecords = ReadonlyMap<string, ReadonlySet<number>>;

/** The type that a change of this name refers to: changes hold references and links as ids. */
export function getTargetType(type: RecordType, name: string): string | undefined {
  const field = type.fields[name];
  if (field?.kind === "reference" || field?.kind === "references" || field?.kind === "code") return field.to;
  return type.links[name]?.to;
}

export const collectIds = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");

type ChangedValues = readonly [type: RecordType, name: string, values: readonly unknown[]];

/** The other records that changes mention, except those whose names are known. */
export function collectMentioned(changed: Iterable<ChangedValues>, known: RecordNames = new Map()): WantedRecords {
  const mentioned = new Map<string, Set<number>>();
  for (const [type, name, values] of changed) {
    const target = getTargetType(type, name);
    if (target === undefined) continue;
    for (const id of values.flatMap(collectIds))
      if (!known.has(`${target} ${id}`)) mentioned.set(target, (mentioned.get(target) ?? new Set()).add(id));
  }
  return mentioned;
}

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
export function useRecordNames(wanted: WantedRecords): RecordNames {
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
