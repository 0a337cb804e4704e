import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { grantType } from "../../../records/answers/session.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { OauthError } from "../errors.ts";
import type { Oauth } from "../oauth-context.ts";
import type { Scope } from "../scopes/scopes.ts";
import { equalsConstantTime, hashToken } from "../tokens.ts";

// Clients authenticate with a pair of client_id and client_secret of an application.

export type GrantType = AnswerOf<typeof grantType>;

export type Client = {
  id: number;
  application_id: number;
  account_id: string;
  secret_hash: string;
  disabled: boolean;
  grant_type: GrantType;
  person_id: number | null;
  scopes: Scope[];
};

// With the lock, disabling the pair or changing the application waits for tokens that are being issued, and deletes them.
const lockClient = jsonStatement<Client>(
  `SELECT c.id, c.application_id, c.account_id, c.secret_hash, c.disabled OR a.disabled AS disabled, a.grant_type, a.person_id, a.scopes
FROM oauth_clients c JOIN oauth_applications a ON a.id = c.application_id
WHERE c.client_id = $1 FOR SHARE OF c, a`,
);
const touch = statement("UPDATE oauth_clients SET last_used_at = $2 WHERE id = $1");

const unknownSecretHash = hashToken("the secret of no client");

export type ClientCredentials = { id: string; secret: string };

export async function authenticateClient(tx: Transaction, { id, secret }: ClientCredentials): Promise<Client> {
  const client = await queryFirst(tx, lockClient, [id]);
  // Unknown clients take the same comparison as known ones, so that the duration reveals nothing.
  const knowsSecret = equalsConstantTime(hashToken(secret), client?.secret_hash ?? unknownSecretHash);
  if (client === null || !knowsSecret || client.disabled)
    throw new OauthError("invalid_client", "The client is unknown or disabled, or its secret is wrong.");
  return client;
}

const lastUseTimes = new WeakMap<Oauth, Map<number, number>>();

/** Stores that a pair was used, once a minute at most. The request does not wait for it. */
export function recordClientUse(oauth: Oauth, id: number): void {
  const now = oauth.clock.now();
  const times = lastUseTimes.get(oauth) ?? new Map<number, number>();
  lastUseTimes.set(oauth, times);
  if (now.getTime() - (times.get(id) ?? 0) < 60_000) return;
  times.set(id, now.getTime());
  oauth.database.change(touch, [id, now.toISOString()]).catch(() => times.delete(id));
}
