import type { Person } from "../../engine/caller.ts";
import type { Visit } from "../visit.ts";
import { renderHead } from "./head.ts";
import { type Html, type HtmlPart, html } from "./html.ts";

// The frame around the content of every page.

export type PageContent = {
  title: string;
  body: HtmlPart;
  notice?: HtmlPart;
  narrow?: boolean /** beside a panel, for signing in */;
  split?: boolean;
};

export const renderCsrfField = ({ csrf }: Visit): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;

/** A form that is one button: for what a link must not do. */
export const renderButton = (visit: Visit, action: string, label: string, kind = "quiet"): Html =>
  html`<form method="post" action="${action}" class="inline">${renderCsrfField(visit)}<button class="${kind}">${label}</button></form>`;

const renderSignedInPerson = (visit: Visit, person: Person): Html =>
  html`<div class="who"><span>${person.name}</span>${renderButton(visit, "/sign_out", "Sign out")}</div>`;

const aside = html`<aside class="panel" aria-label="About Steward"><div class="rings" aria-hidden="true"></div>
<p class="claim">Every request answered. Every target met. Nothing lost.</p>
<p>Requests, workflows, projects, assets and services in one place, hosted by your own organization.</p></aside>`;

export function renderLayout(visit: Visit, { title, body, notice, narrow = false, split = false }: PageContent): Html {
  const { session } = visit;
  return html`<!doctype html>
<html lang="en">
${renderHead(title)}
<body${split && html` class="split"`}>
<a class="skip" href="#content">Skip to content</a>
${!split && html`<header class="top"><a class="brand" href="${session === null ? "/sign_in" : "/"}">Steward</a>${session !== null && renderSignedInPerson(visit, session.person)}</header>`}
<main id="content" class="${narrow ? "narrow" : "wide"}">
${notice !== undefined && notice !== null && html`<p class="notice" role="status">${notice}</p>`}
${body}
</main>
${split && aside}
</body>
</html>`;
}
