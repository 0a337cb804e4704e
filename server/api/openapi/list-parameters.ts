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
    "Number of records per page. Values above 100 are treated as 100.",
  ),
  buildQueryParameter(
    context,
    "page",
    { type: "integer", minimum: 1 },
    "The page number. Pages shift when records are added or removed; use `search_after` to avoid this.",
  ),
  buildQueryParameter(
    context,
    "search_after",
    { type: "string" },
    "A cursor. Returns the records after it. Use the value of `X-Pagination-End-Cursor`, or follow the `next` link.",
  ),
  buildQueryParameter(
    context,
    "search_before",
    { type: "string" },
    "A cursor. Returns the records before it. Use the value of `X-Pagination-Start-Cursor`, or follow the `prev` link.",
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
    description: `Names of the fields to return, comma-separated. By default, lists return ${type.defaultFields.join(", ")}, and single records return all fields. \`id\` and \`nodeID\` are always included.`,
    style: "form",
    explode: false,
    schema: buildNameListSchema([...type.selectable]),
  }));

/** For entries that are no records. */
export const buildEntryFieldsParameter = (entry: EntrySchema): Schema => ({
  name: "fields",
  in: "query",
  description: "Names of the fields to return, comma-separated. Default: all fields. An `id` is always included.",
  style: "form",
  explode: false,
  schema: buildNameListSchema(listEntryFields(entry)),
});

const buildSortParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "sort", () => ({
    description: `Names of the fields to sort by, comma-separated. Prefix a name with \`-\` to reverse its order. References sort by name; use \`<name>_id\` to sort by id. Default: \`${type.sort}\`.`,
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
      "A predefined filter. Same as the path suffix; if both are present, both apply. `predefined_filter` is an alias.",
    schema: { type: "string", enum: Object.keys(type.views) },
  }));

const operatorDescriptions: Record<Operator, string> = {
  equal: "`v`: equal, `!v`: not equal, `!`: any value, empty: no value",
  set: "`a,b`: one of, `!a,b`: none of",
  range: "`<v`, `<=v`, `>v`, `>=v`, `>=a<=b`: comparison or range",
};

const describeValues = (field: Field): string => getKind(field).describe?.filterValues?.(field, withArticle) ?? "";

function buildFilterParameter(context: OpenApiContext, type: Type, name: string): Ref {
  const field = type.fields[name] as Field;
  return context.components.ref("parameters", `${getSchemaName(type)}-filter-${name}`, () => {
    const remarks = [
      `Filter by ${toWords(name)}${describeValues(field) === "" ? "" : ` (${describeValues(field)})`}`,
      ...[...(getKind(field).filter ?? [])].map((operator) => operatorDescriptions[operator]),
    ];
    if (type.caseInsensitive.includes(name)) remarks.push("case-insensitive");
    if (isReference(field)) remarks.push(`\`${name}_id\` is an alias`);
    if (name === "id") remarks.push("`ids` is an alias");
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
    description: `Filter by ${toWords(name)}; comma-separate multiple values.`,
    schema: { type: "string" },
  }));

const buildWordsParameter = (context: OpenApiContext, type: Type): Ref =>
  buildTypeParameter(context, type, "q", () => ({
    description: `Words to search for in ${type.searchable.map((name) => `\`${name}\``).join(", ")}. The last word can be a prefix; \`|\` means OR. A number also finds the record with that id. Combined with all other filters.`,
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
