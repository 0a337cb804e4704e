import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden } from "../base/errors.ts";
import type { Oauth } from "../oauth/context.ts";
import { loadSession, type Session } from "../oauth/sessions/sessions.ts";
import { equalsConstantTime, signText } from "../oauth/tokens.ts";
import type { Webhooks } from "../webhooks/context.ts";
import { readCookie, setCookie } from "./cookies.ts";

// One request of a browser: who is signed in, and the token that its forms must carry.

export type PagesContext = {
  oauth: Oauth;
  webhooks: Webhooks;
  /** scheme and host under which the client knows us */
  getOrigin(request: FastifyRequest): string;
  /** the client's own address, behind the proxies we trust */
  getClientAddress(request: FastifyRequest): string;
};

export type Visit = {
  pages: PagesContext;
  oauth: Oauth;
  request: FastifyRequest;
  reply: FastifyReply;
  session: Session | null;
  /** the session's secret as the browser sent it, whether it is still good or not */
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
  const session = secret === null ? null : await loadSession(oauth, secret);
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
    address: pages.getClientAddress(request),
    userAgent: String(request.headers["user-agent"] ?? ""),
  };
  visit.csrf =
    session === null ? bindFormToCookie(visit, oauth.secret) : signText(oauth.secret, "form of session", session.hash);
  return visit;
}

/** Before there is a session, forms are bound to a cookie of our own that nobody else can make. */
function bindFormToCookie(visit: Visit, secret: string): string {
  const [nonce, signature] = (readCookie(visit.request, formCookie, visit.origin) ?? "").split(".");
  const genuine = nonce && signature && equalsConstantTime(signature, signText(secret, "form cookie", nonce));
  const kept = genuine ? nonce : randomBytes(18).toString("base64url");
  if (!genuine) setCookie(visit, formCookie, `${kept}.${signText(secret, "form cookie", kept)}`);
  return signText(secret, "form of visitor", kept);
}

/** Refuses what another site made the browser send: by where it says it comes from, and by the token it lacks. */
export function requireCsrfToken(visit: Visit, token: string | undefined): void {
  const { origin, "sec-fetch-site": site, host } = visit.request.headers;
  const own = [visit.origin, `http://${host}`, `https://${host}`];
  if (origin !== undefined && !own.includes(origin)) throw new Forbidden();
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new Forbidden();
  if (token === undefined || !equalsConstantTime(token, visit.csrf)) throw new Forbidden();
}
