import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import type { Client } from "../applications/clients.ts";
import { OauthError } from "../errors.ts";
import type { Oauth } from "../oauth-context.ts";
import { accessSeconds, buildTokenResponse, issueToken, type TokenResponse } from "../token/issue-token.ts";
import { createToken } from "../tokens.ts";

const selectActivePerson = jsonStatement<{ id: number }>(
  "SELECT id FROM people WHERE id = $1 AND NOT disabled AND life_cycle = 'active' FOR KEY SHARE",
);

/** The token acts as the person linked to the application. There is no refresh token: the client can repeat the request. */
export async function clientCredentialsGrant(
  oauth: Oauth,
  tx: Transaction,
  client: Client,
): Promise<TokenResponse | OauthError> {
  const person = client.person_id === null ? null : await queryFirst(tx, selectActivePerson, [client.person_id]);
  if (person === null)
    return new OauthError("invalid_client", "The person linked to the application is missing or disabled.");
  const token = createToken();
  issueToken(
    tx,
    oauth.clock.now(),
    { kind: "access", token, lifetime: accessSeconds },
    {
      account: client.account_id,
      person: person.id,
      application: client.application_id,
      client: client.id,
      authorization: null,
      code: null,
      session: null,
      scopes: client.scopes,
    },
  );
  return buildTokenResponse(token, accessSeconds);
}
