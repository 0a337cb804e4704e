import type { FastifyReply } from "fastify";
import { findPerson } from "../../oauth/providers/find-person.ts";
import type { IdentityProvider } from "../../oauth/providers/identity-provider.ts";
import { type ProviderClaims, SignInRefused } from "../../oauth/providers/sign-in-flow.ts";
import { html } from "../layout/html.ts";
import { renderLayout } from "../layout/layout.ts";
import { sendPage } from "../responses.ts";
import type { Visit } from "../visit.ts";

// The claims that a provider sends, for administrators who set it up. No session begins, and nothing is stored.

const maxShown = 4000;

export async function showTestResult(
  visit: Visit,
  provider: IdentityProvider,
  found: ProviderClaims,
): Promise<FastifyReply> {
  const { nonce: _, at_hash: _hash, ...claims } = found.claims;
  const body = html`<div class="card">
<h1>Test sign-in with ${provider.name} succeeded</h1>
<p>${await describeOutcome(visit, provider, found)}</p>
<h2>Claims</h2>
<pre>${JSON.stringify(claims, null, 2).slice(0, maxShown)}</pre>
<p><a href="/a/${provider.account_id}/settings/identity-providers">Back to settings</a></p>
</div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Test sign-in", body }));
}

async function describeOutcome(visit: Visit, provider: IdentityProvider, found: ProviderClaims): Promise<string> {
  try {
    const person = await visit.oauth.database.transaction((tx) => findPerson(tx, provider, found));
    if (person === null)
      return provider.settings.create_people
        ? "Signing in would create a new person, because no one has this identifier."
        : "Sign-in would be refused, because no one has this identifier.";
    if (person.link === "password") return `This would sign in ${person.email} after asking for the password once.`;
    return `This would sign in ${person.email}.`;
  } catch (error) {
    if (error instanceof SignInRefused) return `Sign-in would be refused: ${error.reason}.`;
    throw error;
  }
}
