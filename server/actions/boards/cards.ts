import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { boardCard } from "../../../records/answers/boards.ts";
import { buildReference, parseJson } from "../../database/rows.ts";
import { buildReadClause, hasAnyGrant } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { buildSharedRows, pickRows, recordAccountColumn } from "../../engine/overlays.ts";
import { allOf, type Clause, type Fragment } from "../../engine/sql/clauses.ts";
import { value } from "../../engine/sql/query.ts";
import type { Type } from "../../engine/types.ts";
import { type CardSource, cardSources } from "./card-sources.ts";

// The cards of a board and a backlog, for the records of several types that the caller may read. One statement.

export type Card = AnswerOf<typeof boardCard>;

/** `column` and `position` name columns of the row `a`; `where` restricts it to the list of an account, by placeholders. */
export type CardList = {
  name: string;
  id: number;
  account: string;
  column: string;
  position: string;
  types: readonly string[];
  where(id: string, account: string): string;
};

export async function loadCards(engine: Engine, by: Caller, list: CardList): Promise<Card[]> {
  const readable = cardSources.flatMap((source) => {
    const type = engine.types.get(source.type);
    if (!list.types.includes(source.type) || !hasAnyGrant(type, "read", by)) return [];
    const shared = buildSharedRows(type, by);
    return [{ source, type, shared, recordAccount: `a.${recordAccountColumn(type, shared)}` }];
  });
  if (readable.length === 0) return [];
  const parts: Record<string, Fragment> = { id: value(list.id), account: value(list.account) };
  for (const { type, shared } of readable) {
    parts[`${type.name} where`] = allOf([buildReadClause(type, by, engine.rules), onlyActive]);
    parts[`${type.name} rows`] = pickRows(type, shared);
  }
  const query = engine.statements.prepare(list.name, parts, (sql) => {
    const [id, account] = [`${sql.id}::integer`, `${sql.account}::text`];
    const selects = readable.map(
      ({ source, type, recordAccount }) =>
        `SELECT ${buildCard(list, { ...source, tags: source.tags(recordAccount) }, type, account)} AS card FROM ${sql[`${type.name} rows`]} WHERE ${list.where(id, account)} AND ${sql[`${type.name} where`]}`,
    );
    return `SELECT card::text FROM (${selects.join("\nUNION ALL\n")}) c ORDER BY (card ->> 'column')::integer, (card ->> 'position')::integer, card ->> 'type', (card ->> 'id')::integer`;
  });
  const rows = await engine.database.readMany(query.statement, query.values, by, "low");
  return rows.map(([card]) => parseJson(card));
}

const onlyActive: Clause = { key: "active", sql: (alias) => `${alias}.life_cycle = 'active'`, values: [] };

type CardTexts = Omit<CardSource, "tags"> & { tags: string };

function buildCard({ column, position }: CardList, source: CardTexts, type: Type, account: string): string {
  // The estimate of the sprint that a record is planned in counts; the one of the backlog is what it was before.
  const sprintItem = (field: string) =>
    `(SELECT ${field} FROM sprint_backlog_items i JOIN sprints s ON s.id = i.sprint_id
      WHERE i.${type.name}_id = a.id AND i.account_id = ${account} AND s.status <> 'completed' ORDER BY s.status = 'active' DESC, s.number, i.id LIMIT 1)`;
  const backlogItem = (field: string) =>
    source.isOnBacklogs
      ? `(SELECT ${field} FROM product_backlog_items i WHERE i.product_backlog_id = a.product_backlog_id AND i.${type.name}_id = a.id AND i.account_id = ${account} LIMIT 1)`
      : "NULL";
  const members: Record<string, string> = {
    type: `'${type.name}'`,
    id: "a.id",
    position,
    column,
    subject: "a.subject",
    category: "a.category",
    status: "a.status",
    impact: source.impact,
    urgent: "coalesce(a.urgent, false)",
    target: source.target,
    kind_of_target: source.kindOfTarget,
    waiting_until: "a.waiting_until",
    checklist: source.checklist,
    tags: source.tags,
    team: buildReference("teams", "a.team_id"),
    member: buildReference("people", source.member),
    service: source.service === null ? "NULL" : buildReference(source.service.table, source.service.column),
    estimate: `coalesce(${sprintItem("i.estimate")}, ${backlogItem("i.estimate")})`,
    sprint_item: sprintItem("i.id"),
    sprint: sprintItem("i.sprint_id"),
    backlog_item: backlogItem("i.id"),
    revision: "a.revision",
  };
  const json = Object.entries(members).map(([name, member]) => `'${name}', ${member}`);
  return `jsonb_build_object(${json.join(", ")})`;
}
