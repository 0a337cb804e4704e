import { systemOrigin } from "../../records/journal/change-origins.ts";
import { toTimestamp } from "../base/clock.ts";
import { getTraceparent } from "../base/tracing/spans.ts";
import { type Batch, statement, type Transaction, type Value } from "../database/database.ts";
import { markTable } from "../schema/layout/account-tables.ts";
import { viewersTable } from "../schema/tables/table-names.ts";
import type { Caller } from "./caller.ts";
import type { ChangeEvent } from "./change-event.ts";
import type { Audience, Engine } from "./engine.ts";
import { isReference } from "./kinds/reference.ts";
import type { ExtraEvent, Values } from "./rules.ts";
import type { Type } from "./types.ts";

// One statement writes the audit line of a change, its events, and the webhook messages for them. The outbox adds its part to
// the text; where no webhook subscribes to an event, that costs one look into a small index.
const insertEvents = "INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)";
const insertAuditLines = `INSERT INTO ${markTable("audit_lines", "$1")} (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at, origin`;
const selectNothing = "SELECT NULL WHERE false";

/** The statement for one change, and for several of the same type by the same person at the same time. */
type EventStatements = { one: (outbox: string) => string; several: (outbox: string) => string };

// $1 account, $2 type, $3 id, $4 person, $5 time, $6 payload, $7 events; for several changes $3 is a JSON list of the rest
const eventsOnly: EventStatements = {
  one: (outbox) =>
    `WITH told AS (${insertEvents} SELECT $1, event, $2, $3, $4, $6::jsonb, $5 FROM unnest($7::text[]) AS event RETURNING id, event)
${outbox}`,
  several: (outbox) =>
    `WITH told AS (
  ${insertEvents}
  SELECT $1, event, $2, g.id, $4, g.payload, $5 FROM json_to_recordset($3::json) AS g (id integer, payload jsonb, events text[]), unnest(g.events) AS event
  RETURNING id, event, record_id
) ${outbox}`,
};
// also $8 action, $9 changes, $10 origin
const auditLineAndEvents: EventStatements = {
  one: (outbox) =>
    `WITH line AS (
  ${insertAuditLines})
  VALUES ($1, $8, $2, $3, $9, $4, $4, $5, $10) RETURNING id
), told AS (
  ${insertEvents}
  SELECT $1, event, $2, $3, $4, $6::jsonb || jsonb_build_object('audit_line_id', line.id), $5 FROM line, unnest($7::text[]) AS event
  RETURNING id, event
) ${outbox}`,
  several: (outbox) =>
    `WITH given AS MATERIALIZED (
  SELECT g.*, nextval('audit_lines_id_seq') AS line FROM json_to_recordset($3::json)
    AS g (id integer, payload jsonb, events text[], action text, changes jsonb, origin jsonb)
), line AS (
  ${insertAuditLines}, id)
  SELECT $1, g.action, $2, g.id, g.changes, $4, $4, $5::timestamptz, g.origin, g.line FROM given g
), told AS (
  ${insertEvents}
  SELECT $1, event, $2, g.id, $4, g.payload || jsonb_build_object('audit_line_id', g.line), $5 FROM given g, unnest(g.events) AS event
  RETURNING id, event, record_id
) ${outbox}`,
};

export async function publish(engine: Engine, tx: Transaction, by: Caller | null, given: ChangeEvent): Promise<void> {
  const change: ChangeEvent = engine.suppressEvents
    ? { ...given, events: [], extraEventNames: [], suppressEvents: true }
    : given;
  const { type, id, account, action, events, extraEventNames = [], extraEvents = [] } = change;
  const facts = collectFacts(change);
  const person = by === null || by.isService ? null : by.person;
  const now = toTimestamp(engine.clock.now());
  const buildValues = (names: readonly string[], extraFacts: ExtraEvent["facts"] = {}): Value[] => {
    const payload = JSON.stringify({ ...facts, ...extraFacts });
    return [account, type.name, id, person, now, payload, names];
  };
  const writeEventsOnly = (values: Value[]) => writeEvents(engine, tx, type, "events", eventsOnly, values);
  const isAudited = type.storage.audited && (action !== "update" || Object.keys(change.changes).length > 0);
  const unaudited = isAudited ? [] : events;
  // Two notes of one save are two events, and each message has the facts of its own note.
  if (extraEventNames.length <= 1) {
    const names = [...extraEventNames, ...unaudited];
    if (names.length > 0) writeEventsOnly(buildValues(names));
  } else {
    extraEventNames.forEach((name, at) => {
      writeEventsOnly(buildValues([name], extraEvents[at]?.facts));
    });
    if (unaudited.length > 0) writeEventsOnly(buildValues(unaudited));
  }
  if (isAudited) {
    const changes =
      by?.rule === undefined ? change.changes : { ...change.changes, automation_rule: [null, by.rule.name] };
    const origin = JSON.stringify(by === null ? systemOrigin : by.changeOrigin);
    const values = [...buildValues(events), action, JSON.stringify(changes), origin];
    writeEvents(engine, tx, type, "line and events", auditLineAndEvents, values);
  }
  for (const listener of engine.listeners) {
    const waiting = listener(tx, by, change);
    if (waiting !== undefined) await waiting;
  }
}

