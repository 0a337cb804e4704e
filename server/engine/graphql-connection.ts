import { Forbidden } from "../base/errors.ts";
import { type Row, statement } from "../database/database.ts";
import { buildReadClause, hasAnyGrant, isAdministrator } from "./access.ts";
import { type Caller, listReachableAccounts } from "./caller.ts";
import type { Engine } from "./engine.ts";
import { onlyActive, type RowScope, readRows } from "./list.ts";
import { buildSharedRows, pickRows } from "./overlays.ts";
import { buildPageBranches, countRows, pickCounting, preparePage, rememberTotal } from "./read/page-statement.ts";
import { buildCursorClause, buildOrderBy, type SortOrder } from "./read/sort.ts";
import { allOf, always, type Clause, never } from "./sql/clauses.ts";
import { value } from "./sql/query.ts";
import type { Type } from "./types.ts";

// Pages of records for clients that read a graph: the page of a collection, the pages of one list below many records, and
// many records by their ids. Each is one statement, with the shapes and the access conditions that lists use.

export type LifeCycle = "active" | "archived" | "trashed";

export type ConnectionQuery = {
  fields: readonly string[];
  /** filters and views */
  conditions: readonly Clause[];
  order: SortOrder;
  limit: number;
  /** the last rows of the list, not the first */
  backwards: boolean;
  /** sort keys of the rows that the page lies between */
  after: readonly (string | null)[] | null;
  before: readonly (string | null)[] | null;
  wants: { rows: boolean; total: boolean };
  lifeCycle: LifeCycle;
};

/** `keyValues`: the sort keys of the row, for a cursor */
export type ConnectionRow = { json: string; keyValues: (string | null)[] };
/** `total`: null if it was not selected */
export type ConnectionPage = { rows: ConnectionRow[]; hasMore: boolean; total: number | null };

export const emptyPage: ConnectionPage = { rows: [], hasMore: false, total: 0 };

/** The page of a collection. */
export async function loadConnection(
  engine: Engine,
  by: Caller,
  type: Type,
  query: ConnectionQuery,
): Promise<ConnectionPage> {
  if (!hasAnyGrant(type, "read", by)) throw new Forbidden();
  const { order, backwards, wants } = query;
  const shared = buildSharedRows(type, by);
  const readable = buildReadClause(type, by, engine.rules);
  const confining = [...buildLifeCycle(type, query.lifeCycle, by), ...query.conditions];
  const found = buildPageBranches(type, readable, confining);
  const others = shared?.others ?? [];
  const counting = pickCounting(found, others);
  if (!wants.rows && !wants.total) return emptyPage;
  const startedAt = engine.clock.now();
  if (!wants.rows) return { rows: [], hasMore: false, total: await countRows(engine, type, counting, by) };
  const shape = engine.serializer.forFields(type, query.fields, shared !== null);
  const page = preparePage(
    engine,
    `connection#${query.fields.join(",")}`,
    { found, wantsTotal: wants.total, ownChanges: null },
    { position: buildPosition(query), offset: null, others, rows: pickRows(type, shared) },
    { type, shape, order, backwards, limit: query.limit + 1 },
  );
  const rows = await readRows(engine, type, page, by);
  const keys = order.keys.length;
  const first = rows[0];
  const counted = wants.total && first !== undefined ? Number(first[keys]) : null;
  if (counted !== null) rememberTotal(engine, type, counting, counted, startedAt);
  const total = wants.total ? (counted ?? (await countRows(engine, type, counting, by))) : null;
  const at = keys + (wants.total ? 1 : 0);
  return cutPage(
    rows.map((row) => ({ json: shape.write(row, at, by), keyValues: row.slice(0, keys) })),
    query,
    total,
  );
}

function cutPage(rows: ConnectionRow[], { limit, backwards }: ConnectionQuery, total: number | null): ConnectionPage {
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  if (backwards) rows.reverse();
  return { rows, hasMore, total };
}

function buildPosition({ order, after, before }: ConnectionQuery): Clause | null {
  const clauses = [
    ...(after === null ? [] : [buildCursorClause(order, after, false)]),
    ...(before === null ? [] : [buildCursorClause(order, before, true)]),
  ];
  return clauses.length === 0 ? null : allOf(clauses);
}

