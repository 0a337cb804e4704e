import { statement } from "../../database/database.ts";
import { jsonStatement, queryFirst } from "../../database/rows.ts";
import { authenticateClient, type ClientCredentials, recordClientUse } from "../applications/clients.ts";
import { OauthError } from "../errors.ts";
import { changeAccess, type Oauth } from "../oauth-context.ts";
import { hashToken } from "../tokens.ts";
import { revokeTokenFamily } from "./token-family.ts";
import type { TokenParameters } from "./token-parameters.ts";

const selectToken = jsonStatement<{ id: number; kind: string; client_id: number | null; code_id: number | null }>(
  "SELECT id, kind, client_id, code_id FROM tokens WHERE secret_hash = $1",
);
const deleteToken = statement("DELETE FROM tokens WHERE id = $1");

/** RFC 7009. Revoking a refresh token revokes all tokens of its family, revoking an access token only that token. */
export async function handleRevocationRequest(
  oauth: Oauth,
  parameters: TokenParameters,
  credentials: ClientCredentials,
): Promise<void> {
  const secret = parameters.required("token");
  await changeAccess(oauth, async (tx) => {
    const client = await authenticateClient(tx, credentials);
    tx.afterCommit(() => recordClientUse(oauth, client.id));
    const token = await queryFirst(tx, selectToken, [hashToken(secret)]);
    if (token === null) return; // unknown tokens count as revoked: RFC 7009, section 2.2
    if (token.client_id !== client.id) throw new OauthError("invalid_grant", "The token belongs to another client.");
    tx.send(deleteToken, [token.id]);
    if (token.kind === "refresh" && token.code_id !== null) revokeTokenFamily(oauth, tx, token.code_id);
  });
}
