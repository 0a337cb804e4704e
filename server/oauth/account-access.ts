import { Forbidden } from "../base/errors.ts";
import type { Account, Person } from "../engine/caller.ts";
import type { Oauth } from "./context.ts";

/** The accounts a person can work in: the own one, its directory account and support domains, and those with roles. */
export async function loadAccountsFor(oauth: Oauth, person: Person): Promise<Account[]> {
  const accounts = await oauth.identities.getAccounts();
  const home = accounts.get(person.account);
  return [...accounts.values()].filter(
    ({ id, directory }) =>
      id === person.account || person.roles.has(id) || home?.directory === id || directory === person.account,
  );
}

const administratorRoles = ["account_administrator", "directory_administrator"];

export const isAdministratorOf = (person: Person, account: string): boolean =>
  administratorRoles.some((role) => person.roles.get(account)?.has(role));

export function requireAdministrator(person: Person, account: string): void {
  if (!isAdministratorOf(person, account)) throw new Forbidden();
}