/** Only administrators see what is archived or in the trash. */
function buildLifeCycle(type: Type, state: LifeCycle, by: Caller): Clause[] {
  if (type.deletion.archivable === null) return state === "active" ? [] : [never];
  if (state === "active") return [onlyActive];
  if (!isAdministrator(by, by.account)) return [never];
  return [{ key: `life ${state}`, sql: (alias) => `${alias}.life_cycle = '${state}'`, values: [] }];
}

/** A placeholder for the parent's id in the scope of a list below many records. No record has this id. */
export const eachParent = -2_000_000_011;
const parentId = "parent_row.id";

/** The clause with the id of the parent row in the place of the mark. */
const readPerParent = (clause: Clause): Clause => ({
  key: `per parent ${clause.key}`,
  sql(alias, next) {
    let used = 0;
    return clause.sql(alias, () => (clause.values[used++] === eachParent ? parentId : next()));
  },
  values: clause.values.filter((given) => given !== eachParent),
});

/** The pages of one list below many records. `scope`: the list of the record with the id `eachParent`. */
export async function loadConnectionsBelow(
  engine: Engine,
  by: Caller,
  type: Type,
  scope: RowScope,
  parents: readonly number[],
  query: ConnectionQuery,
): Promise<Map<number, ConnectionPage>> {
  const { order, backwards, wants } = query;
  if (!wants.rows && !wants.total) return new Map();
  const shared = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, query.fields, shared !== null);
  const readable = buildReadClause(type, by, engine.rules, scope.rights === "of the parent");
  const where = allOf([
    readPerParent(scope.clause),
    ...(readable === always ? [] : [readable]),
    ...buildLifeCycle(type, query.lifeCycle, by),
    ...query.conditions,
  ]);
  const limit = wants.rows ? query.limit + 1 : 0;
  const plan: BelowPlan = { type, order, backwards, limit, shape, hasTotal: wants.total, isShared: shared !== null };
  const name = `${type.name}#below#${scope.rights}#${query.fields.join(",")}#${order.key}#${limit}#${backwards}#${wants.total}`;
  const parts = {
    parents: value(parents),
    where,
    position: wants.rows ? buildPosition(query) : null,
    rows: pickRows(type, shared),
  };
  const built = engine.statements.prepare(name, parts, (sql) => buildBelowText(plan, sql));
  const found = await readRows(engine, type, built, by);
  const keys = order.keys.length;
  const rowsOf = new Map<number, { rows: ConnectionRow[]; total: number | null }>();
  for (const row of found) {
    const parent = Number(row[0]);
    let entry = rowsOf.get(parent);
    if (entry === undefined) {
      entry = { rows: [], total: wants.total ? Number(row[1]) : null };
      rowsOf.set(parent, entry);
    }
    if (limit > 0 && row[keys + 1] !== null)
      entry.rows.push({ json: shape.write(row, keys + 2, by), keyValues: row.slice(2, keys + 2) });
  }
  return new Map([...rowsOf].map(([parent, { rows, total }]) => [parent, cutPage(rows, query, total)]));
}

type BelowPlan = {
  type: Type;
  order: SortOrder;
  backwards: boolean;
  /** 0: only the totals are wanted */
  limit: number;
  shape: { columns: readonly string[]; joins: readonly string[] };
  hasTotal: boolean;
  /** the rows are SharedRows */
  isShared: boolean;
};
type BelowSql = { parents: string; where: string; position: string | null; rows: string };

