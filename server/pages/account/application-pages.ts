import type { FastifyReply } from "fastify";
import { Forbidden, Invalid } from "../../base/errors.ts";
import { loadAccountsFor, requireAdministrator } from "../../oauth/account-access.ts";
import {
  type Application,
  changeApplication,
  createApplication,
  deleteApplication,
  loadApplication,
  loadApplications,
} from "../../oauth/applications/applications.ts";
import { createClientPair, deleteClientPair, setClientPairDisabled } from "../../oauth/applications/client-pairs.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import {
  pickAdministeredAccount,
  renderAccountSwitch,
  renderButton,
  renderCsrfField,
  renderLayout,
  renderTime,
} from "../layout/layout.ts";
import type { PageRoutes, Params, SignedInVisit } from "../page-routes.ts";
import { parseIdParameter } from "../parse-parameters.ts";
import { redirectTo, sendPage } from "../responses.ts";
import { type ApplicationForm, parseApplicationForm, renderApplicationForm } from "./application-form.ts";
import { buildSelection, emptySelection, parseSelection } from "./scope-picker.ts";
import { parseScopesOfLink, sendSecretPage } from "./token-pages.ts";

// OAuth applications of an account, for its administrators: /a/<account>/oauth_applications

const base = "/a/:account/oauth_applications";
const grants: Record<string, string> = {
  authorization_code: "Authorization code",
  client_credentials: "Client credentials",
};

function requireAdministeredAccount(visit: SignedInVisit, params: Params) {
  const account = params.account ?? "";
  requireAdministrator(visit.session.person, account);
  return {
    account,
    address: `/a/${account}/oauth_applications`,
    actor: { person: visit.session.person, address: visit.address },
  };
}

async function showList(visit: SignedInVisit, params: Params): Promise<FastifyReply> {
  const { account, address } = requireAdministeredAccount(visit, params);
  const name = (await visit.oauth.identities.getAccounts()).get(account)?.name ?? account;
  const rows = (await loadApplications(visit.oauth, account)).map(
    (
      each,
    ) => html`<tr><td data-label="Name"><a href="${address}/${each.id}">${each.name}</a> ${each.disabled && html`<span class="tag off">disabled</span>`}</td>
<td data-label="Grant">${grants[each.grant_type]}</td><td data-label="Pairs">${each.clients.length}</td><td data-label="Created">${renderTime(visit.session.person, each.created_at)}</td></tr>`,
  );
  const body = html`<div class="bar"><h1>OAuth applications of ${name}</h1><a class="button" href="${address}/new">New application</a></div>
${await renderAccountSwitch(visit, account, "oauth_applications")}
<section class="card">${
    rows.length === 0
      ? html`<p class="muted">There are none yet. An application lets a program act for people who allow it, or as a person of its own.</p>`
      : html`<table class="rows"><thead><tr><th>Name</th><th>Grant</th><th>Pairs</th><th>Created</th></tr></thead><tbody>${rows}</tbody></table>`
  }</section>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "OAuth applications", body }));
}

async function showForm(visit: SignedInVisit, address: string, shown: Omit<ApplicationForm, "accounts">, status = 200) {
  const accounts = await loadAccountsFor(visit.oauth, visit.session.person);
  const body = html`<h1>New OAuth application</h1>
<form class="card" method="post" action="${address}">${renderCsrfField(visit)}${renderApplicationForm(visit, { ...shown, accounts })}
<div class="actions"><button>Create application</button><a href="${address}">Cancel</a></div></form>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "New OAuth application", body }), status);
}

function renderClientTable(visit: SignedInVisit, address: string, { clients }: Application): HtmlPart {
  const rows = clients.map(({ id, client_id, disabled, created_at, last_used_at }) => {
    const value = html`<input type="hidden" name="disabled" value="${disabled ? "false" : "true"}">`;
    return html`<tr><td data-label="client_id"><code>${client_id}</code> ${disabled && html`<span class="tag off">disabled</span>`}</td>
<td data-label="Created">${renderTime(visit.session.person, created_at)}</td><td data-label="Last used">${renderTime(visit.session.person, last_used_at)}</td>
<td class="act">${renderButton(visit, `${address}/clients/${id}`, disabled ? "Enable" : "Disable", "quiet", value)} ${renderButton(visit, `${address}/clients/${id}/delete`, "Delete", "danger")}</td></tr>`;
  });
  if (rows.length === 0) return html`<p class="muted">There is none: the application cannot obtain tokens.</p>`;
  return html`<table class="rows"><thead><tr><th>client_id</th><th>Created</th><th>Last used</th><th><span class="skip">Action</span></th></tr></thead><tbody>${rows}</tbody></table>`;
}

