import { statement } from "../storage/database.ts";
import { authenticate, type Credentials, clientUsed } from "./clients.ts";
import { changingAccess, type Oauth } from "./context.ts";
import { OauthError } from "./errors.ts";
import { killFamily } from "./family.ts";
import type { Parameters } from "./grants/parameters.ts";
import { first, objects } from "./objects.ts";
import { hashOf } from "./tokens.ts";

const find = objects<{ id: number; kind: string; client_id: number | null; code_id: number | null }>(
  "SELECT id, kind, client_id, code_id FROM tokens WHERE secret_hash = $1",
);
const remove = statement("DELETE FROM tokens WHERE id = $1");

/** RFC 7009. A refresh token takes all tokens of its family with it, an access token only itself. */
export async function revocationRequest(oauth: Oauth, parameters: Parameters, credentials: Credentials): Promise<void> {
  const sent = parameters.required("token");
  await changingAccess(oauth, async (tx) => {
    const client = await authenticate(tx, credentials);
    tx.afterCommit(() => clientUsed(oauth, client.id));
    const token = await first(tx, find, [hashOf(sent)]);
    if (token === null) return; // unknown tokens are as good as revoked: RFC 7009, section 2.2
    if (token.client_id !== client.id) throw new OauthError("invalid_grant", "The token belongs to another client.");
    tx.send(remove, [token.id]);
    if (token.kind === "refresh" && token.code_id !== null) killFamily(oauth, tx, token.code_id);
  });
}