/** The content of a change's messages beside the record itself. */
function collectFacts({ type, before, after, facts: given }: ChangeEvent): Record<string, unknown> {
  const facts: Record<string, unknown> = { ...given };
  for (const name of ["source", "sourceID", "status"])
    if (name in type.fields && after?.[name] != null) facts[name] = after[name];
  if (type.states !== null && before !== null && before[type.states.field] !== after?.[type.states.field])
    facts.previous_status = before[type.states.field];
  for (const name of ["team", "member"])
    if (isReference(type.fields[name]) && after?.[name] != null) facts[`${name}_id`] = after[name];
  const traceparent = getTraceparent();
  if (traceparent !== undefined) facts.traceparent = traceparent;
  // A deleted record cannot be loaded later, so its messages contain all of it.
  if (type.events.includes("delete")) facts.record = valuesByColumn(type, after ?? before ?? {});
  return facts;
}

/** Publishes values that follow from other records to listeners only: no audit line, no event. */
export async function publishDerivedUpdate(
  { listeners, suppressEvents }: Engine,
  tx: Transaction,
  by: Caller | null,
  update: Pick<ChangeEvent, "type" | "id" | "account"> & { before: Values; after: Values },
): Promise<void> {
  const names = Object.keys(update.after);
  const changes = Object.fromEntries(
    names.map((name) => [name, [update.before[name] ?? null, update.after[name] ?? null] as const]),
  );
  const event: ChangeEvent = {
    ...update,
    action: "update",
    changes,
    events: [],
    isDerivedUpdate: true,
    ...(suppressEvents ? { suppressEvents } : {}),
  };
  for (const listener of listeners) await listener(tx, by, event);
}

/** Values by the names of their columns. */
const valuesByColumn = (type: Type, values: Values): Values =>
  Object.fromEntries([...type.columns].map(([name, column]) => [column, values[name] ?? null]));

function writeEvents(
  engine: Engine,
  tx: Transaction,
  type: Type,
  key: string,
  statements: EventStatements,
  values: Value[],
): void {
  const outbox = type.events.length === 0 ? undefined : engine.outbox;
  const audience = pickAudience(type);
  const built = engine.statements.get(
    `publish#${key}#${outbox === undefined ? "nobody" : audience}${type.sharing.viewers === null ? "" : `#${type.name}`}`,
    () => statements.one(outbox?.buildSql(audience, "$3", buildViewersQuery(type, "$3")) ?? selectNothing),
    () =>
      buildEventBatch(
        statements.several(
          outbox?.buildSql(audience, "t.record_id", buildViewersQuery(type, "t.record_id")) ?? selectNothing,
        ),
      ),
  );
  const sent = tx.query(built, values);
  if (outbox === undefined) return;
  const reportQueued = (rows: readonly (readonly (string | null)[])[]) => {
    if (rows.length > 0) tx.afterCommit(() => outbox.onCommitted(rows.map((row) => Number(row[0]))));
  };
  sent.then(reportQueued, () => {}); // a failure surfaces at the commit
}

const buildEventBatch = (text: string): Batch => ({
  statement: statement(text),
  groupKey: ([account, type, , person, now]) => JSON.stringify([account, type, person, now]),
  mergeValues: (calls) => {
    const [account, type, , person, now] = calls[0] as Value[];
    const rest = calls.map(([, , id, , , payload, events, action, changes, origin]) => {
      const line =
        action === undefined ? "" : `,"action":${JSON.stringify(action)},"changes":${changes},"origin":${origin}`;
      return `{"id":${id},"payload":${payload},"events":${JSON.stringify(events)}${line}}`;
    });
    return [account, type, `[${rest.join(",")}]`, person, now] as Value[];
  },
  distribute: (all) => [all],
});

/** Viewers get the events of the account of the record, and none of participating accounts. */
const buildViewersQuery = (type: Type, record: string): string | null =>
  type.sharing.viewers === null
    ? null
    : `SELECT account_id FROM ${viewersTable(type)} WHERE ${type.name}_id = ${record} AND home_account_id = $1`;

const pickAudience = ({ sharing: { acrossAccounts, sharedByDirectory } }: Type): Audience =>
  acrossAccounts !== null ? "trusted" : sharedByDirectory ? "directory" : "own";

/** The events of a save: create, or update and one for each declared field that changed (`team-changed`). */
export function pickEvents(
  type: Type,
  action: "create" | "update" | "destroy",
  changed: Pick<ReadonlySet<string>, "has">,
): string[] {
  const matching = type.events.filter((event) => {
    if (event.endsWith("-changed"))
      return action === "update" && changed.has(event.slice(0, -"-changed".length).replaceAll("-", "_"));
    return event === (action === "destroy" ? "delete" : action);
  });
  // Events of single fields come first, the plain update last.
  const ordered = [
    ...matching.filter((event) => event !== "update"),
    ...matching.filter((event) => event === "update"),
  ];
  return ordered.map((event) => `${type.name}.${event}`);
}
