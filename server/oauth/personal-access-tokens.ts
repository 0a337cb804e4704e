import type { Clock } from "../base/clock.ts";
import { Invalid, OperatorError, type Problem } from "../base/errors.ts";
import type { Person } from "../engine/caller.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { type Database, statement } from "../storage/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../storage/rows.ts";
import { changeAccess, type Oauth } from "./context.ts";
import { parseScopes } from "./scopes/scope-input.ts";
import { listScopeNames, type Scope } from "./scopes/scopes.ts";
import { recordSecurityEvent } from "./security-trail.ts";
import { createToken, hashToken } from "./tokens.ts";

const maxNameLength = 128;

const selectPersonByEmail = statement(
  "SELECT id FROM people WHERE lower(primary_email) = lower($1) AND account_id = $2 AND NOT disabled AND life_cycle = 'active'",
);
const insert = jsonStatement<{ id: number }>(
  "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, $2, 'personal', $3, $4, $5, $6) RETURNING id",
);

/** For the command line. Returns the secret, which is shown only once. */
export async function createPersonalAccessToken(
  database: Database,
  clock: Clock,
  input: { email: string; account: string; name: string; actions: readonly string[] },
): Promise<string> {
  const { account, name } = input;
  const [row] = await database.read(selectPersonByEmail, [input.email, account]);
  if (row === undefined)
    throw new OperatorError(`There is no enabled person with the e-mail address ${input.email} in account ${account}.`);
  if (name.trim() === "" || name.length > maxNameLength)
    throw new OperatorError("The name of a token has 1 to 128 characters.");
  const person = Number(row[0]);
  const token = createToken();
  const scopes: Scope[] = [{ effect: "allow", actions: input.actions, accounts: [] }];
  const now = clock.now().toISOString();
  await database.transaction(async (tx) => {
    const created = await queryFirst(tx, insert, [
      account,
      person,
      name,
      hashToken(token),
      JSON.stringify(scopes),
      now,
    ]);
    const details = { token: created?.id, name, by: "command line" };
    recordSecurityEvent(tx, now, { account, person, event: "token-created", details });
  });
  return token;
}

type TokenLine = { id: number; name: string; scopes: Scope[]; created_at: string; last_used_at: string | null };

const selectTokens = jsonStatement<TokenLine>(
  "SELECT id, name, scopes, created_at, last_used_at FROM tokens WHERE person_id = $1 AND kind = 'personal' ORDER BY id DESC",
);
const deleteToken = jsonStatement<{ id: number; name: string }>(
  "DELETE FROM tokens WHERE id = $1 AND person_id = $2 AND kind = 'personal' RETURNING id, name",
);

export const loadPersonalAccessTokens = (oauth: Oauth, person: number): Promise<TokenLine[]> =>
  queryRows(oauth.database, selectTokens, [person]);

/** Scopes may have any of their input forms. */
type NewToken = { name: unknown; scopes: unknown };

export async function createOwnToken(
  oauth: Oauth,
  person: Person,
  input: NewToken,
  address: string,
): Promise<TokenLine & { token: string }> {
  const problems: Problem[] = [];
  const name = typeof input.name === "string" ? input.name.trim() : "";
  if (name === "") problems.push(["name", "can't be blank"]);
  if (name.length > maxNameLength)
    problems.push(["name", "is too long (maximum is {max} characters)", { max: maxNameLength }]);
  if (!isStorable(name)) problems.push(["name", "contains invalid characters"]);
  const names = listScopeNames(oauth.types);
  const accounts = new Set((await oauth.identities.getAccounts()).keys());
  let scopes: Scope[] = [];
  try {
    scopes = parseScopes(input.scopes, { names, accounts });
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(...error.problems);
  }
  if (problems.length > 0) throw new Invalid(problems);
  const token = createToken();
  const now = oauth.clock.now().toISOString();
  const values = [person.account, person.id, name, hashToken(token), JSON.stringify(scopes), now];
  const id = await oauth.database.transaction(async (tx) => {
    const created = (await queryFirst(tx, insert, values)) as { id: number };
    const details = { token: created.id, name };
    recordSecurityEvent(tx, now, {
      account: person.account,
      person: person.id,
      event: "token-created",
      address,
      details,
    });
    return created.id;
  });
  return { id, name, scopes, created_at: now, last_used_at: null, token };
}

/** False: the person has no such token. */
export const deleteOwnToken = (oauth: Oauth, person: Person, id: number, address: string): Promise<boolean> =>
  changeAccess(oauth, async (tx, now) => {
    const deleted = await queryFirst(tx, deleteToken, [id, person.id]);
    if (deleted === null) return false;
    const details = { token: deleted.id, name: deleted.name };
    recordSecurityEvent(tx, now, {
      account: person.account,
      person: person.id,
      event: "token-deleted",
      address,
      details,
    });
    return true;
  });
