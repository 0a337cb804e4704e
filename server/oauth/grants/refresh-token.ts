import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../../database/rows.ts";
import type { Client } from "../applications/clients.ts";
import { OauthError } from "../errors.ts";
import type { Oauth } from "../oauth-context.ts";
import type { Scope } from "../scopes/scopes.ts";
import { recordSecurityEvent } from "../security-trail.ts";
import {
  accessSeconds,
  buildTokenResponse,
  issueToken,
  refreshSeconds,
  type TokenResponse,
} from "../token/issue-token.ts";
import { revokeTokenFamily } from "../token/token-family.ts";
import type { TokenParameters } from "../token/token-parameters.ts";
import { deriveToken, hashToken } from "../tokens.ts";

// Every refresh issues a new pair and invalidates the old refresh token. A lost response must not lock the client out, so
// the same client gets the same pair again for a few seconds. The pair is derived from the old token and the secret of
// the instance: it can be repeated although only hashes are stored.

const graceSeconds = 10;

type RefreshToken = {
  id: number;
  client_id: number;
  person_id: number;
  account_id: string;
  authorization_id: number;
  code_id: number;
  scopes: Scope[];
  expires_at: string;
  used_at: string | null;
  active: boolean;
};

const lockToken = jsonStatement<RefreshToken>(
  `SELECT t.id, t.client_id, t.person_id, t.account_id, t.authorization_id, t.code_id, t.scopes, t.expires_at, t.used_at,
  NOT p.disabled AND p.life_cycle = 'active' AS active
FROM tokens t JOIN people p ON p.id = t.person_id WHERE t.secret_hash = $1 AND t.kind = 'refresh' FOR UPDATE OF t`,
);
const markUsed = statement("UPDATE tokens SET used_at = $2, last_used_at = $2 WHERE id = $1");
const selectLiveTokens = jsonStatement<{ kind: string; expires_at: string }>(
  "SELECT kind, expires_at FROM tokens WHERE secret_hash = ANY($1::text[])",
);
const refuseGrant = (reason: string) => new OauthError("invalid_grant", reason);

export async function refreshTokenGrant(
  oauth: Oauth,
  tx: Transaction,
  client: Client,
  parameters: TokenParameters,
): Promise<TokenResponse | OauthError> {
  const old = parameters.required("refresh_token");
  const token = await queryFirst(tx, lockToken, [hashToken(old)]);
  if (token === null || token.client_id !== client.id)
    return refuseGrant("The refresh token is unknown, was revoked, or belongs to another client.");
  const access = deriveToken(oauth.secret, "access", old);
  const refresh = deriveToken(oauth.secret, "refresh", old);
  const now = oauth.clock.now();
  if (token.used_at !== null) {
    const age = now.getTime() - new Date(token.used_at).getTime();
    if (age > graceSeconds * 1000) return revokeReusedToken(oauth, tx, client, token);
    return repeatTokenResponse(tx, now, access, refresh);
  }
  if (now >= new Date(token.expires_at)) return refuseGrant("The refresh token has expired.");
  if (!token.active) return refuseGrant("The person is disabled.");
  const origin = {
    account: token.account_id,
    person: token.person_id,
    application: client.application_id,
    client: client.id,
    authorization: token.authorization_id,
    code: token.code_id,
    session: null,
    scopes: token.scopes,
  };
  tx.send(markUsed, [token.id, now.toISOString()]);
  issueToken(tx, now, { kind: "access", token: access, lifetime: accessSeconds }, origin);
  issueToken(tx, now, { kind: "refresh", token: refresh, lifetime: refreshSeconds }, origin);
  return buildTokenResponse(access, accessSeconds, refresh);
}

async function repeatTokenResponse(
  tx: Transaction,
  now: Date,
  access: string,
  refresh: string,
): Promise<TokenResponse | OauthError> {
  const pair = await queryRows(tx, selectLiveTokens, [[hashToken(access), hashToken(refresh)]]);
  const issued = pair.find((token) => token.kind === "access");
  if (pair.length < 2 || issued === undefined) return refuseGrant("The refresh token was revoked.");
  const secondsLeft = Math.floor((new Date(issued.expires_at).getTime() - now.getTime()) / 1000);
  return buildTokenResponse(access, secondsLeft, refresh);
}

function revokeReusedToken(oauth: Oauth, tx: Transaction, client: Client, token: RefreshToken): OauthError {
  revokeTokenFamily(oauth, tx, token.code_id);
  recordSecurityEvent(tx, oauth.clock.now().toISOString(), {
    account: token.account_id,
    person: token.person_id,
    event: "refresh-token-used-twice",
    details: { application: client.application_id },
  });
  return refuseGrant("The refresh token was used before. Every token that came from it has been revoked.");
}