/** Columns: the parent, the total, the sort keys (the last one is the id), the record. */
function buildBelowText(plan: BelowPlan, sql: BelowSql): string {
  const { type, order, backwards, limit, shape, hasTotal, isShared } = plan;
  const where = sql.position === null ? sql.where : `${sql.where} AND ${sql.position}`;
  const parents = `unnest(${sql.parents}::integer[]) AS parent_row (id)`;
  const totals = hasTotal
    ? ` CROSS JOIN LATERAL (SELECT count(*) AS n FROM ${sql.rows} WHERE ${sql.where}) parent_total`
    : "";
  const head = [`${parentId}::text`, hasTotal ? "parent_total.n::text" : "NULL"];
  if (limit === 0) return `SELECT ${head.join(", ")} FROM ${parents}${totals}`;
  const keys = order.keys.map((sortKey, index) => `${sortKey.expression} AS o${index}`);
  const outerOrder = buildOrderBy(
    { ...order, keys: order.keys.map((sortKey, index) => ({ ...sortKey, expression: `k.o${index}` })) },
    backwards,
  );
  const outerKeys = order.keys.map((_, index) => `k.o${index}::text`);
  const range = `WHERE ${where} ORDER BY ${buildOrderBy(order, backwards)} LIMIT ${limit}`;
  // A parent without rows has a total, too.
  const join = hasTotal ? "LEFT JOIN" : "JOIN";
  // In a large table the page is found inside an index first, and only its own rows are fetched.
  const [joins, account] = isShared ? [order.sharedJoins, "home_account_id"] : [order.joins, "account_id"];
  const found = type.placement === "account" ? [...keys, `a.${account} AS account`] : keys;
  const ofAccount = type.placement === "account" ? ` AND a.${account} = k.account` : "";
  if (type.storage.grows)
    return [
      `SELECT ${[...head, ...outerKeys, ...shape.columns].join(", ")} FROM ${parents}${totals}`,
      `${join} LATERAL (SELECT ${found.join(", ")} FROM ${sql.rows} ${joins.join(" ")} ${range}) k ON true`,
      `${join} ${sql.rows} ON a.id = k.o${order.keys.length - 1}${ofAccount} ${shape.joins.join(" ")}`,
      `ORDER BY ${parentId}, ${outerOrder}`,
    ].join("\n");
  const columns = shape.columns.map((column, index) => `${column} AS c${index}`);
  const outerColumns = shape.columns.map((_, index) => `k.c${index}`);
  return [
    `SELECT ${[...head, ...outerKeys, ...outerColumns].join(", ")} FROM ${parents}${totals}`,
    `${join} LATERAL (SELECT ${[...keys, ...columns].join(", ")} FROM ${sql.rows} ${[...joins, ...shape.joins].join(" ")} ${range}) k ON true`,
    `ORDER BY ${parentId}, ${outerOrder}`,
  ].join("\n");
}

/** Records by their ids, as JSON; those that the caller may not read are missing. `inherited`: the rights were checked. */
export async function loadByIds(
  engine: Engine,
  by: Caller,
  type: Type,
  ids: readonly (number | string)[],
  fields: readonly string[],
  inherited = false,
): Promise<Map<number | string, string>> {
  const shared = buildSharedRows(type, by);
  const shape = engine.serializer.forFields(type, fields, shared !== null);
  const isActive =
    inherited || type.deletion.archivable === null || isAdministrator(by, by.account) ? always : onlyActive;
  const allowed = allOf([buildReadClause(type, by, engine.rules, inherited), isActive]);
  const parts = { ids: value(ids as number[]), allowed, rows: pickRows(type, shared) };
  const query = engine.statements.prepare(`${type.name}#by ids#${fields.join(",")}`, parts, (sql) => {
    const list = `${sql.ids}::${type.routes.singleton ? "text" : "integer"}[]`;
    return `SELECT a.id, ${shape.columns.join(", ")} FROM ${sql.rows} ${shape.joins.join(" ")} WHERE a.id = ANY (${list}) AND ${sql.allowed}`;
  });
  const rows = await engine.database.readMany(query.statement, query.values, by, "low");
  const parse = (row: Row) => (type.routes.singleton ? (row[0] as string) : Number(row[0]));
  return new Map(rows.map((row) => [parse(row), shape.write(row, 1, by)]));
}

export type AttachedFile = { id: number; name: string; key: string; inline: boolean; size: number };

const selectFiles = statement(
  `SELECT record_id, id, name, key, inline, size FROM attachments
WHERE record_id = ANY ($1::integer[]) AND record_type = $2 AND account_id = ANY ($4::text[]) AND ($3::text IS NULL OR field = $3) ORDER BY record_id, id`,
);

/** The files of records that the caller may read; `field`: those that this field uses. */
export async function loadFilesOf(
  { database }: Engine,
  by: Caller,
  type: Type,
  field: string | null,
  ids: readonly number[],
): Promise<Map<number, AttachedFile[]>> {
  const files = new Map<number, AttachedFile[]>(ids.map((id) => [id, []]));
  for (const row of await database.readMany(selectFiles, [ids, type.name, field, listReachableAccounts(by)], by, "low"))
    files.get(Number(row[0]))?.push({
      id: Number(row[1]),
      name: row[2] as string,
      key: row[3] as string,
      inline: row[4] === "t",
      size: Number(row[5]),
    });
  return files;
}
