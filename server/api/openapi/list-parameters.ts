import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Operator } from "../../engine/kinds/kind.ts";
import { isReference } from "../../engine/kinds/reference.ts";
import { isListSearchable } from "../../engine/search/words-filter.ts";
import type { Type } from "../../engine/types.ts";
import { type EntrySchema, listEntryFields } from "../http/entry-fields.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { getSchemaName, toWords, withArticle } from "./names.ts";

// Query parameters of lists and single records. All lists of one type share them.

const buildQueryParameter = (context: OpenApiContext, name: string, schema: Schema, description: string): Ref =>
  context.components.ref("parameters", name, () => ({ name, in: "query", description, schema }));

export const buildPagingParameters = (context: OpenApiContext): Ref[] => [
  buildQueryParameter(
    context,
    "per_page",
    { type: "integer", minimum: 1, default: 20 },
    "Rows per page. More than 100 is taken as 100.",
  ),
  buildQueryParameter(
    context,
    "page",
    { type: "integer", minimum: 1 },
    "Number of the page. Pages shift while rows come and go: walk with `search_after` where that matters.",
  ),
  buildQueryParameter(
    context,
    "search_after",
    { type: "string" },
    "Cursor: the rows behind it. Taken from `X-Pagination-End-Cursor`, or ready made in the `next` link.",
  ),
  buildQueryParameter(
    context,
    "search_before",
    { type: "string" },
    "Cursor: the rows before it. Taken from `X-Pagination-Start-Cursor`, or ready made in the `prev` link.",
  ),
];

const buildNameListSchema = (names: readonly string[]): Schema => ({
  type: "array",
  items: { type: "string", enum: names },
});

const buildTypeParameter = (context: OpenApiContext, type: Type, name: string, build: () => Schema): Ref =>
  context.components.ref("parameters", `${getSchemaName(type)}-${name}`, () => ({ name, in: "query", ...build() }));

export const buildFieldsParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "fields", () => ({
    description: `Names of the fields to answer, comma separated. Lists show ${type.defaultFields.join(", ")} by default, single records everything. \`id\` and \`nodeID\` always come along.`,
    style: "form",
    explode: false,
    schema: buildNameListSchema([...type.selectable]),
  }));

/** For entries that are no records. */
export const buildEntryFieldsParameter = (entry: EntrySchema): Schema => ({
  name: "fields",
  in: "query",
  description: "Names of the fields to answer, comma separated. Everything by default. An `id` always comes along.",
  style: "form",
  explode: false,
  schema: buildNameListSchema(listEntryFields(entry)),
});

const buildSortParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "sort", () => ({
    description: `Names to sort by, comma separated; \`-\` before a name turns its direction. A reference sorts by the name shown, its \`<name>_id\` by id. Default: \`${type.sort}\`.`,
    style: "form",
    explode: false,
    schema: buildNameListSchema(listSortNames(type).flatMap((name) => [name, `-${name}`])),
  }));

function listSortNames(type: Type): string[] {
  return type.sortable.flatMap((name) => (isReference(type.fields[name]) ? [name, `${name}_id`] : [name]));
}

const buildStateParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "state", () => ({
    description:
      "Predefined filter; the same as the path suffix, and combined with it when both are there. `predefined_filter` means the same.",
    schema: { type: "string", enum: Object.keys(type.views) },
  }));

const operatorDescriptions: Record<Operator, string> = {
  equal: "`v` equal, `!v` not equal, `!` any value at all, nothing for none",
  set: "`a,b` one of, `!a,b` none of",
  range: "`<v`, `<=v`, `>v`, `>=v`, `>=a<=b` compared",
};

const describeValues = (field: Field): string => getKind(field).describe?.filterValues?.(field, withArticle) ?? "";

function buildFilterParameter(context: OpenApiContext, type: Type, name: string): Ref {
  const field = type.fields[name] as Field;
  return context.components.ref("parameters", `${getSchemaName(type)}-filter-${name}`, () => {
    const remarks = [
      `Filter by ${toWords(name)}${describeValues(field) === "" ? "" : ` (${describeValues(field)})`}`,
      ...[...(getKind(field).filter ?? [])].map((operator) => operatorDescriptions[operator]),
    ];
    if (type.caseInsensitive.includes(name)) remarks.push("upper and lower case are the same");
    if (isReference(field)) remarks.push(`\`${name}_id\` means the same`);
    if (name === "id") remarks.push("`ids` means the same");
    return {
      name,
      in: "query",
      description: `${remarks.join("; ")}.`,
      allowEmptyValue: true,
      schema: { type: "string" },
    };
  });
}

const buildSpecialFilter = (context: OpenApiContext, type: Type, name: string): Ref =>
  context.components.ref("parameters", `${getSchemaName(type)}-filter-${name}`, () => ({
    name,
    in: "query",
    description: `Filter by ${toWords(name)}, several separated by commas.`,
    schema: { type: "string" },
  }));

const buildWordsParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "q", () => ({
    description: `Words that the record contains, in ${type.searchable.map((name) => `\`${name}\``).join(", ")}; the last word may be the beginning of one, \`|\` means or. A number also finds the record with that id. Combined with all filters.`,
    schema: { type: "string", maxLength: 255 },
  }));

const buildViewParameter = (context: OpenApiContext, type: Type): Ref[] =>
  Object.keys(type.views).length === 0 ? [] : [buildStateParameter(context, type)];

const buildWordsAndFilters = (context: OpenApiContext, type: Type): Ref[] => [
  ...(isListSearchable(type) ? [buildWordsParameter(context, type)] : []),
  ...type.filterable.map((name) => buildFilterParameter(context, type, name)),
  ...type.routes.specialFilters.map((name) => buildSpecialFilter(context, type, name)),
];

/** The query parameters of a list that say which records it has, not how they are shown. */
export const buildFilters = (context: OpenApiContext, type: Type): Ref[] => [
  ...buildViewParameter(context, type),
  ...buildWordsAndFilters(context, type),
];

/** All query parameters of a list. */
export const buildListParameters = (context: OpenApiContext, type: Type): Ref[] => [
  buildFieldsParameter(context, type),
  ...(type.sortable.length === 0 ? [] : [buildSortParameter(context, type)]),
  ...buildViewParameter(context, type),
  ...buildPagingParameters(context),
  ...buildWordsAndFilters(context, type),
];
