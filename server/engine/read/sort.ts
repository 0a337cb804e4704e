import { BadRequest } from "../../base/errors.ts";
import type { Value as SqlValue } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import { getKind } from "../kinds/index.ts";
import type { SortKey } from "../kinds/kind.ts";
import { allOf, anyOf, type Clause, never } from "../sql/clauses.ts";
import type { Type, Types } from "../types.ts";

// Sorting and paging by key. The last key is always the id, in the direction of the one before it, so that the order is
// total and a cursor names exactly one position.

/** `sharedJoins`: the same joins for rows that are SharedRows of overlays.ts. */
export type SortOrder = {
  key: string;
  keys: readonly SortKey[];
  joins: readonly string[];
  sharedJoins: readonly string[];
};

/** `sortable`: what callers may sort by */
export function parseSort(
  type: Type,
  sort: string | null,
  types: Types,
  sortable: readonly string[] = type.sortable,
): SortOrder {
  const wanted = (sort ?? type.sort)
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (wanted.length === 0 || wanted.length > 20)
    throw new BadRequest("Parameter 'sort' must name one to twenty fields");
  if (sort !== null) {
    const refused = wanted
      .map((part) => part.replace(/^-/, ""))
      .filter((name) => !sortable.includes(name) && !(name.endsWith("_id") && sortable.includes(name.slice(0, -3))));
    if (refused.length > 0) throw new BadRequest(`Sorting not allowed on fields: ${refused.join(", ")}`);
  }
  const [joins, sharedJoins]: [string[], string[]] = [[], []];
  const keys: SortKey[] = [];
  for (const part of wanted) {
    const descending = part.startsWith("-");
    const name = descending ? part.slice(1) : part;
    keys.push({ ...buildSortKey(type, name, { types, joins, account: `a.${type.accountColumn}` }), descending });
    buildSortKey(type, name, { types, joins: sharedJoins, account: "a.home_account_id" });
    if (name === "id") break; // ids are unique, so further keys would change nothing
  }
  const last = keys.at(-1) as SortKey;
  if (last.expression !== "a.id")
    keys.push({ expression: "a.id", descending: last.descending, nullable: false, sqlType: "integer" });
  return { key: wanted.join(","), keys, joins, sharedJoins };
}

function buildSortKey(
  type: Type,
  name: string,
  rows: { types: Types; joins: string[]; account: string },
): Omit<SortKey, "descending"> {
  if (name === "life_cycle") return { expression: "a.life_cycle", nullable: false, sqlType: "text" };
  const field = type.fields[name] ?? type.fields[name.replace(/_id$/, "")];
  if (field === undefined) throw new BadRequest(`Sorting not allowed on fields: ${name}`);
  const fieldName = name in type.fields ? name : name.replace(/_id$/, "");
  const column = `a.${quoteIdentifier(type.columns.get(fieldName) ?? fieldName)}`;
  const kind = getKind(field);
  // `team_id` sorts by the id itself.
  if (kind.sortKey !== undefined && name === fieldName) return kind.sortKey({ field, column, ...rows, displaySqlType });
  const isAlwaysSet =
    field.access === "required" || ["id", "created_at", "updated_at"].includes(name) || kind.isAlwaysSet?.(field);
  const expression = kind.orderExpression?.(column) ?? column;
  return { expression, nullable: !isAlwaysSet, sqlType: kind.sqlType, hasIndex: true };
}

function displaySqlType(target: Type): string {
  const display = target.fields[target.display];
  return display === undefined ? "text" : getKind(display).sqlType;
}

export const buildOrderBy = (order: SortOrder, reversed: boolean): string =>
  order.keys.map((key) => `${key.expression} ${key.descending !== reversed ? "DESC" : "ASC"}`).join(", ");

/**
 * The rows behind a position, or before it in the reversed order. PostgreSQL finds the first of them in an index on the first key, so a
 * page in the depth of a list takes no longer than the first (D-740). Where that takes two alternatives, no row meets both.
 */
export function buildCursorClause(order: SortOrder, position: readonly (string | null)[], reversed: boolean): Clause {
  const keys = order.keys.map((key) => ({ ...key, descending: key.descending !== reversed }));
  return anyOf(listAlternatives(keys, position), true);
}

/** PostgreSQL puts nulls last when ascending and first when descending. */
function listAlternatives(keys: readonly SortKey[], position: readonly (string | null)[]): Clause[] {
  const [key, ...further] = keys as [SortKey, ...SortKey[]];
  const [value, ...furtherPosition] = position as [string | null, ...(string | null)[]];
  const isBehind = further.length === 0 ? never : anyOf(listAlternatives(further, furtherPosition));
  if (value === null) {
    const others = key.descending ? [testNull(key, "IS NOT NULL")] : [];
    return [allOf([testNull(key, "IS NULL"), isBehind]), ...others];
  }
  const isPlain =
    position.every((each) => each !== null) &&
    further.every(({ nullable, descending }) => !nullable && descending === key.descending);
  // An index finds the first row by the bound of the first key; the rest decides about rows with an equal one.
  const main = isPlain
    ? compareKeys(keys, position, key.descending ? "<" : ">")
    : allOf([
        compareKeys([key], [value], key.descending ? "<=" : ">="),
        anyOf([compareKeys([key], [value], key.descending ? "<" : ">"), isBehind]),
      ]);
  return key.nullable && !key.descending ? [main, testNull(key, "IS NULL")] : [main];
}

const testNull = ({ expression }: SortKey, test: "IS NULL" | "IS NOT NULL"): Clause => {
  const sql = `${expression} ${test}`;
  return { key: sql, sql: () => sql, values: [] };
};

/** Of several keys, the first that differs decides. */
function compareKeys(keys: readonly SortKey[], values: readonly (string | null)[], operator: string): Clause {
  const group = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(", ")})`);
  const left = group(keys.map(({ expression }) => expression));
  return {
    key: `${left} ${operator}`,
    sql: (_alias, next) => `${left} ${operator} ${group(keys.map(({ sqlType }) => `${next()}::${sqlType}`))}`,
    values: values as SqlValue[],
  };
}
