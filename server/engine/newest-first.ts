import { BadRequest } from "../base/errors.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { buildPage, type Page } from "./list.ts";
import { decodeCursor } from "./read/cursor.ts";
import type { ListQuery } from "./read/list-query.ts";
import { buildCursorClause, buildOrderBy, type SortOrder } from "./read/sort.ts";
import { allOf, type Clause } from "./sql/clauses.ts";
import { collectValues, value } from "./sql/query.ts";

// Lists of data that the service itself writes and that are not records: emails, deliveries, the security trail. They are
// paged like lists of records, newest first, and cannot be sorted otherwise.

export type NewestFirstList = {
  /** names the statement */
  name: string;
  /** its rows have the alias `a` */
  table: string;
  joins?: string;
  /** the members of an entry, among them `id` */
  columns: string;
  where: Clause;
  /** parameters that filter; a function throws a RangeError for a value that means nothing */
  filters?: Readonly<Record<string, (text: string) => Clause>>;
  /** the values of the column `state`, by which ?state= filters */
  states?: readonly string[];
  /** counting stops there: the total of a longer list is this number */
  mostCounted?: number;
};

const newestFirst: SortOrder = {
  key: "-id",
  keys: [{ expression: "a.id", descending: true, nullable: false, sqlType: "bigint" }],
  joins: [],
  sharedJoins: [],
};

export async function listNewestFirst(
  engine: Engine,
  by: Caller,
  query: ListQuery,
  source: NewestFirstList,
): Promise<Page> {
  const { name, table, joins = "", columns, mostCounted } = source;
  const backwards = query.before !== null;
  const cursor =
    query.after !== null
      ? decodeCursor(query.after, "search_after", newestFirst)
      : query.before !== null
        ? decodeCursor(query.before, "search_before", newestFirst)
        : null;
  const limit = query.perPage + 1;
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;
  const where = allOf([source.where, ...buildFilters(query, source)]);
  const parts = {
    where,
    position: cursor === null ? null : buildCursorClause(newestFirst, cursor.keyValues, backwards),
    offset: offset > 0 ? value(offset) : null,
  };
  const counted = collectValues(`newest ${name}`, { where });
  // Callers change these rows without an audit line. The first page is counted, those behind it may use its total.
  const known = cursor === null ? null : engine.totals.find(counted);
  const startedAt = engine.clock.now();
  const page = engine.statements.prepare(`newest ${name}#${limit}#${known === null}`, parts, (sql) => {
    const reached = sql.position === null ? sql.where : `${sql.where} AND ${sql.position}`;
    const order = buildOrderBy(newestFirst, backwards);
    const range = `LIMIT ${limit}${sql.offset === null ? "" : ` OFFSET ${sql.offset}`}`;
    const counting =
      mostCounted === undefined
        ? `SELECT count(*) FROM ${table} WHERE ${sql.where}`
        : `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${sql.where} LIMIT ${mostCounted}) c`;
    const total = known === null ? `(${counting})` : "NULL";
    return `SELECT x.id::text, t.total, row_to_json(x) FROM (SELECT ${total} AS total) t
LEFT JOIN LATERAL (SELECT ${columns} FROM ${table} ${joins} WHERE ${reached} ORDER BY ${order} ${range}) x ON true
ORDER BY x.id ${backwards ? "ASC" : "DESC"}`;
  });
  const rows = await engine.database.readMany(page.statement, page.values, by);
  const total = Math.min(known?.total ?? Number(rows[0]?.[1] ?? 0), mostCounted ?? Number.POSITIVE_INFINITY);
  if (known === null && engine.totals.isWorthKeeping(total)) engine.totals.remember(counted, total, startedAt);
  const found = rows.filter(([id]) => id !== null);
  const hasMore = found.length > query.perPage;
  if (hasMore) found.pop();
  if (backwards) found.reverse();
  const shape = { write: (row: readonly (string | null)[], at: number) => row[at] as string };
  return buildPage(found, {
    ...{ total, totalAge: known?.age ?? 0, hasMore, backwards, cursor, offset, by, shape },
    ...{ cap: null, perPage: query.perPage, order: newestFirst },
  });
}

function buildFilters(query: ListQuery, { filters = {}, states = [] }: NewestFirstList): Clause[] {
  const unknown = query.filters.filter(({ name }) => !Object.hasOwn(filters, name)).map(({ name }) => name);
  if (unknown.length > 0) throw new BadRequest(`Unknown fields: ${[...new Set(unknown)].join(", ")}`);
  if (query.sort !== null) throw new BadRequest(`Sorting not allowed on fields: ${query.sort.slice(0, 100)}`);
  for (const state of query.views)
    if (!states.includes(state)) throw new BadRequest(`Invalid value for parameter 'state': ${state.slice(0, 100)}`);
  const given = query.filters.map(({ name, value: text }) => {
    try {
      return (filters[name] as (text: string) => Clause)(text);
    } catch (error) {
      if (error instanceof RangeError) throw new BadRequest(`Invalid value for field '${name}'`);
      throw error;
    }
  });
  return [...query.views.map(isInState), ...given];
}

/** Written into the statement: there are few states, and indexes for single ones. */
const isInState = (state: string): Clause => ({
  key: `state ${state}`,
  sql: (alias) => `${alias}.state = '${state}'`,
  values: [],
});

/** A column has this very value. */
export const isEqual = (column: string, wanted: string | number): Clause => ({
  key: `${column}=`,
  sql: (alias, next) => `${alias}.${column} = ${next()}`,
  values: [wanted],
});

/** A filter by an integer column. */
export const byInteger =
  (column: string) =>
  (text: string): Clause => {
    if (!/^\d{1,9}$/.test(text)) throw new RangeError(text);
    return isEqual(column, Number(text));
  };
