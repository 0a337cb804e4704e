import type { FastifyReply } from "fastify";
import { Invalid, NotFound, OperatorError } from "../../base/errors.ts";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import { createOwnToken, deleteOwnToken, loadPersonalAccessTokens } from "../../oauth/personal-access-tokens.ts";
import { describeScopes } from "../../oauth/scopes/describe-scopes.ts";
import { listScopeNames, parseActions } from "../../oauth/scopes/scopes.ts";
import { type Problems, renderField, renderProblemSummary } from "../layout/form-fields.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { renderButton, renderCsrfField, renderLayout, renderTime } from "../layout/layout.ts";
import type { PageRoutes, SignedInVisit } from "../page-routes.ts";
import { parseIdParameter } from "../parse-parameters.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { emptySelection, parseSelection, renderScopePicker, type ScopeSelection } from "./scope-picker.ts";

const title = "Personal Access Tokens";

async function showList(visit: SignedInVisit): Promise<FastifyReply> {
  const { oauth, session } = visit;
  const accounts = await oauth.identities.getAccounts();
  const rows = (await loadPersonalAccessTokens(oauth, session.person.id)).map(
    ({ id, name, scopes, created_at, last_used_at }) => {
      const words = describeScopes(scopes, oauth.types, (at) => accounts.get(at)?.name ?? at);
      const shown = words.slice(0, 4).map(({ text, effect }) => (effect === "deny" ? `never: ${text}` : text));
      const more = words.length > 4 ? `; and ${words.length - 4} more` : "";
      return html`<tr><td data-label="Name"><strong>${name}</strong></td><td data-label="May">${shown.join("; ") || "nothing"}${more}</td>
<td data-label="Created">${renderTime(session.person, created_at)}</td><td data-label="Last used">${renderTime(session.person, last_used_at)}</td>
<td class="act">${renderButton(visit, `/personal_access_tokens/${id}/delete`, "Delete", "danger")}</td></tr>`;
    },
  );
  const body = html`<div class="bar"><h1>${title}</h1><a class="button" href="/personal_access_tokens/new">Generate token</a></div>
<section class="card">
${
  rows.length === 0
    ? html`<p class="muted">You have no tokens. A token lets a program of yours call the API as you.</p>`
    : html`<table class="rows"><thead><tr><th>Name</th><th>May</th><th>Created</th><th>Last used</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`
}
</section>`;
  const notice = visit.query.get("done") === "deleted" ? "The token no longer works." : null;
  return sendPage(visit.reply, renderLayout(visit, { title, body, notice }));
}

type TokenForm = { name: string; picked: ScopeSelection; problems?: Problems; status?: number };

async function showForm(
  visit: SignedInVisit,
  { name, picked, problems = [], status = 200 }: TokenForm,
): Promise<FastifyReply> {
  const accounts = await loadAccountsFor(visit.oauth, visit.session.person);
  const body = html`<h1>Generate token</h1>
<form class="card" method="post" action="/personal_access_tokens">
${renderProblemSummary(problems)}
${renderCsrfField(visit)}
${renderField(problems, { name: "name", label: "Name", value: name, required: true, maxlength: 128, hint: "What the token is for.", autofocus: true, autocomplete: "off" })}
${renderScopePicker(visit.oauth.types, accounts, picked, problems)}
<div class="actions"><button>Generate token</button><a href="/personal_access_tokens">Cancel</a></div>
</form>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Generate token", body }), status);
}

/** The scopes of a templated form: ?scopes=person:Read,team:RU */
export function parseScopesOfLink(visit: SignedInVisit): { picked: ScopeSelection; problems: Problems } {
  const text = visit.query.get("scopes") ?? "";
  if (text.trim() === "") return { picked: emptySelection, problems: [] };
  try {
    return {
      picked: { ...emptySelection, actions: new Set(parseActions(text, listScopeNames(visit.oauth.types))) },
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { picked: emptySelection, problems: [["scopes", `of the link are not valid: ${error.message}`]] };
  }
}

export const sendSecretPage = (
  visit: SignedInVisit,
  heading: string,
  secrets: readonly [string, string][],
  back: string,
): FastifyReply => {
  const parts: HtmlPart = secrets.map(
    ([label, value]) => html`<h2>${label}</h2><p class="secret" data-secret="${label}" tabindex="0">${value}</p>`,
  );
  const body = html`<section class="card"><h1>${heading}</h1>
<p class="notice" role="status">Copy it now: it is shown this once, and we keep no copy of it.</p>
${parts}
<p><a href="${back}">Done</a></p></section>`;
  return sendPage(visit.reply, renderLayout(visit, { title: heading, body }), 201);
};

export function registerTokenPages({ getSignedIn, postSignedIn }: PageRoutes): void {
  getSignedIn("/personal_access_tokens", showList);
  getSignedIn("/personal_access_tokens/new", (visit) =>
    showForm(visit, { name: (visit.query.get("name") ?? "").slice(0, 128), ...parseScopesOfLink(visit) }),
  );
  postSignedIn("/personal_access_tokens", async (visit, form) => {
    const name = form.get("name") ?? "";
    const { scopes, picked } = parseSelection(form);
    try {
      const made = await createOwnToken(visit.oauth, visit.session.person, { name, scopes }, visit.address);
      return sendSecretPage(visit, made.name, [["Token", made.token]], "/personal_access_tokens");
    } catch (error) {
      if (error instanceof Invalid) return showForm(visit, { name, picked, problems: error.problems, status: 422 });
      throw error;
    }
  });
  postSignedIn("/personal_access_tokens/:id/delete", async (visit, _form, params) => {
    if (!(await deleteOwnToken(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)))
      throw new NotFound();
    return redirectTo(visit.reply, "/personal_access_tokens?done=deleted");
  });
  // The pages of an account lead here as well: tokens belong to the person.
  for (const path of ["/personal_access_tokens", "/personal_access_tokens/new"])
    getSignedIn(`/a/:account${path}`, async (visit) => {
      const query = visit.query.toString();
      return redirectTo(visit.reply, query === "" ? path : `${path}?${query}`);
    });
}
