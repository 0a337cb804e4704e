import { BadRequest, Forbidden } from "../base/errors.ts";
import type { Row } from "../database/database.ts";
import { buildReadClause, hasAnyGrant } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { buildSharedRows, pickRows } from "./overlays.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./read/cursor.ts";
import { filterClauses } from "./read/filter.ts";
import type { ListQuery } from "./read/list-query.ts";
import {
  buildPageBranches,
  countRows,
  findKnownTotal,
  getCost,
  type PageBranches,
  pickCounting,
  preparePage,
  rememberTotal,
  splitForIndexes,
} from "./read/page-statement.ts";
import type { RowSerializer } from "./read/serializer.ts";
import { buildCursorClause, parseSort, type SortOrder } from "./read/sort.ts";
import { listOpenFields } from "./schema/indexes.ts";
import { buildWordsClause, isListSearchable } from "./search/words-filter.ts";
import { allOf, always, type Clause, oneOfAccounts } from "./sql/clauses.ts";
import { conditionClause } from "./sql/conditions.ts";
import { type Query, value } from "./sql/query.ts";
import type { Type } from "./types.ts";

export type Page = {
  /** JSON text of each record */
  records: readonly string[];
  total: number;
  /** how many seconds ago the total was counted; 0: it is exact */
  totalAge: number;
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

/** One statement selects the page, joins its references and counts the total unless that is known (D-508, D-785). */
export async function list(engine: Engine, by: Caller, type: Type, query: ListQuery, scope?: RowScope): Promise<Page> {
  const inherited = scope?.rights === "of the parent";
  if (!inherited && !hasAnyGrant(type, "read", by)) throw new Forbidden();
  const order = parseSort(type, query.sort, engine.types);
  const fields = pickFields(type, query.fields);
  const found = buildBranches(engine, by, type, query, scope);
  const backwards = query.before !== null;
  const cursor = decodeQueryCursor(query, order);
  const shared = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, fields, shared !== null);
  const limit = query.perPage + 1;
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;
  const others = shared?.others ?? [];
  const counting = pickCounting(found, others);
  const known = findKnownTotal(engine, type, counting, by);
  const startedAt = engine.clock.now();
  const page = preparePage(
    engine,
    `page#${fields.join(",")}`,
    { found, wantsTotal: true, ownChanges: known?.ownChanges ?? null },
    {
      position: cursor === null ? null : buildCursorClause(order, cursor.keyValues, backwards),
      offset: offset > 0 ? value(offset) : null,
      others,
      rows: pickRows(type, shared),
    },
    {
      type,
      shape,
      order,
      backwards,
      limit,
      isIndexed: found.isAccount && offset === 0 && isOpenList(type, query, order),
    },
  );
  const rows = await readRows(engine, type, page, by);
  const hasMore = rows.length > query.perPage;
  if (hasMore) rows.pop();
  if (backwards) rows.reverse();
  const totalOrChanges = rows[0]?.[order.keys.length];
  const counted = known === null && rows.length > 0 ? Number(totalOrChanges) : null;
  if (counted !== null) rememberTotal(engine, type, counting, counted, startedAt);
  // The end of a list shows how long it is: there a known total is counted again.
  const isKnown = known !== null && (hasMore || backwards) && totalOrChanges === "f";
  return buildPage(rows, {
    total: counted ?? (isKnown ? known.total : await countRows(engine, type, counting, by)),
    totalAge: isKnown ? known.age : 0,
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

const openFields = new WeakMap<Type, ReadonlySet<string>>();

function getOpenFields(type: Type): ReadonlySet<string> {
  let names = openFields.get(type);
  if (names === undefined) {
    names = new Set(listOpenFields(type).flatMap((name) => (name === "" ? [""] : [name, `${name}_id`])));
    openFields.set(type, names);
  }
  return names;
}

/** The open records, all of them or those of a team or person, in the order of their ids. */
function isOpenList(type: Type, { views, filters }: ListQuery, { keys }: SortOrder): boolean {
  const [filter] = filters;
  if (views.length !== 1 || views[0] !== "open" || filters.length > 1 || keys.length > 1) return false;
  return getOpenFields(type).has(filter?.name ?? "") && (filter === undefined || /^\d+$/.test(filter.value));
}

/**
 * The rows that the caller may read, confined by the path, the view and the filters. In a large table, a caller who may read
 * some rows for one reason and some for another finds each of them through an index of its own. `isAccount`: these are all rows of
 * the account, apart from what the view and the filters leave out.
 */
function buildBranches(
  engine: Engine,
  by: Caller,
  type: Type,
  query: Pick<ListQuery, "views" | "filters">,
  scope?: RowScope,
): PageBranches & { isAccount: boolean } {
  const readable = buildReadClause(type, by, engine.rules, scope?.rights === "of the parent");
  const selected =
    scope === undefined ? readable : readable === always ? scope.clause : allOf([scope.clause, readable]);
  const isAccount =
    selected.key === oneOfAccounts(type.accountColumn, [by.account]).key && buildSharedRows(type, by) === null;
  return { ...buildPageBranches(type, selected, buildConfiningClauses(engine, by, type, query)), isAccount };
}

/** The same rows as one condition. */
export function buildWhere(
  engine: Engine,
  by: Caller,
  type: Type,
  query: Pick<ListQuery, "views" | "filters">,
): Clause {
  const readable = buildReadClause(type, by, engine.rules);
  const confining = buildConfiningClauses(engine, by, type, query);
  const { clauses } = splitForIndexes(type, readable, [], "all");
  // Rows that others share are no rows of the table.
  const isKeyed = clauses.length > 1 && buildSharedRows(type, by) === null;
  return allOf([isKeyed ? buildIdClause(type, clauses) : readable, ...confining]);
}

/** Rows whose ids one of the branches finds. */
const buildIdClause = (type: Type, branches: readonly Clause[]): Clause => ({
  key: `ids of ${branches.map(({ key }) => key).join("|")}`,
  sql: (alias, next) =>
    `${alias}.id IN (${branches.map((branch) => `SELECT ${alias}i.id FROM ${type.table} ${alias}i WHERE ${branch.sql(`${alias}i`, next)}`).join(" UNION ALL ")})`,
  values: branches.flatMap(({ values }) => values),
});

/** The conditions of a list apart from its path and the rights of the caller. */
function buildConfiningClauses(
  engine: Engine,
  by: Caller,
  type: Type,
  query: Pick<ListQuery, "views" | "filters">,
): Clause[] {
  const clauses: Clause[] = [];
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
  return clauses;
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
  const where = buildWhere(engine, by, type, query);
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
  totalAge?: number;
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

/** A page of rows that begin with their sort keys, followed by the total. */
export function buildPage(found: readonly Row[], options: PageOptions): Page {
  const { cap, totalAge = 0, hasMore, backwards, cursor, offset, perPage, order, shape, by } = options;
  const keys = order.keys.length;
  const first = cursor === null ? offset : backwards ? Math.max(0, cursor.offset - found.length) : cursor.offset + 1;
  const rows = cap === null ? found : found.slice(0, Math.max(0, cap - first));
  const total = Math.min(options.total, cap ?? options.total);
  const hasNext = backwards || (hasMore && (cap === null || first + rows.length < cap));
  const hasPrevious = backwards ? hasMore : cursor !== null || offset > 0;
  const totalPages = Math.ceil(total / perPage);
  // Rows are created and deleted while a client pages: the last page has the last number regardless of the cursor.
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
    totalAge,
    throttled: options.total > total,
    currentPage,
    totalPages,
    hasPrevious,
    hasNext,
    startCursor: cursorAt(rows[0], first),
    endCursor: cursorAt(rows.at(-1), first + rows.length - 1),
  };
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
