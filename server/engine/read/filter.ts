import type { Field } from "../../../records/vocabulary/index.ts";
import { BadRequest } from "../../base/errors.ts";
import type { Value as SqlValue } from "../../database/database.ts";
import { buildLiteralList, quoteIdentifier } from "../../schema/tables/model.ts";
import type { Caller } from "../caller.ts";
import { getKind } from "../kinds/index.ts";
import { Refusal, type Value } from "../kinds/kind.ts";
import { isReference } from "../kinds/reference.ts";
import type { Rules } from "../rules.ts";
import { allOf, anyOf, type Clause, never } from "../sql/clauses.ts";
import type { Type } from "../types.ts";
import type { Parameter } from "./list-query.ts";

// CV12. A parameter is parsed into comparisons, which become SQL.

export type Comparison = { operator: "=" | "<" | "<=" | ">" | ">="; value: string };
export type Filter = {
  field: string;
  negated: boolean;
  blank: boolean;
  list: string[] | null;
  comparisons: Comparison[];
};

/** A value such as `a,b` or `>=a<=b`; `!` negates, at the end of the name or at the start of the value. */
export function parseFilter(parameter: Parameter): Filter {
  let { name, value } = parameter;
  let negated = false;
  if (name.endsWith("!")) [name, negated] = [name.slice(0, -1), true];
  else if (value.startsWith("!")) [value, negated] = [value.slice(1), true];
  const filter: Filter = { field: name, negated, blank: value === "", list: null, comparisons: [] };
  if (value === "") return filter;
  const range = /^(>=|>|<=|<)([^<>]*)(?:(<=|<|>=|>)([^<>]*))?$/.exec(value);
  if (range !== null) {
    filter.comparisons.push({ operator: range[1] as Comparison["operator"], value: range[2] as string });
    if (range[3] !== undefined)
      filter.comparisons.push({ operator: range[3] as Comparison["operator"], value: range[4] as string });
  } else {
    const list = value.split(",");
    if (list.length > 1) filter.list = list;
    else filter.comparisons.push({ operator: "=", value });
  }
  return filter;
}

/** The field that a parameter names: `team`, `team_id` and, for id, `ids`. */
function pickField(type: Type, name: string): string | null {
  if (name === "ids" && "id" in type.fields) return "id";
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  if (field !== undefined && !field.internal && field.access !== "writeonly") return name;
  const base = name.endsWith("_id") ? name.slice(0, -3) : null;
  return base !== null && isReference(type.fields[base]) && !type.fields[base]?.internal ? base : null;
}

