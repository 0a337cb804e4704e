import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AnswerTo } from "../../records/answers/answer-of.ts";
import type { Method, OperationKey, SessionOperation, SessionOperations } from "../../records/vocabulary/index.ts";
import { answerOnce } from "../api/http/idempotency.ts";
import { buildSessionOrigin, loadCallerInAccount } from "../api/http/pipeline.ts";
import { findBodyMismatch } from "../api/operations/answer-check.ts";
import { Forbidden, Unauthorized } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { isInNetworks } from "../oauth/policy/networks.ts";
import { parseJsonBody } from "./form-body.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { setPageHeaders } from "./responses.ts";
import { loadVisit, type PagesContext, requireCsrfToken, type Visit } from "./visit.ts";

// Routes below /session-api: authenticated by the session cookie, changes by the CSRF token as well.

export type JsonBody = Record<string, unknown>;
export type SessionHandler<Answer = unknown> = (
  visit: SignedInVisit,
  params: Params,
  body: JsonBody,
) => Promise<Answer>;
export type SessionRoute = SessionOperation & { method: Method; path: string; handle: SessionHandler };

/** A handler of an operation without an answer returns nothing. */
type HandlerOf<O extends SessionOperation> = O extends { answer: null }
  ? SessionHandler<void>
  : SessionHandler<AnswerTo<O>>;

/** The routes of declared operations: each needs a handler that returns what its declaration says. */
export const serveSession = <const T extends SessionOperations>(
  declared: T,
  handlers: { [K in keyof T & OperationKey]: HandlerOf<T[K]> },
): SessionRoute[] =>
  Object.entries<SessionHandler>(handlers).map(([key, handle]) => {
    // A key has these two parts, and it is one of the declared ones: the compiler has compared both objects.
    const [method, path] = key.split(" ") as [Method, string];
    return { ...(declared[key as OperationKey] as SessionOperation), method, path, handle };
  });

export async function requireSignedIn(
  pages: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedInVisit> {
  setPageHeaders(reply);
  const visit = await loadVisit(pages, request, reply);
  if (visit.session === null) throw new Unauthorized();
  pages.admitPerson(request, visit.session.person.id);
  await requireAllowedNetwork(visit, (request.params as Params | undefined)?.account);
  return visit as SignedInVisit;
}

/** D-550: the account of a person was asked when the session was loaded; the path may name another one. */
async function requireAllowedNetwork({ oauth, address }: Visit, account: string | undefined): Promise<void> {
  if (account === undefined) return;
  const { web_networks } = await oauth.identities.getPolicy(account);
  if (!isInNetworks(web_networks, address)) throw new Forbidden("the account does not allow calls from this network");
}

export function addSessionRoutes(pages: PagesContext, app: FastifyInstance, routes: readonly SessionRoute[]): void {
  for (const { method, path, status = 200, answer: declared, handle } of routes)
    app.route({
      method,
      url: `/session-api${path}`,
      async handler(request, reply) {
        const visit = await requireSignedIn(pages, request, reply);
        if (method !== "GET") requireCsrfToken(visit, request.headers["x-csrf-token"] as string | undefined);
        const body = method === "GET" ? {} : parseJsonBody(request);
        const { id, account } = visit.session.person;
        const answer = await answerOnce(pages.oauth, { person: id, account }, request, async () => {
          const result = await handle(visit, request.params as Params, body);
          const json = result === undefined ? undefined : JSON.stringify(result);
          if (pages.checksAnswers) requireDeclared(`${method} /session-api${path}`, declared, json);
          return json === undefined ? { status: 204 } : { status, json };
        });
        reply.code(answer.status).headers(answer.headers ?? {});
        if (answer.json === undefined) return reply.send();
        return reply.type("application/json; charset=utf-8").send(answer.json);
      },
    });
}

function requireDeclared(route: string, declared: SessionOperation["answer"], json: string | undefined): void {
  const mismatch = findBodyMismatch(declared, json);
  if (mismatch !== null) throw new Error(`${route} does not answer as declared: ${mismatch}`);
}

/** The person of the session in the account of the path. Unknown and inaccessible accounts are the same 403. */
export async function loadSessionCaller(visit: SignedInVisit, { account = "" }: Params): Promise<Caller> {
  const { pages, session, origin } = visit;
  const policy = await visit.oauth.identities.getPolicy(account);
  const changeOrigin = buildSessionOrigin(visit.address, policy);
  const settings = { language: session.person.locale, source: "", changeOrigin, customFieldsAsArray: false, origin };
  const context = { engine: pages.engine, identities: visit.oauth.identities };
  const by = await loadCallerInAccount(context, session.person, account, settings);
  if (by === null) throw new Forbidden();
  return by;
}
