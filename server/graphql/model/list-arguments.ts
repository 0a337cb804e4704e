import type { Field } from "../../../records/vocabulary/index.ts";
import { getGraphForm } from "../../engine/kinds/index.ts";
import { isListSearchable } from "../../engine/search/words-filter.ts";
import type { Type } from "../../engine/types.ts";
import { numberedTypes, pickMemberName, pickRecordName, viewNames } from "./names.ts";

// The filters, orders and views of a collection, by their names in the graph.

/** The field of the declaration behind each member of a filter. */
export function pickFilterMembers(type: Type): ReadonlyMap<string, string> {
  return new Map(
    type.filterable
      .filter((name) => type.fields[name] !== undefined)
      .map((name) => [pickMemberName(type.name, name), name] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export const isSearchable = (type: Type): boolean => isListSearchable(type);

/** The field with the custom fields of a type. */
export const pickCustomFields = (type: Type): string | null =>
  type.fieldEntries.find(
    ([, field]) => getGraphForm(field).is === "custom fields" && field.access !== "writeonly",
  )?.[0] ?? null;

const isReferenceLike = (field: Field | undefined): boolean =>
  field !== undefined && getGraphForm(field).is === "reference";

/** The name in `?sort=` behind each order field. */
export function pickOrderFields(type: Type): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const name of type.sortable) {
    if (name === "id") fields.set(numberedTypes.has(type.name) ? `${pickRecordName(type.name)}Id` : "id", name);
    else {
      const base = name in type.fields ? name : name.replace(/_id$/, "");
      const member = pickMemberName(type.name, base);
      fields.set(isReferenceLike(type.fields[name]) ? `${member}Name` : name === base ? member : `${member}Id`, name);
    }
  }
  return new Map([...fields].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export type ListView =
  | { is: "all" }
  | { is: "current account" }
  | { is: "life cycle"; state: "archived" | "trashed" }
  | { is: "view"; name: string };

/** The views of a collection by their names. A declared view keeps its name beside the general ones. */
export function pickViews(type: Type): ReadonlyMap<string, ListView> {
  const views = new Map<string, ListView>([
    ["all", { is: "all" }],
    ["current_account", { is: "current account" }],
  ]);
  if (type.deletion.archivable !== null) {
    views.set("archive", { is: "life cycle", state: "archived" });
    views.set("trash", { is: "life cycle", state: "trashed" });
  }
  for (const name of Object.keys(type.views)) {
    const shown = viewNames[type.name]?.[name] ?? name;
    if (!views.has(shown)) views.set(shown, { is: "view", name });
  }
  return views;
}
