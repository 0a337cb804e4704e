import { authenticateClient, type ClientCredentials, recordClientUse } from "../applications/clients.ts";
import { OauthError } from "../errors.ts";
import { authorizationCodeGrant } from "../grants/authorization-code.ts";
import { clientCredentialsGrant } from "../grants/client-credentials.ts";
import { refreshTokenGrant } from "../grants/refresh-token.ts";
import type { Oauth } from "../oauth-context.ts";
import type { TokenResponse } from "./issue-token.ts";
import type { TokenParameters } from "./token-parameters.ts";

// grants/ holds one file per grant. A refusal can itself be a change (reusing a code revokes its tokens), so grants return
// it and let the transaction commit instead of throwing.

// biome-ignore format: a table keeps its columns
const grants = {
  authorization_code: { for: "authorization_code", run: authorizationCodeGrant },
  refresh_token:      { for: "authorization_code", run: refreshTokenGrant },
  client_credentials: { for: "client_credentials", run: clientCredentialsGrant },
} as const;

const foreignKeyViolation = "23503";

export async function handleTokenRequest(
  oauth: Oauth,
  parameters: TokenParameters,
  credentials: ClientCredentials,
): Promise<TokenResponse> {
  const grantType = parameters.required("grant_type");
  if (!Object.hasOwn(grants, grantType))
    throw new OauthError("unsupported_grant_type", `The grant type must be one of ${Object.keys(grants).join(", ")}.`);
  const grant = grants[grantType as keyof typeof grants];
  const response = await oauth.database
    .transaction(async (tx) => {
      const client = await authenticateClient(tx, credentials);
      if (client.grant_type !== grant.for)
        throw new OauthError("unauthorized_client", "The application is not registered for this grant type.");
      tx.afterCommit(() => recordClientUse(oauth, client.id));
      return grant.run(oauth, tx, client, parameters);
    })
    .catch((error) => {
      // The authorization was revoked while its tokens were being written.
      if ((error as { code?: string }).code === foreignKeyViolation)
        throw new OauthError("invalid_grant", "The authorization was revoked.");
      throw error;
    });
  if (response instanceof OauthError) throw response;
  return response;
}