async function showApplication(
  visit: SignedInVisit,
  params: Params,
  again?: Omit<ApplicationForm, "accounts">,
): Promise<FastifyReply> {
  const { account, address } = requireAdministeredAccount(visit, params);
  const found = await loadApplication(visit.oauth, account, parseIdParameter(params));
  const own = `${address}/${found.id}`;
  const accounts = await loadAccountsFor(visit.oauth, visit.session.person);
  const shown = again ?? {
    values: { ...found, endpoints: found.endpoints.join("\n"), person: found.person?.email ?? "" },
    picked: buildSelection(found.scopes),
    problems: [],
  };
  const body = html`<div class="bar"><h1>${found.name} ${found.disabled && html`<span class="tag off">disabled</span>`}</h1><a href="${address}">All applications</a></div>
<section class="card"><div class="bar"><h2>Clients</h2>${renderButton(visit, `${own}/clients`, "Add a pair", "quiet")}</div>${renderClientTable(visit, own, found)}</section>
<form class="card" method="post" action="${own}">${renderCsrfField(visit)}<h2>Settings</h2>
<p class="hint">New scopes end every token at once; people have to allow the application again.</p>
${renderApplicationForm(visit, { ...shown, accounts, existing: true })}
<div class="actions"><button>Save</button></div></form>
<section class="card"><h2>Delete</h2><p>All tokens and authorizations of the application end with it.</p>${renderButton(visit, `${own}/delete`, "Delete application", "danger")}</section>`;
  const notice = visit.query.get("done") === "saved" ? "Saved." : null;
  return sendPage(
    visit.reply,
    renderLayout(visit, { title: found.name, body, notice }),
    again === undefined ? 200 : 422,
  );
}

export function registerApplicationPages({ getSignedIn, postSignedIn }: PageRoutes): void {
  for (const path of ["/oauth_applications", "/oauth_applications/new"])
    getSignedIn(path, async (visit) => {
      const account = pickAdministeredAccount(visit.session.person);
      if (account === null) throw new Forbidden();
      const query = visit.query.toString();
      return redirectTo(visit.reply, `/a/${account}${path}${query === "" ? "" : `?${query}`}`);
    });

  getSignedIn(base, showList);
  getSignedIn(`${base}/new`, (visit, params) => {
    const { address } = requireAdministeredAccount(visit, params);
    const values = {
      name: (visit.query.get("name") ?? "").slice(0, 128),
      grant_type: visit.query.get("grant_type") ?? "authorization_code",
    };
    return showForm(visit, address, { values, ...parseScopesOfLink(visit) });
  });
  postSignedIn(base, async (visit, form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    const input = parseApplicationForm(form, false);
    try {
      const id = await createApplication(visit.oauth, account, actor, input);
      const { client_id, client_secret } = await createClientPair(visit.oauth, account, id, actor);
      const secrets: [string, string][] = [
        ["client_id", client_id],
        ["client_secret", client_secret],
      ];
      return sendSecretPage(visit, String(input.name), secrets, `${address}/${id}`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const shown = { values: input, picked: parseSelection(form).picked, problems: error.problems };
      return showForm(visit, address, shown, 422);
    }
  });

  getSignedIn(`${base}/:id`, (visit, params) => showApplication(visit, params));
  postSignedIn(`${base}/:id`, async (visit, form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    const id = parseIdParameter(params);
    const input = parseApplicationForm(form, true);
    try {
      await changeApplication(visit.oauth, account, id, actor, input);
      return redirectTo(visit.reply, `${address}/${id}?done=saved`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      const picked = form.has("keep_scopes") ? null : (parseSelection(form).picked ?? emptySelection);
      return showApplication(visit, params, { values: input, picked, problems: error.problems });
    }
  });
  postSignedIn(`${base}/:id/delete`, async (visit, _form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    await deleteApplication(visit.oauth, account, parseIdParameter(params), actor);
    return redirectTo(visit.reply, address);
  });
  postSignedIn(`${base}/:id/clients`, async (visit, _form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    const { client_id, client_secret } = await createClientPair(visit.oauth, account, parseIdParameter(params), actor);
    const secrets: [string, string][] = [
      ["client_id", client_id],
      ["client_secret", client_secret],
    ];
    return sendSecretPage(visit, "A new pair", secrets, `${address}/${params.id}`);
  });
  postSignedIn(`${base}/:id/clients/:client`, async (visit, form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    const disabled = form.get("disabled") === "true";
    await setClientPairDisabled(
      visit.oauth,
      account,
      parseIdParameter(params),
      parseIdParameter(params, "client"),
      disabled,
      actor,
    );
    return redirectTo(visit.reply, `${address}/${params.id}`);
  });
  postSignedIn(`${base}/:id/clients/:client/delete`, async (visit, _form, params) => {
    const { account, address, actor } = requireAdministeredAccount(visit, params);
    await deleteClientPair(visit.oauth, account, parseIdParameter(params), parseIdParameter(params, "client"), actor);
    return redirectTo(visit.reply, `${address}/${params.id}`);
  });
}
