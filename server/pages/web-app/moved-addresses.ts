import { isAdministratorOf } from "../../engine/access.ts";
import type { Person } from "../../engine/caller.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo } from "../responses.ts";

// Addresses that links, bookmarks and other programs use for pages of the web application. AZ3: the two `new` forms take
// name and scopes from the query, which is passed on.

const personalPages: Readonly<Record<string, string>> = {
  "/profile": "profile/security",
  "/access_and_security": "profile/security",
  "/personal_access_tokens": "profile/tokens",
  "/personal_access_tokens/new": "profile/tokens/new",
};
const settingsPages: Readonly<Record<string, string>> = {
  "/oauth_applications": "settings/applications",
  "/oauth_applications/new": "settings/applications/new",
  "/security_trail": "settings/trail",
  "/mails": "settings/mails",
};

/** The account whose settings an address without an account means: the own one, or the first that the person administers. */
const pickAdministeredAccount = (person: Person): string =>
  [person.account, ...person.roles.keys()].find((account) => isAdministratorOf(person, account)) ?? person.account;

export function registerMovedAddresses({ getSignedIn }: PageRoutes): void {
  const redirect = (from: string, to: string, pickAccount: (person: Person) => string) => {
    for (const path of [from, `/a/:account${from}`])
      getSignedIn(path, async ({ session, query, reply }, params) => {
        const account = encodeURIComponent(params.account ?? pickAccount(session.person));
        return redirectTo(reply, `/a/${account}/${to}${query.size === 0 ? "" : `?${query}`}`);
      });
  };
  for (const [from, to] of Object.entries(personalPages)) redirect(from, to, (person) => person.account);
  for (const [from, to] of Object.entries(settingsPages)) redirect(from, to, pickAdministeredAccount);
}
