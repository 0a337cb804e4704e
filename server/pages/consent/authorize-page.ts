import type { FastifyReply } from "fastify";
import { NotFound, TimedOut, Unavailable } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import { checkAuthorizationRequest } from "../../oauth/authorize/authorization-request.ts";
import {
  allowAuthorization,
  authorizeWithoutPrompt,
  denyAuthorization,
  fingerprint,
  type PendingAuthorization,
  storeAuthorizationRequest,
} from "../../oauth/authorize/consent.ts";
import { buildErrorRedirect, type RedirectTarget } from "../../oauth/authorize/redirect.ts";
import { describeScopes } from "../../oauth/scopes/describe-scopes.ts";
import { looksLikeToken } from "../../oauth/tokens.ts";
import { html } from "../layout/html.ts";
import { renderCsrfField, renderLayout } from "../layout/layout.ts";
import type { PageRoutes, SignedInVisit } from "../page-routes.ts";
import { buildSignInAddress } from "../page-routes.ts";
import { getFormTarget, redirectTo, sendPage } from "../responses.ts";
import type { Visit } from "../visit.ts";
import { buildPromptAddress, loadRequestFromAddress, promptPath } from "./prompt-address.ts";

/** GET /oauth/authorize redirects to the prompt, or back to the application with a code or an error. */
async function authorize(visit: Visit): Promise<FastifyReply> {
  const url = visit.request.raw.url ?? "";
  const checked = await checkAuthorizationRequest(
    visit.oauth,
    url.includes("?") ? url.slice(url.indexOf("?") + 1) : "",
  );
  if (checked.outcome === "refused") return sendRefusal(visit, checked.message);
  if (checked.outcome === "redirect") return redirectTo(visit.reply, checked.to);
  const { request } = checked;
  return reportFailuresToClient(visit, request, async () => {
    const redirect =
      visit.session === null ? null : await authorizeWithoutPrompt(visit.oauth, request, visit.session.person.id);
    if (redirect !== null) return redirectTo(visit.reply, redirect);
    return redirectTo(
      visit.reply,
      visit.origin + buildPromptAddress(await storeAuthorizationRequest(visit.oauth, request)),
    );
  });
}

/** Once the application is verified, failures are reported to its redirect URI, too: it can offer to try again. */
async function reportFailuresToClient(
  visit: Visit,
  target: RedirectTarget,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFound) throw error;
    visit.oauth.log.error("authorization failed", { request: visit.request.id, ...describeError(error) });
    const isUnavailable = error instanceof Unavailable || error instanceof TimedOut;
    return redirectTo(
      visit.reply,
      isUnavailable
        ? buildErrorRedirect(target, "temporarily_unavailable", "The service is temporarily unavailable.")
        : buildErrorRedirect(target, "server_error", "An internal error occurred."),
    );
  }
}

