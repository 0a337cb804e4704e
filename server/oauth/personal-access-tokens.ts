import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { newPersonalToken, personalToken } from "../../records/answers/session.ts";
import type { Clock } from "../base/clock.ts";
import { Invalid, OperatorError, type Problem } from "../base/errors.ts";
import { type Database, statement, type Transaction } from "../database/database.ts";
import { jsonStatement, queryFirst, queryRows } from "../database/rows.ts";
import type { Person } from "../engine/caller.ts";
import { isStorable } from "../engine/kinds/kind.ts";
import { changeAccess, type Oauth } from "./oauth-context.ts";
import { buildTokenRules, pickTokenDays } from "./policy/token-lifetime.ts";
import { parseScopes } from "./scopes/scope-input.ts";
import { listScopeNames, type Scope } from "./scopes/scopes.ts";
import { recordSecurityEvent } from "./security-trail.ts";
import { planTokenReminders } from "./token-reminders.ts";
import { createToken, hashToken } from "./tokens.ts";

const maxNameLength = 128;

const selectPersonByEmail = statement(
  "SELECT id FROM people WHERE lower(primary_email) = lower($1) AND account_id = $2 AND NOT disabled AND life_cycle = 'active'",
);
const insert = jsonStatement<{ id: number }>(
  "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at, expires_at) VALUES ($1, $2, 'personal', $3, $4, $5, $6, $7) RETURNING id",
);

/** For the command line. Returns the secret, which is shown only once. `days`: how long it is valid; null: for ever. */
export async function createPersonalAccessToken(
  database: Database,
  clock: Clock,
  input: { email: string; account: string; name: string; actions: readonly string[]; days?: number | null },
): Promise<string> {
  const { account, name } = input;
  const [row] = await database.read(selectPersonByEmail, [input.email, account]);
  if (row === undefined)
    throw new OperatorError(`No active person has the email address ${input.email} in account ${account}.`);
  if (name.trim() === "" || name.length > maxNameLength)
    throw new OperatorError("The token name must have 1 to 128 characters.");
  const person = Number(row[0]);
  const token = createToken();
  const scopes: Scope[] = [{ effect: "allow", actions: input.actions, accounts: [] }];
  const now = clock.now().toISOString();
  const expiresAt = addDays(clock.now(), input.days ?? null);
  await database.transaction(async (tx) => {
    const id = await insertToken(tx, clock.now(), { account, person, name, token, scopes, expiresAt });
    const details = { token: id, name, expires_at: expiresAt?.toISOString() ?? null, by: "command line" };
    recordSecurityEvent(tx, now, { account, person, event: "token-created", details });
  });
  return token;
}

const addDays = (now: Date, days: number | null): Date | null =>
  days === null ? null : new Date(now.getTime() + days * 86_400_000);

type TokenRow = {
  account: string;
  person: number;
  name: string;
  token: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
};

async function insertToken(tx: Transaction, now: Date, row: TokenRow): Promise<number> {
  const { account, person, name, token, scopes, expiresAt } = row;
  const values = [account, person, name, hashToken(token), JSON.stringify(scopes), now.toISOString()];
  const { id } = (await queryFirst(tx, insert, [...values, expiresAt?.toISOString() ?? null])) as { id: number };
  if (expiresAt !== null) planTokenReminders(tx, now, { id, account, expiresAt });
  return id;
}

type TokenLine = AnswerOf<typeof personalToken>;

const selectTokens = jsonStatement<TokenLine>(
  "SELECT id, name, scopes, created_at, last_used_at, expires_at FROM tokens WHERE person_id = $1 AND kind = 'personal' ORDER BY id DESC",
);
const deleteToken = jsonStatement<{ id: number; name: string }>(
  "DELETE FROM tokens WHERE id = $1 AND person_id = $2 AND kind = 'personal' RETURNING id, name",
);

export const loadPersonalAccessTokens = (oauth: Oauth, person: number): Promise<TokenLine[]> =>
  queryRows(oauth.database, selectTokens, [person]);

/** How long a new token of the person may be valid. */
export const loadTokenRules = async (oauth: Oauth, person: Person) =>
  buildTokenRules(await oauth.identities.getPolicy(person.account));

/** Scopes may have any of their input forms. */
type NewToken = { name: unknown; scopes: unknown; expires_in_days: unknown };

export async function createOwnToken(
  oauth: Oauth,
  person: Person,
  input: NewToken,
  address: string,
): Promise<AnswerOf<typeof newPersonalToken>> {
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
  const days = pickTokenDays(await loadTokenRules(oauth, person), input.expires_in_days);
  const token = createToken();
  const now = oauth.clock.now().toISOString();
  const expiresAt = addDays(oauth.clock.now(), days);
  const expires_at = expiresAt?.toISOString() ?? null;
  const row = { account: person.account, person: person.id, name, token, scopes, expiresAt };
  const id = await oauth.database.transaction(async (tx) => {
    const created = await insertToken(tx, oauth.clock.now(), row);
    const details = { token: created, name, expires_at };
    recordSecurityEvent(tx, now, {
      account: person.account,
      person: person.id,
      event: "token-created",
      address,
      details,
    });
    return created;
  });
  return { id, name, scopes, created_at: now, last_used_at: null, expires_at, token };
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
