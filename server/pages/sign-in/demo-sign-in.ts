import { NotFound } from "../../base/errors.ts";
import { type DemoPerson, loadDemoPeople } from "../../oauth/sessions/demo-people.ts";
import { signIn } from "../../oauth/sessions/sign-in.ts";
import { setCookie } from "../cookies.ts";
import { type Html, html } from "../layout/html.ts";
import { renderCsrfField } from "../layout/layout.ts";
import type { PageRoutes } from "../page-routes.ts";
import { redirectTo } from "../responses.ts";
import { sessionCookie, type Visit } from "../visit.ts";
import { parseOwnPath, pickReturnPath } from "./return-to.ts";

// D-205: in a demo that only this machine can reach, people of the demo company sign in with one click.

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const daySeconds = 24 * 3600;

const isOffered = ({ pages, address }: Visit): boolean => pages.demoPeople.length > 0 && loopback.test(address);

// biome-ignore format: a table keeps its columns
const descriptions: Readonly<Record<string, [role: string, what: string]>> = {
  administrator: ["Administrator", "Settings, people, automation, webhooks"],
  specialist:    ["Specialist",    "Inbox, requests, workflows"],
  requester:     ["Requester",     "Self-service portal"],
};

// Tabler's flask, drawn here: these pages load no scripts and no icon library.
const flask = html`<svg width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M9 3l6 0"/><path d="M10 9l4 0"/><path d="M10 3v6l-4 11a.7 .7 0 0 0 .5 1h11a.7 .7 0 0 0 .5 -1l-4 -11v-6"/></svg>`;

const getInitials = (name: string): string =>
  name
    .split(" ")
    .map((word) => word[0] ?? "")
    .join("")
    .slice(0, 2);

/** The people to click, below the form; nothing where they are not offered. */
export async function renderDemoPeople(visit: Visit, returnTo: string | null): Promise<Html | null> {
  if (!isOffered(visit)) return null;
  const people = await loadDemoPeople(visit.oauth, visit.pages.demoPeople);
  if (people.length === 0) return null;
  return html`<section class="demo" aria-label="Explore the demo">
<p class="or"><span>or explore the demo as</span></p>
${people.map((person) => renderDemoPerson(visit, person, returnTo))}
<p class="demo-note">${flask}Demo environment. Nothing leaves this machine.</p>
</section>`;
}

function renderDemoPerson(visit: Visit, { role, name }: DemoPerson, returnTo: string | null): Html {
  const [title, what] = descriptions[role] ?? [role, ""];
  return html`<form method="post" action="/sign_in/demo">${renderCsrfField(visit)}
<input type="hidden" name="role" value="${role}"><input type="hidden" name="return_to" value="${returnTo ?? ""}">
<button class="person"><span class="initials ${role}" aria-hidden="true">${getInitials(name)}</span>
<span><strong>${name}</strong> <span class="muted">${title}</span><br><span class="small">${what}</span></span>
<span class="arrow" aria-hidden="true">→</span></button></form>`;
}

export function registerDemoSignIn({ post }: PageRoutes): void {
  post("/sign_in/demo", async (visit, form) => {
    if (!isOffered(visit)) throw new NotFound();
    const people = await loadDemoPeople(visit.oauth, visit.pages.demoPeople);
    const person = people.find(({ role }) => role === form.get("role"));
    if (person === undefined) throw new NotFound();
    const secret = await signIn(visit.oauth, person, visit, visit.secret);
    setCookie(visit, sessionCookie, secret, daySeconds);
    const returnTo = parseOwnPath(form.get("return_to"));
    return redirectTo(visit.reply, returnTo === null ? `/a/${person.worksIn}` : pickReturnPath(returnTo));
  });
}
