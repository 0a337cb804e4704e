import { toTimestamp } from "../../base/clock.ts";
import { buildReadClause, hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { buildSharedRows, pickRows } from "../../engine/overlays.ts";
import { allOf, type Clause, type Fragment } from "../../engine/sql/clauses.ts";
import { conditionClause } from "../../engine/sql/conditions.ts";
import { type Parts, type PartsSql, type Query, value, withAlias } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { buildReference } from "../../storage/rows.ts";
import { encodeInboxCursor, type InboxCursor } from "./inbox-cursor.ts";
import { type InboxTab, inboxTabs, type WorkSource, workSources } from "./work-sources.ts";

// One list of the work of a person, over several record types, in the order of its targets. One statement finds the page
// and counts all tabs. Open work is a small part of a table, and the indexes on open records of a member or team find it.

/** Counting stops here: nobody reads a longer list, and a backlog must not slow down every inbox. */
const maxCount = 1000;

/** `unread`: work of mine that others changed since I saw it */
export type InboxCounts = Record<InboxTab | "unread", number>;
export type InboxItem = Record<string, unknown>;
export type InboxPage = { counts: InboxCounts; items: InboxItem[]; next: string | null };

type InboxQuery = { tab: InboxTab; after: InboxCursor | null; perPage: number };

export async function loadInbox(engine: Engine, by: Caller, query: InboxQuery): Promise<InboxPage> {
  const { statement, values } = prepare(engine, by, query);
  const rows = await engine.database.readMany(statement, values, by, "low");
  const found = rows.filter((row) => row[4] != null);
  const page = found.slice(0, query.perPage);
  const last = page.at(-1);
  const hasMore = found.length > query.perPage && last !== undefined;
  return {
    counts: JSON.parse(rows[0]?.[0] as string) as InboxCounts,
    items: page.map((row) => JSON.parse(row[4] as string) as InboxItem),
    next: hasMore ? encodeInboxCursor({ order: String(last[1]), rank: Number(last[2]), id: Number(last[3]) }) : null,
  };
}

export async function countInbox(engine: Engine, by: Caller): Promise<InboxCounts> {
  const { statement, values } = prepare(engine, by, null);
  const rows = await engine.database.readMany(statement, values, by, "low");
  return JSON.parse(rows[0]?.[0] as string) as InboxCounts;
}

/** The SQL of one source in a statement. */
type SourceSql = { source: WorkSource; type: Type; rank: number; where: string; from: readonly string[]; rows: string };

function prepare(engine: Engine, by: Caller, query: InboxQuery | null): Query {
  const readable = workSources.flatMap((source, rank) => {
    const type = engine.types.get(source.type);
    return hasAnyGrant(type, "read", by) ? [{ source, type, rank }] : [];
  });
  const parts: Record<string, Fragment | readonly Fragment[] | null> = {
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
  const name = query === null ? "inbox#counts" : `inbox#${query.tab}#${query.perPage}`;
  const prepared = engine.statements.prepare(name, parts as Parts, (given) => {
    const sql = given as PartsSql<Record<string, Fragment>>;
    const sources = readable.map(
      ({ source, type, rank }): SourceSql => ({
        source,
        type,
        rank,
        where: sql[`${type.name} where`] as string,
        from: [`${type.table} a`, ...(sql[`${type.name} others`] as unknown as string[])],
        rows: sql[`${type.name} rows`] ?? "",
      }),
    );
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

type InboxSql = PartsSql<Record<string, Fragment>>;

const buildTabCondition = ({ source, where }: SourceSql, tab: InboxTab, { me, now }: InboxSql): string | null => {
  const condition = source.tabs(me as string, now as string)[tab];
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
function buildPage(sources: readonly SourceSql[], { tab, after, perPage }: InboxQuery, sql: InboxSql): string {
  const limit = perPage + 1;
  const selects = sources.flatMap((source) => {
    const condition = buildTabCondition(source, tab, sql);
    if (condition === null) return [];
    const order = buildOrder(source);
    const position =
      after === null
        ? ""
        : ` AND (${order}, ${source.rank}, a.id) > (${sql.order}, ${sql.rank}::integer, ${sql.id}::integer)`;
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
    .map(({ source, type, rank, rows }) => {
      const visible = sql[`${type.name} notes`] ?? "true";
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
        notes: `(SELECT count(*) FROM notes n WHERE n.${type.name}_id = a.id AND ${visible})`,
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
