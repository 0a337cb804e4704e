import type { FastifyReply } from "fastify";
import { Invalid, NotFound } from "../../base/errors.ts";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import { loadAuthorizations, revokeAuthorization } from "../../oauth/authorize/authorizations.ts";
import { changePassword } from "../../oauth/passwords/change-password.ts";
import { minPasswordLength } from "../../oauth/passwords/passwords.ts";
import { describeScopes } from "../../oauth/scopes/describe-scopes.ts";
import { endSession, loadSessions } from "../../oauth/sessions/sessions.ts";
import { type Problems, renderField, renderUsernameField } from "../layout/form-fields.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderButton, renderCsrfField, renderLayout, renderTime } from "../layout/layout.ts";
import type { PageRoutes, SignedInVisit } from "../page-routes.ts";
import { parseIdParameter } from "../parse-parameters.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { getBrowserName } from "./browser-name.ts";

async function showProfile(visit: SignedInVisit): Promise<FastifyReply> {
  const { person, email } = visit.session;
  const accounts = await loadAccountsFor(visit.oauth, person);
  const rows = accounts.map(({ id, name }) => {
    const roles = [...(person.roles.get(id) ?? [])].map((role) => role.replaceAll("_", " ")).join(", ");
    return html`<tr><td data-label="Account">${name}</td><td data-label="Id"><code>${id}</code></td><td data-label="Roles">${roles || "end user"}</td></tr>`;
  });
  const body = html`<h1>${person.name}</h1>
<section class="card"><dl>
<dt>E-mail address</dt><dd>${email}</dd>
<dt>Language</dt><dd>${person.locale}</dd>
<dt>Time zone</dt><dd>${person.zoneName}</dd>
</dl></section>
<section class="card"><h2>Accounts</h2>
<table class="rows"><thead><tr><th>Account</th><th>Id</th><th>Roles</th></tr></thead><tbody>${rows}</tbody></table></section>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Profile", body }));
}

async function renderSessionTable(visit: SignedInVisit): Promise<HtmlPart> {
  const { person, id: own } = visit.session;
  const rows = (await loadSessions(visit.oauth.database, person.id, visit.oauth.clock.now())).map(
    ({ id, user_agent, address, created_at, last_seen_at }) =>
      html`<tr><td data-label="Browser">${getBrowserName(user_agent)} ${id === own && html`<span class="tag">this one</span>`}</td>
<td data-label="Address">${address}</td><td data-label="Signed in">${renderTime(person, created_at)}</td><td data-label="Last seen">${renderTime(person, last_seen_at)}</td>
<td class="act">${renderButton(visit, `/access_and_security/sessions/${id}`, "End", "danger")}</td></tr>`,
  );
  return html`<table class="rows"><thead><tr><th>Browser</th><th>Address</th><th>Signed in</th><th>Last seen</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`;
}

async function renderAuthorizationTable(visit: SignedInVisit): Promise<HtmlPart> {
  const { oauth, session } = visit;
  const accounts = await oauth.identities.getAccounts();
  const list = await loadAuthorizations(oauth, session.person.id);
  if (list.length === 0) return html`<p class="muted">No application may act for you.</p>`;
  const rows = list.map(({ id, application, account, scopes, created_at, last_used_at }) => {
    const words = describeScopes(scopes, oauth.types, (at) => accounts.get(at)?.name ?? at).map(({ text, effect }) =>
      effect === "deny" ? `never: ${text}` : text,
    );
    return html`<tr><td data-label="Application"><strong>${application.name}</strong><br><span class="muted">${account.name}</span></td>
<td data-label="May">${words.join("; ") || "nothing"}</td><td data-label="Allowed">${renderTime(session.person, created_at)}</td><td data-label="Last used">${renderTime(session.person, last_used_at)}</td>
<td class="act">${renderButton(visit, `/access_and_security/authorizations/${id}`, "Revoke", "danger")}</td></tr>`;
  });
  return html`<table class="rows"><thead><tr><th>Application</th><th>May</th><th>Allowed</th><th>Last used</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`;
}

async function showSecurity(visit: SignedInVisit, problems: Problems = [], status = 200): Promise<FastifyReply> {
  const notices: Record<string, string> = {
    session: "The session has ended.",
    authorization: "The application can no longer act for you.",
    password: "Your password has been changed. Other browsers have been signed out.",
  };
  const body = html`<h1>Access and security</h1>
<section class="card"><h2>Applications that may act for you</h2>${await renderAuthorizationTable(visit)}</section>
<section class="card"><h2>Where you are signed in</h2>${await renderSessionTable(visit)}</section>
<section class="card"><h2>Password</h2>
<form method="post" action="/access_and_security/password">
${renderCsrfField(visit)}
${renderUsernameField(visit.session.email)}
${renderField(problems, { name: "current_password", label: "Current password", type: "password", autocomplete: "current-password", required: true })}
${renderField(problems, { name: "new_password", label: "New password", type: "password", autocomplete: "new-password", required: true, hint: `At least ${minPasswordLength} characters.` })}
<button>Change password</button>
</form></section>`;
  const notice = notices[visit.query.get("done") ?? ""] ?? null;
  return sendPage(visit.reply, renderLayout(visit, { title: "Access and security", body, notice }), status);
}

export function registerProfilePages({ getSignedIn, postSignedIn }: PageRoutes): void {
  getSignedIn("/profile", showProfile);
  getSignedIn("/access_and_security", (visit) => showSecurity(visit));

  postSignedIn("/access_and_security/sessions/:id", async (visit, _form, params) => {
    const { person, id: own } = visit.session;
    const id = parseIdParameter(params);
    if (!(await endSession(visit.oauth, person, id, visit.address, "session-ended"))) throw new NotFound();
    return redirectTo(visit.reply, id === own ? "/sign_in" : "/access_and_security?done=session");
  });

  postSignedIn("/access_and_security/authorizations/:id", async (visit, _form, params) => {
    if (!(await revokeAuthorization(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)))
      throw new NotFound();
    return redirectTo(visit.reply, "/access_and_security?done=authorization");
  });

  postSignedIn("/access_and_security/password", async (visit, form) => {
    const [old, wanted] = [form.get("current_password") ?? "", form.get("new_password") ?? ""];
    try {
      await changePassword(visit.oauth, visit.session, old, wanted, visit.address);
    } catch (error) {
      if (error instanceof Invalid) return showSecurity(visit, error.problems, 422);
      throw error;
    }
    return redirectTo(visit.reply, "/access_and_security?done=password");
  });
}
