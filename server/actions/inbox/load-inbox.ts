import {
  type InboxCounts,
  type InboxItem,
  type InboxPage,
  type InboxTab,
  inboxTabs,
} from "../../../records/answers/inbox.ts";
import { toTimestamp } from "../../base/clock.ts";
import type { Row } from "../../database/database.ts";
import { buildReference } from "../../database/rows.ts";
import { buildReadClause, hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { buildSharedRows, pickRows } from "../../engine/overlays.ts";
import { allOf, type Clause } from "../../engine/sql/clauses.ts";
import { conditionClause } from "../../engine/sql/conditions.ts";
import { type Parts, type PartsSql, type Query, value, withAlias } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { encodeInboxCursor, type InboxCursor } from "./inbox-cursor.ts";
import { type WorkSource, workSources } from "./work-sources.ts";

// One list of the work of a person, over several record types, in the order of its targets. One statement finds the page
// and counts all tabs. Open work is a small part of a table, and the indexes on open records of a member or team find it.

/** Counting stops here: a longer list is useless, and a backlog must not slow down every inbox. */
const maxCount = 1000;

type InboxQuery = {
  tab: InboxTab;
  after: InboxCursor | null;
  perPage: number;
  /** whether the scopes of the token allow a type */
  mayRead(type: Type): boolean;
};

export async function loadInbox(engine: Engine, by: Caller, query: InboxQuery): Promise<InboxPage> {
  const readable = listReadable(engine, by).filter(({ type }) => query.mayRead(type));
  if (readable.length === 0) return { counts: noWork, items: [], next: null };
  const { statement, values } = prepare(engine, by, readable, query);
  const rows = await engine.database.readMany(statement, values, by, "low");
  const found = rows.flatMap(([, order, rank, id, item]) => (item == null ? [] : [{ order, rank, id, item }]));
  const page = found.slice(0, query.perPage);
  const last = page.at(-1);
  const hasMore = found.length > query.perPage && last !== undefined;
  return {
    counts: parseCounts(rows),
    items: page.map(({ item }): InboxItem => JSON.parse(item)),
    next: hasMore
      ? encodeInboxCursor({ order: String(last.order), rank: Number(last.rank), id: Number(last.id) })
      : null,
  };
}

export async function countInbox(engine: Engine, by: Caller): Promise<InboxCounts> {
  const readable = listReadable(engine, by);
  if (readable.length === 0) return noWork;
  const { statement, values } = prepare(engine, by, readable, null);
  return parseCounts(await engine.database.readMany(statement, values, by, "low"));
}

const noWork: InboxCounts = { mine: 0, my_teams: 0, unassigned: 0, approvals: 0, watching: 0, unread: 0 };

/** Every row has the counts, and there is at least one. */
function parseCounts([row]: readonly Row[]): InboxCounts {
  const text = row?.[0];
  if (text == null) throw new Error("The statement of the inbox returned no counts");
  return JSON.parse(text);
}

/** The SQL of one source in a statement. */
type SourceSql = {
  source: WorkSource;
  type: Type;
  rank: number;
  where: string;
  from: readonly string[];
  rows: string;
  /** the condition of readable notes */
  notes: string;
};

type ReadableSource = Pick<SourceSql, "source" | "type" | "rank">;
const listReadable = ({ types }: Engine, by: Caller): ReadableSource[] =>
  workSources
    .map((source, rank) => ({ source, type: types.get(source.type), rank }))
    .filter(({ type }) => hasAnyGrant(type, "read", by));

function prepare(engine: Engine, by: Caller, readable: readonly ReadableSource[], query: InboxQuery | null): Query {
  const parts: Parts = {
    me: value(by.person),
    now: value(toTimestamp(by.now)),
    account: value(by.account),
  };
  const after = query?.after ?? null;
  if (after !== null) Object.assign(parts, { order: value(after.order), rank: value(after.rank), id: value(after.id) });
  for (const { type } of readable) {
    const shared = buildSharedRows(type, by);
    parts[`${type.name} where`] = allOf([buildReadClause(type, by, engine.rules), onlyActive]);
    parts[`${type.name} others`] = shared?.others ?? [];
    if (query === null) continue;
    const note = engine.types.get("note");
    parts[`${type.name} rows`] = pickRows(type, shared);
    if (note.access.visible !== null)
      parts[`${type.name} notes`] = withAlias(conditionClause(note, note.access.visible, by, engine.rules), "n");
  }
  // The parts have no names in the key of the statement: their types do.
  const types = readable.map(({ type }) => type.name).join();
  const name = query === null ? `inbox#counts#${types}` : `inbox#${query.tab}#${query.perPage}#${types}`;
  const prepared = engine.statements.prepare(name, parts, (given) => {
    const sources = readable.map(
      ({ source, type, rank }): SourceSql => ({
        source,
        type,
        rank,
        where: getSql(given, `${type.name} where`),
        from: [`${type.table} a`, ...getSqlList(given, `${type.name} others`)],
        rows: query === null ? "" : getSql(given, `${type.name} rows`),
        notes: given[`${type.name} notes`] == null ? "true" : getSql(given, `${type.name} notes`),
      }),
    );
    const sql: InboxSql = {
      me: getSql(given, "me"),
      now: getSql(given, "now"),
      account: getSql(given, "account"),
      after:
        after === null
          ? null
          : `(${getSql(given, "order")}, ${getSql(given, "rank")}::integer, ${getSql(given, "id")}::integer)`,
    };
    const counts = buildCounts(sources, sql);
    const teams = `WITH my_teams AS (
  SELECT t.id, t.coordinator_id IS NULL OR t.coordinator_id = ${sql.me} AS sees_unassigned
  FROM team_members m JOIN teams t ON t.id = m.team_id WHERE m.person_id = ${sql.me}::integer AND ${sql.now}::timestamptz IS NOT NULL
)`;
    if (query === null) return `${teams} SELECT ${counts}`;
    return `${teams}, page AS (${buildPage(sources, query, sql)})
SELECT c.counts, i.* FROM (SELECT ${counts} AS counts) c LEFT JOIN (${buildItems(sources, sql)}) i ON true
ORDER BY i.target_order, i.rank, i.id`;
  });
  // Planning so many subqueries takes longer than running them.
  return { ...prepared, statement: { ...prepared.statement, plannedOnce: true } };
}

const onlyActive: Clause = { key: "active", sql: (alias) => `${alias}.life_cycle = 'active'`, values: [] };
const buildOrder = ({ source }: SourceSql): string => `coalesce(${source.order}, 'e') COLLATE "C"`;

/** Placeholders; `after` is the row before the page. */
type InboxSql = { me: string; now: string; account: string; after: string | null };

function getSql(sql: PartsSql<Parts>, name: string): string {
  const text = sql[name];
  if (typeof text !== "string") throw new Error(`The inbox has no part "${name}"`);
  return text;
}

function getSqlList(sql: PartsSql<Parts>, name: string): readonly string[] {
  const texts = sql[name];
  if (typeof texts !== "object" || texts === null) throw new Error(`The inbox has no parts "${name}"`);
  return texts;
}

const buildTabCondition = ({ source, where }: SourceSql, tab: InboxTab, { me, now }: InboxSql): string | null => {
  const condition = source.tabs(me, now)[tab];
  return condition === null ? null : `${where} AND ${source.open} AND ${condition}`;
};

function buildCounts(sources: readonly SourceSql[], sql: InboxSql): string {
  const countTab = (tab: InboxTab, buildFurther: (source: SourceSql) => string = () => ""): string => {
    const counts = sources.flatMap((source) => {
      const condition = buildTabCondition(source, tab, sql);
      if (condition === null) return [];
      const where = `${condition}${buildFurther(source)}`;
      return source.from.map(
        (from) => `(SELECT count(*) FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${maxCount}) c)`,
      );
    });
    return counts.length === 0 ? "0" : counts.join(" + ");
  };
  const isUnread = ({ type }: SourceSql) =>
    ` AND NOT EXISTS (SELECT 1 FROM seen_marks s WHERE ${buildMarkCondition(type, sql)} AND s.revision >= a.revision)`;
  const members = [...inboxTabs.map((tab) => `'${tab}', ${countTab(tab)}`), `'unread', ${countTab("mine", isUnread)}`];
  return `json_build_object(${members.join(", ")})`;
}

const buildMarkCondition = (type: Type, { me, account }: InboxSql): string =>
  `s.person_id = ${me} AND s.record_id = a.id AND s.record_type = '${type.name}' AND s.account_id = ${account}`;

/** The keys of one page: a page of every source, then the first of them all. */
function buildPage(sources: readonly SourceSql[], { tab, perPage }: InboxQuery, sql: InboxSql): string {
  const limit = perPage + 1;
  const selects = sources.flatMap((source) => {
    const condition = buildTabCondition(source, tab, sql);
    if (condition === null) return [];
    const order = buildOrder(source);
    const position = sql.after === null ? "" : ` AND (${order}, ${source.rank}, a.id) > ${sql.after}`;
    return source.from.map(
      (from) =>
        `(SELECT ${order} AS target_order, ${source.rank} AS rank, a.id FROM ${from} WHERE ${condition}${position} ORDER BY 1, 3 LIMIT ${limit})`,
    );
  });
  const none = "SELECT NULL::text, NULL::integer, NULL::integer WHERE false";
  const all = selects.length === 0 ? none : selects.join(" UNION ALL ");
  return `SELECT * FROM (${all}) k (target_order, rank, id) ORDER BY target_order, rank, id LIMIT ${limit}`;
}

function buildItems(sources: readonly SourceSql[], sql: InboxSql): string {
  return sources
    .map(({ source, type, rank, rows, notes }) => {
      const members: Record<string, string> = {
        type: `'${type.name}'`,
        id: "a.id",
        subject: "a.subject",
        category: source.category,
        status: "a.status",
        impact: source.impact,
        urgent: "coalesce(a.urgent, false)",
        next_target_at: `(${source.target})::json`,
        kind_of_target: source.kindOfTarget,
        team: buildReference("teams", "a.team_id"),
        member: buildReference("people", source.member),
        requested_for: buildReference("people", source.requestedFor),
        service_instance: buildReference("service_instances", source.serviceInstance),
        major_incident_status: source.majorIncidentStatus,
        notes: `(SELECT count(*) FROM notes n WHERE n.${type.name}_id = a.id AND ${notes})`,
        unread: `coalesce(s.revision < a.revision, true)`,
        revision: "a.revision",
      };
      const json = Object.entries(members).map(([name, member]) => `'${name}', ${member}`);
      return `SELECT k.target_order, k.rank, k.id, json_build_object(${json.join(", ")})::text
FROM page k JOIN ${rows} ON a.id = k.id
LEFT JOIN seen_marks s ON ${buildMarkCondition(type, sql)}
WHERE k.rank = ${rank}`;
    })
    .join("\nUNION ALL\n");
}
