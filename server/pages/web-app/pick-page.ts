import type { FastifyRequest } from "fastify";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import type { Session } from "../../oauth/sessions/sessions.ts";
import { loadSession } from "../../oauth/sessions/sessions.ts";
import { readCookie } from "../cookies.ts";
import { type PagesContext, sessionCookie } from "../visit.ts";

// Which of the two applications answers an address below /a/. They are separate pages, so that a requester on a phone does
// not load the workspace (D-300). Addresses are the same for both: a mail that links to a request does not know who opens it.

/** Pages of the own profile exist once, in the workspace. */
const inWorkspace = /^\/a\/[^/]+\/profile(\/|$)/;
const inPortal = /^\/a\/[^/]+\/portal(\/|$)/;

const isRequester = ({ person }: Session, account: string): boolean =>
  [...(person.roles.get(account) ?? [])].every((role) => role === "key_contact");

export async function pickPage(pages: PagesContext, request: FastifyRequest): Promise<"index.html" | "portal.html"> {
  const path = (request.raw.url ?? "").split("?")[0] ?? "";
  if (inPortal.test(path)) return "portal.html";
  const [, account] = /^\/a\/([^/]+)/.exec(path) ?? [];
  if (account === undefined || inWorkspace.test(path)) return "index.html";
  const secret = readCookie(request, sessionCookie, pages.getOrigin(request));
  // Without a session, or without a database to ask, either page leads to the sign-in or says what is wrong.
  const address = pages.getClientAddress(request);
  const session = secret === null ? null : await loadSession(pages.oauth, secret, address).catch(() => null);
  if (session === null) return "index.html";
  const wanted = decode(account);
  if (!isRequester(session, wanted)) return "index.html";
  // The workspace says that there is no such account, or none for this person.
  const accounts = await loadAccountsFor(pages.oauth, session.person).catch(() => []);
  return accounts.some(({ id }) => id === wanted) ? "portal.html" : "index.html";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
