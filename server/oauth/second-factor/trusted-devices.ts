import { randomBytes } from "node:crypto";
import { statement, type Transaction } from "../../database/database.ts";
import { addSeconds, type Oauth } from "../oauth-context.ts";
import { hashToken } from "../tokens.ts";

// A browser in which a person asked to be remembered needs no code for a month. It keeps a secret in a cookie; several
// people of one browser share it, with a row each.

export const trustSeconds = 30 * 24 * 3600;

const insertDevice = statement(
  `INSERT INTO trusted_devices (account_id, person_id, secret_hash, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (person_id, secret_hash) DO UPDATE SET created_at = excluded.created_at, expires_at = excluded.expires_at`,
);
const selectDevice = statement(
  "SELECT 1 FROM trusted_devices WHERE person_id = $1 AND secret_hash = $2 AND expires_at > $3",
);
const deleteDevices = statement("DELETE FROM trusted_devices WHERE person_id = $1");

/** `secret`: the one in the cookie of the browser, if there is one. Returns the secret for the cookie. */
export function trustDevice(
  oauth: Oauth,
  tx: Transaction,
  person: { id: number; account: string },
  secret: string | null,
): string {
  const now = oauth.clock.now();
  const kept = secret !== null && /^[\w-]{43}$/.test(secret) ? secret : randomBytes(32).toString("base64url");
  const expiresAt = addSeconds(now, trustSeconds);
  tx.send(insertDevice, [person.account, person.id, hashToken(kept), now.toISOString(), expiresAt]);
  return kept;
}

export async function isTrustedDevice(oauth: Oauth, person: number, secret: string | null): Promise<boolean> {
  if (secret === null) return false;
  const values = [person, hashToken(secret), oauth.clock.now().toISOString()];
  return (await oauth.database.read(selectDevice, values)).length > 0;
}

export const forgetDevices = (tx: Transaction, person: number): void => tx.send(deleteDevices, [person]);
