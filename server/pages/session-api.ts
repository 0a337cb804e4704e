import type { FastifyInstance } from "fastify";
import { loadWorkProgress } from "../actions/sample-work/work-progress.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import {
  loadAccountsFor,
  loadAccountsOfManagedTeams,
  requireAccountAccess,
  requireAdministrator,
} from "../oauth/account-access.ts";
import {
  changeApplication,
  createApplication,
  deleteApplication,
  loadApplication,
  loadApplications,
} from "../oauth/applications/applications.ts";
import { createClientPair, deleteClientPair, setClientPairDisabled } from "../oauth/applications/client-pairs.ts";
import { loadAuthorizations, revokeAuthorization } from "../oauth/authorize/authorizations.ts";
import { changePassword } from "../oauth/passwords/change-password.ts";
import {
  createOwnToken,
  deleteOwnToken,
  loadPersonalAccessTokens,
  loadTokenRules,
} from "../oauth/personal-access-tokens.ts";
import { getScopeLabel } from "../oauth/scopes/describe-scopes.ts";
import { listScopeNames } from "../oauth/scopes/scopes.ts";
import { exchangeSessionForToken } from "../oauth/sessions/session-token.ts";
import { endSession, loadSessions } from "../oauth/sessions/sessions.ts";
import { requireRecentProof } from "../oauth/step-up.ts";
import { clearCookie } from "./cookies.ts";
import { keptRoutes } from "./kept-routes.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { parseIdParameter, toText } from "./parse-parameters.ts";
import { portalArticleRoutes } from "./portal-article-routes.ts";
import { portalOfferRoutes } from "./portal-offer-routes.ts";
import { portalRoutes } from "./portal-routes.ts";
import { proofRoutes, withRecentProof } from "./proof-routes.ts";
import { keepProviderSignOut } from "./providers/sign-out-pages.ts";
import { sampleWorkRoutes } from "./sample-work-routes.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { addSessionRoutes, type JsonBody, type SessionRoute } from "./session-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { registerSignInAgain } from "./sign-in/sign-in-again.ts";
import { suggestionRoutes } from "./suggestion-routes.ts";
import { type PagesContext, sessionCookie } from "./visit.ts";

// What the web application needs beyond the REST API, authenticated by the session cookie. Changes need the header
// X-CSRF-Token, whose value GET /session-api/me returns. Errors have the form of the REST API.

const requireFound = (isFound: boolean): undefined => {
  if (!isFound) throw new NotFound();
};
// biome-ignore format: a table keeps its columns
const personRoutes: readonly SessionRoute[] = [
  { method: "GET",    path: "/me",                         handle: loadMe },
  { method: "POST",   path: "/access-token", status: 201,  handle: (visit) => exchangeSessionForToken(visit.oauth, visit.session) },
  { method: "GET",    path: "/scopes",                     handle: async ({ oauth }) => [...listScopeNames(oauth.types)].map((name) => ({ name, label: getScopeLabel(oauth.types, name), operations: name === "me" ? ["All"] : ["Read", "Create", "Update", "Delete"] })) },
  { method: "GET",    path: "/sessions",                   handle: listSessions },
  { method: "DELETE", path: "/sessions/:id",               handle: async (visit, params) => requireFound(await endSession(visit.oauth, visit.session.person, parseIdParameter(params), visit.address, "session-ended")) },
  { method: "DELETE", path: "/session",                    handle: signOut },
  { method: "PUT",    path: "/password",                   handle: (visit, _params, body) => changePassword(visit.oauth, visit.session, toText(body.current_password), toText(body.new_password), visit.address) },
  { method: "GET",    path: "/personal-access-tokens",     handle: (visit) => loadPersonalAccessTokens(visit.oauth, visit.session.person.id) },
  { method: "GET",    path: "/token-rules",                handle: (visit) => loadTokenRules(visit.oauth, visit.session.person) },
  { method: "POST",   path: "/personal-access-tokens", status: 201, handle: withRecentProof((visit, _params, body) => createOwnToken(visit.oauth, visit.session.person, { name: body.name, scopes: body.scopes, expires_in_days: body.expires_in_days }, visit.address)) },
  { method: "DELETE", path: "/personal-access-tokens/:id", handle: async (visit, params) => requireFound(await deleteOwnToken(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)) },
  { method: "GET",    path: "/authorizations",             handle: (visit) => loadAuthorizations(visit.oauth, visit.session.person.id) },
  { method: "DELETE", path: "/authorizations/:id",         handle: async (visit, params) => requireFound(await revokeAuthorization(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)) },
  ...secondFactorRoutes,
  ...proofRoutes,
];

function parseDisabled({ disabled }: JsonBody): boolean {
  if (typeof disabled !== "boolean") throw new Invalid([["disabled", "must be true or false"]]);
  return disabled;
}

