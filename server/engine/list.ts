import { BadRequest, Forbidden } from "../base/errors.ts";
import type { Row } from "../storage/database.ts";
import { buildReadClause, hasAnyGrant } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { buildSharedRows, pickRows } from "./overlays.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./read/cursor.ts";
import { filterClauses } from "./read/filter.ts";
import type { ListQuery } from "./read/list-query.ts";
import type { RowSerializer } from "./read/serializer.ts";
import { buildCursorClause, buildOrderBy, parseSort, type SortOrder } from "./read/sort.ts";
import { buildWordsClause, isListSearchable } from "./search/words-filter.ts";
import { allOf, always, type Clause, type Fragment } from "./sql/clauses.ts";
import { conditionClause } from "./sql/conditions.ts";
import { type PartsSql, type Query, value } from "./sql/query.ts";
import type { Type } from "./types.ts";

export type Page = {
  /** JSON text of each record */
  records: readonly string[];
  total: number;
  /** more records match than a list of this type shows */
  throttled: boolean;
  currentPage: number;
  totalPages: number;
  hasPrevious: boolean;
  hasNext: boolean;
  startCursor: string | null;
  endCursor: string | null;
};

/** Confines a request to some rows: children of a record, records linked to it. */
export type RowScope = { clause: Clause; rights: "own" | "of the parent" };

/** One statement selects the page, joins its references and counts the total. */
export async function list(engine: Engine, by: Caller, type: Type, query: ListQuery, scope?: RowScope): Promise<Page> {
  const inherited = scope?.rights === "of the parent";
  if (!inherited && !hasAnyGrant(type, "read", by)) throw new Forbidden();
  const order = parseSort(type, query.sort, engine.types);
  const fields = pickFields(type, query.fields);
  const where = buildWhere(engine, by, type, query, scope);
  const backwards = query.before !== null;
  const cursor = decodeQueryCursor(query, order);
  const shared = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, fields, shared !== null);
  const limit = query.perPage + 1;
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;
  const parts: PageParts = {
    where,
    position: cursor === null ? null : buildCursorClause(order, cursor.keyValues, backwards),
    offset: offset > 0 ? value(offset) : null,
    others: shared?.others ?? [],
    rows: pickRows(type, shared),
  };
  const page = engine.statements.prepare(`${type.name}#page#${fields.join(",")}#${order.key}#${limit}`, parts, (sql) =>
    buildPageText({ type, shape, order, backwards, limit, hasTotal: true }, sql),
  );
  const rows = await readRows(engine, type, page, by);
  const hasMore = rows.length > query.perPage;
  if (hasMore) rows.pop();
  if (backwards) rows.reverse();
  const total =
    rows.length > 0 ? Number((rows[0] as Row)[order.keys.length]) : await countRows(engine, type, parts, by);
  return buildPage(rows, {
    total,
    cap: type.routes.cap,
    hasMore,
    backwards,
    cursor,
    offset,
    perPage: query.perPage,
    order,
    shape,
    by,
  });
}

/** The rows that the caller may read, confined by the path, the view and the filters. */
export function buildWhere(
  engine: Engine,
  by: Caller,
  type: Type,
  query: Pick<ListQuery, "views" | "filters">,
  scope?: RowScope,
): Clause {
  const readable = buildReadClause(type, by, engine.rules, scope?.rights === "of the parent");
  const clauses: Clause[] = readable === always ? [] : [readable];
  if (scope !== undefined) clauses.push(scope.clause);
  if (type.deletion.archivable !== null) clauses.push(onlyActive);
  for (const view of query.views) {
    const condition = Object.hasOwn(type.views, view) ? type.views[view] : undefined;
    if (condition === undefined) throw new BadRequest(`Invalid value for parameter 'state': ${view}`);
    clauses.push(conditionClause(type, condition, by, engine.rules));
  }
  const words = isListSearchable(type) ? query.filters.filter(({ name }) => name === "q") : [];
  clauses.push(...words.map(({ value: text }) => buildWordsClause(type, by, text)));
  const filters = query.filters.filter((filter) => !words.includes(filter));
  clauses.push(...filterClauses(type, filters, by, engine.rules));
  return allOf(clauses);
}

