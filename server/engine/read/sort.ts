import { BadRequest } from "../../base/errors.ts";
import type { Value as SqlValue } from "../../storage/database.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";
import { getKind } from "../kinds/index.ts";
import type { SortKey } from "../kinds/kind.ts";
import type { Clause } from "../sql/clauses.ts";
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
  return { expression: kind.orderExpression?.(column) ?? column, nullable: !isAlwaysSet, sqlType: kind.sqlType };
}

function displaySqlType(target: Type): string {
  const display = target.fields[target.display];
  return display === undefined ? "text" : getKind(display).sqlType;
}

export const buildOrderBy = (order: SortOrder, reversed: boolean): string =>
  order.keys.map((key) => `${key.expression} ${key.descending !== reversed ? "DESC" : "ASC"}`).join(", ");

/** The rows behind a position (or before it, in the reversed order). */
export function buildCursorClause(order: SortOrder, position: readonly (string | null)[], reversed: boolean): Clause {
  const { keys } = order;
  const down = (key: SortKey) => key.descending !== reversed;
  const plain = keys.every((key) => !key.nullable && down(key) === down(keys[0] as SortKey));
  const pattern = position.map((value) => (value === null ? "0" : "1")).join("");
  return {
    key: `${reversed ? "before" : "after"} ${order.key} ${pattern}`,
    sql(_alias, next) {
      const placeholders = keys.map((key, index) => (position[index] === null ? null : `${next()}::${key.sqlType}`));
      if (plain)
        return `(${keys.map((key) => key.expression).join(", ")}) ${down(keys[0] as SortKey) ? "<" : ">"} (${placeholders.join(", ")})`;
      const alternatives: string[] = [];
      keys.forEach((key, index) => {
        const equal = keys
          .slice(0, index)
          .map((earlier, at) =>
            placeholders[at] === null ? `${earlier.expression} IS NULL` : `${earlier.expression} = ${placeholders[at]}`,
          );
        const further = buildKeyComparison(key, placeholders[index] ?? null, down(key));
        if (further !== null) alternatives.push([...equal, further].join(" AND "));
      });
      return `(${alternatives.map((alternative) => `(${alternative})`).join(" OR ")})`;
    },
    values: position.filter((value) => value !== null) as SqlValue[],
  };
}

/** PostgreSQL puts nulls last when ascending and first when descending. */
function buildKeyComparison(key: SortKey, placeholder: string | null, down: boolean): string | null {
  if (placeholder === null) return down ? `${key.expression} IS NOT NULL` : null;
  if (down) return `${key.expression} < ${placeholder}`;
  return key.nullable
    ? `(${key.expression} > ${placeholder} OR ${key.expression} IS NULL)`
    : `${key.expression} > ${placeholder}`;
}
