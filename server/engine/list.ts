import { BadRequest, Forbidden } from "../base/errors.ts";
import type { Row, Statement } from "../storage/database.ts";
import { buildReadClause, hasAnyGrant } from "./access.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { buildSharedRows, type SharedRows } from "./overlays.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./read/cursor.ts";
import { filterClauses } from "./read/filter.ts";
import type { ListQuery } from "./read/list-query.ts";
import type { RowSerializer } from "./read/serializer.ts";
import { buildCursorClause, buildOrderBy, parseSort, type SortOrder } from "./read/sort.ts";
import { always, type Clause } from "./sql/clauses.ts";
import { conditionClause } from "./sql/conditions.ts";
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

/** Rows a list is confined to beside what the caller may read: children of a record, records linked to it. */
export type RowScope = { clause: Clause; rights: "own" | "of the parent" };

/** One statement: the page, its references joined, and the total. */
export async function list(engine: Engine, by: Caller, type: Type, query: ListQuery, scope?: RowScope): Promise<Page> {
  const inherited = scope?.rights === "of the parent";
  if (!inherited && !hasAnyGrant(type, "read", by)) throw new Forbidden();
  const order = parseSort(type, query.sort, engine.types);
  const fields = pickFields(type, query.fields);
  const readable = buildReadClause(type, by, engine.rules, inherited);
  const base: Clause[] = readable === always ? [] : [readable];
  if (scope !== undefined) base.push(scope.clause);
  if (type.archivable !== null)
    base.push({ key: "active", sql: (alias) => `${alias}.life_cycle = 'active'`, values: [] });
  for (const view of query.views) {
    const condition = Object.hasOwn(type.views, view) ? type.views[view] : undefined;
    if (condition === undefined) throw new BadRequest(`Invalid value for parameter 'state': ${view}`);
    base.push(conditionClause(type, condition, by, engine.rules));
  }
  base.push(...filterClauses(type, query.filters, by, engine.rules));

  const backwards = query.before !== null;
  const cursor =
    query.after !== null
      ? decodeCursor(query.after, "search_after", order)
      : query.before !== null
        ? decodeCursor(query.before, "search_before", order)
        : null;
  const place = cursor === null ? null : buildCursorClause(order, cursor.keyValues, backwards);
  const sight = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, fields, sight !== null);
  const limit = query.perPage + 1;
  const offset = cursor === null && query.page !== null ? (query.page - 1) * query.perPage : 0;
  const skips = offset > 0;
  const built = buildPageStatement(engine, { type, sight, fields, shape, base, order, place, backwards, limit, skips });
  const values = [
    ...base.flatMap((clause) => clause.values),
    ...(place?.values ?? []),
    ...(skips ? [offset] : []),
    ...(sight === null ? [] : [...sight.others.flatMap((other) => other.values), ...sight.all.values]),
  ];
  const rows = await engine.database.read(built, values, by.zone).catch((error) => {
    // Checked before, so this should not happen; but what a caller sent is never our failure.
    if ((error as { code?: string }).code?.startsWith("22")) throw new BadRequest("A parameter has an invalid value");
    throw error;
  });

  const more = rows.length > query.perPage;
  if (more) rows.pop();
  if (backwards) rows.reverse();
  const total =
    rows.length > 0 ? Number((rows[0] as Row)[order.keys.length]) : await countRows(engine, type, sight, base, by);
  return buildPage(rows, {
    total,
    cap: type.cap,
    more,
    backwards,
    cursor,
    offset,
    perPage: query.perPage,
    order,
    shape,
    by,
  });
}

type PageOptions = {
  total: number;
  cap: number | null;
  more: boolean;
  backwards: boolean;
  cursor: Cursor | null;
  offset: number;
  perPage: number;
  order: Pick<SortOrder, "keys">;
  shape: Pick<RowSerializer, "write">;
  by: Caller;
};

/** A page of rows that begin with their sort keys and the total. */
export function buildPage(found: readonly Row[], circumstances: PageOptions): Page {
  const { cap, more, backwards, cursor, offset, perPage, order, shape, by } = circumstances;
  const keys = order.keys.length;
  const first = cursor === null ? offset : backwards ? Math.max(0, cursor.offset - found.length) : cursor.offset + 1;
  const rows = cap === null ? found : found.slice(0, Math.max(0, cap - first));
  const total = Math.min(circumstances.total, cap ?? circumstances.total);
  const hasNext = backwards || (more && (cap === null || first + rows.length < cap));
  const hasPrevious = backwards ? more : cursor !== null || offset > 0;
  const totalPages = Math.ceil(total / perPage);
  // Rows come and go while a client walks: the last page has the last number whatever the cursor remembers.
  const reckoned = Math.floor(first / perPage) + 1;
  const currentPage = hasNext
    ? Math.min(reckoned, Math.max(1, totalPages - 1))
    : offset > 0 && rows.length === 0
      ? reckoned
      : Math.max(1, totalPages);
  const cursorAt = (row: Row | undefined, index: number) =>
    row === undefined ? null : encodeCursor({ offset: index, keyValues: row.slice(0, keys) });
  return {
    records: rows.map((row) => shape.write(row, keys + 1, by)),
    total,
    throttled: circumstances.total > total,
    currentPage,
    totalPages,
    hasPrevious,
    hasNext,
    startCursor: cursorAt(rows[0], first),
    endCursor: cursorAt(rows.at(-1), first + rows.length - 1),
  };
}

