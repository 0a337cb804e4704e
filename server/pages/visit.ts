import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden } from "../base/errors.ts";
import type { Oauth } from "../oauth/context.ts";
import { type Session, sessionOf } from "../oauth/sessions.ts";
import { sameText, signed } from "../oauth/tokens.ts";
import type { Webhooks } from "../webhooks/context.ts";
import { cookieIn, setCookie } from "./cookies.ts";

// One request of a browser: who is signed in, and the token that its forms must carry.

export type Pages = {
  oauth: Oauth;
  webhooks: Webhooks;
  /** scheme and host under which the client knows us */
  originOf(request: FastifyRequest): string;
  /** the client's own address, behind the proxies we trust */
  addressOf(request: FastifyRequest): string;
  /** whether mails leave; if not, administrators can read them */
  sendsMail: boolean;
};

export type Visit = {
  pages: Pages;
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

export async function visitOf(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const { oauth } = pages;
  const origin = pages.originOf(request);
  const secret = cookieIn(request, sessionCookie, origin);
  const session = secret === null ? null : await sessionOf(oauth, secret);
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
    address: pages.addressOf(request),
    userAgent: String(request.headers["user-agent"] ?? ""),
  };
  visit.csrf =
    session === null ? beforeSignIn(visit, oauth.secret) : signed(oauth.secret, "form of session", session.hash);
  return visit;
}

/** Before there is a session, forms are bound to a cookie of our own that nobody else can make. */
function beforeSignIn(visit: Visit, secret: string): string {
  const [nonce, signature] = (cookieIn(visit.request, formCookie, visit.origin) ?? "").split(".");
  const genuine = nonce && signature && sameText(signature, signed(secret, "form cookie", nonce));
  const kept = genuine ? nonce : randomBytes(18).toString("base64url");
  if (!genuine) setCookie(visit, formCookie, `${kept}.${signed(secret, "form cookie", kept)}`);
  return signed(secret, "form of visitor", kept);
}

/** Refuses what another site made the browser send: by where it says it comes from, and by the token it lacks. */
export function requireOwnForm(visit: Visit, token: string | undefined): void {
  const { origin, "sec-fetch-site": site, host } = visit.request.headers;
  const own = [visit.origin, `http://${host}`, `https://${host}`];
  if (origin !== undefined && !own.includes(origin)) throw new Forbidden();
  if (site !== undefined && site !== "same-origin" && site !== "none") throw new Forbidden();
  if (token === undefined || !sameText(token, visit.csrf)) throw new Forbidden();
}
