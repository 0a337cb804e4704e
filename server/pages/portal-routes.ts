import { addWatcherByEmail, removeWatcher } from "../actions/portal/add-watcher.ts";
import { loadApproval, loadDecidedApprovals, loadOpenApprovals } from "../actions/portal/approvals.ts";
import { loadBroadcasts, loadPortalHome } from "../actions/portal/load-home.ts";
import { listOwnRequests, parseSelection } from "../actions/portal/own-requests.ts";
import { loadRequestForm } from "../actions/portal/request-form.ts";
import { loadRequestProgress } from "../actions/portal/request-progress.ts";
import { Forbidden } from "../base/errors.ts";
import { listReachableAccounts } from "../engine/caller.ts";
import { buildSurveyUrl } from "../notifications/survey-links.ts";
import { type AskedSurvey, loadSurveyAfter } from "../rules/communication/asked-survey.ts";
import { parseIdParameter } from "./parse-parameters.ts";
import { loadSessionCaller, type SessionRoute } from "./session-routes.ts";
import type { Visit } from "./visit.ts";

/** SV7: the page of the survey needs no session, so that the link of a mail leads there, too. */
const buildSurveyCard = ({ oauth: { secret }, origin }: Visit, { survey, service }: AskedSurvey, person: number) => ({
  name: survey.name,
  service: service.name,
  url: buildSurveyUrl({ secret, origin: () => origin }, service.id, person),
});

/** What the portal reads beside the REST API, below /session-api/accounts/:account, with the rights of the person. */
export const portalRoutes: readonly SessionRoute[] = [
  {
    method: "GET",
    path: "/portal",
    handle: async (visit, params) => loadPortalHome(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "GET",
    path: "/portal/broadcasts",
    handle: async (visit, params) => loadBroadcasts(visit.pages.engine, await loadSessionCaller(visit, params)),
  },
  {
    method: "GET",
    path: "/portal/forms/:id",
    handle: async (visit, params) =>
      loadRequestForm(visit.pages.engine, await loadSessionCaller(visit, params), parseIdParameter(params)),
  },
  {
    method: "GET",
    path: "/portal/requests",
    handle: async (visit, params) =>
      listOwnRequests(
        visit.pages.engine,
        await loadSessionCaller(visit, params),
        parseSelection(visit.query.get("show")),
      ),
  },
  {
    method: "GET",
    path: "/portal/requests/:id",
    async handle(visit, params) {
      const [by, id] = [await loadSessionCaller(visit, params), parseIdParameter(params)];
      const { engine } = visit.pages;
      const [progress, survey] = await Promise.all([
        loadRequestProgress(engine, by, id),
        loadSurveyAfter(engine, { id, accounts: listReachableAccounts(by) }, by.person),
      ]);
      return { ...progress, survey: survey === null ? null : buildSurveyCard(visit, survey, by.person) };
    },
  },
  {
    method: "POST",
    path: "/portal/requests/:id/watchers",
    status: 201,
    handle: async (visit, params, body) =>
      addWatcherByEmail(
        visit.pages.engine,
        await loadSessionCaller(visit, params),
        parseIdParameter(params),
        body.email,
      ),
  },
  {
    method: "DELETE",
    path: "/portal/requests/:id/watchers/:watch",
    handle: async (visit, params) =>
      removeWatcher(
        visit.pages.engine,
        await loadSessionCaller(visit, params),
        parseIdParameter(params),
        parseIdParameter(params, "watch"),
      ),
  },
  {
    method: "GET",
    path: "/portal/approvals",
    async handle(visit, params) {
      const by = await loadSessionCaller(visit, params);
      const { engine } = visit.pages;
      const [open, decided] = await Promise.all([loadOpenApprovals(engine, by), loadDecidedApprovals(engine, by)]);
      return { open, decided };
    },
  },
  {
    method: "GET",
    path: "/portal/approvals/:id",
    async handle(visit, params) {
      const by = await loadSessionCaller(visit, params);
      const approval = await loadApproval(visit.pages.engine, by, parseIdParameter(params));
      if (approval === null) throw new Forbidden();
      return approval;
    },
  },
];
