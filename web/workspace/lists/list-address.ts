import type { RecordType } from "../../../records/vocabulary/index.ts";
import type { Query } from "../../api/index.ts";
import { defaultColumns } from "./grid/columns.ts";
import { type Layout, parseLayout } from "./layouts/layouts.ts";

// The address of a list contains the parameters of the API call, under the same names, and in addition `view` (the
// opened saved view), `group`, and `layout` with the `month` and the date field of a calendar.

export type Search = Readonly<Record<string, string | undefined>>;
export type SortKey = { name: string; descending: boolean };

export type ListAddress = {
  /** the key of a saved view */
  view: string | undefined;
  /** a predefined filter of the API */
  state: string | undefined;
  /** search words */
  q: string | undefined;
  /** in the API's own syntax, by field */
  filters: Readonly<Record<string, string>>;
  sort: readonly SortKey[];
  columns: readonly string[];
  group: string | undefined;
  layout: Layout;
};

export const parseSort = (text: string): SortKey[] =>
  text
    .split(",")
    .filter((part) => part !== "")
    .map((part) => ({ name: part.replace(/^-/, ""), descending: part.startsWith("-") }));
export const writeSort = (keys: readonly SortKey[]): string =>
  keys.map(({ name, descending }) => `${descending ? "-" : ""}${name}`).join(",");

const isColumn = (type: RecordType, name: string): boolean => {
  const field = type.fields[name];
  return field !== undefined && !field.internal && field.access !== "writeonly" && !field.transient;
};

/** The fields that can be columns, in the order of the declaration. */
export const listColumns = (type: RecordType): string[] =>
  Object.keys(type.fields).filter((name) => isColumn(type, name) && type.fields[name]?.selectable !== false);

export function parseAddress(type: RecordType, search: Search): ListAddress {
  const filters: Record<string, string> = {};
  for (const name of [...type.filterable, ...type.routes.specialFilters])
    if (search[name] !== undefined) filters[name] = search[name];
  const columns = search.fields?.split(",").filter((name) => isColumn(type, name)) ?? [];
  const group = search.group !== undefined && canGroupBy(type, search.group) ? search.group : undefined;
  return {
    view: search.view,
    state: search.state !== undefined && search.state in type.views ? search.state : undefined,
    q: isSearchable(type) ? search.q : undefined,
    filters,
    sort: parseSort(search.sort ?? type.sort).filter(({ name }) => type.sortable.includes(name.replace(/_id$/, ""))),
    columns: columns.length > 0 ? columns : defaultColumns(type),
    group,
    layout: parseLayout(type, search.layout),
  };
}

export const isSearchable = (type: RecordType): boolean => type.searchable.length > 0 && type.ownedBy.length === 0;

const groupKinds = ["enum", "reference", "boolean"];
export const canGroupBy = (type: RecordType, name: string): boolean =>
  type.sortable.includes(name) && groupKinds.includes(type.fields[name]?.kind ?? "");

/** The filters of the API call: the content of a list, and the scope of a bulk change of all. */
export const buildFilterQuery = ({ state, q, filters }: ListAddress): Query => ({ state, q, ...filters });

/** The parameters of the API call; sorted by group first. */
export function buildListQuery(type: RecordType, address: ListAddress, needed: readonly string[]): Query {
  const { group, sort, columns } = address;
  const own = sort.find(({ name }) => name === group);
  const keys =
    group === undefined
      ? sort
      : [own ?? { name: group, descending: false }, ...sort.filter(({ name }) => name !== group)];
  const fields = new Set([...columns, ...needed, ...(group === undefined ? [] : [group])]);
  return {
    ...buildFilterQuery(address),
    fields: [...fields].filter((name) => isColumn(type, name)).join(","),
    ...(keys.length === 0 ? {} : { sort: writeSort(keys) }),
  };
}

/** The part of an address that a saved view stores. */
export function writeViewQuery(search: Search): string {
  const { view: _, new: __, peek: ___, ...rest } = search;
  const entries = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(entries.sort(([one], [other]) => one.localeCompare(other))).toString();
}

/** The list's API call as a shell command. */
export function writeApiCall(account: string, type: RecordType, query: Query): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const address = `${location.origin}/v1/${type.collection}?${new URLSearchParams([...entries, ["per_page", "100"]])}`;
  return `curl -H "Authorization: Bearer $TOKEN" -H "account: ${account}" "${address}"`;
}
