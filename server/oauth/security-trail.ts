import type { SecurityEvent } from "../../records/journal/security-events.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import type { Clause } from "../engine/sql/clauses.ts";

// The log of security events, for administrators. An event is written in the transaction of its change. Details never
// contain secrets.

export type NewSecurityEvent = {
  account: string;
  /** the person who acted or is concerned; null: the command line */
  person: number | null;
  event: SecurityEvent;
  details?: Readonly<Record<string, unknown>>;
  address?: string | null;
};

const insert = statement(
  "INSERT INTO security_events (account_id, person_id, event, details, address, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
);

export function recordSecurityEvent(tx: Transaction, now: string, securityEvent: NewSecurityEvent): void {
  const { account, person, event, details = {}, address = null } = securityEvent;
  tx.send(insert, [account, person, event, JSON.stringify(details), address, now]);
}

/** One event, or several with commas between them. */
const isOneOfEvents = (text: string): Clause => {
  const events = text.split(",").map((word) => word.trim());
  if (events.some((event) => !/^[a-z-]{1,60}$/.test(event))) throw new RangeError(text);
  return {
    key: "event of",
    sql: (alias, next) => `${alias}.event = ANY (${next()}::text[])`,
    values: [events],
  };
};

/** From this moment on. */
const since = (text: string): Clause => {
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw new RangeError(text);
  return {
    key: "since",
    sql: (alias, next) => `${alias}.created_at >= ${next()}::timestamptz`,
    values: [new Date(moment).toISOString()],
  };
};

/** As far as the tabs of the audit page count (D-631). */
const mostCounted = 10_000;

/** Newest first. `subject` is the name of the person concerned, when that is not the person who acted. */
export const listSecurityTrail = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "security trail",
    table: "security_events a",
    joins: "LEFT JOIN people p ON p.id = a.person_id",
    columns: `a.id, a.event, CASE WHEN a.person_id IS NULL THEN NULL ELSE json_build_object('id', a.person_id, 'name', p.name) END AS person,
  (SELECT s.name FROM people s WHERE s.id = (a.details ->> 'person')::integer) AS subject, a.details, a.address, date_trunc('second', a.created_at) AS created_at`,
    where: isEqual("account_id", by.account),
    filters: { event: isOneOfEvents, person: byInteger("person_id"), since },
    mostCounted,
  });
