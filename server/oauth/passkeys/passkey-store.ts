import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { passkey } from "../../../records/answers/session.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import { addSeconds, type Oauth } from "../oauth-context.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import type { SignInCandidate } from "../sessions/sign-in.ts";
import { hashToken } from "../tokens.ts";

// The passkeys of people. The database has public keys only; the private key never leaves the authenticator.

export type PasskeyLine = AnswerOf<typeof passkey>;

const selectPasskeys = jsonStatement<PasskeyLine & { credential_id: string; transports: string[] }>(
  `SELECT id, name, created_at, last_used_at, credential_id, transports FROM passkeys WHERE person_id = $1 ORDER BY id LIMIT 100`,
);
export const loadPasskeyRows = (database: Database, person: number) => queryRows(database, selectPasskeys, [person]);

export const loadPasskeys = async (database: Database, person: number): Promise<PasskeyLine[]> =>
  (await loadPasskeyRows(database, person)).map(({ credential_id, transports, ...line }) => line);

export const hasPasskey = async (database: Database, person: number): Promise<boolean> =>
  (await loadPasskeyRows(database, person)).length > 0;

export type StoredPasskey = {
  id: number;
  credential_id: string;
  public_key: string;
  sign_count: number;
  owner: SignInCandidate;
};
const selectByCredential = jsonStatement<
  Omit<StoredPasskey, "owner"> & { person: number; account: string; account_name: string }
>(
  `SELECT k.id, k.credential_id, k.public_key, k.sign_count, p.id AS person, p.account_id AS account, a.name AS account_name
FROM passkeys k JOIN people p ON p.id = k.person_id JOIN accounts a ON a.id = p.account_id
WHERE k.credential_id = $1 AND NOT p.disabled AND p.life_cycle = 'active'`,
);

/** Also null for a person who may not sign in. */
export async function findPasskey(database: Database, credential: string): Promise<StoredPasskey | null> {
  const row = await queryFirst(database, selectByCredential, [credential]);
  if (row === null) return null;
  const { person: id, account, account_name: accountName, ...passkey } = row;
  return { ...passkey, owner: { id, account, accountName } };
}

const insert = jsonStatement<PasskeyLine>(
  `INSERT INTO passkeys (account_id, person_id, name, credential_id, public_key, sign_count, transports, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING RETURNING id, name, created_at, last_used_at`,
);
export type NewPasskey = {
  name: string;
  credential: string;
  publicKey: string;
  signCount: number;
  transports: readonly string[];
};

/** Null: the authenticator has registered this key before. */
export const insertPasskey = (
  tx: Transaction,
  now: string,
  person: { id: number; account: string },
  { name, credential, publicKey, signCount, transports }: NewPasskey,
): Promise<PasskeyLine | null> =>
  queryFirst(tx, insert, [person.account, person.id, name, credential, publicKey, signCount, transports, now]);

// Authenticators that do not count always say 0.
const updateUse = statement(
  "UPDATE passkeys SET sign_count = $2, last_used_at = $3 WHERE id = $1 AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0)) RETURNING 1",
);
/** False: another use with this count came first, so there are two copies of the key. */
export const recordPasskeyUse = async (tx: Transaction, id: number, count: number, now: string): Promise<boolean> =>
  (await tx.query(updateUse, [id, count, now])).length > 0;

const spend = statement(
  "INSERT INTO spent_challenges (challenge_hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1",
);
/** longer than any challenge is accepted */
const spentSeconds = 3600;

/** False: this challenge has been answered before. */
export const spendChallenge = async (oauth: Oauth, tx: Transaction, challenge: string): Promise<boolean> =>
  (await tx.query(spend, [hashToken(challenge), addSeconds(oauth.clock.now(), spentSeconds)])).length > 0;

const deleteOne = jsonStatement<{ name: string }>(
  "DELETE FROM passkeys WHERE id = $1 AND person_id = $2 RETURNING name",
);
const deleteAll = jsonStatement<{ name: string }>("DELETE FROM passkeys WHERE person_id = $1 RETURNING name");

export type Remover = { by: number | null; address?: string | null };

/** `id`: one of them; null: all. Returns whether there was one. */
export async function removePasskeys(
  tx: Transaction,
  now: string,
  person: { id: number; account: string },
  id: number | null,
  { by, address = null }: Remover,
): Promise<boolean> {
  const removed =
    id === null ? await queryRows(tx, deleteAll, [person.id]) : await queryRows(tx, deleteOne, [id, person.id]);
  for (const { name } of removed)
    recordSecurityEvent(tx, now, {
      ...{ account: person.account, person: by, event: "passkey-removed" as const, address },
      details: { person: person.id, name, ...(by === null ? { by: "command line" } : {}) },
    });
  return removed.length > 0;
}
