import type { FastifyReply } from "fastify";
import { NotFound } from "../../base/errors.ts";
import { requireAdministrator } from "../../oauth/account-access.ts";
import { buildStartPath, getDomain, type IdentityProvider } from "../../oauth/providers/identity-provider.ts";
import { findProvider, findProvidersOfDomain } from "../../oauth/providers/providers.ts";
import { beginFlow, SignInRefused } from "../../oauth/providers/sign-in-flow.ts";
import type { Session } from "../../oauth/sessions/sessions.ts";
import { renderAlert, renderField } from "../layout/form-fields.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { parseOwnPath } from "../sign-in/return-to.ts";
import type { Visit } from "../visit.ts";
import { type FlowMode, keepFlow } from "./flow-cookie.ts";
import { showMessage, showRefusal } from "./refusal-page.ts";

// The way to a provider: from a button, from the domain of an email address, or from the provider's own list of
// applications, which leads here, too (OpenID Connect Core, section 4).

const maxHint = 200;

export const buildStartAddress = (
  provider: Pick<IdentityProvider, "account_id" | "reference">,
  returnTo: string | null,
): string => `${buildStartPath(provider)}${returnTo === null ? "" : `?return_to=${encodeURIComponent(returnTo)}`}`;

async function start(visit: Visit, provider: IdentityProvider): Promise<FastifyReply> {
  const { query, pages, request } = visit;
  const own = pages.providers.origin();
  // The answer of the provider comes to the configured address: the browser must have its cookie there.
  if (visit.origin !== own && visit.query.get("own") === null)
    return redirectTo(visit.reply, `${own}${addParameter(request.raw.url ?? "/", "own=1")}`);
  const asked = query.get("mode");
  const mode: FlowMode = asked === "test" || asked === "proof" ? asked : "sign-in";
  if (mode !== "sign-in" && visit.session === null) throw new NotFound();
  if (mode === "test") requireAdministrator((visit.session as Session).person, provider.account_id);
  else if (provider.disabled)
    return showMessage(visit, "Sign-in method disabled", "This sign-in method is disabled. Choose another one.", 403);
  const issuer = query.get("iss");
  if (issuer !== null && issuer !== provider.issuer)
    return showRefusal(visit, provider, new SignInRefused("the sign-in was started by another provider"));
  const hint = query.get("login_hint");
  const loginHint = hint !== null && hint.length <= maxHint && /^[\x20-\x7e]+$/.test(hint) ? hint : null;
  try {
    const { flow, address } = await beginFlow(pages.providers, provider, { loginHint, asksAgain: mode === "proof" });
    const startedAt = Math.floor(visit.oauth.clock.now().getTime() / 1000);
    keepFlow(visit, { ...flow, mode, returnTo: findReturnPath(visit, own), startedAt });
    return redirectTo(visit.reply, address.href);
  } catch (error) {
    if (error instanceof SignInRefused) return showRefusal(visit, provider, error);
    throw error;
  }
}

const addParameter = (path: string, text: string): string => `${path}${path.includes("?") ? "&" : "?"}${text}`;

/** Providers name the page as an address of this server; everything else is no page of ours. */
function findReturnPath({ query }: Visit, own: string): string | null {
  const target = query.get("target_link_uri");
  const path = target?.startsWith(`${own}/`) ? target.slice(own.length) : null;
  return parseOwnPath(query.get("return_to")) ?? parseOwnPath(path);
}

function showEmailForm(visit: Visit, returnTo: string | null, problem: HtmlPart = null, email = ""): FastifyReply {
  const body = html`<div class="card">
<h1>Sign in with your organization</h1>
${problem !== null && renderAlert(problem)}
<form method="post" action="/sso" class="full">
${renderCsrfField(visit)}
<input type="hidden" name="return_to" value="${returnTo ?? ""}">
${renderField([], { name: "email", label: "Email address", type: "email", value: email, autocomplete: "username", required: true, autofocus: true })}
<button>Continue</button>
</form>
<p><a href="/sign_in">Sign in with a password</a></p>
</div>`;
  const page = renderLayout(visit, { title: "Sign in with your organization", body, narrow: true });
  return sendPage(visit.reply, page, problem === null ? 200 : 422);
}

/**
 * The domain alone decides, so the response does not reveal who is registered. The policy of these pages forbids forms that
 * redirect to another server, so a page in between does.
 */
async function showProviders(visit: Visit, email: string, returnTo: string | null): Promise<FastifyReply> {
  const found = /^[^\s@]+@[^\s@\0]+$/.test(email) ? await findProvidersOfDomain(visit.oauth, getDomain(email)) : [];
  if (found.length === 0)
    return showEmailForm(
      visit,
      returnTo,
      "No organization uses this email domain here. Check the address or sign in with a password.",
      email,
    );
  const accounts = await visit.oauth.identities.getAccounts();
  const buildAddress = (provider: IdentityProvider): string => {
    const hint = email.length <= maxHint ? `login_hint=${encodeURIComponent(email)}` : "";
    return addParameter(buildStartAddress(provider, returnTo), hint);
  };
  const links = found.map(
    (provider) =>
      html`<p><a class="button" href="${buildAddress(provider)}">${provider.name} (${accounts.get(provider.account_id)?.name ?? ""})</a></p>`,
  );
  const [only] = found;
  if (found.length === 1 && only !== undefined) visit.reply.header("Refresh", `0; url=${buildAddress(only)}`);
  const body = html`<div class="card"><h1>Continue to sign in</h1>${links}</div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Continue to sign in", body, narrow: true }));
}

export function registerStartPages({ get, post }: PageRoutes): void {
  get("/a/:account/sso/:reference", async (visit, { account = "", reference = "" }) => {
    const isPlain = [account, reference].every((word) => /^[\w-]{1,60}$/.test(word));
    const provider = isPlain ? await findProvider(visit.oauth, account, reference) : null;
    if (provider === null) throw new NotFound();
    return start(visit, provider);
  });
  get("/sso", async (visit) => showEmailForm(visit, parseOwnPath(visit.query.get("return_to"))));
  post("/sso", async (visit, form) =>
    showProviders(visit, (form.get("email") ?? "").trim(), parseOwnPath(form.get("return_to"))),
  );
}
