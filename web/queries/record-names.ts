import { queryOptions, useQueries } from "@tanstack/react-query";
import type { RecordType } from "../../records/vocabulary/index.ts";
import { useCurrentAccount } from "../api/current-account.ts";
import type { Api } from "../api/index.ts";
import { findType } from "../base/record-types.ts";
import { nameRecord } from "../languages/page-labels.ts";

/** By "<type> <id>", or by "<type> <reference>" for the choices that an account defines. */
export type RecordNames = ReadonlyMap<string, string>;

/** The ids or references of records by their type. */
type WantedRecords = ReadonlyMap<string, ReadonlySet<number | string>>;

/** The type that a change of this name refers to: changes hold references and links as ids. */
export function getTargetType(type: RecordType, name: string): string | undefined {
  const field = type.fields[name];
  if (field?.kind === "reference" || field?.kind === "references" || field?.kind === "code") return field.to;
  return type.links[name]?.to;
}

export const collectIds = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");

/** The keys in a change instead of names: ids of records, or the reference of a choice. */
export const collectKeys = (type: RecordType, name: string, value: unknown): (number | string)[] =>
  type.fields[name]?.kind === "code" && typeof value === "string" ? [value] : collectIds(value);

type ChangedValues = readonly [type: RecordType, name: string, values: readonly unknown[]];

/** The other records that changes mention, except those with known names. */
export function collectMentioned(changed: Iterable<ChangedValues>, known: RecordNames = new Map()): WantedRecords {
  const mentioned = new Map<string, Set<number | string>>();
  for (const [type, name, values] of changed) {
    const target = getTargetType(type, name);
    if (target === undefined) continue;
    for (const key of values.flatMap((value) => collectKeys(type, name, value)))
      if (!known.has(`${target} ${key}`)) mentioned.set(target, (mentioned.get(target) ?? new Set()).add(key));
  }
  return mentioned;
}

/** The fields that form a record's name: an account's choice has a translated name, and some have a group. */
export const listNameFields = (type: RecordType): string[] => [
  type.display,
  ...["localized_group", "localized_name"].filter((name) => type.fields[name] !== undefined),
];

/** "Data center › Server" */
export function readName(type: RecordType, row: Readonly<Record<string, unknown>>): string {
  const { localized_group: group, localized_name: localized } = row;
  const name = localized === undefined || localized === null ? nameRecord(type, row) : String(localized);
  return typeof group === "string" && group !== "" ? `${group} › ${name}` : name;
}

/** The readable name for an id or a reference, even for a deleted record. */
export function nameOfKey(names: RecordNames, target: string, key: number | string): string {
  const type = findType(target);
  return (
    names.get(`${target} ${key}`) ??
    (type === undefined || typeof key === "string" ? `${key}` : nameRecord(type, { id: key }))
  );
}

/** Pairs of a key, as in RecordNames, and a name. */
export async function loadNames(api: Api, type: RecordType, by: "id" | "reference", keys: string) {
  const fields = [...listNameFields(type), ...(by === "id" ? [] : [by])].join();
  const wanted = by === "id" ? { ids: keys } : { [by]: keys };
  const { rows } = await api.list(`/${type.collection}`, { ...wanted, fields, per_page: "100" });
  return rows.map((row): [string, string] => [`${type.name} ${row[by]}`, readName(type, row)]);
}

export const recordNameQueries = {
  names: (api: Api, type: RecordType, by: "id" | "reference", keys: string) =>
    queryOptions({
      queryKey: [api.account, "names", type.name, by, keys],
      queryFn: () => loadNames(api, type, by, keys),
      staleTime: 60_000,
    }),
};

/** Names of records known only by id or reference: one call per type, however many there are. */
export function useRecordNames(wanted: WantedRecords): RecordNames {
  const { api } = useCurrentAccount();
  const queries = [...wanted].flatMap(([name, keys]) => {
    const type = findType(name);
    if (type === undefined) return [];
    return (["id", "reference"] as const).flatMap((by) => {
      const list = [...keys].filter((key) => (typeof key === "number") === (by === "id")).slice(0, 100);
      if (list.length === 0 || !type.filterable.includes(by)) return [];
      return [recordNameQueries.names(api, type, by, list.map(String).toSorted().join(","))];
    });
  });
  return useQueries({ queries, combine: (results) => new Map(results.flatMap(({ data }) => data ?? [])) });
}
