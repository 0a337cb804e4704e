import { createHash } from "node:crypto";
import type { Transaction } from "../../storage/database.ts";
import type { Client } from "../clients.ts";
import type { Oauth } from "../context.ts";
import { OauthError } from "../errors.ts";
import { killFamily } from "../family.ts";
import { accessSeconds, issue, type Origin, refreshSeconds, type TokenAnswer, tokenAnswer } from "../issue.ts";
import { first, objects } from "../objects.ts";
import type { Scope } from "../scopes.ts";
import { note } from "../security-trail.ts";
import { hashOf, newToken, sameText } from "../tokens.ts";
import type { Parameters } from "./parameters.ts";

type Code = {
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

const find = objects<Code>(
  `SELECT k.id, k.client_id, k.person_id, k.authorization_id, k.redirect_uri, k.code_challenge, k.expires_at, k.used_at,
  k.account_id, z.application_id, z.scopes, NOT p.disabled AND p.life_cycle = 'active' AS active
FROM oauth_codes k JOIN oauth_authorizations z ON z.id = k.authorization_id JOIN people p ON p.id = k.person_id
WHERE k.secret_hash = $1`,
);
// Of many who use a code at once, the one whose update finds it unused wins.
const use = objects<{ id: number }>(
  "UPDATE oauth_codes SET used_at = $2 WHERE id = $1 AND used_at IS NULL RETURNING id",
);

const usedTwice = "The code was used before. Every token that came from it has been revoked.";
const refused = (reason: string) => new OauthError("invalid_grant", reason);

export async function authorizationCodeGrant(
  oauth: Oauth,
  tx: Transaction,
  client: Client,
  parameters: Parameters,
): Promise<TokenAnswer | OauthError> {
  const redirectUri = parameters.required("redirect_uri");
  const code = await first(tx, find, [hashOf(parameters.required("code"))]);
  if (code === null) return refused("The code is unknown.");
  const now = oauth.clock.now();
  const kill = () => {
    const { id, account_id: account, person_id: person, application_id: application } = code;
    killFamily(oauth, tx, id);
    note(tx, now.toISOString(), { account, person, event: "code-used-twice", details: { application } });
    return refused(usedTwice);
  };
  if (code.used_at !== null) return kill();
  if (code.client_id !== client.id) return refused("The code was issued to another client.");
  if (now >= new Date(code.expires_at)) return refused("The code has expired.");
  if (!sameText(redirectUri, code.redirect_uri))
    return refused("The redirect_uri differs from the one of the authorization request.");
  if (!provesChallenge(code.code_challenge, parameters.optional("code_verifier")))
    return refused("The code_verifier does not fit the code_challenge of the authorization request.");
  if (!code.active) return refused("The person is disabled.");
  if ((await first(tx, use, [code.id, now.toISOString()])) === null) return kill();
  const origin: Origin = {
    account: code.account_id,
    person: code.person_id,
    application: client.application_id,
    client: client.id,
    authorization: code.authorization_id,
    code: code.id,
    session: null,
    scopes: code.scopes,
  };
  const [access, refresh] = [newToken(), newToken()];
  issue(tx, now, "access", access, accessSeconds, origin);
  issue(tx, now, "refresh", refresh, refreshSeconds, origin);
  return tokenAnswer(access, accessSeconds, refresh);
}

/** PKCE. A verifier without a challenge is refused too: somebody has taken the challenge out of the request. */
function provesChallenge(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === null && verifier === null;
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  return sameText(createHash("sha256").update(verifier).digest("base64url"), challenge);
}
