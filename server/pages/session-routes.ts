import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerOnce } from "../api/http/idempotency.ts";
import { buildSessionOrigin, loadCallerInAccount } from "../api/http/pipeline.ts";
import { Forbidden, Unauthorized } from "../base/errors.ts";
import type { Caller } from "../engine/caller.ts";
import { isInNetworks } from "../oauth/policy/networks.ts";
import { parseJsonBody } from "./form-body.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { setPageHeaders } from "./responses.ts";
import { loadVisit, type PagesContext, requireCsrfToken, type Visit } from "./visit.ts";

// Routes below /session-api: authenticated by the session cookie, changes by the CSRF token as well.

export type JsonBody = Record<string, unknown>;
export type SessionRoute = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  status?: number;
  /** undefined: 204 */
  handle(visit: SignedInVisit, params: Params, body: JsonBody): Promise<unknown>;
};

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
  for (const { method, path, status = 200, handle } of routes)
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
          return result === undefined ? { status: 204 } : { status, json: JSON.stringify(result) };
        });
        reply.code(answer.status).headers(answer.headers ?? {});
        if (answer.json === undefined) return reply.send();
        return reply.type("application/json; charset=utf-8").send(answer.json);
      },
    });
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