/** The ids of the newest records that a list would show, at most `limit` of them. */
export async function listIds(
  engine: Engine,
  by: Caller,
  type: Type,
  query: Pick<ListQuery, "views" | "filters">,
  limit: number,
): Promise<number[]> {
  if (!hasAnyGrant(type, "read", by)) throw new Forbidden();
  const where = buildWhere(engine, by, type, query, undefined);
  const parts = { where, others: buildSharedRows(type, by)?.others ?? [] };
  const ids = engine.statements.prepare(`${type.name}#ids#${limit}`, parts, (sql) => {
    const selects = [`${type.table} a`, ...sql.others].map(
      (from) => `(SELECT a.id FROM ${from} WHERE ${sql.where} ORDER BY a.id DESC LIMIT ${limit})`,
    );
    return `SELECT DISTINCT id FROM (${selects.join(" UNION ALL ")}) i ORDER BY id DESC LIMIT ${limit}`;
  });
  const rows = await readRows(engine, type, ids, by);
  return rows.map(([id]) => Number(id));
}

/** The rows of a list, or any statement about as many of them. */
export async function readRows(engine: Engine, type: Type, { statement, values }: Query, by: Caller): Promise<Row[]> {
  try {
    return await engine.database.readMany(statement, values, by, getCost(type));
  } catch (error) {
    // All values were checked before; but a value of the caller must never become a 500.
    if ((error as { code?: string }).code?.startsWith("22")) throw new BadRequest("A parameter has an invalid value");
    throw error;
  }
}

export const onlyActive: Clause = { key: "active", sql: (alias) => `${alias}.life_cycle = 'active'`, values: [] };

function decodeQueryCursor(query: ListQuery, order: SortOrder): Cursor | null {
  if (query.after !== null) return decodeCursor(query.after, "search_after", order);
  if (query.before !== null) return decodeCursor(query.before, "search_before", order);
  return null;
}

type PageOptions = {
  total: number;
  cap: number | null;
  hasMore: boolean;
  backwards: boolean;
  cursor: Cursor | null;
  offset: number;
  perPage: number;
  order: Pick<SortOrder, "keys">;
  shape: Pick<RowSerializer, "write">;
  by: Caller;
};

/** A page of rows that begin with their sort keys and the total. */
export function buildPage(found: readonly Row[], options: PageOptions): Page {
  const { cap, hasMore, backwards, cursor, offset, perPage, order, shape, by } = options;
  const keys = order.keys.length;
  const first = cursor === null ? offset : backwards ? Math.max(0, cursor.offset - found.length) : cursor.offset + 1;
  const rows = cap === null ? found : found.slice(0, Math.max(0, cap - first));
  const total = Math.min(options.total, cap ?? options.total);
  const hasNext = backwards || (hasMore && (cap === null || first + rows.length < cap));
  const hasPrevious = backwards ? hasMore : cursor !== null || offset > 0;
  const totalPages = Math.ceil(total / perPage);
  // Rows are created and deleted while a client pages: the last page has the last number whatever the cursor says.
  const pageByIndex = Math.floor(first / perPage) + 1;
  const currentPage = hasNext
    ? Math.min(pageByIndex, Math.max(1, totalPages - 1))
    : offset > 0 && rows.length === 0
      ? pageByIndex
      : Math.max(1, totalPages);
  const cursorAt = (row: Row | undefined, index: number) =>
    row === undefined ? null : encodeCursor({ offset: index, keyValues: row.slice(0, keys) });
  return {
    records: rows.map((row) => shape.write(row, keys + 1, by)),
    total,
    throttled: options.total > total,
    currentPage,
    totalPages,
    hasPrevious,
    hasNext,
    startCursor: cursorAt(rows[0], first),
    endCursor: cursorAt(rows.at(-1), first + rows.length - 1),
  };
}

export type PageParts = {
  where: Clause;
  /** the rows behind the cursor */
  position: Clause | null;
  offset: Fragment | null;
  /** rows of other accounts that are shared with the caller's */
  others: readonly Fragment[];
  rows: Fragment;
};

/** `hasTotal`: the total follows the sort keys; without it, only they precede the columns of the record */
type PagePlan = {
  type: Type;
  shape: RowSerializer;
  order: SortOrder;
  backwards: boolean;
  limit: number;
  hasTotal: boolean;
};

