import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  BadRequest,
  Forbidden,
  NotFound,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { SessionRefused } from "../oauth/policy/sign-in-admission.ts";
import type { Session } from "../oauth/sessions/sessions.ts";
import { parseFormBody } from "./form-body.ts";
import { html } from "./layout/html.ts";
import { renderLayout } from "./layout/layout.ts";
import { redirectTo, sendPage } from "./responses.ts";
import { loadVisit, type PagesContext, requireCsrfToken, type Visit } from "./visit.ts";

// Pages are GET, forms POST. A POST handler runs only after its CSRF token was checked.

export type SignedInVisit = Visit & { session: Session };
export type Params = Readonly<Record<string, string>>;

type PageHandler<V extends Visit> = (visit: V, params: Params) => Promise<FastifyReply>;
type FormHandler<V extends Visit> = (visit: V, form: URLSearchParams, params: Params) => Promise<FastifyReply>;

export type PageRoutes = {
  /** with or without a session */
  get(path: string, handle: PageHandler<Visit>): void;
  post(path: string, handle: FormHandler<Visit>): void;
  /** without a session: redirects to sign-in, which leads back */
  getSignedIn(path: string, handle: PageHandler<SignedInVisit>): void;
  postSignedIn(path: string, handle: FormHandler<SignedInVisit>): void;
};

/** bytes of a form */
const formLimit = 65_536;

const isSignedIn = (visit: Visit): visit is SignedInVisit => visit.session !== null;

export const buildSignInAddress = (returnTo: string): string => `/sign_in?return_to=${encodeURIComponent(returnTo)}`;

export function createPageRoutes(pages: PagesContext, app: FastifyInstance): PageRoutes {
  const getParams = (request: FastifyRequest) => request.params as Params;
  const get: PageRoutes["get"] = (path, handle) => {
    app.get(path, async (request, reply) => handle(await loadVisit(pages, request, reply), getParams(request)));
  };
  const post: PageRoutes["post"] = (path, handle) => {
    app.post(path, { bodyLimit: formLimit }, async (request, reply) => {
      const visit = await loadVisit(pages, request, reply);
      const form = parseFormBody(request);
      requireCsrfToken(visit, form.get("csrf") ?? undefined);
      return handle(visit, form, getParams(request));
    });
  };
  return {
    get,
    post,
    getSignedIn: (path, handle) =>
      get(path, async (visit, params) =>
        isSignedIn(visit)
          ? handle(visit, params)
          : redirectTo(visit.reply, buildSignInAddress(visit.request.raw.url ?? "/profile")),
      ),
    postSignedIn: (path, handle) =>
      post(path, async (visit, form, params) =>
        isSignedIn(visit) ? handle(visit, form, params) : redirectTo(visit.reply, "/sign_in"),
      ),
  };
}

export async function sendFailurePage(
  pages: PagesContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [status, title, text] = describeFailure(error);
  if (status >= 500)
    pages.oauth.log.error("page failed", {
      request: request.id,
      path: request.routeOptions?.url,
      ...describeError(error),
    });
  if (error instanceof TooManyRequests) reply.header("Retry-After", error.retryAfter);
  // A refusal must be cheap: it looks nothing up.
  const isRefusal = error instanceof TooManyRequests || error instanceof Unavailable;
  const visit = isRefusal ? null : await loadVisit(pages, request, reply).catch(() => null);
  const body = html`<div class="card"><h1>${title}</h1><p>${text}</p></div>`;
  if (visit === null) return sendPage(reply, html`<!doctype html><title>${title}</title>${body}`, status);
  return sendPage(reply, renderLayout(visit, { title, body, narrow: true }), status);
}

function describeFailure(error: unknown): [number, string, string] {
  if (error instanceof NotFound) return [404, "Page not found", "It may have been moved or deleted."];
  if (error instanceof SessionRefused) return [403, "Access denied", error.message];
  if (error instanceof Forbidden)
    return [
      403,
      "Not allowed",
      "You don't have permission to do this, or the form has expired. Go back, reload the page and try again.",
    ];
  if (error instanceof Unauthorized) return [401, "Sign in required", "Sign in to continue."];
  if (error instanceof TooManyRequests) return [429, "Too many attempts", `Try again in ${error.retryAfter} seconds.`];
  if (error instanceof TooLarge || (error as { statusCode?: number }).statusCode === 413)
    return [413, "Too large", "The data you sent is too large."];
  if (error instanceof Unavailable)
    return [503, "Temporarily unavailable", "The service can't respond right now. Try again in a moment."];
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (error instanceof BadRequest || (status >= 400 && status < 500))
    return [error instanceof BadRequest ? 400 : status, "Bad request", (error as Error).message];
  return [500, "Something went wrong", "Something failed on our side and has been logged. Try again."];
}
