import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { register as everyType } from "../records/index.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { attachmentRoutes, registerDownloadRoute } from "./api/attachment-routes.ts";
import { automationRoutes } from "./api/automation-routes.ts";
import { calendarRoutes } from "./api/calendar-routes.ts";
import type { Route } from "./api/call.ts";
import { registerDocsPage } from "./api/docs-page.ts";
import { monitoringEventRoutes } from "./api/event-routes.ts";
import { exchangeRoutes } from "./api/exchange-routes.ts";
import { registerHealthRoutes, Metrics } from "./api/health.ts";
import { noteRoutes } from "./api/note-routes.ts";
import { openApiRoute } from "./api/openapi/index.ts";
import { getClientAddress, getOrigin } from "./api/origin.ts";
import { generalRoutes } from "./api/own-routes.ts";
import { permissionRoutes } from "./api/permission-routes.ts";
import { type Api, loadCallerInAccount } from "./api/pipeline.ts";
import { recordRoutes } from "./api/record-routes.ts";
import { satisfactionRoutes } from "./api/satisfaction-routes.ts";
import { searchRoutes } from "./api/search-routes.ts";
import { createServer } from "./api/server.ts";
import { serviceDeskRoutes } from "./api/service-desk-routes.ts";
import { SharedRateLimiter } from "./api/shared-rate-limit.ts";
import { subscriptionRoutes } from "./api/subscription-routes.ts";
import { timesheetRoutes } from "./api/timesheet-routes.ts";
import { usageRoutes } from "./api/usage-routes.ts";
import { webhookRoutes } from "./api/webhook-routes.ts";
import { buildRuleHooks, combineHooks } from "./automation/check.ts";
import { RuleCache } from "./automation/in-force.ts";
import { startRules } from "./automation/listen.ts";
import { deleteOldRuns, deleteOldRunsJob, scheduleRunCleanup } from "./automation/run-log.ts";
import { type WebhookCaller as RuleCalls, findWebhookByName } from "./automation/webhooks.ts";
import { runRuleJob } from "./automation/work.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { attachmentsDirectory, type Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import { deleteIfUnused } from "./engine/attachments.ts";
import type { Engine } from "./engine/engine.ts";
import { purge } from "./engine/life-cycle.ts";
import { Serializer } from "./engine/output.ts";
import { Rules, type TypeRules } from "./engine/rules.ts";
import { StatementCache } from "./engine/statements.ts";
import { Types } from "./engine/types.ts";
import { type Exchange, folder as exchangeFolder, removeFolderJob } from "./exchange/exchange.ts";
import { runExport } from "./exchange/export-job.ts";
import { exportJob } from "./exchange/exports.ts";
import { runImport } from "./exchange/import-job.ts";
import { importJob } from "./exchange/imports.ts";
import type { Inbox } from "./inbound/context.ts";
import { handleMail } from "./inbound/handle.ts";
import type { MailListener } from "./inbound/listener.ts";
import { deleteOldMailsJob, deleteOldMails, scheduleMailCleanup, receivedMailJob } from "./inbound/received.ts";
import { deliverMail } from "./mail/mails.ts";
import type { Notifications } from "./notifications/context.ts";
import { sendDigest } from "./notifications/digest.ts";
import { queueNotifications } from "./notifications/listen.ts";
import { digestJob } from "./notifications/outbox.ts";
import { NotificationDispatcher } from "./notifications/teller.ts";
import { loadUnsubscribeUrl } from "./notifications/unsubscribe.ts";
import type { Oauth } from "./oauth/context.ts";
import { housekeepingJob, planHousekeeping, removeExpired } from "./oauth/housekeeping.ts";
import { oauthEndpoints } from "./oauth/http/endpoints.ts";
import { Identities } from "./oauth/identities.ts";
import { watchPeople } from "./oauth/listener.ts";
import { sendPasswordResets } from "./oauth/password-resets.ts";
import { type HashCost, PasswordHasher } from "./oauth/passwords.ts";
import { registerFeedbackPages } from "./pages/feedback-page.ts";
import { type PagesContext, registerPages } from "./pages/index.ts";
import { registerUnsubscribePages } from "./pages/unsubscribe-page.ts";
import { type JobHandler, Worker } from "./queue/worker.ts";
import { getAgreementCache, invalidateAgreementsOnChange } from "./rules/agreements.ts";
import { runBoardRemoval, boardRemovalJob } from "./rules/board.ts";
import { runFileCopy, copyFileJob } from "./rules/copied-notes.ts";
import { runFollowUp, followUpJob } from "./rules/follow-ups.ts";
import { typeRules } from "./rules/index.ts";
import {
  occurrenceJob,
  scheduleMissingOccurrences,
  runCalendarRecalculation,
  calendarRecalculationJob,
  missingOccurrencesJob,
  runMissingOccurrences,
  scheduleRecurrencesOnChange,
} from "./rules/recurrence.ts";
import { runOccurrence } from "./rules/recurring-workflow.ts";
import { runSlaNotification, slaNotificationJob } from "./rules/sla-notifications.ts";
import { recalculateRatingOnDelete } from "./rules/survey.ts";
import { refuseDeletingLockedTimeEntry } from "./rules/time-entry.ts";
import { applyTemplateJob, runTemplateApplication } from "./rules/workflow.ts";
import { Database } from "./storage/database.ts";
import { FileStore, signDownload } from "./storage/files/index.ts";
import { loadInstanceFacts } from "./storage/instance-facts.ts";
import { fireTimer } from "./timers/fire.ts";
import { planTimers } from "./timers/plan.ts";
import { registerWebApp } from "./web/shell.ts";
import { AddressFilter, parseRanges } from "./webhooks/addresses.ts";
import { callWebhook } from "./webhooks/call-webhook.ts";
import type { Webhooks } from "./webhooks/context.ts";
import { WebhookDispatcher } from "./webhooks/dispatcher.ts";
import { scheduleRemoval, removeOldDeliveries, removeOldDeliveriesJob } from "./webhooks/housekeeping.ts";
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
  const engine: Engine = { database, clock, types, rules, serializer: output, statements: new StatementCache(), outbox, listeners };
  return { engine, identities, woken, calls, facts, addresses, outbox };
}

/** Much code, for those who receive mail. */
async function loadMailListener(inbox: Inbox, { tls }: Configuration): Promise<MailListener> {
  const { MailListener } = await import("./inbound/listener.ts");
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
    { places: mailConcurrency },
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