export function buildPageText(plan: PagePlan, sql: PartsSql<PageParts>): string {
  const { type, shape, order, backwards, limit } = plan;
  const where = sql.position === null ? sql.where : `${sql.where} AND ${sql.position}`;
  // The limit is text, not a parameter: without it the planner expects many rows and never keeps a generic plan.
  const range = `LIMIT ${limit}${sql.offset === null ? "" : ` OFFSET ${sql.offset}`}`;
  const total = plan.hasTotal ? [`(${buildCount(type, sql)})`] : [];
  if (!type.storage.grows) {
    const keys = order.keys.map((sortKey) => `(${sortKey.expression})::text`);
    return [
      `SELECT ${[...keys, ...total, ...shape.columns].join(", ")}`,
      `FROM ${sql.rows} ${[...order.joins, ...shape.joins].join(" ")}`,
      `WHERE ${where} ORDER BY ${buildOrderBy(order, backwards)} ${range}`,
    ].join("\n");
  }
  // In a large table the page is found inside an index first, and only its own rows are fetched.
  const keys = order.keys.map((_, index) => `k.o${index}`);
  const inner = order.keys.map((sortKey, index) => `${sortKey.expression} AS o${index}`);
  const outerOrder = buildOrderBy(
    { ...order, keys: order.keys.map((sortKey, index) => ({ ...sortKey, expression: `k.o${index}` })) },
    backwards,
  );
  const selectPage = (from: string, range: string) =>
    `SELECT ${inner.join(", ")} FROM ${from} ${order.joins.join(" ")}
  WHERE ${where} ORDER BY ${buildOrderBy(order, backwards)} ${range}`;
  // Own and shared rows are found in different indexes: a page of each, then one page of them all.
  const ownRows = `${type.table} a`;
  const rangeOfEach = `LIMIT ${sql.offset === null ? limit : `${limit} + ${sql.offset}::bigint`}`;
  const page =
    sql.others.length === 0
      ? selectPage(ownRows, range)
      : `SELECT * FROM (${[ownRows, ...sql.others].map((from) => `(${selectPage(from, rangeOfEach)})`).join(" UNION ALL ")}) k ORDER BY ${outerOrder} ${range}`;
  return [
    `SELECT ${[...keys.map((key) => `${key}::text`), ...total, ...shape.columns].join(", ")}`,
    `FROM (${page}) k`,
    `JOIN ${sql.rows} ON a.id = ${keys.at(-1)} ${shape.joins.join(" ")}`,
    `ORDER BY ${outerOrder}`,
  ].join("\n");
}

/** A list of a type with few rows is fast, whatever it is filtered by. */
const getCost = (type: Type) => (type.storage.grows ? "unknown" : "low");

type CountParts = Pick<PageParts, "where" | "others">;

function buildCount(type: Type, sql: PartsSql<CountParts>): string {
  // Where a list is capped, counting stops one row behind the cap.
  const selectCount = (from: string) =>
    type.routes.cap === null
      ? `SELECT count(*) FROM ${from} WHERE ${sql.where}`
      : `SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${sql.where} LIMIT ${type.routes.cap + 1}) c`;
  const [own, ...others] = [`${type.table} a`, ...sql.others].map(selectCount) as [string, ...string[]];
  return others.length === 0 ? own : `SELECT ${[own, ...others].map((count) => `(${count})`).join(" + ")}`;
}

export async function countRows(
  engine: Engine,
  type: Type,
  { where, others }: CountParts,
  by: Caller,
): Promise<number> {
  const count = engine.statements.prepare(`${type.name}#count`, { where, others }, (sql) => buildCount(type, sql));
  const rows = await engine.database.readMany(count.statement, count.values, by, getCost(type));
  return Number(rows[0]?.[0] ?? 0);
}

/** The given fields in the order of the declaration; null when one of them cannot be selected. */
export function pickKnownFields(type: Type, fields: readonly string[]): readonly string[] | null {
  if (fields.some((name) => !type.selectable.has(name))) return null;
  return type.outputFields.filter((name) => fields.includes(name));
}

export const unknownFieldsError = (type: Type, fields: readonly string[]): BadRequest =>
  new BadRequest(`Unknown fields: ${fields.filter((name) => !type.selectable.has(name)).join(", ")}`);

function pickFields(type: Type, fields: readonly string[] | null): readonly string[] {
  if (fields === null) return type.defaultFields;
  const known = pickKnownFields(type, fields);
  if (known === null) throw unknownFieldsError(type, fields);
  return known;
}
