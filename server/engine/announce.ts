import { stampOf } from "../base/clock.ts";
import type { Transaction, Value } from "../storage/database.ts";
import type { Announcement } from "./announcement.ts";
import type { Caller } from "./caller.ts";
import type { Engine, Reach } from "./engine.ts";
import type { Values } from "./rules.ts";
import type { Type } from "./types.ts";

// The audit line of a change, its events, and what is to be sent because of them are one statement: all are there or
// nothing is. Whoever sends (engine.outbox) puts in what it needs; where nobody waits for an event that is one look into
// a small index.
const intoEvents = "INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)";
const nobody = "SELECT NULL WHERE false";
const eventsAlone = (sends: string) =>
  `WITH told AS (${intoEvents} SELECT $1, event, $2, $3, $4, $5::jsonb, $6 FROM unnest($7::text[]) AS event RETURNING id, event)
${sends}`;
const lineAndEvents = (sends: string) =>
  `WITH line AS (
  INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at)
  VALUES ($1, $8, $2, $3, $9, $4, $4, $6) RETURNING id
), told AS (
  ${intoEvents}
  SELECT $1, event, $2, $3, $4, $5::jsonb || jsonb_build_object('audit_line_id', line.id), $6 FROM line, unnest($7::text[]) AS event
  RETURNING id, event
) ${sends}`;

export async function announce(
  engine: Engine,
  tx: Transaction,
  by: Caller | null,
  announcement: Announcement,
): Promise<void> {
  const { type, id, account, action, before, after, events, happenings = [] } = announcement;
  const changes =
    by?.rule === undefined ? announcement.changes : { ...announcement.changes, automation_rule: [null, by.rule.name] };
  const facts: Record<string, unknown> = { ...announcement.facts };
  for (const name of ["source", "sourceID", "status"])
    if (name in type.fields && after?.[name] != null) facts[name] = after[name];
  if (type.lifecycle !== null && before !== null && before[type.lifecycle.field] !== after?.[type.lifecycle.field])
    facts.previous_status = before[type.lifecycle.field];
  for (const name of ["team", "member"])
    if (type.fields[name]?.kind === "reference" && after?.[name] != null) facts[`${name}_id`] = after[name];
  // What can be deleted cannot be looked up later: its messages tell all of it.
  if (type.events.includes("delete")) facts.record = columnsOf(type, after ?? before ?? {});
  const [person, now, payload] = [
    by === null || by.isService ? null : by.person,
    stampOf(engine.clock.now()),
    JSON.stringify(facts),
  ];
  const isAudited = type.audited && (action !== "update" || Object.keys(announcement.changes).length > 0);
  const unaudited = isAudited ? happenings : [...happenings, ...events];
  const told = (list: readonly string[]) => [account, type.name, id, person, payload, now, list];
  if (unaudited.length > 0) write(engine, tx, type, "events", eventsAlone, told(unaudited));
  if (isAudited)
    write(engine, tx, type, "line and events", lineAndEvents, [...told(events), action, JSON.stringify(changes)]);
  for (const listener of engine.listeners) await listener(tx, by, announcement);
}

/** Values by the names of their columns. */
const columnsOf = (type: Type, values: Values): Values =>
  Object.fromEntries([...type.columns].map(([name, column]) => [column, values[name] ?? null]));

function write(
  engine: Engine,
  tx: Transaction,
  type: Type,
  key: string,
  sql: (sends: string) => string,
  values: Value[],
): void {
  const outbox = type.events.length === 0 ? undefined : engine.outbox;
  const reach = reachOf(type);
  const built = engine.statements.get(`announce#${key}#${outbox === undefined ? "nobody" : reach}`, () =>
    sql(outbox?.sql(reach) ?? nobody),
  );
  const sent = tx.query(built, values);
  if (outbox === undefined) return;
  const filled = (rows: readonly (readonly (string | null)[])[]) => {
    if (rows.length > 0) tx.afterCommit(() => outbox.filled(rows.map((row) => Number(row[0]))));
  };
  sent.then(filled, () => {}); // a failure surfaces at the commit
}

/** Whose accounts may see the record: its own, those of the directory, or those it is shared with as well. */
const reachOf = ({ acrossAccounts, sharedByDirectory }: Type): Reach =>
  acrossAccounts !== null ? "trusted" : sharedByDirectory ? "directory" : "own";

/** The events of a save: create, or update and one for each declared field that changed (`team-changed`). */
export function eventsOf(type: Type, action: "create" | "update" | "destroy", changed: ReadonlySet<string>): string[] {
  const wanted = type.events.filter((event) => {
    if (event.endsWith("-changed"))
      return action === "update" && changed.has(event.slice(0, -"-changed".length).replaceAll("-", "_"));
    return event === (action === "destroy" ? "delete" : action);
  });
  // What changed in particular comes first, the plain update last.
  const ordered = [...wanted.filter((event) => event !== "update"), ...wanted.filter((event) => event === "update")];
  return ordered.map((event) => `${type.name}.${event}`);
}
