import type { FastifyReply } from "fastify";
import { Invalid, Mistake, NotFound } from "../base/errors.ts";
import { accountsOf } from "../oauth/accounts.ts";
import { createOwnToken, deleteOwnToken, tokensOf } from "../oauth/personal-access-tokens.ts";
import { inWords } from "../oauth/scope-words.ts";
import { parseActions, scopeNames } from "../oauth/scopes.ts";
import { goTo, show } from "./answer.ts";
import { field, type Problems, summary } from "./fields.ts";
import { html, type Part } from "./html.ts";
import { idIn } from "./id-in.ts";
import { button, csrfField, layout, time } from "./layout.ts";
import type { PageRoutes, SignedIn } from "./routes.ts";
import { nothingPicked, type Picked, pickedIn, scopePicker } from "./scope-picker.ts";

const title = "Personal Access Tokens";

async function listPage(visit: SignedIn): Promise<FastifyReply> {
  const { oauth, session } = visit;
  const accounts = await oauth.identities.accounts();
  const rows = (await tokensOf(oauth, session.person.id)).map(({ id, name, scopes, created_at, last_used_at }) => {
    const words = inWords(scopes, oauth.types, (at) => accounts.get(at)?.name ?? at);
    const shown = words.slice(0, 4).map(({ text, effect }) => (effect === "deny" ? `never: ${text}` : text));
    const more = words.length > 4 ? `; and ${words.length - 4} more` : "";
    return html`<tr><td data-label="Name"><strong>${name}</strong></td><td data-label="May">${shown.join("; ") || "nothing"}${more}</td>
<td data-label="Created">${time(session.person, created_at)}</td><td data-label="Last used">${time(session.person, last_used_at)}</td>
<td class="act">${button(visit, `/personal_access_tokens/${id}/delete`, "Delete", "danger")}</td></tr>`;
  });
  const body = html`<div class="bar"><h1>${title}</h1><a class="button" href="/personal_access_tokens/new">Generate token</a></div>
<section class="card">
${
  rows.length === 0
    ? html`<p class="muted">You have no tokens. A token lets a program of yours call the API as you.</p>`
    : html`<table class="rows"><thead><tr><th>Name</th><th>May</th><th>Created</th><th>Last used</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`
}
</section>`;
  const notice = visit.query.get("done") === "deleted" ? "The token no longer works." : null;
  return show(visit.reply, layout(visit, { title, body, notice }));
}

type Shown = { name: string; picked: Picked; problems?: Problems; status?: number };

async function formPage(visit: SignedIn, { name, picked, problems = [], status = 200 }: Shown): Promise<FastifyReply> {
  const accounts = await accountsOf(visit.oauth, visit.session.person);
  const body = html`<h1>Generate token</h1>
<form class="card" method="post" action="/personal_access_tokens">
${summary(problems)}
${csrfField(visit)}
${field(problems, { name: "name", label: "Name", value: name, required: true, maxlength: 128, hint: "What the token is for.", autofocus: true, autocomplete: "off" })}
${scopePicker(visit.oauth.types, accounts, picked, problems)}
<div class="actions"><button>Generate token</button><a href="/personal_access_tokens">Cancel</a></div>
</form>`;
  return show(visit.reply, layout(visit, { title: "Generate token", body }), status);
}

/** The scopes of a templated form: ?scopes=person:Read,team:RU */
export function template(visit: SignedIn): { picked: Picked; problems: Problems } {
  const text = visit.query.get("scopes") ?? "";
  if (text.trim() === "") return { picked: nothingPicked, problems: [] };
  try {
    return {
      picked: { ...nothingPicked, actions: new Set(parseActions(text, scopeNames(visit.oauth.types))) },
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { picked: nothingPicked, problems: [["scopes", `of the link are not valid: ${error.message}`]] };
  }
}

export const secretPage = (
  visit: SignedIn,
  heading: string,
  secrets: readonly [string, string][],
  back: string,
): FastifyReply => {
  const parts: Part = secrets.map(
    ([label, value]) => html`<h2>${label}</h2><p class="secret" data-secret="${label}" tabindex="0">${value}</p>`,
  );
  const body = html`<section class="card"><h1>${heading}</h1>
<p class="notice" role="status">Copy it now: it is shown this once, and we keep no copy of it.</p>
${parts}
<p><a href="${back}">Done</a></p></section>`;
  return show(visit.reply, layout(visit, { title: heading, body }), 201);
};

export function tokenPages({ getSignedIn, postSignedIn }: PageRoutes): void {
  getSignedIn("/personal_access_tokens", listPage);
  getSignedIn("/personal_access_tokens/new", (visit) =>
    formPage(visit, { name: (visit.query.get("name") ?? "").slice(0, 128), ...template(visit) }),
  );
  postSignedIn("/personal_access_tokens", async (visit, form) => {
    const name = form.get("name") ?? "";
    const { scopes, picked } = pickedIn(form);
    try {
      const made = await createOwnToken(visit.oauth, visit.session.person, { name, scopes }, visit.address);
      return secretPage(visit, made.name, [["Token", made.token]], "/personal_access_tokens");
    } catch (error) {
      if (error instanceof Invalid) return formPage(visit, { name, picked, problems: error.problems, status: 422 });
      throw error;
    }
  });
  postSignedIn("/personal_access_tokens/:id/delete", async (visit, _form, params) => {
    if (!(await deleteOwnToken(visit.oauth, visit.session.person, idIn(params), visit.address))) throw new NotFound();
    return goTo(visit.reply, "/personal_access_tokens?done=deleted");
  });
  // The pages of an account lead here as well: tokens belong to the person.
  for (const path of ["/personal_access_tokens", "/personal_access_tokens/new"])
    getSignedIn(`/a/:account${path}`, async (visit) => {
      const query = visit.query.toString();
      return goTo(visit.reply, query === "" ? path : `${path}?${query}`);
    });
}