type PagePlan = {
  type: Type;
  sight: SharedRows | null;
  fields: readonly string[];
  shape: RowSerializer;
  base: readonly Clause[];
  order: SortOrder;
  place: Clause | null;
  backwards: boolean;
  limit: number;
  skips: boolean;
};

function buildPageStatement(engine: Engine, plan: PagePlan): Statement {
  const { type, sight, fields, shape, base, order, place, backwards, limit, skips } = plan;
  const key = `${type.name}${sight?.key ?? ""}#${fields.join(",")}#${base.map((clause) => clause.key).join("&")}#${order.key}#${place?.key ?? ""}#${limit}${skips ? "+" : ""}`;
  return engine.statements.get(key, () => {
    let used = 0;
    const next = () => `$${++used}`;
    const where = base.map((clause) => clause.sql("a", next)).join(" AND ") || "true";
    const further = place === null ? "" : ` AND ${place.sql("a", next)}`;
    const skipped = skips ? next() : null;
    // The number itself, not a parameter: a plan made without it expects many rows and is never kept.
    const range = `LIMIT ${limit}${skipped === null ? "" : ` OFFSET ${skipped}`}`;
    const others = sight?.others.map((other) => other.sql(next)) ?? [];
    const whole = sight?.all.sql(next) ?? type.table;
    const total = `(${buildCount(type, others, where)})`;
    if (!type.grows) {
      const keys = order.keys.map((sortKey) => `(${sortKey.expression})::text`);
      return [
        `SELECT ${[...keys, total, ...shape.columns].join(", ")}`,
        `FROM ${type.table} a ${[...order.joins, ...shape.joins].join(" ")}`,
        `WHERE ${where}${further} ORDER BY ${buildOrderBy(order, backwards)} ${range}`,
      ].join("\n");
    }
    // In a large table the page is found inside an index first; only its own rows are fetched.
    const keys = order.keys.map((_, index) => `k.o${index}`);
    const inner = order.keys.map((sortKey, index) => `${sortKey.expression} AS o${index}`);
    const outerOrder = buildOrderBy(
      { ...order, keys: order.keys.map((sortKey, index) => ({ ...sortKey, expression: `k.o${index}` })) },
      backwards,
    );
    const pageOf = (from: string, range: string) =>
      `SELECT ${inner.join(", ")} FROM ${from} a ${order.joins.join(" ")}
  WHERE ${where}${further} ORDER BY ${buildOrderBy(order, backwards)} ${range}`;
    // What belongs here and what others show us are pages from several indexes, and one of them all.
    const most = `LIMIT ${skipped === null ? limit : `${limit} + ${skipped}::bigint`}`;
    const page =
      others.length === 0
        ? pageOf(type.table, range)
        : `SELECT * FROM (${[type.table, ...others].map((from) => `(${pageOf(from, most)})`).join(" UNION ALL ")}) k ORDER BY ${outerOrder} ${range}`;
    return [
      `SELECT ${[...keys.map((key) => `${key}::text`), total, ...shape.columns].join(", ")}`,
      `FROM (${page}) k`,
      `JOIN ${whole} a ON a.id = ${keys.at(-1)} ${shape.joins.join(" ")}`,
      `ORDER BY ${outerOrder}`,
    ].join("\n");
  });
}

/** Where a list is capped, counting stops one behind the cap. */
const buildCountOf = (type: Type, from: string, where: string): string =>
  type.cap === null
    ? `SELECT count(*) FROM ${from} a WHERE ${where}`
    : `SELECT count(*) FROM (SELECT 1 FROM ${from} a WHERE ${where} LIMIT ${type.cap + 1}) c`;
const buildCount = (type: Type, others: readonly string[], where: string): string =>
  others.length === 0
    ? buildCountOf(type, type.table, where)
    : `SELECT ${[type.table, ...others].map((from) => `(${buildCountOf(type, from, where)})`).join(" + ")}`;

async function countRows(
  engine: Engine,
  type: Type,
  sight: SharedRows | null,
  base: readonly Clause[],
  by: Caller,
): Promise<number> {
  const key = `${type.name}#count${sight?.key ?? ""}#${base.map((clause) => clause.key).join("&")}`;
  const built = engine.statements.get(key, () => {
    let used = 0;
    const next = () => `$${++used}`;
    const where = base.map((clause) => clause.sql("a", next)).join(" AND ") || "true";
    return buildCount(type, sight?.others.map((other) => other.sql(next)) ?? [], where);
  });
  const values = [
    ...base.flatMap((clause) => clause.values),
    ...(sight?.others.flatMap((other) => other.values) ?? []),
  ];
  const rows = await engine.database.read(built, values, by.zone);
  return Number(rows[0]?.[0] ?? 0);
}

/** The fields asked for, in the order of the declaration; null when one of them cannot be selected. */
export function pickKnownFields(type: Type, fields: readonly string[]): readonly string[] | null {
  if (fields.some((name) => !type.selectable.has(name))) return null;
  return type.outputFields.filter((name) => fields.includes(name));
}

/** Names nobody can select are told together. */
export const unknownFieldsError = (type: Type, fields: readonly string[]): BadRequest =>
  new BadRequest(`Unknown fields: ${fields.filter((name) => !type.selectable.has(name)).join(", ")}`);

function pickFields(type: Type, fields: readonly string[] | null): readonly string[] {
  if (fields === null) return type.defaultFields;
  const known = pickKnownFields(type, fields);
  if (known === null) throw unknownFieldsError(type, fields);
  return known;
}
