import type { FastifyInstance } from "fastify";
import { Invalid, NotFound, Unauthorized } from "../base/errors.ts";
import { changePolicy, emailPolicy } from "../inbound/policy.ts";
import { receivedMailsOf } from "../inbound/received.ts";
import { mailsOf } from "../mail/mails.ts";
import { accountsOf, requireAdministrator } from "../oauth/accounts.ts";
import {
  application,
  applicationsOf,
  changeApplication,
  createApplication,
  deleteApplication,
} from "../oauth/applications.ts";
import { authorizationsOf, revokeAuthorization } from "../oauth/authorizations.ts";
import { changePassword } from "../oauth/change-password.ts";
import { addPair, deletePair, disablePair } from "../oauth/client-pairs.ts";
import { exchangeSession } from "../oauth/first-party.ts";
import { createOwnToken, deleteOwnToken, tokensOf } from "../oauth/personal-access-tokens.ts";
import { plural } from "../oauth/scope-words.ts";
import { scopeNames } from "../oauth/scopes.ts";
import { note, trail } from "../oauth/security-trail.ts";
import { endSession, sessionsOf } from "../oauth/sessions.ts";
import { deliveriesOf, deliveryOf, redeliver, webhookState, webhookStates } from "../webhooks/deliveries.ts";
import { resendCode } from "../webhooks/verification.ts";
import { guard } from "./answer.ts";
import { clearCookie } from "./cookies.ts";
import { jsonBody } from "./form-body.ts";
import { idIn, lineIn } from "./id-in.ts";
import type { Params, SignedIn } from "./routes.ts";
import { type Pages, requireOwnForm, sessionCookie, visitOf } from "./visit.ts";

// What our own pages in the browser need and the REST API does not offer, with the session cookie. Changes carry the
// header X-CSRF-Token, which GET /session-api/me tells. Errors look like those of the REST API.

type Body = Record<string, unknown>;
type Route = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  status?: number;
  /** undefined: 204 */
  handle(visit: SignedIn, params: Params, body: Body): Promise<unknown>;
};

const found = (done: boolean): undefined => {
  if (!done) throw new NotFound();
};
const text = (value: unknown): string => (typeof value === "string" ? value : "");

// biome-ignore format: a table keeps its columns
const own: readonly Route[] = [
  { method: "GET",    path: "/me",                         handle: me },
  { method: "POST",   path: "/access-token", status: 201,  handle: (visit) => exchangeSession(visit.oauth, visit.session) },
  { method: "GET",    path: "/scopes",                     handle: async ({ oauth }) => [...scopeNames(oauth.types)].map((name) => ({ name, label: plural(oauth.types, name), operations: name === "me" ? ["All"] : ["Read", "Create", "Update", "Delete"] })) },
  { method: "GET",    path: "/sessions",                   handle: sessions },
  { method: "DELETE", path: "/sessions/:id",               handle: async (visit, params) => found(await endSession(visit.oauth, visit.session.person, idIn(params), visit.address, "session-ended")) },
  { method: "DELETE", path: "/session",                    handle: signOut },
  { method: "PUT",    path: "/password",                   handle: (visit, _params, body) => changePassword(visit.oauth, visit.session, text(body.current_password), text(body.new_password), visit.address) },
  { method: "GET",    path: "/personal-access-tokens",     handle: (visit) => tokensOf(visit.oauth, visit.session.person.id) },
  { method: "POST",   path: "/personal-access-tokens", status: 201, handle: (visit, _params, body) => createOwnToken(visit.oauth, visit.session.person, { name: body.name, scopes: body.scopes }, visit.address) },
  { method: "DELETE", path: "/personal-access-tokens/:id", handle: async (visit, params) => found(await deleteOwnToken(visit.oauth, visit.session.person, idIn(params), visit.address)) },
  { method: "GET",    path: "/authorizations",             handle: (visit) => authorizationsOf(visit.oauth, visit.session.person.id) },
  { method: "DELETE", path: "/authorizations/:id",         handle: async (visit, params) => found(await revokeAuthorization(visit.oauth, visit.session.person, idIn(params), visit.address)) },
];

function isDisabled({ disabled }: Body): boolean {
  if (typeof disabled !== "boolean") throw new Invalid([["disabled", "must be true or false"]]);
  return disabled;
}

const actor = (visit: SignedIn) => ({ person: visit.session.person, address: visit.address });

