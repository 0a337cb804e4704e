import { statement, type Transaction } from "../storage/database.ts";
import type { Oauth } from "./context.ts";
import { OauthError } from "./errors.ts";
import { first, objects } from "./objects.ts";
import type { Scope } from "./scopes.ts";
import { hashOf, sameText } from "./tokens.ts";

// Programs prove who they are with a pair of client_id and client_secret of an application.

export type GrantType = "authorization_code" | "client_credentials";

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

// The lock makes whoever disables the pair or changes the application wait for the tokens that are just being issued,
// and then find them.
const find = objects<Client>(
  `SELECT c.id, c.application_id, c.account_id, c.secret_hash, c.disabled OR a.disabled AS disabled, a.grant_type, a.person_id, a.scopes
FROM oauth_clients c JOIN oauth_applications a ON a.id = c.application_id
WHERE c.client_id = $1 FOR SHARE OF c, a`,
);
const touch = statement("UPDATE oauth_clients SET last_used_at = $2 WHERE id = $1");

const nobody = hashOf("the secret of no client");

export type Credentials = { id: string; secret: string };

export async function authenticate(tx: Transaction, { id, secret }: Credentials): Promise<Client> {
  const client = await first(tx, find, [id]);
  // An unknown client costs the same comparison as a known one.
  const knowsSecret = sameText(hashOf(secret), client?.secret_hash ?? nobody);
  if (client === null || !knowsSecret || client.disabled)
    throw new OauthError("invalid_client", "The client is unknown or disabled, or its secret is wrong.");
  return client;
}

const touched = new WeakMap<Oauth, Map<number, number>>();

/** Notes that a pair was used, once a minute at most; nobody waits for it. */
export function clientUsed(oauth: Oauth, id: number): void {
  const now = oauth.clock.now();
  const seen = touched.get(oauth) ?? new Map<number, number>();
  touched.set(oauth, seen);
  if (now.getTime() - (seen.get(id) ?? 0) < 60_000) return;
  seen.set(id, now.getTime());
  oauth.database.read(touch, [id, now.toISOString()]).catch(() => seen.delete(id));
}
