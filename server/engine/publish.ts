import { toTimestamp } from "../base/clock.ts";
import { type Batch, statement, type Transaction, type Value } from "../storage/database.ts";
import { viewersTable } from "../storage/schema/table-names.ts";
import type { Caller } from "./caller.ts";
import type { ChangeEvent } from "./change-event.ts";
import type { Audience, Engine } from "./engine.ts";
import { isReference } from "./kinds/reference.ts";
import type { ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";

// The audit line of a change, its events, and what is to be sent because of them are one statement: all are there or
// nothing is. Whoever sends (engine.outbox) puts in what it needs; where nobody waits for an event that is one look into
// a small index.
const insertEvents = "INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)";
const insertAuditLines =
  "INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at";
const selectNothing = "SELECT NULL WHERE false";

/** As one statement writes it: for one change, and for several of the same type by the same person at the same time. */
type EventStatements = { one: (sends: string) => string; several: (sends: string) => string };

// $1 account, $2 type, $3 id, $4 person, $5 time, $6 payload, $7 events; of several $3 is a list of all the rest
const eventsOnly: EventStatements = {
  one: (sends) =>
    `WITH told AS (${insertEvents} SELECT $1, event, $2, $3, $4, $6::jsonb, $5 FROM unnest($7::text[]) AS event RETURNING id, event)
${sends}`,
  several: (sends) =>
    `WITH told AS (
  ${insertEvents}
  SELECT $1, event, $2, g.id, $4, g.payload, $5 FROM json_to_recordset($3::json) AS g (id integer, payload jsonb, events text[]), unnest(g.events) AS event
  RETURNING id, event, record_id
) ${sends}`,
};
// and $8 action, $9 changes
const auditLineAndEvents: EventStatements = {
  one: (sends) =>
    `WITH line AS (
  ${insertAuditLines})
  VALUES ($1, $8, $2, $3, $9, $4, $4, $5) RETURNING id
), told AS (
  ${insertEvents}
  SELECT $1, event, $2, $3, $4, $6::jsonb || jsonb_build_object('audit_line_id', line.id), $5 FROM line, unnest($7::text[]) AS event
  RETURNING id, event
) ${sends}`,
  several: (sends) =>
    `WITH given AS MATERIALIZED (
  SELECT g.*, nextval('audit_lines_id_seq') AS line FROM json_to_recordset($3::json)
    AS g (id integer, payload jsonb, events text[], action text, changes jsonb)
), line AS (
  ${insertAuditLines}, id)
  SELECT $1, g.action, $2, g.id, g.changes, $4, $4, $5::timestamptz, g.line FROM given g
), told AS (
  ${insertEvents}
  SELECT $1, event, $2, g.id, $4, g.payload || jsonb_build_object('audit_line_id', g.line), $5 FROM given g, unnest(g.events) AS event
  RETURNING id, event, record_id
) ${sends}`,
};

export async function publish(engine: Engine, tx: Transaction, by: Caller | null, given: ChangeEvent): Promise<void> {
  const announcement: ChangeEvent = engine.suppressEvents
    ? { ...given, events: [], extraEventNames: [], suppressEvents: true }
    : given;
  const {
    type,
    id,
    account,
    action,
    before,
    after,
    events,
    extraEventNames: happenings = [],
    extraEvents: happened = [],
  } = announcement;
  const changes =
    by?.rule === undefined ? announcement.changes : { ...announcement.changes, automation_rule: [null, by.rule.name] };
  const facts: Record<string, unknown> = { ...announcement.facts };
  for (const name of ["source", "sourceID", "status"])
    if (name in type.fields && after?.[name] != null) facts[name] = after[name];
  if (type.states !== null && before !== null && before[type.states.field] !== after?.[type.states.field])
    facts.previous_status = before[type.states.field];
  for (const name of ["team", "member"])
    if (isReference(type.fields[name]) && after?.[name] != null) facts[`${name}_id`] = after[name];
  // What can be deleted cannot be looked up later: its messages tell all of it.
  if (type.events.includes("delete")) facts.record = valuesByColumn(type, after ?? before ?? {});
  const [person, now] = [by === null || by.isService ? null : by.person, toTimestamp(engine.clock.now())];
  const isAudited = type.audited && (action !== "update" || Object.keys(announcement.changes).length > 0);
  const told = (list: readonly string[], more: ExtraEvent["facts"] = {}) => {
    const payload = JSON.stringify({ ...facts, ...more });
    return [account, type.name, id, person, now, payload, list];
  };
  const alone = (values: Value[]) => writeEvents(engine, tx, type, "events", eventsOnly, values);
  const [first, ...others] = happenings;
  const unaudited = isAudited ? [] : events;
  // Two notes of one save are two happenings, and each message names its own.
  if (others.length === 0) {
    const list = first === undefined ? unaudited : [first, ...unaudited];
    if (list.length > 0) alone(told(list));
  } else {
    happenings.forEach((event, at) => {
      alone(told([event], happened[at]?.facts));
    });
    if (unaudited.length > 0) alone(told(unaudited));
  }
  if (isAudited)
    writeEvents(engine, tx, type, "line and events", auditLineAndEvents, [
      ...told(events),
      action,
      JSON.stringify(changes),
    ]);
  for (const listener of engine.listeners) await listener(tx, by, announcement);
}

/** Tells those who listen of values that follow from other records all the time: no audit line, no event. */
export async function publishDerivedUpdate(
  { listeners, suppressEvents: silent }: Engine,
  tx: Transaction,
  by: Caller | null,
  moved: Pick<ChangeEvent, "type" | "id" | "account"> & { before: Values; after: Values },
): Promise<void> {
  const names = Object.keys(moved.after);
  const changes = Object.fromEntries(
    names.map((name) => [name, [moved.before[name] ?? null, moved.after[name] ?? null] as const]),
  );
  const told: ChangeEvent = { ...moved, action: "update", changes, events: [], isDerivedUpdate: true };
  for (const listener of listeners) await listener(tx, by, silent ? { ...told, suppressEvents: silent } : told);
}

/** Values by the names of their columns. */
const valuesByColumn = (type: Type, values: Values): Values =>
  Object.fromEntries([...type.columns].map(([name, column]) => [column, values[name] ?? null]));

function writeEvents(
  engine: Engine,
  tx: Transaction,
  type: Type,
  key: string,
  writing: EventStatements,
  values: Value[],
): void {
  const outbox = type.events.length === 0 ? undefined : engine.outbox;
  const reach = pickAudience(type);
  const built = engine.statements.get(
    `announce#${key}#${outbox === undefined ? "nobody" : reach}${type.viewers === null ? "" : `#${type.name}`}`,
    () => writing.one(outbox?.buildSql(reach, "$3", buildViewersQuery(type, "$3")) ?? selectNothing),
    () =>
      buildEventBatch(
        writing.several(
          outbox?.buildSql(reach, "t.record_id", buildViewersQuery(type, "t.record_id")) ?? selectNothing,
        ),
      ),
  );
  const sent = tx.query(built, values);
  if (outbox === undefined) return;
  const filled = (rows: readonly (readonly (string | null)[])[]) => {
    if (rows.length > 0) tx.afterCommit(() => outbox.onCommitted(rows.map((row) => Number(row[0]))));
  };
  sent.then(filled, () => {}); // a failure surfaces at the commit
}

const buildEventBatch = (text: string): Batch => ({
  statement: statement(text),
  groupKey: ([account, type, , person, now]) => JSON.stringify([account, type, person, now]),
  mergeValues: (calls) => {
    const [account, type, , person, now] = calls[0] as Value[];
    const rest = calls.map(([, , id, , , payload, events, action, changes]) => {
      const line = action === undefined ? "" : `,"action":${JSON.stringify(action)},"changes":${changes}`;
      return `{"id":${id},"payload":${payload},"events":${JSON.stringify(events)}${line}}`;
    });
    return [account, type, `[${rest.join(",")}]`, person, now] as Value[];
  },
  distribute: (all) => [all],
});

/** What happens in the account of a record is told to those who look on; they see nothing of what others do. */
const buildViewersQuery = (type: Type, record: string): string | null =>
  type.viewers === null
    ? null
    : `SELECT account_id FROM ${viewersTable(type)} WHERE ${type.name}_id = ${record} AND home_account_id = $1`;

/** Whose accounts may see the record: its own, those of the directory, or those it is shared with as well. */
const pickAudience = ({ acrossAccounts, sharedByDirectory }: Type): Audience =>
  acrossAccounts !== null ? "trusted" : sharedByDirectory ? "directory" : "own";

/** The events of a save: create, or update and one for each declared field that changed (`team-changed`). */
export function pickEvents(
  type: Type,
  action: "create" | "update" | "destroy",
  changed: ReadonlySet<string>,
): string[] {
  const wanted = type.events.filter((event) => {
    if (event.endsWith("-changed"))
      return action === "update" && changed.has(event.slice(0, -"-changed".length).replaceAll("-", "_"));
    return event === (action === "destroy" ? "delete" : action);
  });
  // What changed in particular comes first, the plain update last.
  const ordered = [...wanted.filter((event) => event !== "update"), ...wanted.filter((event) => event === "update")];
  return ordered.map((event) => `${type.name}.${event}`);
}
