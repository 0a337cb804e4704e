import type { FastifyInstance } from "fastify";
import { signIns } from "../demo/data/accounts.ts";
import { registerDocsPage } from "./api/docs-page.ts";
import { parseSmallForm, parseSmallJson } from "./api/http/body.ts";
import { type Metrics, registerHealthRoutes, type WorkerGroup } from "./api/http/health.ts";
import { getClientAddress, getOrigin } from "./api/http/origin.ts";
import type { Readiness } from "./api/http/readiness.ts";
import type { Route } from "./api/http/route.ts";
import { openApiRoutes } from "./api/openapi/openapi-route.ts";
import { generalRoutes } from "./api/routes/account/general-routes.ts";
import { permissionRoutes } from "./api/routes/account/permission-routes.ts";
import { rightsRoutes } from "./api/routes/account/rights-routes.ts";
import { scopeRoutes } from "./api/routes/account/scope-routes.ts";
import { serviceDeskRoutes } from "./api/routes/account/service-desk-routes.ts";
import { usageRoutes } from "./api/routes/account/usage-routes.ts";
import { identityProviderRoutes } from "./api/routes/administration/identity-provider-routes.ts";
import { mailRoutes } from "./api/routes/administration/mail-routes.ts";
import { mailWordingRoutes } from "./api/routes/administration/mail-wording-routes.ts";
import { operationRoutes } from "./api/routes/administration/operation-routes.ts";
import { personSignInRoutes } from "./api/routes/administration/person-sign-in-routes.ts";
import { privacyRoutes } from "./api/routes/administration/privacy-routes.ts";
import { requestLogRoutes } from "./api/routes/administration/request-log-routes.ts";
import { scimRoutes } from "./api/routes/administration/scim-routes.ts";
import { settingsRoutes } from "./api/routes/administration/settings-routes.ts";
import { signInPolicyRoutes } from "./api/routes/administration/sign-in-policy-routes.ts";
import { webhookDeliveryRoutes } from "./api/routes/administration/webhook-delivery-routes.ts";
import { webhookOverviewRoutes } from "./api/routes/administration/webhook-overview-routes.ts";
import { ciRoutes } from "./api/routes/assets/ci-routes.ts";
import { automationRoutes } from "./api/routes/automation/automation-routes.ts";
import { webhookRoutes } from "./api/routes/automation/webhook-routes.ts";
import { attachmentRoutes, registerDownloadRoute } from "./api/routes/data/attachment-routes.ts";
import { bulkChangeRoutes } from "./api/routes/data/bulk-change-routes.ts";
import { exchangeRoutes } from "./api/routes/data/exchange-routes.ts";
import { importRoutes } from "./api/routes/data/import-routes.ts";
import { searchRoutes } from "./api/routes/data/search-routes.ts";
import { shortUrlRoutes } from "./api/routes/data/short-url-routes.ts";
import { boardRoutes } from "./api/routes/planning/board-routes.ts";
import { reportScheduleRoutes } from "./api/routes/planning/report-schedule-routes.ts";
import { workloadRoutes } from "./api/routes/planning/workload-routes.ts";
import { portalArticleRoutes } from "./api/routes/portal/portal-article-routes.ts";
import { portalOfferRoutes } from "./api/routes/portal/portal-offer-routes.ts";
import { portalRoutes } from "./api/routes/portal/portal-routes.ts";
import { suggestionRoutes } from "./api/routes/portal/suggestion-routes.ts";
import { listCountRoutes } from "./api/routes/records/list-count-routes.ts";
import { recordRoutes } from "./api/routes/records/record-routes.ts";
import { articleRoutes } from "./api/routes/work/article-routes.ts";
import { audienceRoutes } from "./api/routes/work/audience-routes.ts";
import { calendarRoutes } from "./api/routes/work/calendar-routes.ts";
import { graphRoutes } from "./api/routes/work/graph-routes.ts";
import { monitoringEventRoutes } from "./api/routes/work/monitoring-event-routes.ts";
import { noteRoutes } from "./api/routes/work/note-routes.ts";
import { recurrenceRoutes } from "./api/routes/work/recurrence-routes.ts";
import { satisfactionRoutes } from "./api/routes/work/satisfaction-routes.ts";
import { subscriptionRoutes } from "./api/routes/work/subscription-routes.ts";
import { surveyRoutes } from "./api/routes/work/survey-routes.ts";
import { targetRoutes } from "./api/routes/work/target-routes.ts";
import { timesheetRoutes } from "./api/routes/work/timesheet-routes.ts";
import { inboxRoutes } from "./api/routes/workspace/inbox-routes.ts";
import { keptItemRoutes } from "./api/routes/workspace/kept-item-routes.ts";
import { notificationRoutes } from "./api/routes/workspace/notification-routes.ts";
import { folder as exchangeFolder } from "./exchange/exchange-context.ts";
import { registerGraphqlRoutes } from "./graphql/routes.ts";
import { buildAbandonHandlers } from "./job-handlers.ts";
import type { ModuleContexts } from "./module-contexts.ts";
import { oauthEndpoints } from "./oauth/http/endpoints.ts";
import { registerGraphqlExplorer } from "./pages/graphql-explorer.ts";
import { type PagesContext, registerPages } from "./pages/index.ts";
import { registerApprovalPages } from "./pages/mail-links/approval-page.ts";
import { registerFeedbackPages } from "./pages/mail-links/feedback-page.ts";
import { registerSurveyPages } from "./pages/mail-links/survey-page.ts";
import { registerUnsubscribePages } from "./pages/mail-links/unsubscribe-page.ts";
import { pickPage, pickStartAddress } from "./pages/web-app/pick-page.ts";
import { registerWebApp } from "./pages/web-app/web-app.ts";
import { scimEndpoint } from "./scim/http/endpoint.ts";
import { extendScimRun } from "./scim/people/extend-run.ts";
import { webhookEndpoints } from "./webhooks/http/endpoints.ts";
import { sandboxEndpoint } from "./webhooks/sandbox/endpoint.ts";

