import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Page } from "../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { statement, type Transaction } from "../storage/database.ts";

// The log of security events, for administrators. An event is written in the transaction of its change. Details never
// contain secrets.

export type SecurityEvent =
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "session-ended"
  | "password-changed"
  | "password-reset-requested"
  | "token-created"
  | "token-deleted"
  | "application-created"
  | "application-changed"
  | "application-deleted"
  | "client-created"
  | "client-changed"
  | "client-deleted"
  | "authorization-given"
  | "authorization-denied"
  | "authorization-revoked"
  | "code-used-twice"
  | "refresh-token-used-twice"
  | "roles-changed"
  | "email-policy-changed"
  | "person-disabled"
  | "account-created"
  | "account-changed";

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

/** Newest first. `subject` is the name of the person concerned, when that is not the person who acted. */
export const listSecurityTrail = (engine: Engine, by: Caller, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "security trail",
    table: "security_events a",
    joins: "LEFT JOIN people p ON p.id = a.person_id",
    columns: `a.id, a.event, CASE WHEN a.person_id IS NULL THEN NULL ELSE json_build_object('id', a.person_id, 'name', p.name) END AS person,
  (SELECT s.name FROM people s WHERE s.id = (a.details ->> 'person')::integer) AS subject, a.details, a.address, date_trunc('second', a.created_at) AS created_at`,
    where: isEqual("account_id", by.account),
    filters: { event: (text) => isEqual("event", text), person: byInteger("person_id") },
  });
