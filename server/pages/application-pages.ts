import type { FastifyReply } from "fastify";
import { Forbidden, Invalid } from "../base/errors.ts";
import { accountsOf, requireAdministrator } from "../oauth/accounts.ts";
import {
  type Application,
  application,
  applicationsOf,
  changeApplication,
  createApplication,
  deleteApplication,
} from "../oauth/applications.ts";
import { addPair, deletePair, disablePair } from "../oauth/client-pairs.ts";
import { goTo, show } from "./answer.ts";
import { type ApplicationForm, applicationForm, formInput } from "./application-form.ts";
import { html, type Part } from "./html.ts";
import { idIn } from "./id-in.ts";
import { accountSwitch, administeredAccount, button, csrfField, layout, time } from "./layout.ts";
import type { PageRoutes, Params, SignedIn } from "./routes.ts";
import { nothingPicked, pickedFrom, pickedIn } from "./scope-picker.ts";
import { secretPage, template } from "./token-pages.ts";

// OAuth applications of an account, for its administrators: /a/<account>/oauth_applications

const base = "/a/:account/oauth_applications";
const grants: Record<string, string> = {
  authorization_code: "Authorization code",
  client_credentials: "Client credentials",
};

function placeOf(visit: SignedIn, params: Params) {
  const account = params.account ?? "";
  requireAdministrator(visit.session.person, account);
  return {
    account,
    address: `/a/${account}/oauth_applications`,
    actor: { person: visit.session.person, address: visit.address },
  };
}

async function listPage(visit: SignedIn, params: Params): Promise<FastifyReply> {
  const { account, address } = placeOf(visit, params);
  const name = (await visit.oauth.identities.accounts()).get(account)?.name ?? account;
  const rows = (await applicationsOf(visit.oauth, account)).map(
    (
      each,
    ) => html`<tr><td data-label="Name"><a href="${address}/${each.id}">${each.name}</a> ${each.disabled && html`<span class="tag off">disabled</span>`}</td>
<td data-label="Grant">${grants[each.grant_type]}</td><td data-label="Pairs">${each.clients.length}</td><td data-label="Created">${time(visit.session.person, each.created_at)}</td></tr>`,
  );
  const body = html`<div class="bar"><h1>OAuth applications of ${name}</h1><a class="button" href="${address}/new">New application</a></div>
${await accountSwitch(visit, account, "oauth_applications")}
<section class="card">${
    rows.length === 0
      ? html`<p class="muted">There are none yet. An application lets a program act for people who allow it, or as a person of its own.</p>`
      : html`<table class="rows"><thead><tr><th>Name</th><th>Grant</th><th>Pairs</th><th>Created</th></tr></thead><tbody>${rows}</tbody></table>`
  }</section>`;
  return show(visit.reply, layout(visit, { title: "OAuth applications", body }));
}

async function formPage(visit: SignedIn, address: string, shown: Omit<ApplicationForm, "accounts">, status = 200) {
  const accounts = await accountsOf(visit.oauth, visit.session.person);
  const body = html`<h1>New OAuth application</h1>
<form class="card" method="post" action="${address}">${csrfField(visit)}${applicationForm(visit, { ...shown, accounts })}
<div class="actions"><button>Create application</button><a href="${address}">Cancel</a></div></form>`;
  return show(visit.reply, layout(visit, { title: "New OAuth application", body }), status);
}

function pairTable(visit: SignedIn, address: string, { clients }: Application): Part {
  const rows = clients.map(({ id, client_id, disabled, created_at, last_used_at }) => {
    const value = html`<input type="hidden" name="disabled" value="${disabled ? "false" : "true"}">`;
    return html`<tr><td data-label="client_id"><code>${client_id}</code> ${disabled && html`<span class="tag off">disabled</span>`}</td>
<td data-label="Created">${time(visit.session.person, created_at)}</td><td data-label="Last used">${time(visit.session.person, last_used_at)}</td>
<td class="act">${button(visit, `${address}/clients/${id}`, disabled ? "Enable" : "Disable", "quiet", value)} ${button(visit, `${address}/clients/${id}/delete`, "Delete", "danger")}</td></tr>`;
  });
  if (rows.length === 0) return html`<p class="muted">There is none: the application cannot obtain tokens.</p>`;
  return html`<table class="rows"><thead><tr><th>client_id</th><th>Created</th><th>Last used</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`;
}