const parseClientPairKey = (params: Params) => ({
  account: params.account ?? "",
  application: parseIdParameter(params),
  id: parseIdParameter(params, "client"),
});
const buildActor = (visit: SignedInVisit) => ({ person: visit.session.person, address: visit.address });

// Below /accounts/:account, for its administrators.
// biome-ignore format: a table keeps its columns
const accountRoutes: readonly SessionRoute[] = [
  { method: "GET",    path: "/oauth-applications",      handle: (visit, { account = "" }) => loadApplications(visit.oauth, account) },
  { method: "POST",   path: "/oauth-applications", status: 201, handle: withRecentProof(async (visit, { account = "" }, body) => loadApplication(visit.oauth, account, await createApplication(visit.oauth, account, buildActor(visit), body))) },
  { method: "GET",    path: "/oauth-applications/:id",  handle: (visit, params) => loadApplication(visit.oauth, params.account ?? "", parseIdParameter(params)) },
  { method: "PATCH",  path: "/oauth-applications/:id",  handle: updateApplication },
  { method: "DELETE", path: "/oauth-applications/:id",  handle: (visit, params) => deleteApplication(visit.oauth, params.account ?? "", parseIdParameter(params), buildActor(visit)) },
  { method: "POST",   path: "/oauth-applications/:id/clients", status: 201,  handle: withRecentProof((visit, params) => createClientPair(visit.oauth, params.account ?? "", parseIdParameter(params), buildActor(visit))) },
  { method: "PATCH",  path: "/oauth-applications/:id/clients/:client",       handle: (visit, params, body) => setClientPairDisabled(visit.oauth, parseClientPairKey(params), parseDisabled(body), buildActor(visit)) },
  { method: "DELETE", path: "/oauth-applications/:id/clients/:client",       handle: (visit, params) => deleteClientPair(visit.oauth, parseClientPairKey(params), buildActor(visit)) },
  ...sampleWorkRoutes,
  ...settingsRoutes,
];

async function loadMe(visit: SignedInVisit): Promise<unknown> {
  const { person, email } = visit.session;
  const managedIn = await loadAccountsOfManagedTeams(visit.oauth, person.id);
  const accounts = (await loadAccountsFor(visit.oauth, person)).map(({ id, name }) => ({
    id,
    name,
    roles: [...(person.roles.get(id) ?? [])].sort(),
    manages_team: managedIn.has(id),
  }));
  const { id, name, account, locale, zoneName: time_zone, zone: iana_zone } = person;
  return {
    person: { id, name, email, account, locale, time_zone, iana_zone },
    accounts,
    csrf_token: visit.csrf,
    stream_position: await visit.pages.live.loadPosition(),
    arriving_work: visit.pages.isDemo ? await loadWorkProgress(visit.oauth.database) : undefined,
  };
}

async function listSessions(visit: SignedInVisit): Promise<unknown> {
  const list = await loadSessions(visit.oauth.database, visit.session.person.id, visit.oauth.clock.now());
  return list.map((session) => ({ ...session, current: session.id === visit.session.id }));
}

async function signOut(visit: SignedInVisit): Promise<void> {
  await keepProviderSignOut(visit);
  await endSession(visit.oauth, visit.session.person, visit.session.id, visit.address, "sign-out");
  clearCookie(visit, sessionCookie);
}

async function updateApplication(visit: SignedInVisit, params: Params, body: JsonBody): Promise<unknown> {
  const [account, id] = [params.account ?? "", parseIdParameter(params)];
  // Whoever turns an application off may be in a hurry.
  const onlyDisables = body.disabled === true && Object.keys(body).length === 1;
  if (!onlyDisables) await requireRecentProof(visit.oauth, visit.session);
  await changeApplication(visit.oauth, account, id, buildActor(visit), body);
  return loadApplication(visit.oauth, account, id);
}

/** Below /accounts/:account, for everybody who may work in it. */
const memberRoutes: readonly SessionRoute[] = [
  ...keptRoutes,
  ...suggestionRoutes,
  ...portalRoutes,
  ...portalArticleRoutes,
  ...portalOfferRoutes,
];

const allRoutes: readonly SessionRoute[] = [
  ...personRoutes,
  ...memberRoutes.map(
    (route): SessionRoute => ({
      ...route,
      path: `/accounts/:account${route.path}`,
      async handle(visit, params, body) {
        await requireAccountAccess(visit.oauth, visit.session.person, params.account ?? "");
        return route.handle(visit, params, body);
      },
    }),
  ),
  ...accountRoutes.map(
    (route): SessionRoute => ({
      ...route,
      path: `/accounts/:account${route.path}`,
      async handle(visit, params, body) {
        requireAdministrator(visit.session.person, params.account ?? "");
        return route.handle(visit, params, body);
      },
    }),
  ),
];

/** Registered without an error handler, so that errors have the form of the REST API. */
export function registerSessionApi(pages: PagesContext, app: FastifyInstance): void {
  addSessionRoutes(pages, app, allRoutes);
  registerSignInAgain(pages, app);
}
