import type { Condition, Field } from "../../../records/vocabulary/index.ts";
import { getGraphForm, getKind } from "../../engine/kinds/index.ts";
import { isListSearchable } from "../../engine/search/words-filter.ts";
import type { Type } from "../../engine/types.ts";
import { filterPaths, moreViews, orderNames, queryFields } from "./filter-paths.ts";
import { numberedTypes, pickMemberName, pickRecordName, toSingular, viewNames } from "./names.ts";

// The filters, orders and views of a collection, by their names in the graph. Every stored field can be filtered and sorted
// by, also where REST does not offer it (D-381).

/** The field that a filter compares: `steps` lead to the records that have it. `account`: that of a record. */
export type FilterMember = { steps: readonly string[]; field: string };

/** Computes what depends on a type alone once. */
const remember = <V>(build: (type: Type) => V): ((type: Type) => V) => {
  const known = new WeakMap<Type, V>();
  return (type) => {
    let value = known.get(type);
    if (value === undefined) {
      value = build(type);
      known.set(type, value);
    }
    return value;
  };
};

const sortByName = <V>(entries: Iterable<readonly [string, V]>): ReadonlyMap<string, V> =>
  new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

const isStored = (type: Type, name: string, field: Field): boolean =>
  type.columns.has(name) &&
  !field.internal &&
  !field.transient &&
  field.computed === undefined &&
  field.access !== "writeonly";

/** Whole texts are searched, not compared. */
const isText = (field: Field): boolean => isString(field) && getKind(field).isIndexable === false;
const isString = (field: Field): boolean => {
  const form = getGraphForm(field);
  return form.is === "value" && form.scalar === "String";
};

export const pickFilterMembers = remember((type): ReadonlyMap<string, FilterMember> => {
  const members = new Map<string, FilterMember>();
  const add = (name: string, path: string) => {
    const steps = path.split(".");
    if (!members.has(name)) members.set(name, { steps: steps.slice(0, -1), field: steps.at(-1) as string });
  };
  for (const name of type.filterable) if (type.fields[name] !== undefined) add(pickMemberName(type.name, name), name);
  for (const [name, path] of Object.entries(filterPaths[type.name] ?? {})) add(name, path);
  for (const [name, field] of type.fieldEntries)
    if (isStored(type, name, field) && getKind(field).filter !== null && !isText(field))
      add(pickMemberName(type.name, name), name);
  if (numberedTypes.has(type.name)) add(`${pickRecordName(type.name)}Id`, "id");
  for (const link of Object.keys(type.links)) add(toSingular(pickMemberName(type.name, link)), `${link}.id`);
  if (!type.routes.singleton && !type.storage.virtual) add("account", "account");
  return sortByName(members);
});

/** The texts that `query` looks into where the search does not cover the type. */
export const pickQueryFields = remember((type): readonly string[] => {
  if (isListSearchable(type) || type.storage.virtual) return [];
  const declared = queryFields[type.name];
  if (declared !== undefined) return declared;
  const display = type.fields[type.display];
  const isName = display !== undefined && isString(display) && !isText(display) && type.columns.has(type.display);
  return isName ? [type.display] : [];
});

export const isSearchable = (type: Type): boolean => isListSearchable(type) || pickQueryFields(type).length > 0;

/** The field with the custom fields of a type. */
export const pickCustomFields = (type: Type): string | null =>
  type.fieldEntries.find(
    ([, field]) => getGraphForm(field).is === "custom fields" && field.access !== "writeonly",
  )?.[0] ?? null;

/** Values that have an order, and that all readers of the record may see. */
function isSortable(type: Type, name: string, field: Field): boolean {
  const form = getGraphForm(field);
  return (
    isStored(type, name, field) &&
    !isText(field) &&
    field.confidential === undefined &&
    getKind(field).filter !== null &&
    (form.is === "value" || form.is === "choice" || form.is === "id" || form.is === "reference")
  );
}

/** The name in `?sort=` behind each order field. */
export const pickOrderFields = remember((type): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>(Object.entries(orderNames[type.name] ?? {}));
  const add = (name: string) => {
    const base = name in type.fields ? name : name.replace(/_id$/, "");
    const member = pickMemberName(type.name, base);
    const form = getGraphForm(type.fields[base] as Field);
    if (name === "id") fields.set(numberedTypes.has(type.name) ? `${pickRecordName(type.name)}Id` : "id", name);
    else if (name !== base) fields.set(`${member}Id`, name);
    else if (form.is !== "reference") fields.set(member, name);
    else {
      fields.set(`${member}Name`, name);
      if (form.targets.some((target) => numberedTypes.has(target))) fields.set(`${member}Id`, `${name}_id`);
    }
  };
  for (const name of type.sortable) add(name);
  // A journal that is computed sorts by what REST offers alone.
  if (!type.storage.virtual)
    for (const [name, field] of type.fieldEntries) if (isSortable(type, name, field)) add(name);
  if (type.deletion.archivable !== null) fields.set("lifeCycleState", "life_cycle");
  return sortByName(fields);
});

/** The sort keys of a type's orders, for the check of the engine. */
export const pickSortable = remember((type): readonly string[] => [...pickOrderFields(type).values()]);

export type ListView =
  | { is: "all" }
  | { is: "current account" }
  | { is: "life cycle"; state: "archived" | "trashed" }
  | { is: "condition"; condition: Condition };

/** The views of a collection by their names. A declared view keeps its name beside the general ones. */
export const pickViews = remember((type): ReadonlyMap<string, ListView> => {
  const views = new Map<string, ListView>([
    ["all", { is: "all" }],
    ["current_account", { is: "current account" }],
  ]);
  if (type.deletion.archivable !== null) {
    views.set("archive", { is: "life cycle", state: "archived" });
    views.set("trash", { is: "life cycle", state: "trashed" });
  }
  for (const [name, condition] of Object.entries({ ...type.views, ...moreViews[type.name] })) {
    const shown = viewNames[type.name]?.[name] ?? name;
    if (!views.has(shown)) views.set(shown, { is: "condition", condition });
  }
  return views;
});
