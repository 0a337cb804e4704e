import { stampOf } from "../base/clock.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { Announcement } from "./announcement.ts";
import type { Caller } from "./caller.ts";
import type { Engine } from "./engine.ts";
import type { Type } from "./types.ts";

// The audit line and the events of a change are one statement: both are there or neither is.
const lineAndEvents = statement(
  `WITH line AS (
  INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6, $7) RETURNING id
)
INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
SELECT $1, event, $3, $4, $6, $8::jsonb || jsonb_build_object('audit_line_id', line.id), $7 FROM line, unnest($9::text[]) AS event`,
);
const eventsAlone = statement(
  `INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
SELECT $1, event, $2, $3, $4, $5, $6 FROM unnest($7::text[]) AS event`,
);

/** Something to be told that is no change of a record. */
type Happened = {
  account: string;
  event: string;
  type: string;
  id: number;
  person: number | null;
  payload: Readonly<Record<string, unknown>>;
  now: Date;
};

export function happened(tx: Transaction, { account, event, type, id, person, payload, now }: Happened): void {
  tx.send(eventsAlone, [account, type, id, person, JSON.stringify(payload), stampOf(now), [event]]);
}

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
  const [person, now, payload] = [
    by === null || by.isService ? null : by.person,
    stampOf(engine.clock.now()),
    JSON.stringify(facts),
  ];
  const isAudited = type.audited && (action !== "update" || Object.keys(announcement.changes).length > 0);
  const unaudited = isAudited ? happenings : [...happenings, ...events];
  if (unaudited.length > 0) tx.send(eventsAlone, [account, type.name, id, person, payload, now, unaudited]);
  if (isAudited)
    tx.send(lineAndEvents, [account, action, type.name, id, JSON.stringify(changes), person, now, payload, events]);
  for (const listener of engine.listeners) await listener(tx, by, announcement);
}

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
