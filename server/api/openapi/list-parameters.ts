import type { Field } from "../../../records/vocabulary/index.ts";
import { valuesOf } from "../../engine/kinds/choice.ts";
import { kindOf } from "../../engine/kinds/index.ts";
import type { Operator } from "../../engine/kinds/kind.ts";
import type { Type } from "../../engine/types.ts";
import type { Context, Ref, Schema } from "./components.ts";
import { inSentence, one, schemaName } from "./names.ts";

// The parameters of lists and single records; collections of one type share them under one name.

const plain = (context: Context, name: string, schema: Schema, description: string): Ref =>
  context.components.ref("parameters", name, () => ({ name, in: "query", description, schema }));

export const paging = (context: Context): Ref[] => [
  plain(
    context,
    "per_page",
    { type: "integer", minimum: 1, default: 20 },
    "Rows per page. More than 100 is taken as 100.",
  ),
  plain(
    context,
    "page",
    { type: "integer", minimum: 1 },
    "Number of the page. Pages shift while rows come and go: walk with `search_after` where that matters.",
  ),
  plain(
    context,
    "search_after",
    { type: "string" },
    "Cursor: the rows behind it. Taken from `X-Pagination-End-Cursor`, or ready made in the `next` link.",
  ),
  plain(
    context,
    "search_before",
    { type: "string" },
    "Cursor: the rows before it. Taken from `X-Pagination-Start-Cursor`, or ready made in the `prev` link.",
  ),
];

const list = (names: readonly string[]): Schema => ({ type: "array", items: { type: "string", enum: names } });

const ofType = (context: Context, type: Type, name: string, make: () => Schema): Ref =>
  context.components.ref("parameters", `${schemaName(type)}-${name}`, () => ({ name, in: "query", ...make() }));

export const fieldsParameter = (context: Context, type: Type): Ref =>
  ofType(context, type, "fields", () => ({
    description: `Names of the fields to answer, comma separated. Lists show ${type.defaultFields.join(", ")} by default, single records everything. \`id\` and \`nodeID\` always come along.`,
    style: "form",
    explode: false,
    schema: list([...type.selectable]),
  }));

const sortParameter = (context: Context, type: Type): Ref =>
  ofType(context, type, "sort", () => ({
    description: `Names to sort by, comma separated; \`-\` before a name turns its direction. A reference sorts by the name shown, its \`<name>_id\` by id. Default: \`${type.sort}\`.`,
    style: "form",
    explode: false,
    schema: list(sortNames(type).flatMap((name) => [name, `-${name}`])),
  }));

function sortNames(type: Type): string[] {
  const isReference = (name: string) => type.fields[name]?.kind === "reference";
  return type.sortable.flatMap((name) => (isReference(name) ? [name, `${name}_id`] : [name]));
}

const stateParameter = (context: Context, type: Type): Ref =>
  ofType(context, type, "state", () => ({
    description:
      "Predefined filter; the same as the path suffix, and combined with it when both are there. `predefined_filter` means the same.",
    schema: { type: "string", enum: Object.keys(type.views) },
  }));

const operators: Record<Operator, string> = {
  equal: "`v` equal, `!v` not equal, `!` any value at all, nothing for none",
  set: "`a,b` one of, `!a,b` none of",
  range: "`<v`, `<=v`, `>v`, `>=v`, `>=a<=b` compared",
};

function valueWords(field: Field): string {
  if (field.kind === "reference")
    return `id of ${one(field.to)}${field.or === undefined ? "" : ` or ${one(field.or)}`}`;
  if (field.kind === "code") return `the reference of ${one(field.to)}`;
  if (field.kind === "boolean") return "true or false";
  if (field.kind !== "enum")
    return (
      { datetime: "date and time", localDatetime: "local date and time", timeOfDay: "hh:mm" }[field.kind as string] ??
      ""
    );
  const values = valuesOf(field);
  return values.length > 40 ? `a value of enumeration \`${field.enumeration}\`` : values.join(", ");
}

function filterParameter(context: Context, type: Type, name: string): Ref {
  const field = type.fields[name] as Field;
  return context.components.ref("parameters", `${schemaName(type)}-filter-${name}`, () => {
    const remarks = [
      `Filter by ${inSentence(name)}${valueWords(field) === "" ? "" : ` (${valueWords(field)})`}`,
      ...[...(kindOf(field).filter ?? [])].map((operator) => operators[operator]),
    ];
    if (type.caseInsensitive.includes(name)) remarks.push("upper and lower case are the same");
    if (field.kind === "reference") remarks.push(`\`${name}_id\` means the same`);
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

const specialFilter = (context: Context, type: Type, name: string): Ref =>
  context.components.ref("parameters", `${schemaName(type)}-filter-${name}`, () => ({
    name,
    in: "query",
    description: `Filter by ${inSentence(name)}, several separated by commas.`,
    schema: { type: "string" },
  }));

/** Everything a list of a type understands. */
export const listParameters = (context: Context, type: Type): Ref[] => [
  fieldsParameter(context, type),
  ...(type.sortable.length === 0 ? [] : [sortParameter(context, type)]),
  ...(Object.keys(type.views).length === 0 ? [] : [stateParameter(context, type)]),
  ...paging(context),
  ...type.filterable.map((name) => filterParameter(context, type, name)),
  ...type.specialFilters.map((name) => specialFilter(context, type, name)),
];
