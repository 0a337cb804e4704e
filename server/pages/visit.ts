import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden } from "../base/errors.ts";
import type { Engine } from "../engine/engine.ts";
import type { LiveHub } from "../live/live-hub.ts";
import type { Oauth } from "../oauth/oauth-context.ts";
import type { Providers } from "../oauth/providers/providers-context.ts";
import type { DemoSignIn } from "../oauth/sessions/demo-people.ts";
import { loadSession, type Session } from "../oauth/sessions/sessions.ts";
import { equalsConstantTime, signText } from "../oauth/tokens.ts";
import { readCookie, setCookie } from "./cookies.ts";

// One request of a browser: its session, and the CSRF token of its forms.

export type PagesContext = {
  engine: Engine;
  live: LiveHub;
  oauth: Oauth;
  providers: Providers;
  /** people who may sign in without a password, in a demo that only this machine reaches; else empty */
  demoPeople: readonly DemoSignIn[];
  /** whether the work of a demo company may be arriving */
  isDemo: boolean;
  /** whether responses are compared with their declarations, as tests do */
  checksAnswers: boolean;
  /** scheme and host that the client used */
  getOrigin(request: FastifyRequest): string;
  /** the address of the client, behind trusted proxies */
  getClientAddress(request: FastifyRequest): string;
  /** throws when the person has too much in progress */
  admitPerson(request: FastifyRequest, person: number): void;
  /** takes as much as several pages would from the allowance of a person; throws when it is used up */
  charge(person: number, cost: number): void;
  /** reserves memory until the answer has been sent; throws when there is none */
  reserveMemory(request: FastifyRequest, bytes: number): void;
};

export type Visit = {
  pages: PagesContext;
  oauth: Oauth;
  request: FastifyRequest;
  reply: FastifyReply;
  session: Session | null;
  /** the secret of the session cookie, valid or not */
  secret: string | null;
  csrf: string;
  query: URLSearchParams;
  origin: string;
  address: string;
  userAgent: string;
};

export const sessionCookie = "steward_session";
const formCookie = "steward_form";

export async function loadVisit(pages: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const { oauth } = pages;
  const origin = pages.getOrigin(request);
  const secret = readCookie(request, sessionCookie, origin);
  const address = pages.getClientAddress(request);
  const session = secret === null ? null : await loadSession(oauth, secret, address);
  const url = request.raw.url ?? "";
  const at = url.indexOf("?");
  const visit: Visit = {
    pages,
    oauth,
    request,
    reply,
    session,
    secret,
    csrf: "",
    query: new URLSearchParams(at < 0 ? "" : url.slice(at + 1)),
    origin,
    address,
    userAgent: String(request.headers["user-agent"] ?? ""),
  };
  visit.csrf =
    session === null ? bindFormToCookie(visit, oauth.secret) : signText(oauth.secret, "form of session", session.hash);
  return visit;
}

/** Without a session, CSRF tokens are bound to a signed cookie. */
function bindFormToCookie(visit: Visit, secret: string): string {
  const [nonce, signature] = (readCookie(visit.request, formCookie, visit.origin) ?? "").split(".");
  const isGenuine = nonce && signature && equalsConstantTime(signature, signText(secret, "form cookie", nonce));
  const value = isGenuine ? nonce : randomBytes(18).toString("base64url");
  if (!isGenuine) setCookie(visit, formCookie, `${value}.${signText(secret, "form cookie", value)}`);
  return signText(secret, "form of visitor", value);
}

/** Refuses cross-site requests: by their Origin and Sec-Fetch-Site headers, and without the CSRF token. */
export function requireCsrfToken(visit: Visit, token: string | undefined): void {
  const { origin, "sec-fetch-site": site, host } = visit.request.headers;
  const ownOrigins = [visit.origin, `http://${host}`, `https://${host}`];
  if (origin !== undefined && !ownOrigins.includes(origin)) throw new Forbidden();
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new Forbidden();
  if (token === undefined || !equalsConstantTime(token, visit.csrf)) throw new Forbidden();
}