/** Everything below /v1. The routes of one feature come before those of the record types, which match more paths. */
export function buildApiRoutes(contexts: ModuleContexts): Route[] {
  const { api, webhooks, automation, exchange, scim } = contexts;
  const routes = [
    ...generalRoutes(api),
    ...usageRoutes(),
    ...permissionRoutes(api),
    ...rightsRoutes(api),
    ...serviceDeskRoutes(),
    ...scopeRoutes(api),
    ...inboxRoutes(api),
    ...notificationRoutes(api),
    ...keptItemRoutes(),
    ...settingsRoutes(api),
    ...searchRoutes(api),
    ...listCountRoutes(api),
    ...monitoringEventRoutes(api),
    ...timesheetRoutes(api),
    ...attachmentRoutes(api),
    ...shortUrlRoutes(api),
    ...ciRoutes(api),
    ...webhookRoutes(webhooks),
    ...webhookDeliveryRoutes(webhooks),
    ...webhookOverviewRoutes(webhooks),
    ...mailRoutes(api),
    ...signInPolicyRoutes(api),
    ...personSignInRoutes(api),
    ...scimRoutes(api, scim),
    ...identityProviderRoutes(api, contexts.providers),
    ...mailWordingRoutes(api),
    ...operationRoutes(buildAbandonHandlers(contexts)),
    ...requestLogRoutes(),
    ...automationRoutes(api, automation, extendScimRun),
    ...calendarRoutes(api),
    ...satisfactionRoutes(api),
    ...subscriptionRoutes(api),
    ...audienceRoutes(api),
    ...articleRoutes(api),
    ...surveyRoutes(api),
    ...boardRoutes(api),
    ...portalRoutes(api),
    ...portalOfferRoutes(api),
    ...portalArticleRoutes(api),
    ...suggestionRoutes(api),
    ...workloadRoutes(api),
    ...reportScheduleRoutes(),
    ...noteRoutes(api),
    ...targetRoutes(api),
    ...graphRoutes(api),
    ...recurrenceRoutes(),
    ...exchangeRoutes(exchange),
    ...importRoutes(exchange),
    ...privacyRoutes(api, exchange),
    ...bulkChangeRoutes(api, exchange),
    ...recordRoutes(api),
  ];
  routes.push(...openApiRoutes(api, routes)); // the document describes its own route, too
  return routes;
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);

type ServiceParts = { metrics: Metrics; readiness: Readiness; group: WorkerGroup | null; checksAnswers: boolean };

/** Everything beside /v1: health, downloads, OAuth, server-rendered pages and the web application. */
export function registerOtherRoutes(
  app: FastifyInstance,
  { api, oauth, providers, webhooks, notifications, live, scim }: ModuleContexts,
  { metrics, readiness, group, checksAnswers }: ServiceParts,
): void {
  const { configuration } = api;
  const pages: PagesContext = {
    engine: api.engine,
    live,
    oauth,
    providers,
    isDemo: configuration.environment === "demo",
    checksAnswers,
    demoPeople: configuration.environment === "demo" && isLoopback(configuration.host) ? signIns : [],
    getOrigin: (request) => getOrigin(configuration, request.raw),
    getClientAddress: (request) => getClientAddress(configuration, request.raw),
    admitPerson: (request, person) => api.admission.admitPersonAtPages(request.raw, person),
    charge: (person, cost) => api.admission.chargePerson(person, cost),
    reserveMemory: (request, bytes) => api.admission.reserve(request.raw, bytes),
  };
  registerHealthRoutes(api, app, metrics, readiness, group);
  registerDownloadRoute(api, app);
  registerDownloadRoute(api, app, exchangeFolder);
  registerDocsPage(app);
  registerGraphqlRoutes(api, app);
  registerGraphqlExplorer(pages, app);
  app.register(oauthEndpoints(oauth, { ...pages, parseJson: parseSmallJson, parseForm: parseSmallForm }));
  app.register(scimEndpoint(scim));
  app.register(webhookEndpoints(webhooks));
  app.register(sandboxEndpoint(webhooks));
  registerPages(pages, app);
  registerFeedbackPages(api.engine, app);
  registerUnsubscribePages(notifications, app);
  registerApprovalPages(notifications, app);
  registerSurveyPages(notifications, app);
  registerWebApp(
    app,
    {
      pickPage: (request, reply) => pickPage(pages, request, reply),
      pickStart: (request) => pickStartAddress(pages, request),
    },
    api.files.direct?.origin ?? null,
  );
}