async function editPage(
  visit: SignedIn,
  params: Params,
  again?: Omit<ApplicationForm, "accounts">,
): Promise<FastifyReply> {
  const { account, address } = placeOf(visit, params);
  const found = await application(visit.oauth, account, idIn(params));
  const own = `${address}/${found.id}`;
  const accounts = await accountsOf(visit.oauth, visit.session.person);
  const shown = again ?? {
    values: { ...found, endpoints: found.endpoints.join("\n"), person: found.person?.email ?? "" },
    picked: pickedFrom(found.scopes),
    problems: [],
  };
  const body = html`<div class="bar"><h1>${found.name} ${found.disabled && html`<span class="tag off">disabled</span>`}</h1><a href="${address}">All applications</a></div>
<section class="card"><div class="bar"><h2>Clients</h2>${button(visit, `${own}/clients`, "Add a pair", "quiet")}</div>${pairTable(visit, own, found)}</section>
<form class="card" method="post" action="${own}">${csrfField(visit)}<h2>Settings</h2>
<p class="hint">New scopes end every token at once; people have to allow the application again.</p>
${applicationForm(visit, { ...shown, accounts, existing: true })}
<div class="actions"><button>Save</button></div></form>
<section class="card"><h2>Delete</h2><p>All tokens and authorizations of the application end with it.</p>${button(visit, `${own}/delete`, "Delete application", "danger")}</section>`;
  const notice = visit.query.get("done") === "saved" ? "Saved." : null;
  return show(visit.reply, layout(visit, { title: found.name, body, notice }), again === undefined ? 200 : 422);
}

export function applicationPages({ getSignedIn, postSignedIn }: PageRoutes): void {
  for (const path of ["/oauth_applications", "/oauth_applications/new"])
    getSignedIn(path, async (visit) => {
      const account = administeredAccount(visit.session.person);
      if (account === null) throw new Forbidden();
      const query = visit.query.toString();
      return goTo(visit.reply, `/a/${account}${path}${query === "" ? "" : `?${query}`}`);
    });

  getSignedIn(base, listPage);
  getSignedIn(`${base}/new`, (visit, params) => {
    const { address } = placeOf(visit, params);
    const values = {
      name: (visit.query.get("name") ?? "").slice(0, 128),
      grant_type: visit.query.get("grant_type") ?? "authorization_code",
    };
    return formPage(visit, address, { values, ...template(visit) });
  });
  postSignedIn(base, async (visit, form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    const input = formInput(form, false);
    try {
      const id = await createApplication(visit.oauth, account, actor, input);
      const { client_id, client_secret } = await addPair(visit.oauth, account, id, actor);
      const secrets: [string, string][] = [
        ["client_id", client_id],
        ["client_secret", client_secret],
      ];
      return secretPage(visit, String(input.name), secrets, `${address}/${id}`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const shown = { values: input, picked: pickedIn(form).picked, problems: error.problems };
      return formPage(visit, address, shown, 422);
    }
  });

  getSignedIn(`${base}/:id`, (visit, params) => editPage(visit, params));
  postSignedIn(`${base}/:id`, async (visit, form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    const id = idIn(params);
    const input = formInput(form, true);
    try {
      await changeApplication(visit.oauth, account, id, actor, input);
      return goTo(visit.reply, `${address}/${id}?done=saved`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const picked = form.has("keep_scopes") ? null : (pickedIn(form).picked ?? nothingPicked);
      return editPage(visit, params, { values: input, picked, problems: error.problems });
    }
  });
  postSignedIn(`${base}/:id/delete`, async (visit, _form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    await deleteApplication(visit.oauth, account, idIn(params), actor);
    return goTo(visit.reply, address);
  });
  postSignedIn(`${base}/:id/clients`, async (visit, _form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    const { client_id, client_secret } = await addPair(visit.oauth, account, idIn(params), actor);
    const secrets: [string, string][] = [
      ["client_id", client_id],
      ["client_secret", client_secret],
    ];
    return secretPage(visit, "A new pair", secrets, `${address}/${params.id}`);
  });
  postSignedIn(`${base}/:id/clients/:client`, async (visit, form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    const disabled = form.get("disabled") === "true";
    await disablePair(visit.oauth, account, idIn(params), idIn(params, "client"), disabled, actor);
    return goTo(visit.reply, `${address}/${params.id}`);
  });
  postSignedIn(`${base}/:id/clients/:client/delete`, async (visit, _form, params) => {
    const { account, address, actor } = placeOf(visit, params);
    await deletePair(visit.oauth, account, idIn(params), idIn(params, "client"), actor);
    return goTo(visit.reply, `${address}/${params.id}`);
  });
}
