import type { FastifyReply } from "fastify";
import { Forbidden } from "../../base/errors.ts";
import { listMails } from "../../mail/mails.ts";
import { requireAdministrator } from "../../oauth/account-access.ts";
import { loadSecurityTrail, type SecurityTrailLine } from "../../oauth/security-trail.ts";
import { type HtmlPart, html } from "../layout/html.ts";
import { pickAdministeredAccount, renderAccountSwitch, renderLayout, renderTime } from "../layout/layout.ts";
import type { PageRoutes, Params, SignedInVisit } from "../page-routes.ts";
import { parseBeforeParameter } from "../parse-parameters.ts";
import { redirectTo, sendPage } from "../responses.ts";

// What administrators can look up: who did what to access, and which mails were written.

const pageSize = 50;

const formatValue = (value: unknown): string => (Array.isArray(value) ? value.join(" ") || "none" : String(value));

function formatDetails({ subject, details }: SecurityTrailLine): string {
  return Object.entries({ ...details, ...(subject === null ? {} : { person: subject }) })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${formatValue(value)}`)
    .join(", ");
}

async function showTrail(visit: SignedInVisit, { account = "" }: Params): Promise<FastifyReply> {
  const { person } = visit.session;
  requireAdministrator(person, account);
  const lines = await loadSecurityTrail(visit.oauth.database, account, parseBeforeParameter(visit.query), pageSize);
  const rows = lines.map(
    (
      line,
    ) => html`<tr><td data-label="When">${renderTime(person, line.created_at)}</td><td data-label="What">${line.event.replaceAll("-", " ")}</td>
<td data-label="Person">${line.person === null ? "" : (line.person.name ?? `person ${line.person.id}`)}</td><td data-label="Details">${formatDetails(line)}</td><td data-label="Address">${line.address ?? ""}</td></tr>`,
  );
  const last = lines.at(-1);
  const body = html`<h1>Security trail of ${(await visit.oauth.identities.getAccounts()).get(account)?.name}</h1>
${await renderAccountSwitch(visit, account, "security_trail")}
<section class="card">${
    rows.length === 0
      ? html`<p class="muted">Nothing has happened yet.</p>`
      : html`<table class="rows"><thead><tr><th>When</th><th>What</th><th>Person</th><th>Details</th><th>Address</th></tr></thead><tbody>${rows}</tbody></table>`
  }
${lines.length === pageSize && html`<p><a href="?before=${last?.id}">Older</a></p>`}</section>`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Security trail", body }));
}

const mailStates = {
  waiting: "waiting",
  sent: "sent",
  failed: "failed",
  gathered: "waits for a digest",
  digested: "came in a digest",
};

function renderRecordLink(
  { oauth }: SignedInVisit,
  account: string,
  { type, id }: { type: string; id: number },
): HtmlPart {
  const text = `${type.replaceAll("_", " ")} ${id}`;
  if (!oauth.types.has(type)) return text;
  return html`<a href="/a/${account}/${oauth.types.get(type).collection}/${id}">${text}</a>`;
}

async function showMails(visit: SignedInVisit, { account = "" }: Params): Promise<FastifyReply> {
  const { person } = visit.session;
  requireAdministrator(person, account);
  const cards = (await listMails(visit.oauth.database, account)).map(
    (
      mail,
    ) => html`<article class="card"><h2>${mail.subject}</h2><dl><dt>To</dt><dd>${mail.person === null ? "" : html`${mail.person.name}, `}${mail.recipient}</dd>${
      mail.record !== null && html`<dt>About</dt><dd>${renderRecordLink(visit, account, mail.record)}</dd>`
    }<dt>Written</dt><dd>${renderTime(person, mail.created_at)}</dd><dt>Sent</dt><dd>${renderTime(person, mail.sent_at, "not sent")}</dd><dt>State</dt><dd>${mailStates[mail.state]}${mail.error !== null && html`: ${mail.error}`}</dd></dl>
<pre class="mail">${mail.body}</pre></article>`,
  );
  const body = html`<h1>Mails of ${(await visit.oauth.identities.getAccounts()).get(account)?.name}</h1>
${await renderAccountSwitch(visit, account, "mails")}
<p class="muted">${visit.pages.sendsMail ? "Mails leave through the mail server." : "No mail server is set up (SMTP_URL): mails are kept here and none leave."}</p>
${cards.length === 0 ? html`<p>There are none.</p>` : cards}`;
  return sendPage(visit.reply, renderLayout(visit, { title: "Mails", body }));
}

export function registerSecurityTrailPages({ getSignedIn }: PageRoutes): void {
  getSignedIn("/a/:account/security_trail", showTrail);
  getSignedIn("/a/:account/mails", showMails);
  getSignedIn("/security_trail", async (visit) => {
    const account = pickAdministeredAccount(visit.session.person);
    if (account === null) throw new Forbidden();
    return redirectTo(visit.reply, `/a/${account}/security_trail`);
  });
}
