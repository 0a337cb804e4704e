import type { Person } from "../../engine/caller.ts";
import { isAdministratorOf, loadAccountsFor } from "../../oauth/account-access.ts";
import type { Session } from "../../oauth/sessions/sessions.ts";
import type { Visit } from "../visit.ts";
import { renderHead } from "./head.ts";
import { type Html, type HtmlPart, html } from "./html.ts";

// What every page has around its content.

export type PageContent = { title: string; body: HtmlPart; notice?: HtmlPart; narrow?: boolean };

export const renderCsrfField = ({ csrf }: Visit): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

/** A form that is one button: for what a link must not do. */
export const renderButton = (
  visit: Visit,
  action: string,
  label: string,
  kind = "quiet",
  fields: HtmlPart = null,
): Html =>
  html`<form method="post" action="${action}" class="inline">${renderCsrfField(visit)}${fields}<button class="${kind}">${label}</button></form>`;

const renderMenuLink = (here: string, there: string, label: string, address = there): Html =>
  html`<a href="${address}"${here === there && html` aria-current="page"`}>${label}</a>`;

function renderNavigation(visit: Visit, person: Person): Html {
  const path = (visit.request.raw.url ?? "").split("?")[0] as string;
  const account = pickAdministeredAccount(person, /^\/a\/([^/]+)\//.exec(path)?.[1]);
  return html`<nav aria-label="Main">
${renderMenuLink(path, "/profile", "Profile")}
${renderMenuLink(path, "/personal_access_tokens", "Personal Access Tokens")}
${renderMenuLink(path, "/access_and_security", "Access and security")}
${
  account !== null &&
  html`${renderMenuLink(path, `/a/${account}/oauth_applications`, "OAuth applications")}
${renderMenuLink(path, `/a/${account}/security_trail`, "Security trail")}
${!visit.pages.sendsMail && renderMenuLink(path, `/a/${account}/mails`, "Mails")}`
}
</nav>
<div class="who"><span>${person.name}</span>${renderButton(visit, "/sign_out", "Sign out")}</div>`;
}

/** The account whose settings the menu leads to: the one of the address, the own one, or the first of the others. */
export function pickAdministeredAccount(person: Person, named?: string): string | null {
  const candidates = [...(named === undefined ? [] : [named]), person.account, ...person.roles.keys()];
  return candidates.find((account) => isAdministratorOf(person, account)) ?? null;
}

/** For those who administer several accounts: the same page of the others. */
export async function renderAccountSwitch(
  visit: Visit & { session: Session },
  account: string,
  page: string,
): Promise<HtmlPart> {
  const { person } = visit.session;
  const others = (await loadAccountsFor(visit.oauth, person)).filter(({ id }) => isAdministratorOf(person, id));
  if (others.length < 2) return null;
  const links = others.map(({ id, name }) => html`<li>${renderMenuLink(account, id, name, `/a/${id}/${page}`)}</li>`);
  return html`<nav class="switch" aria-label="Accounts"><ul class="plain">${links}</ul></nav>`;
}

export function renderLayout(visit: Visit, { title, body, notice, narrow = false }: PageContent): Html {
  const { session } = visit;
  return html`<!doctype html>
<html lang="en">
${renderHead(title)}
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><a class="brand" href="${session === null ? "/sign_in" : "/profile"}">Steward</a>${session !== null && renderNavigation(visit, session.person)}</header>
<main id="content" class="${narrow ? "narrow" : "wide"}">
${notice !== undefined && notice !== null && html`<p class="notice" role="status">${notice}</p>`}
${body}
</main>
</body>
</html>`;
}

/** A moment in the zone of the reader. */
export function renderTime(person: Person, moment: string | null, otherwise = "never"): Html {
  if (moment === null) return html`${otherwise}`;
  const shown = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: person.zone });
  return html`<time datetime="${moment}">${shown.format(new Date(moment))}</time>`;
}
