import { createHash } from "node:crypto";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
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
  type TokenOrigin,
  type TokenResponse,
} from "../token/issue-token.ts";
import { revokeTokenFamily } from "../token/token-family.ts";
import type { TokenParameters } from "../token/token-parameters.ts";
import { createToken, equalsConstantTime, hashToken } from "../tokens.ts";

type AuthorizationCode = {
  id: number;
  client_id: number;
  person_id: number;
  authorization_id: number;
  redirect_uri: string;
  code_challenge: string | null;
  expires_at: string;
  used_at: string | null;
  account_id: string;
  application_id: number;
  scopes: Scope[];
  active: boolean;
};

const selectCode = jsonStatement<AuthorizationCode>(
  `SELECT k.id, k.client_id, k.person_id, k.authorization_id, k.redirect_uri, k.code_challenge, k.expires_at, k.used_at,
  k.account_id, z.application_id, z.scopes, NOT p.disabled AND p.life_cycle = 'active' AS active
FROM oauth_codes k JOIN oauth_authorizations z ON z.id = k.authorization_id JOIN people p ON p.id = k.person_id
WHERE k.secret_hash = $1`,
);
// Concurrent requests with the same code: only the first update finds it unused.
const markUsed = jsonStatement<{ id: number }>(
  "UPDATE oauth_codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id",
);

const usedTwiceMessage = "The code was used before. Every token that came from it has been revoked.";
const refuseGrant = (reason: string) => new OauthError("invalid_grant", reason);

export async function authorizationCodeGrant(
  oauth: Oauth,
  tx: Transaction,
  client: Client,
  parameters: TokenParameters,
): Promise<TokenResponse | OauthError> {
  const redirectUri = parameters.required("redirect_uri");
  const code = await queryFirst(tx, selectCode, [hashToken(parameters.required("code"))]);
  if (code === null) return refuseGrant("The code is unknown.");
  const now = oauth.clock.now();
  const revokeReusedCode = () => {
    const { id, account_id: account, person_id: person, application_id: application } = code;
    revokeTokenFamily(oauth, tx, id);
    recordSecurityEvent(tx, now.toISOString(), { account, person, event: "code-used-twice", details: { application } });
    return refuseGrant(usedTwiceMessage);
  };
  if (code.used_at !== null) return revokeReusedCode();
  if (code.client_id !== client.id) return refuseGrant("The code was issued to another client.");
  if (now >= new Date(code.expires_at)) return refuseGrant("The code has expired.");
  if (!equalsConstantTime(redirectUri, code.redirect_uri))
    return refuseGrant("The redirect_uri differs from the one of the authorization request.");
  if (!matchesChallenge(code.code_challenge, parameters.optional("code_verifier")))
    return refuseGrant("The code_verifier does not fit the code_challenge of the authorization request.");
  if (!code.active) return refuseGrant("The person is disabled.");
  if ((await queryFirst(tx, markUsed, [code.id, now.toISOString()])) === null) return revokeReusedCode();
  const origin: TokenOrigin = {
    account: code.account_id,
    person: code.person_id,
    application: client.application_id,
    client: client.id,
    authorization: code.authorization_id,
    code: code.id,
    session: null,
    scopes: code.scopes,
  };
  const [access, refresh] = [createToken(), createToken()];
  issueToken(tx, now, { kind: "access", token: access, lifetime: accessSeconds }, origin);
  issueToken(tx, now, { kind: "refresh", token: refresh, lifetime: refreshSeconds }, origin);
  return buildTokenResponse(access, accessSeconds, refresh);
}

/** PKCE. A verifier without a challenge is refused, too: the challenge was removed from the authorization request. */
function matchesChallenge(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return equalsConstantTime(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
