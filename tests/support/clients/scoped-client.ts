import { listScopeNames, parseActions, type Scope } from "../../../server/oauth/scopes/scopes.ts";
import { createToken, hashToken } from "../../../server/oauth/tokens.ts";
import type { Client, World } from "../world.ts";

/** A client with a personal access token of the person that has only these scopes: "inbox:Read", { deny: "request:*" }. */
export async function createScopedClient(
  the: World,
  person: number,
  scopes: readonly (string | { deny: string })[],
  account = "widget-it",
): Promise<Client> {
  const names = listScopeNames(the.service.oauth.types);
  const stored = scopes.map((scope): Scope => {
    const [effect, text] = typeof scope === "string" ? (["allow", scope] as const) : (["deny", scope.deny] as const);
    return { effect, actions: parseActions(text, names), accounts: [] };
  });
  const token = createToken();
  await the.sql(
    `INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at)
     VALUES ($1, $2, 'personal', 'scoped', $3, $4, now())`,
    [account, person, hashToken(token), JSON.stringify(stored)],
  );
  return the.withToken(token, { account });
}
