import { type Database, statement, type Transaction } from "../storage/database.ts";
import { jsonStatement, queryRows } from "../storage/rows.ts";

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
  | "person-disabled";

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

export type SecurityTrailLine = {
  id: number;
  event: SecurityEvent;
  person: { id: number; name: string | null } | null;
  /** the person concerned, when that is not the person who acted */
  subject: string | null;
  details: Record<string, unknown>;
  address: string | null;
  created_at: string;
};

const selectPage = jsonStatement<SecurityTrailLine>(
  `SELECT e.id, e.event, CASE WHEN e.person_id IS NULL THEN NULL ELSE json_build_object('id', e.person_id, 'name', p.name) END AS person,
  (SELECT s.name FROM people s WHERE s.id = (e.details ->> 'person')::integer) AS subject, e.details, e.address, e.created_at
FROM security_events e LEFT JOIN people p ON p.id = e.person_id
WHERE e.account_id = $1 AND e.id < $2 ORDER BY e.id DESC LIMIT $3`,
);

/** Newest first; `before` is the id of the last line of the previous page. */
export const loadSecurityTrail = (
  database: Database,
  account: string,
  before: number | null,
  limit = 50,
): Promise<SecurityTrailLine[]> => queryRows(database, selectPage, [account, before ?? 2_147_483_647, limit]);
