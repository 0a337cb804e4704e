import type { FastifyReply, FastifyRequest } from "fastify";
import { loadAccountsFor } from "../../oauth/account-access.ts";
import type { Session } from "../../oauth/sessions/sessions.ts";
import { loadSession } from "../../oauth/sessions/sessions.ts";
import { readCookie } from "../cookies.ts";
import { type PagesContext, sessionCookie } from "../visit.ts";
import { pickStartAccount, rememberAccount } from "./start-account.ts";

// Picks the application for an address below /a/. They are separate pages, so that a requester on a phone does
// not load the workspace (D-300). Addresses are the same for both, because an email with a link doesn't know who opens it.

/** Pages of the own profile exist once, in the workspace. */
const inWorkspace = /^\/a\/[^/]+\/profile(\/|$)/;
const inPortal = /^\/a\/[^/]+\/portal(\/|$)/;

const isRequester = ({ person }: Session, account: string): boolean =>
  [...(person.roles.get(account) ?? [])].every((role) => role === "key_contact");

/** Null without a session, or without a database to ask: either page leads to the sign-in or says what is wrong. */
async function loadPageSession(pages: PagesContext, request: FastifyRequest): Promise<Session | null> {
  const secret = readCookie(request, sessionCookie, pages.getOrigin(request));
  if (secret === null) return null;
  return loadSession(pages.oauth, secret, pages.getClientAddress(request)).catch(() => null);
}

/** The target of "/"; null without a session. */
export async function pickStartAddress(pages: PagesContext, request: FastifyRequest): Promise<string | null> {
  const session = await loadPageSession(pages, request);
  if (session === null) return null;
  const account = await pickStartAccount(pages, request, session.person).catch(() => session.person.account);
  return `/a/${encodeURIComponent(account)}`;
}

export async function pickPage(
  pages: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<"index.html" | "portal.html"> {
  const path = (request.raw.url ?? "").split("?")[0] ?? "";
  const [, named] = /^\/a\/([^/]+)/.exec(path) ?? [];
  if (named === undefined) return "index.html";
  const session = await loadPageSession(pages, request);
  const account = decode(named);
  const accounts = session === null ? [] : await loadAccountsFor(pages.oauth, session.person).catch(() => []);
  // The workspace says that there is no such account, or none for this person.
  const isOpen = accounts.some(({ id }) => id === account);
  if (session !== null && isOpen) rememberAccount(pages, request, reply, session.person, account);
  if (inPortal.test(path)) return "portal.html";
  if (inWorkspace.test(path) || session === null || !isOpen) return "index.html";
  return isRequester(session, account) ? "portal.html" : "index.html";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
