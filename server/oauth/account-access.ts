import { Forbidden } from "../base/errors.ts";
import { isAdministratorOf } from "../engine/access.ts";
import { type Account, mayWorkIn, type Person } from "../engine/caller.ts";
import type { Oauth } from "./context.ts";

/** The accounts a person can work in, in the order of the cache. */
export async function loadAccountsFor(oauth: Oauth, person: Person): Promise<Account[]> {
  const accounts = await oauth.identities.getAccounts();
  const homeDirectory = accounts.get(person.account)?.directory ?? null;
  return [...accounts.values()].filter((account) => mayWorkIn(person, homeDirectory, account));
}

export function requireAdministrator(person: Person, account: string): void {
  if (!isAdministratorOf(person, account)) throw new Forbidden();
}

/** Unknown and inaccessible accounts are the same 403, as in the REST API. */
export async function requireAccountAccess(oauth: Oauth, person: Person, account: string): Promise<void> {
  if (!(await loadAccountsFor(oauth, person)).some(({ id }) => id === account)) throw new Forbidden();
}
