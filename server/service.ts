import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { register as everyType } from "../records/index.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { registerDocsPage } from "./api/docs-page.ts";
import { Metrics, registerHealthRoutes } from "./api/http/health.ts";
import { getClientAddress, getOrigin } from "./api/http/origin.ts";
import { type Api, loadCallerInAccount } from "./api/http/pipeline.ts";
import type { Route } from "./api/http/route.ts";
import { createServer } from "./api/http/server.ts";
import { SharedRateLimiter } from "./api/http/shared-rate-limit.ts";
import { openApiRoute } from "./api/openapi/openapi-route.ts";
import { generalRoutes } from "./api/routes/account/general-routes.ts";
import { permissionRoutes } from "./api/routes/account/permission-routes.ts";
import { serviceDeskRoutes } from "./api/routes/account/service-desk-routes.ts";
import { usageRoutes } from "./api/routes/account/usage-routes.ts";
import { automationRoutes } from "./api/routes/automation/automation-routes.ts";
import { webhookRoutes } from "./api/routes/automation/webhook-routes.ts";
import { attachmentRoutes, registerDownloadRoute } from "./api/routes/data/attachment-routes.ts";
import { exchangeRoutes } from "./api/routes/data/exchange-routes.ts";
import { searchRoutes } from "./api/routes/data/search-routes.ts";
import { recordRoutes } from "./api/routes/records/record-routes.ts";
import { calendarRoutes } from "./api/routes/work/calendar-routes.ts";
import { monitoringEventRoutes } from "./api/routes/work/monitoring-event-routes.ts";
import { noteRoutes } from "./api/routes/work/note-routes.ts";
import { satisfactionRoutes } from "./api/routes/work/satisfaction-routes.ts";
import { subscriptionRoutes } from "./api/routes/work/subscription-routes.ts";
import { timesheetRoutes } from "./api/routes/work/timesheet-routes.ts";
import { startRules } from "./automation/change-listener.ts";
import { RuleCache } from "./automation/rule-cache.ts";
import { buildRuleHooks, combineHooks } from "./automation/rule-hooks.ts";
import { runRuleJob } from "./automation/rule-job.ts";
import { deleteOldRuns, deleteOldRunsJob, scheduleRunCleanup } from "./automation/run-log.ts";
import { findWebhookByName, type WebhookCaller as RuleCalls } from "./automation/webhook-caller.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { attachmentsDirectory, type Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import { purge } from "./engine/archive.ts";
import type { Engine } from "./engine/engine.ts";
import { Serializer } from "./engine/read/serializer.ts";
import { Rules, type TypeRules } from "./engine/rules.ts";
import { StatementCache } from "./engine/sql/statement-cache.ts";
import { Types } from "./engine/types.ts";
import { deleteIfUnused } from "./engine/write/attachments.ts";
import { type Exchange, folder as exchangeFolder, removeFolderJob } from "./exchange/context.ts";
import { runExport } from "./exchange/export/export-job.ts";
import { exportJob } from "./exchange/export/exports.ts";
import { runImport } from "./exchange/import/import-job.ts";
import { importJob } from "./exchange/import/imports.ts";
import type { Inbox } from "./inbound/context.ts";
import { handleMail } from "./inbound/handle-mail.ts";
import { deleteOldMails, deleteOldMailsJob, receivedMailJob, scheduleMailCleanup } from "./inbound/received-mails.ts";
import type { MailListener } from "./inbound/smtp-listener.ts";
import { deliverMail } from "./mail/mails.ts";
import { queueNotifications } from "./notifications/change-listener.ts";
import type { Notifications } from "./notifications/context.ts";
import { sendDigest } from "./notifications/digest.ts";
import { NotificationDispatcher } from "./notifications/dispatcher.ts";
import { digestJob } from "./notifications/store-mails.ts";
import { loadUnsubscribeUrl } from "./notifications/unsubscribe.ts";
import type { Oauth } from "./oauth/context.ts";
import { housekeepingJob, planHousekeeping, removeExpired } from "./oauth/housekeeping.ts";
import { oauthEndpoints } from "./oauth/http/endpoints.ts";
import { Identities } from "./oauth/identities.ts";
import { sendPasswordResets } from "./oauth/passwords/password-resets.ts";
import { type HashCost, PasswordHasher } from "./oauth/passwords/passwords.ts";
import { watchPeople } from "./oauth/watch-people.ts";
import { type PagesContext, registerPages } from "./pages/index.ts";
import { registerFeedbackPages } from "./pages/mail-links/feedback-page.ts";
import { registerUnsubscribePages } from "./pages/mail-links/unsubscribe-page.ts";
import { registerWebApp } from "./pages/web-app/web-app.ts";
import { type JobHandler, Worker } from "./queue/worker.ts";
import { boardRemovalJob, runBoardRemoval } from "./rules/board/board.ts";
import { copyFileJob, runFileCopy } from "./rules/communication/note-copies.ts";
import { recalculateRatingOnDelete } from "./rules/communication/survey.ts";
import { typeRules } from "./rules/index.ts";
import { getAgreementCache, invalidateAgreementsOnChange } from "./rules/sla/agreement-cache.ts";
import { runSlaNotification, slaNotificationJob } from "./rules/sla/sla-notifications.ts";
import { followUpJob, runFollowUp } from "./rules/sla/waiting-for-customer-follow-ups.ts";
import { runOccurrence } from "./rules/task-graph/recurring-workflow.ts";
import { applyTemplateJob, runTemplateApplication } from "./rules/task-graph/workflow.ts";
import {
  calendarRecalculationJob,
  missingOccurrencesJob,
  occurrenceJob,
  runCalendarRecalculation,
  runMissingOccurrences,
  scheduleMissingOccurrences,
  scheduleRecurrencesOnChange,
} from "./rules/time/recurrence.ts";
import { refuseDeletingLockedTimeEntry } from "./rules/time/time-entry.ts";
import { Database } from "./storage/database.ts";
import { FileStore, signDownload } from "./storage/files/index.ts";
import { loadInstanceFacts } from "./storage/instance-facts.ts";
import { fireTimer } from "./timers/fire-timer.ts";
import { planTimers } from "./timers/plan-timers.ts";
import { AddressFilter, parseRanges } from "./webhooks/address-filter.ts";
import { callWebhook } from "./webhooks/call-webhook.ts";
import type { Webhooks } from "./webhooks/context.ts";
import { WebhookDispatcher } from "./webhooks/dispatcher.ts";
import { removeOldDeliveries, removeOldDeliveriesJob, scheduleRemoval } from "./webhooks/housekeeping.ts";
import { webhookEndpoints } from "./webhooks/http/endpoints.ts";
import { WebhookOutbox } from "./webhooks/outbox.ts";
import { webhookRules } from "./webhooks/rules.ts";

