import { statement } from "../../database/database.ts";
import type { IdentityProvider } from "../../oauth/providers/identity-provider.ts";
import { loadEnabledProviders } from "../../oauth/providers/providers.ts";
import { type Html, html } from "../layout/html.ts";
import type { Visit } from "../visit.ts";
import { buildStartAddress } from "./start-pages.ts";

const anyEnabled = statement("SELECT 1 FROM identity_providers WHERE NOT disabled LIMIT 1");

/** The ways beside the password, on the sign-in page: those of the account that the person wants to open. */
export async function renderProviderChoices(visit: Visit, returnTo: string | null): Promise<Html | null> {
  const { oauth } = visit;
  if ((await oauth.database.read(anyEnabled)).length === 0) return null;
  const account = /^\/a\/([\w-]{1,60})(\/|$|\?)/.exec(returnTo ?? "")?.[1];
  // People of a directory account sign in to its support domains, too.
  const directory = account === undefined ? null : (await oauth.identities.getAccounts()).get(account)?.directory;
  const accounts = [account, directory].filter((id): id is string => typeof id === "string");
  const found = accounts.length === 0 ? [] : await loadEnabledProviders(oauth, accounts);
  const buttons =
    found.length === 0
      ? renderChoice("Sign in with your organization", `/sso${suffix(returnTo)}`)
      : found.map((provider) => renderChoice(`Sign in with ${provider.name}`, buildStartAddress(provider, returnTo)));
  return html`<section class="providers" aria-label="Other sign-in methods"><p class="or"><span>or</span></p>${buttons}</section>`;
}

const suffix = (returnTo: string | null): string =>
  returnTo === null ? "" : `?return_to=${encodeURIComponent(returnTo)}`;

const renderChoice = (label: string, address: string): Html =>
  html`<p><a class="button" href="${address}">${label}</a></p>`;

/** Instead of a session, for people whose account demands a provider. */
export const renderDemandedProviders = (
  providers: readonly Pick<IdentityProvider, "account_id" | "reference" | "name">[],
  returnTo: string | null,
): Html =>
  html`Your organization requires sign-in with ${providers.map(
    (provider, at) => html`${at > 0 && " or "}<a href="${buildStartAddress(provider, returnTo)}">${provider.name}</a>`,
  )}.`;