/** All filters of a list. Beside a special filter, texts are compared without regard to case. */
export function filterClauses(type: Type, parameters: readonly Parameter[], by: Caller, rules: Rules): Clause[] {
  const isSpecial = ({ name }: Parameter) => type.routes.specialFilters.includes(name.replace(/!$/, ""));
  const special = parameters
    .filter(isSpecial)
    .map(({ name, value }) => (name.endsWith("!") ? { name: name.slice(0, -1), value: `!${value}` } : { name, value }));
  const filters = parameters.filter((parameter) => !isSpecial(parameter)).map(parseFilter);
  const unknown = filters.filter((filter) => pickField(type, filter.field) === null).map((filter) => filter.field);
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${[...new Set(unknown)].join(", ")}`);
  const refused = filters
    .filter((filter) => !type.filterable.includes(pickField(type, filter.field) as string))
    .map((filter) => filter.field);
  if (refused.length > 0) throw new BadRequest(`Filtering not allowed on fields: ${[...new Set(refused)].join(", ")}`);
  return [
    ...special.map(({ name, value }) => rules.forType(type.name).filters?.[name]?.(value, by) ?? never),
    ...filters.map((filter) =>
      filterClause(type, pickField(type, filter.field) as string, filter, by, special.length > 0),
    ),
  ];
}

/** One filter by a field that the type may be filtered by. */
export function filterClause(type: Type, name: string, filter: Filter, by: Caller, foldAll: boolean): Clause {
  const field = type.fields[name] as Field;
  const clause = comparisonClause(type, name, field, filter, by, foldAll);
  if (field.confidential === undefined || field.confidential.roles.some((role) => by.roles.has(role))) return clause;
  // A caller who may not see the value must not find it out by filtering.
  const own = field.confidential.people.map((person): Clause => {
    const column = quoteIdentifier(type.columns.get(person) ?? person);
    return { key: `${column}=me`, sql: (alias, next) => `${alias}.${column} = ${next()}`, values: [by.person] };
  });
  return allOf([clause, own.length === 0 ? never : anyOf(own)]);
}

const lower = (sql: string) => `lower(${sql})`;
const identity = (sql: string) => sql;

function comparisonClause(
  type: Type,
  name: string,
  field: Field,
  filter: Filter,
  by: Caller,
  foldAll: boolean,
): Clause {
  const kind = getKind(field);
  const column = quoteIdentifier(type.columns.get(name) ?? name);
  const columnOf = (alias: string) => `${alias}.${column}`;
  const inverse = filter.negated ? "!" : "";
  const blank = (key: string): Clause => ({
    key: `${inverse}${name} ${key}`,
    sql: (alias) => `${columnOf(alias)} IS ${filter.negated ? "NOT " : ""}NULL`,
    values: [],
  });
  if (filter.blank) return blank("blank");
  const allowed = kind.filter ?? new Set();
  if (kind.isCode && filter.comparisons.every(({ operator }) => operator === "="))
    return codeClause(type, name, filter);
  if (filter.list !== null) {
    if (!allowed.has("set"))
      throw new BadRequest(
        `${kind.setRefusal ?? "Cannot apply the '=' operator to a set of values"} for field '${filter.field}'`,
      );
    const values = filter.list.map((text) => filterValue(field, text, filter, by));
    if (kind.hasFewValues?.(field)) return fewValuesClause(column, values as string[], filter.negated);
    const operator = filter.negated ? "<> ALL" : "= ANY";
    return {
      key: `${inverse}${name} set`,
      sql: (alias, next) =>
        orNull(`${columnOf(alias)} ${operator} (${next()}::${kind.sqlType}[])`, columnOf(alias), filter.negated),
      values: [values as (string | number)[]],
    };
  }
  const folds = (foldAll && kind.foldsCase) || type.caseInsensitive.includes(name);
  const fold = kind.orderExpression ?? (folds ? lower : identity);
  return allOf(
    filter.comparisons.map((comparison): Clause => {
      const { operator } = comparison;
      const isRange = operator !== "=";
      if (isRange && (!allowed.has("range") || filter.negated))
        throw new BadRequest(
          `Field '${filter.field}' does not support the '=${filter.negated ? "!" : ""}${operator}' operator`,
        );
      const value = filterValue(field, comparison.value, filter, by);
      if (isRange && kind.range?.isLimit(value as Value) === false)
        throw new BadRequest(`Invalid value for field '${filter.field}'`);
      if (kind.isBlankFilter?.(value as Value)) return blank("blank value");
      if (kind.hasFewValues?.(field)) return fewValuesClause(column, [value as string], filter.negated);
      return {
        key: `${inverse}${name}${operator}${folds ? "~" : ""}`,
        sql(alias, next) {
          const [left, right] = [fold(columnOf(alias)), fold(`${next()}::${kind.sqlType}`)];
          if (isRange && kind.range !== undefined)
            return `(${kind.range.condition(columnOf(alias))} AND ${left} ${operator} ${right})`;
          return orNull(`${left} ${filter.negated ? "<>" : operator} ${right}`, columnOf(alias), filter.negated);
        },
        values: [value],
      };
    }),
  );
}

/** A row without a value has none of the values, so it passes the negation. */
const orNull = (sql: string, column: string, isNegated: boolean): string =>
  isNegated ? `(${sql} OR ${column} IS NULL)` : sql;

/**
 * How often the values of an enumeration occur differs so much that the best plan for one is bad for another. As part of the text
 * they have a statement of their own, and PostgreSQL keeps its plan (D-739).
 */
function fewValuesClause(column: string, values: readonly string[], isNegated: boolean): Clause {
  const among = `${isNegated ? "NOT IN" : "IN"} ${buildLiteralList([...new Set(values)].toSorted())}`;
  return {
    key: `${column} ${among}${isNegated ? " or null" : ""}`,
    sql: (alias) => orNull(`${alias}.${column} ${among}`, `${alias}.${column}`, isNegated),
    values: [],
  };
}

/** Code fields are filtered by the `reference` that responses show. */
function codeClause(type: Type, name: string, filter: Filter): Clause {
  const target = type.codeFields.find((code) => code.name === name)?.target;
  const column = quoteIdentifier(type.columns.get(name) ?? name);
  const values = filter.list ?? filter.comparisons.map(({ value }) => value);
  if (values.some((value) => value === "" || value.includes("\0")))
    throw new BadRequest(`Invalid value for field '${filter.field}'`);
  return {
    key: `${filter.negated ? "!" : ""}${name} code`,
    sql(alias, next) {
      const ids = `(SELECT c.id FROM ${target?.table} c WHERE c.reference = ANY (${next()}::text[]))`;
      return orNull(
        `${alias}.${column} ${filter.negated ? "NOT IN" : "IN"} ${ids}`,
        `${alias}.${column}`,
        filter.negated,
      );
    },
    values: [values],
  };
}

function filterValue(field: Field, text: string, filter: Filter, by: Caller): SqlValue {
  try {
    if (text === "") throw new Refusal("is not valid");
    const kind = getKind(field);
    const value = (kind.readFilter?.(text) ?? kind.read(text.trim(), field, by)) as SqlValue;
    return field.deprecatedValues?.[String(value)] ?? value;
  } catch (error) {
    if (error instanceof Refusal) throw new BadRequest(`Invalid value for field '${filter.field}'`);
    throw error;
  }
}
