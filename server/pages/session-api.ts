import type { FastifyInstance } from "fastify";
import type { AnswerOf } from "../../records/answers/answer-of.ts";
import {
  applicationOperations,
  personSessionOperations,
  type session,
  type whoAmI,
} from "../../records/answers/session.ts";
import { loadWorkProgress } from "../actions/sample-work/work-progress.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import { loadAccountsFor, loadAccountsOfManagedTeams, requireAdministrator } from "../oauth/account-access.ts";
import {
  type Application,
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
import { exchangeSessionForToken } from "../oauth/sessions/session-token.ts";
import { endSession, loadSessions } from "../oauth/sessions/sessions.ts";
import { requireRecentProof } from "../oauth/step-up.ts";
import { clearCookie } from "./cookies.ts";
import type { Params, SignedInVisit } from "./page-routes.ts";
import { parseIdParameter, toText } from "./parse-parameters.ts";
import { proofRoutes, withRecentProof } from "./proof-routes.ts";
import { keepProviderSignOut } from "./providers/sign-out-pages.ts";
import { secondFactorRoutes } from "./second-factor-routes.ts";
import { addSessionRoutes, type JsonBody, type SessionRoute, serveSession } from "./session-routes.ts";
import { registerSignInAgain } from "./sign-in/sign-in-again.ts";
import { type PagesContext, sessionCookie } from "./visit.ts";

// Routes that the web application needs beyond the REST API, authenticated by the session cookie. Changes need the header
// X-CSRF-Token, whose value GET /session-api/me returns. Errors have the form of the REST API.

const requireFound = (isFound: boolean): void => {
  if (!isFound) throw new NotFound();
};
const personRoutes = serveSession(personSessionOperations, {
  "GET /me": loadMe,
  "POST /access-token": (visit) => exchangeSessionForToken(visit.oauth, visit.session),
  "GET /sessions": listSessions,
  "DELETE /sessions/:id": async (visit, params) =>
    requireFound(
      await endSession(visit.oauth, visit.session.person, parseIdParameter(params), visit.address, "session-ended"),
    ),
  "DELETE /session": signOut,
  "PUT /password": (visit, _params, { current_password, new_password }) =>
    changePassword(visit.oauth, visit.session, toText(current_password), toText(new_password), visit.address),
  "GET /personal-access-tokens": (visit) => loadPersonalAccessTokens(visit.oauth, visit.session.person.id),
  "POST /personal-access-tokens": withRecentProof((visit, _params, { name, scopes, expires_in_days }) =>
    createOwnToken(visit.oauth, visit.session.person, { name, scopes, expires_in_days }, visit.address),
  ),
  "DELETE /personal-access-tokens/:id": async (visit, params) =>
    requireFound(await deleteOwnToken(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)),
  "GET /token-rules": (visit) => loadTokenRules(visit.oauth, visit.session.person),
  "GET /authorizations": (visit) => loadAuthorizations(visit.oauth, visit.session.person.id),
  "DELETE /authorizations/:id": async (visit, params) =>
    requireFound(await revokeAuthorization(visit.oauth, visit.session.person, parseIdParameter(params), visit.address)),
});

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

const accountRoutes = serveSession(applicationOperations, {
  "GET /accounts/:account/oauth-applications": (visit, { account = "" }) => loadApplications(visit.oauth, account),
  "POST /accounts/:account/oauth-applications": withRecentProof(async (visit, { account = "" }, body) =>
    loadApplication(visit.oauth, account, await createApplication(visit.oauth, account, buildActor(visit), body)),
  ),
  "GET /accounts/:account/oauth-applications/:id": (visit, params) =>
    loadApplication(visit.oauth, params.account ?? "", parseIdParameter(params)),
  "PATCH /accounts/:account/oauth-applications/:id": updateApplication,
  "DELETE /accounts/:account/oauth-applications/:id": (visit, params) =>
    deleteApplication(visit.oauth, params.account ?? "", parseIdParameter(params), buildActor(visit)),
  "POST /accounts/:account/oauth-applications/:id/clients": withRecentProof((visit, params) =>
    createClientPair(visit.oauth, params.account ?? "", parseIdParameter(params), buildActor(visit)),
  ),
  "PATCH /accounts/:account/oauth-applications/:id/clients/:client": (visit, params, body) =>
    setClientPairDisabled(visit.oauth, parseClientPairKey(params), parseDisabled(body), buildActor(visit)),
  "DELETE /accounts/:account/oauth-applications/:id/clients/:client": (visit, params) =>
    deleteClientPair(visit.oauth, parseClientPairKey(params), buildActor(visit)),
});

async function loadMe(visit: SignedInVisit): Promise<AnswerOf<typeof whoAmI>> {
  const { person, email } = visit.session;
  const [managedIn, { access_token, expires_in }] = await Promise.all([
    loadAccountsOfManagedTeams(visit.oauth, person.id),
    exchangeSessionForToken(visit.oauth, visit.session),
  ]);
  const accounts = (await loadAccountsFor(visit.oauth, person)).map(({ id, name }) => ({
    id,
    name,
    roles: [...(person.roles.get(id) ?? [])].sort(),
    manages_team: managedIn.has(id),
  }));
  const arriving_work = visit.pages.isDemo ? await loadWorkProgress(visit.oauth.database) : undefined;
  const { id, name, account, locale, zoneName: time_zone, zone: iana_zone } = person;
  return {
    person: { id, name, email, account, locale, time_zone, iana_zone },
    accounts,
    csrf_token: visit.csrf,
    // The first calls of the page need no exchange of their own (D-800).
    ...{ access_token, expires_in },
    stream_position: await visit.pages.live.loadPosition(),
    ...(arriving_work === undefined ? {} : { arriving_work }),
  };
}

async function listSessions(visit: SignedInVisit): Promise<AnswerOf<typeof session>[]> {
  const list = await loadSessions(visit.oauth.database, visit.session.person.id, visit.oauth.clock.now());
  return list.map((each) => ({ ...each, current: each.id === visit.session.id }));
}

async function signOut(visit: SignedInVisit): Promise<void> {
  await keepProviderSignOut(visit);
  await endSession(visit.oauth, visit.session.person, visit.session.id, visit.address, "sign-out");
  clearCookie(visit, sessionCookie);
}

async function updateApplication(visit: SignedInVisit, params: Params, body: JsonBody): Promise<Application> {
  const [account, id] = [params.account ?? "", parseIdParameter(params)];
  // Turning an application off may be urgent.
  const onlyDisables = body.disabled === true && Object.keys(body).length === 1;
  if (!onlyDisables) await requireRecentProof(visit.oauth, visit.session);
  await changeApplication(visit.oauth, account, id, buildActor(visit), body);
  return loadApplication(visit.oauth, account, id);
}

const allRoutes: readonly SessionRoute[] = [
  ...personRoutes,
  ...secondFactorRoutes,
  ...proofRoutes,
  ...accountRoutes.map(
    (route): SessionRoute => ({
      ...route,
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