// Below /accounts/:account, for its administrators.
// biome-ignore format: a table keeps its columns
const settings: readonly Route[] = [
  { method: "GET",    path: "/security-trail",          handle: async (visit, { account = "" }) => trail(visit.oauth.database, account, lineIn(visit.query)) },
  { method: "GET",    path: "/mails",                   handle: (visit, { account = "" }) => mailsOf(visit.oauth.database, account) },
  { method: "GET",    path: "/received-mails",          handle: (visit, { account = "" }) => receivedMailsOf(visit.oauth.database, account) },
  { method: "GET",    path: "/email-policy",            handle: (visit, { account = "" }) => emailPolicy(visit.oauth.database, account) },
  { method: "PATCH",  path: "/email-policy",            handle: (visit, { account = "" }, body) => changeEmailPolicy(visit, account, body) },
  { method: "GET",    path: "/webhooks",                handle: (visit, { account = "" }) => webhookStates(visit.pages.webhooks, account, null) },
  { method: "GET",    path: "/webhooks/:id",            handle: (visit, params) => webhookState(visit.pages.webhooks, params.account ?? "", idIn(params)) },
  { method: "POST",   path: "/webhooks/:id/verification", handle: (visit, params) => resendCode(visit.pages.webhooks, params.account ?? "", idIn(params)) },
  { method: "GET",    path: "/webhooks/:id/deliveries", handle: (visit, params) => deliveriesOf(visit.pages.webhooks, params.account ?? "", idIn(params), visit.query) },
  { method: "GET",    path: "/webhooks/:id/deliveries/:delivery", handle: (visit, params) => deliveryOf(visit.pages.webhooks, params.account ?? "", idIn(params), idIn(params, "delivery")) },
  { method: "POST",   path: "/webhooks/:id/redeliveries", handle: (visit, params, body) => redeliver(visit.pages.webhooks, params.account ?? "", idIn(params), body) },
  { method: "GET",    path: "/oauth-applications",      handle: (visit, { account = "" }) => applicationsOf(visit.oauth, account) },
  { method: "POST",   path: "/oauth-applications", status: 201, handle: async (visit, { account = "" }, body) => application(visit.oauth, account, await createApplication(visit.oauth, account, actor(visit), body)) },
  { method: "GET",    path: "/oauth-applications/:id",  handle: (visit, params) => application(visit.oauth, params.account ?? "", idIn(params)) },
  { method: "PATCH",  path: "/oauth-applications/:id",  handle: change },
  { method: "DELETE", path: "/oauth-applications/:id",  handle: (visit, params) => deleteApplication(visit.oauth, params.account ?? "", idIn(params), actor(visit)) },
  { method: "POST",   path: "/oauth-applications/:id/clients", status: 201,  handle: (visit, params) => addPair(visit.oauth, params.account ?? "", idIn(params), actor(visit)) },
  { method: "PATCH",  path: "/oauth-applications/:id/clients/:client",       handle: (visit, params, body) => disablePair(visit.oauth, params.account ?? "", idIn(params), idIn(params, "client"), isDisabled(body), actor(visit)) },
  { method: "DELETE", path: "/oauth-applications/:id/clients/:client",       handle: (visit, params) => deletePair(visit.oauth, params.account ?? "", idIn(params), idIn(params, "client"), actor(visit)) },
];

async function me(visit: SignedIn): Promise<unknown> {
  const { person, email } = visit.session;
  const accounts = (await accountsOf(visit.oauth, person)).map(({ id, name }) => ({
    id,
    name,
    roles: [...(person.roles.get(id) ?? [])],
  }));
  const { id, name, account, locale, zoneName: time_zone } = person;
  return { person: { id, name, email, account, locale, time_zone }, accounts, csrf_token: visit.csrf };
}

async function sessions(visit: SignedIn): Promise<unknown> {
  const list = await sessionsOf(visit.oauth.database, visit.session.person.id, visit.oauth.clock.now());
  return list.map((session) => ({ ...session, current: session.id === visit.session.id }));
}

async function signOut(visit: SignedIn): Promise<void> {
  await endSession(visit.oauth, visit.session.person, visit.session.id, visit.address, "sign-out");
  clearCookie(visit, sessionCookie);
}

async function changeEmailPolicy({ oauth, session, address }: SignedIn, account: string, body: Body): Promise<unknown> {
  const now = oauth.clock.now();
  return changePolicy(oauth.database, account, now, body, (tx, details) => {
    const happening = { account, person: session.person.id, event: "email-policy-changed", details, address } as const;
    note(tx, now.toISOString(), happening);
  });
}

async function change(visit: SignedIn, params: Params, body: Body): Promise<unknown> {
  const [account, id] = [params.account ?? "", idIn(params)];
  await changeApplication(visit.oauth, account, id, actor(visit), body);
  return application(visit.oauth, account, id);
}

const routes: readonly Route[] = [
  ...own,
  ...settings.map(
    (route): Route => ({
      ...route,
      path: `/accounts/:account${route.path}`,
      async handle(visit, params, body) {
        requireAdministrator(visit.session.person, params.account ?? "");
        return route.handle(visit, params, body);
      },
    }),
  ),
];

/** Errors pass to the server's own handler, which writes them as the REST API does. */
export function sessionApi(pages: Pages, app: FastifyInstance): void {
  for (const { method, path, status = 200, handle } of routes)
    app.route({
      method,
      url: `/session-api${path}`,
      async handler(request, reply) {
        guard(reply);
        const visit = await visitOf(pages, request, reply);
        if (visit.session === null) throw new Unauthorized();
        if (method !== "GET") requireOwnForm(visit, request.headers["x-csrf-token"] as string | undefined);
        const body = method === "GET" ? {} : jsonBody(request);
        const answer = await handle(visit as SignedIn, request.params as Params, body);
        if (answer === undefined) return reply.code(204).send();
        return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(answer));
      },
    });
}