// Knows all the rooms, introduces them to each other and starts them. The database is there and migrated already.

const mailConcurrency = 4;

type ServiceOptions = {
  configuration: Configuration;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  /** further record types and their rules: tests bring some of their own */
  types?: readonly RecordType[];
  rules?: Readonly<Record<string, TypeRules>>;
  /** tests have name servers of their own */
  nameServers?: readonly string[];
  /** tests make passwords cheaper to hash */
  passwordCost?: HashCost;
};

export type Service = {
  engine: Engine;
  oauth: Oauth;
  identities: Identities;
  worker: Worker;
  /** makes mails of what people have to be told of */
  notificationDispatcher: NotificationDispatcher;
  /** sends mails; a mail server that does not answer keeps nothing else waiting */
  mailWorker: Worker;
  /** sends what webhooks have to send */
  webhookDispatcher: WebhookDispatcher;
  api: Api;
  /** everything that is served below /v1 */
  routes: readonly Route[];
  app: FastifyInstance;
  /** receives mail over SMTP, where MAIL_PORT is set */
  mailListener: MailListener | null;
  /** starts listening and working; answers the port */
  start(): Promise<number>;
  stop(): Promise<void>;
};

/** Everything below HTTP: enough for the command line. */
export async function assembleEngine(options: ServiceOptions): Promise<{
  engine: Engine;
  identities: Identities;
  /** how rules call webhooks */
  calls: RuleCalls;
  /** what is done when a job was added that is due */
  woken: { act: () => void };
  facts: Awaited<ReturnType<typeof loadInstanceFacts>>;
  addresses: AddressFilter;
  outbox: WebhookOutbox;
}> {
  const { configuration, log, clock = systemClock } = options;
  const database = new Database(options.databaseUrl);
  const facts = await loadInstanceFacts(database, configuration);
  const outbox = new WebhookOutbox();
  const addresses = new AddressFilter(parseRanges(configuration.webhookAllow), options.nameServers);
  const ofWebhooks = webhookRules({ secret: facts.secret, addresses, outbox });
  const calls: RuleCalls = {
    findByName: findWebhookByName,
    call: (tx, webhook, call, now) => callWebhook(tx, outbox, webhook, call, now),
  };
  const checks = Object.entries(buildRuleHooks(() => types, calls)).map(([type, check]) => [
    type,
    combineHooks(typeRules[type] ?? {}, check),
  ]);
  const rules = new Rules({ ...typeRules, ...ofWebhooks, ...Object.fromEntries(checks), ...options.rules });
  const types: Types = new Types([...everyType, ...(options.types ?? [])], rules);
  const woken = { act: () => {} };
  const identities = new Identities(database, log, clock);
  const inForce = new RuleCache(database, identities.pgListener);
  const output = new Serializer(types, rules, {
    domain: facts.domain,
    accountName: (id) => identities.getAccountName(id),
    signedUri: (key, viewer) => {
      const signed = signDownload({ secret: facts.secret, key, now: viewer.now });
      return `${viewer.origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
    },
  });
  getAgreementCache(database).subscribe(identities.pgListener);
  const listeners = [
    watchPeople(identities, () => clock.now()),
    recalculateRatingOnDelete,
    refuseDeletingLockedTimeEntry,
    planTimers,
    scheduleRecurrencesOnChange,
    invalidateAgreementsOnChange,
    queueNotifications(clock),
    startRules(inForce, clock, () => woken.act()),
  ];
  const engine: Engine = {
    database,
    clock,
    types,
    rules,
    serializer: output,
    statements: new StatementCache(),
    outbox,
    listeners,
  };
  return { engine, identities, woken, calls, facts, addresses, outbox };
}

/** Much code, for those who receive mail. */
async function loadMailListener(inbox: Inbox, { tls }: Configuration): Promise<MailListener> {
  const { MailListener } = await import("./inbound/smtp-listener.ts");
  return new MailListener(inbox, tls);
}

export async function assembleService(options: ServiceOptions): Promise<Service> {
  const { configuration, log } = options;
  const { engine, identities, woken, calls, facts, addresses, outbox } = await assembleEngine(options);
  const { clock } = engine;
  const limits = { perHour: configuration.rateLimit, burst: configuration.rateBurst };
  const limiter = new SharedRateLimiter(engine.database, clock, limits, log);
  const files = new FileStore(attachmentsDirectory(configuration));
  const api: Api = { engine, identities, limiter, configuration, log, files, ...facts };
  const metrics = new Metrics();
  const { database, types } = engine;
  const hasher = new PasswordHasher(options.passwordCost);
  const oauth: Oauth = { database, clock, types, identities, hasher, log, secret: facts.secret };
  const { mail } = configuration;
  const origin = () => buildOwnOrigin(configuration, (app.server.address() as AddressInfo | null)?.port);
  const webhooks: Webhooks = { engine, log, addresses, outbox, origin, ...facts };
  const dispatcher = new WebhookDispatcher(webhooks);
  const notifications: Notifications = {
    engine,
    log,
    origin,
    ...facts,
    maxMailsPerHour: configuration.notificationsPerHour,
    hasMailServer: mail !== null,
  };
  const teller = new NotificationDispatcher(notifications);
  const sender = { settings: mail, domain: facts.domain, leave: (id: number) => loadUnsubscribeUrl(notifications, id) };
  const postman = new Worker(
    database,
    clock,
    log,
    { mail: (payload: never) => deliverMail(database, clock, sender, payload) },
    { concurrency: mailConcurrency },
  );
  const automation = { engine, log, domain: facts.domain, webhooks: calls, files };
  const exchange: Exchange = {
    ...{ engine, files, log, secret: facts.secret, origin, closing: false, activeJobs: 0 },
    wake: () => worker.wake(),
    async loadCaller({ person: id, account, language, source }) {
      const person = await identities.person(id);
      const manner = { language, source, customFieldsAsArray: false, origin: origin() };
      return person === null ? null : loadCallerInAccount({ engine, identities }, person, account, manner);
    },
  };
  const inbox: Inbox = {
    ...{ engine, log, files, domain: facts.domain, settings: configuration.inboundMail },
    ownSender: mail?.from ?? null,
    wake: () => worker.wake(),
  };
  const mailListener = inbox.settings.port === null ? null : await loadMailListener(inbox, configuration);
  const handlers: Record<string, JobHandler> = {
    erase: (payload: never) => purge(engine, payload),
    timer: (payload: never) => fireTimer(engine, payload),
    [applyTemplateJob]: (payload: never) => runTemplateApplication(engine, payload),
    automation: (payload: never, claim) => runRuleJob(automation, payload, claim),
    [deleteOldRunsJob]: () => deleteOldRuns(database, clock.now()),
    [copyFileJob]: (payload: never) => runFileCopy(files, payload),
    "remove file": ({ key }: { key: string }) => files.remove(key),
    [removeFolderJob]: ({ key }: { key: string }) => files.removeFolder(key),
    "forget upload": async ({ key }: { key: string }) => {
      if (await engine.database.transaction((tx) => deleteIfUnused(tx, key))) await files.remove(key);
    },
    "password-reset": (payload: never) => sendPasswordResets(oauth, origin(), payload),
    [digestJob]: (payload: never) => sendDigest(notifications, payload),
    [boardRemovalJob]: (payload: never) => runBoardRemoval(engine, payload),
    [slaNotificationJob]: (payload: never) => runSlaNotification(engine, payload),
    [followUpJob]: (payload: never) => runFollowUp(engine, payload),
    [occurrenceJob]: (payload: never) => runOccurrence(engine, payload),
    [calendarRecalculationJob]: (payload: never) => runCalendarRecalculation(engine, payload),
    [missingOccurrencesJob]: () => runMissingOccurrences(engine),
    [importJob]: (payload: never) => runImport(exchange, payload),
    [exportJob]: (payload: never) => runExport(exchange, payload),
    [housekeepingJob]: () => removeExpired(oauth),
    [removeOldDeliveriesJob]: () => removeOldDeliveries(webhooks),
    [receivedMailJob]: (payload: never, claim) => handleMail(inbox, payload, claim),
    [deleteOldMailsJob]: () => deleteOldMails(database, clock.now()),
  };
  // An answer must find what it answers, so mails are handled in the order in which they came.
  const worker: Worker = new Worker(database, clock, log, handlers, { oneAtATime: [receivedMailJob] });
  woken.act = () => worker.wake();
  const routes = [
    ...generalRoutes(api),
    ...usageRoutes(api),
    ...permissionRoutes(api),
    ...serviceDeskRoutes(api),
    ...searchRoutes(api),
    ...monitoringEventRoutes(api),
    ...timesheetRoutes(api),
    ...attachmentRoutes(api),
    ...webhookRoutes(webhooks),
    ...automationRoutes(api, automation),
    ...calendarRoutes(api),
    ...satisfactionRoutes(api),
    ...subscriptionRoutes(api),
    ...noteRoutes(api),
    ...exchangeRoutes(exchange),
    ...recordRoutes(api),
  ];
  routes.push(openApiRoute(api, routes));
  const around: PagesContext = {
    oauth,
    webhooks,
    getOrigin: (request) => getOrigin(configuration, request.raw),
    getClientAddress: (request) => getClientAddress(configuration, request.raw),
    sendsMail: mail !== null,
  };
  let open = false;
  const pages = (app: FastifyInstance) => {
    registerHealthRoutes(api, app, metrics, () => open && Date.now() - worker.lastPollAt < 30_000);
    registerDownloadRoute(api, app);
    registerDownloadRoute(api, app, exchangeFolder);
    registerDocsPage(app);
    app.register(oauthEndpoints(oauth, around.getOrigin));
    app.register(webhookEndpoints(webhooks));
    registerPages(around, app);
    registerFeedbackPages(engine, app);
    registerUnsubscribePages(notifications, app);
    registerWebApp(app);
  };
  const app = createServer(api, routes, pages, metrics.observe);
  return {
    engine,
    oauth,
    identities,
    worker,
    notificationDispatcher: teller,
    mailWorker: postman,
    webhookDispatcher: dispatcher,
    api,
    routes,
    app,
    mailListener,
    async start() {
      await identities.listen();
      await limiter.start();
      await planHousekeeping(oauth);
      await scheduleRemoval(webhooks);
      await scheduleRunCleanup(database, clock.now());
      await scheduleMailCleanup(database, clock.now());
      await scheduleMissingOccurrences(database, clock.now());
      worker.start();
      teller.start();
      postman.start();
      await app.listen({ host: configuration.host, port: configuration.port });
      await mailListener?.start();
      dispatcher.start();
      open = true;
      return (app.server.address() as AddressInfo).port;
    },
    async stop() {
      open = false;
      // A connection that was busy when we stopped accepting is idle later, and would keep the server open.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
      await Promise.all([app.close().finally(() => clearInterval(sweep)), mailListener?.stop()]);
      limiter.stop();
      exchange.closing = true;
      await Promise.all([worker.stop(), dispatcher.stop(), teller.stop(), postman.stop()]);
      await identities.close();
      await engine.database.close();
    },
  };
}

/** For mails: never the name by which some client happened to reach us. */
function buildOwnOrigin({ publicUrl, tls, host, port }: Configuration, listening = port): string {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return publicUrl ?? `${tls === null ? "http" : "https"}://${name}:${listening}`;
}
