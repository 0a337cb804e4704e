import { Forbidden } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { isAdministratorOf } from "../engine/access.ts";
import { type Account, mayWorkIn, type Person } from "../engine/caller.ts";
import type { Oauth } from "./oauth-context.ts";

/** The accounts a person can work in, in the order of the cache. */
export async function loadAccountsFor(oauth: Oauth, person: Person): Promise<Account[]> {
  const accounts = await oauth.identities.getAccounts();
  const homeDirectory = accounts.get(person.account)?.directory ?? null;
  return [...accounts.values()].filter((account) => mayWorkIn(person, homeDirectory, account));
}

const selectManagedTeams = statement(
  "SELECT DISTINCT account_id FROM teams WHERE manager_id = $1 AND disabled IS NOT TRUE",
);

/** The accounts in which the person is the manager of a team. */
export async function loadAccountsOfManagedTeams(oauth: Oauth, person: number): Promise<ReadonlySet<string>> {
  const rows = await oauth.database.read(selectManagedTeams, [person]);
  return new Set(rows.map(([account]) => String(account)));
}

export function requireAdministrator(person: Person, account: string): void {
  if (!isAdministratorOf(person, account)) throw new Forbidden();
}

/** Unknown and inaccessible accounts are the same 403, as in the REST API. */
export async function requireAccountAccess(oauth: Oauth, person: Person, account: string): Promise<void> {
  if (!(await loadAccountsFor(oauth, person)).some(({ id }) => id === account)) throw new Forbidden();
}
