import { isAdministratorOf } from "../../engine/access.ts";
import type { Person } from "../../engine/caller.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo } from "../responses.ts";

// Addresses of pages of the web application without an account, for links in emails and in other programs. The two `new` forms
// take name and scopes from the query, which is passed on (AZ3).

const personalPages: Readonly<Record<string, string>> = {
  "/profile": "profile/security",
  "/personal_access_tokens": "profile/tokens",
  "/personal_access_tokens/new": "profile/tokens/new",
};
const settingsPages: Readonly<Record<string, string>> = {
  "/oauth_applications/new": "settings/applications/new",
};

/** The account whose settings an address without an account means: the own one, or the first that the person administers. */
const pickAdministeredAccount = (person: Person): string =>
  [person.account, ...person.roles.keys()].find((account) => isAdministratorOf(person, account)) ?? person.account;

export function registerAddressesWithoutAccount({ getSignedIn }: PageRoutes): void {
  const redirect = (from: string, to: string, pickAccount: (person: Person) => string) => {
    getSignedIn(from, async ({ session, query, reply }) => {
      const account = encodeURIComponent(pickAccount(session.person));
      return redirectTo(reply, `/a/${account}/${to}${query.size === 0 ? "" : `?${query}`}`);
    });
  };
  for (const [from, to] of Object.entries(personalPages)) redirect(from, to, (person) => person.account);
  for (const [from, to] of Object.entries(settingsPages)) redirect(from, to, pickAdministeredAccount);
}
