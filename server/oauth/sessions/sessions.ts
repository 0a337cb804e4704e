import { randomBytes } from "node:crypto";
import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { session } from "../../../records/answers/session.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Person } from "../../engine/caller.ts";
import { addSeconds, changeAccess, type Oauth } from "../oauth-context.ts";
import { isInNetworks } from "../policy/networks.ts";
import type { SessionMethod } from "../policy/policy-members.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import { hashToken } from "../tokens.ts";

// A session is a random secret in a cookie; the database stores its hash. The policy of the account says after how long
// without use it expires, and after how long in any case.

export type Session = {
  id: number;
  /** the hash of its secret; CSRF tokens are derived from it */
  hash: string;
  person: Person;
  email: string;
  /** when the person last proved who they are: at sign-in, or when asked again */
  provenAt: Date;
};
export type Visitor = { address: string; userAgent: string };

const insert = jsonStatement<{ id: number }>(
  `INSERT INTO sessions (account_id, person_id, secret_hash, created_at, last_seen_at, idle_expires_at, expires_at, user_agent, address, method)
VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9) RETURNING id`,
);
const selectSession = jsonStatement<{
  id: number;
  person_id: number;
  email: string;
  last_seen_at: string;
  proven_at: string;
}>(
  `SELECT s.id, s.person_id, p.primary_email AS email, s.last_seen_at, coalesce(s.proven_at, s.created_at) AS proven_at FROM sessions s JOIN people p ON p.id = s.person_id
WHERE s.secret_hash = $1 AND s.idle_expires_at > $2 AND s.expires_at > $2`,
);
// A session that began with a shorter period without use keeps it.
const touch = statement(
  "UPDATE sessions SET last_seen_at = $2, idle_expires_at = least($3, $2::timestamptz + (idle_expires_at - last_seen_at)) WHERE id = $1",
);
const deleteSession = jsonStatement<{ account_id: string; person_id: number }>(
  "DELETE FROM sessions WHERE id = $1 AND person_id = $2 RETURNING account_id, person_id",
);
const deleteBySecret = statement("DELETE FROM sessions WHERE secret_hash = $1");

/** Begins a session and returns its secret. Ends the previous session of the browser: a secret never changes its owner. */
export async function beginSession(
  oauth: Oauth,
  tx: Transaction,
  person: { id: number; account: string },
  visitor: Visitor,
  { previous, method }: { previous: string | null; method: SessionMethod },
): Promise<string> {
  const { idle_session_minutes, longest_session_hours } = await oauth.identities.getPolicy(person.account);
  const now = oauth.clock.now();
  const secret = randomBytes(32).toString("base64url");
  if (previous !== null) tx.send(deleteBySecret, [hashToken(previous)]);
  await queryFirst(tx, insert, [
    person.account,
    person.id,
    hashToken(secret),
    now.toISOString(),
    addSeconds(now, idle_session_minutes * 60),
    addSeconds(now, longest_session_hours * 3600),
    visitor.userAgent.slice(0, 300),
    visitor.address,
    method,
  ]);
  return secret;
}

/** Also null in a network that the person's account does not allow: the session keeps working in allowed ones. */
export async function loadSession(oauth: Oauth, secret: string, address: string): Promise<Session | null> {
  const now = oauth.clock.now();
  const hash = hashToken(secret);
  const row = await queryFirst(oauth.database, selectSession, [hash, now.toISOString()]);
  if (row === null) return null;
  const person = await oauth.identities.person(row.person_id);
  if (person === null) return null;
  const { idle_session_minutes, web_networks } = await oauth.identities.getPolicy(person.account);
  if (!isInNetworks(web_networks, address)) return null;
  if (now.getTime() - new Date(row.last_seen_at).getTime() >= 60_000)
    await oauth.database.change(touch, [row.id, now.toISOString(), addSeconds(now, idle_session_minutes * 60)]);
  return { id: row.id, hash, person, email: row.email, provenAt: new Date(row.proven_at) };
}

/** Ends a session, and with it the tokens that were exchanged for it. False when the person has no such session. */
export function endSession(
  oauth: Oauth,
  person: Person,
  id: number,
  address: string,
  event: "sign-out" | "session-ended",
): Promise<boolean> {
  return changeAccess(oauth, async (tx, now) => {
    const ended = await queryFirst(tx, deleteSession, [id, person.id]);
    if (ended === null) return false;
    recordSecurityEvent(tx, now, {
      account: ended.account_id,
      person: person.id,
      event,
      address,
      details: { session: id },
    });
    return true;
  });
}

type SessionLine = Omit<AnswerOf<typeof session>, "current">;
const selectSessions = jsonStatement<SessionLine>(
  `SELECT id, created_at, last_seen_at, expires_at, user_agent, address FROM sessions
WHERE person_id = $1 AND idle_expires_at > $2 AND expires_at > $2 ORDER BY last_seen_at DESC, id DESC`,
);

export const loadSessions = (database: Database, person: number, now: Date): Promise<SessionLine[]> =>
  queryRows(database, selectSessions, [person, now.toISOString()]);
