import type { Clock } from "../base/clock.ts";
import { Mistake } from "../base/errors.ts";
import { type Database, statement } from "../storage/database.ts";
import { hashOf, newToken } from "./tokens.ts";

const personOf = statement(
  "SELECT id FROM people WHERE lower(primary_email) = lower($1) AND account_id = $2 AND NOT disabled AND life_cycle = 'active'",
);
const insert = statement(
  "INSERT INTO tokens (account_id, person_id, kind, name, secret_hash, scopes, created_at) VALUES ($1, $2, 'personal', $3, $4, $5, $6)",
);

/** Makes a personal access token and answers its secret, which is shown this once. */
export async function createPersonalAccessToken(
  database: Database,
  clock: Clock,
  wanted: { email: string; account: string; name: string; actions: readonly string[] },
): Promise<string> {
  const [person] = await database.read(personOf, [wanted.email, wanted.account]);
  if (person === undefined)
    throw new Mistake(
      `There is no enabled person with the e-mail address ${wanted.email} in account ${wanted.account}.`,
    );
  if (wanted.name.trim() === "" || wanted.name.length > 128)
    throw new Mistake("The name of a token has 1 to 128 characters.");
  const token = newToken();
  const scopes = [{ effect: "allow", actions: wanted.actions, accounts: [] }];
  await database.read(insert, [
    wanted.account,
    Number(person[0]),
    wanted.name,
    hashOf(token),
    JSON.stringify(scopes),
    clock.now().toISOString(),
  ]);
  return token;
}