function sendRefusal(visit: Visit, message: string): FastifyReply {
  if (!String(visit.request.headers.accept ?? "").includes("text/html"))
    return visit.reply
      .code(400)
      .header("Cache-Control", "no-store")
      .type("application/json; charset=utf-8")
      .send(JSON.stringify({ message }));
  const body = html`<div class="card"><h1>This link isn't valid</h1><p>${message}</p>
<p class="muted">The application that sent you here isn't set up correctly. No access was granted.</p></div>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Link not valid", body, narrow: true }), 400);
}

async function showPrompt(
  visit: SignedInVisit,
  token: string,
  request: PendingAuthorization,
  notice?: string,
): Promise<FastifyReply> {
  const { oauth, session } = visit;
  const accounts = await oauth.identities.getAccounts();
  const name = (id: string) => accounts.get(id)?.name ?? id;
  const mayUse = (await loadAccountsFor(oauth, session.person)).some(({ id }) => id === request.account);
  const scopeItems = describeScopes(request.scopes, oauth.types, name).map(
    ({ effect, text }) => html`<li class="${effect}">${effect === "deny" ? `Never: ${text}` : text}</li>`,
  );
  const scopeList =
    scopeItems.length === 0
      ? html`<p>This application requests no permissions.</p>`
      : html`<p>${request.name} would be able to do the following as you. It can't do anything you can't do yourself.</p><ul class="asks">${scopeItems}</ul>`;
  const body = html`<div class="card">
<h1>Allow ${request.name}?</h1>
${request.description !== null && html`<p>${request.description}</p>`}
<dl>
<dt>Account</dt><dd>${name(request.account)}</dd>
${request.homepage_url !== null && html`<dt>Homepage</dt><dd><a href="${request.homepage_url}" rel="noreferrer noopener">${request.homepage_url}</a></dd>`}
<dt>Redirects to</dt><dd><code>${getFormTarget(request.redirect_uri)}</code></dd>
<dt>Signed in as</dt><dd>${session.person.name} (${session.email})</dd>
</dl>
<h2>Requested permissions</h2>
${scopeList}
${!mayUse && html`<p class="alert" role="alert">This application belongs to an account you don't have access to, so you can't allow it.</p>`}
<form method="post" action="${promptPath}">
${renderCsrfField(visit)}
<input type="hidden" name="request" value="${token}">
<input type="hidden" name="seen" value="${fingerprint(request)}">
<div class="actions">${mayUse && html`<button name="decision" value="allow">Allow</button>`}<button class="second" name="decision" value="deny">Deny</button></div>
</form>
<p class="hint">You can revoke access at any time in your profile, under Access and security.</p>
</div>`;
  const content = { title: `Allow ${request.name}?`, body, narrow: true, notice: notice ?? null };
  return sendPage(visit.reply, renderLayout(visit, content), 200, {
    formTargets: [getFormTarget(request.redirect_uri)],
  });
}

export function registerAuthorizePages({ get, postSignedIn }: PageRoutes): void {
  get("/oauth/authorize", authorize);
  get("/authorize", authorize); // some clients omit the folder

  get(promptPath, async (visit) => {
    const address = visit.request.raw.url ?? "";
    const request = await loadRequestFromAddress(visit.oauth, address);
    if (request === null) throw new NotFound();
    if (visit.session === null) return redirectTo(visit.reply, buildSignInAddress(address));
    const redirect = await authorizeWithoutPrompt(visit.oauth, request, visit.session.person.id);
    if (redirect !== null) return redirectTo(visit.reply, redirect);
    return showPrompt(visit as SignedInVisit, address.slice(address.indexOf("?") + 1), request);
  });

  postSignedIn(promptPath, async (visit, form) => {
    const token = form.get("request") ?? "";
    const request = looksLikeToken(token) ? await loadRequestFromAddress(visit.oauth, buildPromptAddress(token)) : null;
    if (request === null) throw new NotFound();
    const mayUse = (await loadAccountsFor(visit.oauth, visit.session.person)).some(({ id }) => id === request.account);
    const decision = mayUse ? form.get("decision") : "deny";
    if (decision !== "allow" && decision !== "deny") return showPrompt(visit, token, request);
    return reportFailuresToClient(visit, request, () =>
      decide(visit, token, request, decision, form.get("seen") ?? ""),
    );
  });
}

async function decide(
  visit: SignedInVisit,
  token: string,
  request: PendingAuthorization,
  decision: "allow" | "deny",
  shownFingerprint: string,
): Promise<FastifyReply> {
  const by = { person: visit.session.person.id, address: visit.address };
  const redirect =
    decision === "allow"
      ? await allowAuthorization(visit.oauth, request, shownFingerprint, by)
      : await denyAuthorization(visit.oauth, request, by);
  if (redirect !== null) return redirectTo(visit.reply, redirect);
  const current = await loadRequestFromAddress(visit.oauth, buildPromptAddress(token));
  if (current === null) throw new NotFound();
  return showPrompt(visit, token, current, "The application changed the permissions it requests. Review them again.");
}
