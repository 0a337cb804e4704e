import type { FastifyReply } from "fastify";
import { Forbidden } from "../base/errors.ts";
import { mailsOf } from "../mail/mails.ts";
import { requireAdministrator } from "../oauth/accounts.ts";
import { type TrailLine, trail } from "../oauth/security-trail.ts";
import { goTo, show } from "./answer.ts";
import { html, type Part } from "./html.ts";
import { lineIn } from "./id-in.ts";
import { accountSwitch, administeredAccount, layout, time } from "./layout.ts";
import type { PageRoutes, Params, SignedIn } from "./routes.ts";

// What administrators can look up: who did what to access, and which mails were written.

const pageSize = 50;

const written = (value: unknown): string => (Array.isArray(value) ? value.join(" ") || "none" : String(value));

function detail({ subject, details }: TrailLine): string {
  return Object.entries({ ...details, ...(subject === null ? {} : { person: subject }) })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${written(value)}`)
    .join(", ");
}

async function trailPage(visit: SignedIn, { account = "" }: Params): Promise<FastifyReply> {
  const { person } = visit.session;
  requireAdministrator(person, account);
  const lines = await trail(visit.oauth.database, account, lineIn(visit.query), pageSize);
  const rows = lines.map(
    (
      line,
    ) => html`<tr><td data-label="When">${time(person, line.created_at)}</td><td data-label="What">${line.event.replaceAll("-", " ")}</td>
<td data-label="Person">${line.person === null ? "" : (line.person.name ?? `person ${line.person.id}`)}</td><td data-label="Details">${detail(line)}</td><td data-label="Address">${line.address ?? ""}</td></tr>`,
  );
  const last = lines.at(-1);
  const body = html`<h1>Security trail of ${(await visit.oauth.identities.accounts()).get(account)?.name}</h1>
${await accountSwitch(visit, account, "security_trail")}
<section class="card">${
    rows.length === 0
      ? html`<p class="muted">Nothing has happened yet.</p>`
      : html`<table class="rows"><thead><tr><th>When</th><th>What</th><th>Person</th><th>Details</th><th>Address</th></tr></thead><tbody>${rows}</tbody></table>`
  }
${lines.length === pageSize && html`<p><a href="?before=${last?.id}">Older</a></p>`}</section>`;
  return show(visit.reply, layout(visit, { title: "Security trail", body }));
}

const states = {
  waiting: "waiting",
  sent: "sent",
  failed: "failed",
  gathered: "waits for a digest",
  digested: "came in a digest",
};

function aboutLink({ oauth }: SignedIn, account: string, { type, id }: { type: string; id: number }): Part {
  const text = `${type.replaceAll("_", " ")} ${id}`;
  if (!oauth.types.has(type)) return text;
  return html`<a href="/a/${account}/${oauth.types.named(type).collection}/${id}">${text}</a>`;
}

async function mailPage(visit: SignedIn, { account = "" }: Params): Promise<FastifyReply> {
  const { person } = visit.session;
  requireAdministrator(person, account);
  const cards = (await mailsOf(visit.oauth.database, account)).map(
    (
      mail,
    ) => html`<article class="card"><h2>${mail.subject}</h2><dl><dt>To</dt><dd>${mail.person === null ? "" : html`${mail.person.name}, `}${mail.recipient}</dd>${
      mail.record !== null && html`<dt>About</dt><dd>${aboutLink(visit, account, mail.record)}</dd>`
    }<dt>Written</dt><dd>${time(person, mail.created_at)}</dd><dt>Sent</dt><dd>${time(person, mail.sent_at, "not sent")}</dd><dt>State</dt><dd>${states[mail.state]}${mail.error !== null && html`: ${mail.error}`}</dd></dl>
<pre class="mail">${mail.body}</pre></article>`,
  );
  const body = html`<h1>Mails of ${(await visit.oauth.identities.accounts()).get(account)?.name}</h1>
${await accountSwitch(visit, account, "mails")}
<p class="muted">${visit.pages.sendsMail ? "Mails leave through the mail server." : "No mail server is set up (SMTP_URL): mails are kept here and none leave."}</p>
${cards.length === 0 ? html`<p>There are none.</p>` : cards}`;
  return show(visit.reply, layout(visit, { title: "Mails", body }));
}

export function trailPages({ getSignedIn }: PageRoutes): void {
  getSignedIn("/a/:account/security_trail", trailPage);
  getSignedIn("/a/:account/mails", mailPage);
  getSignedIn("/security_trail", async (visit) => {
    const account = administeredAccount(visit.session.person);
    if (account === null) throw new Forbidden();
    return goTo(visit.reply, `/a/${account}/security_trail`);
  });
}
