import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { bulkChangeJob } from "./actions/bulk-changes/bulk-change-context.ts";
import { Metrics, type MetricsSnapshot, type WorkerGroup } from "./api/http/health.ts";
import type { Api } from "./api/http/pipeline.ts";
import { Readiness } from "./api/http/readiness.ts";
import type { Route } from "./api/http/route.ts";
import { closeConnectionsWithNextAnswer, createServer } from "./api/http/server.ts";
import { checkAnswers } from "./api/operations/answer-check.ts";
import { assembleEngine, type EngineOptions } from "./assemble-engine.ts";
import { scheduleRunCleanup } from "./automation/run-log.ts";
import type { Engine } from "./engine/engine.ts";
import { scheduleRetention } from "./exchange/privacy/retention.ts";
import { buildApiRoutes, registerOtherRoutes } from "./http-routes.ts";
import { receivedMailJob, scheduleMailCleanup } from "./inbound/received-mails.ts";
import type { MailListener } from "./inbound/smtp-listener.ts";
import { buildJobHandlers, buildScimJobHandlers, buildScimJobsHandlers } from "./job-handlers.ts";
import { deliverMail } from "./mail/mails.ts";
import { buildModuleContexts, type ModuleContexts } from "./module-contexts.ts";
import { NotificationDispatcher } from "./notifications/dispatcher.ts";
import { loadUnsubscribeUrl } from "./notifications/unsubscribe.ts";
import { planHousekeeping } from "./oauth/housekeeping.ts";
import type { Identities } from "./oauth/identities.ts";
import type { Oauth } from "./oauth/oauth-context.ts";
import type { HashCost } from "./oauth/passwords/passwords.ts";
import { runJournalJob } from "./queue/journal-job.ts";
import { Worker } from "./queue/worker.ts";
import { WebhookDispatcher } from "./webhooks/dispatcher.ts";
import { scheduleRemoval } from "./webhooks/housekeeping.ts";

// Creates the HTTP server and the background workers, and starts and stops them. assemble-engine.ts assembles the engine with
// its hooks and listeners, module-contexts.ts the other modules, http-routes.ts the routes, job-handlers.ts the jobs.

const mailConcurrency = 4;
/** Leaves connections to the calls that push users, and to all other calls. */
const scimConcurrency = 4;
/** A worker that has not polled for this long is stuck: the service reports that it is not ready. */
const maxPollAgeMilliseconds = 30_000;

type ServiceOptions = EngineOptions & {
  /** tests make passwords cheaper to hash */
  passwordCost?: HashCost;
  /** tests compare answers with their declarations */
  checksAnswers?: true;
  /** what differs between the database and its migrations: such a service never becomes ready */
  schemaDifferences?: readonly string[];
  /** the processes that serve the same port */
  group?: WorkerGroup;
};

/** Everything that runs beside the HTTP server. */
type BackgroundWorkers = {
  worker: Worker;
  /** turns queued notifications into emails */
  notificationDispatcher: NotificationDispatcher;
  /** sends emails; a separate worker, so that a slow mail server delays no other job */
  mailWorker: Worker;
  /** runs the rules of pushed users; a worker of its own, so that a hundred thousand of them delay no other job */
  scimWorker: Worker;
  webhookDispatcher: WebhookDispatcher;
  /** receives emails over SMTP, when MAIL_PORT is set */
  mailListener: MailListener | null;
};

export type Service = BackgroundWorkers & {
  engine: Engine;
  oauth: Oauth;
  identities: Identities;
  api: Api;
  /** everything below /v1 */
  routes: readonly Route[];
  app: FastifyInstance;
  takeMetricsSnapshot(): MetricsSnapshot;
  /** starts listening and working; returns the port */
  start(): Promise<number>;
  /** Says that it is not ready, and that connections end with their next answer; false: it had not started. */
  announceStop(): boolean;
  stop(): Promise<void>;
};

export async function assembleService(options: ServiceOptions): Promise<Service> {
  const assembly = await assembleEngine(options);
  const { engine, identities, lateBindings } = assembly;
  const contexts = buildModuleContexts(options, assembly);
  const background = await createBackgroundWorkers(contexts);
  const metrics = new Metrics();
  const { group = null, checksAnswers = false } = options;
  const routes = checksAnswers ? checkAnswers(buildApiRoutes(contexts)) : buildApiRoutes(contexts);
  let isOpen = false;
  const readiness = new Readiness({
    database: engine.database,
    log: options.log,
    ...options.configuration,
    schemaDifferences: options.schemaDifferences ?? [],
    isWorking: () => isOpen && performance.now() - background.worker.lastPollAt < maxPollAgeMilliseconds,
  });
  const app = createServer(
    contexts.api,
    routes,
    (server) => registerOtherRoutes(server, contexts, { metrics, readiness, group, checksAnswers }),
    metrics.observe,
  );
  lateBindings.wakeWorker = () => {
    background.worker.wake();
    background.scimWorker.wake();
  };
  let port: number | undefined;
  // Every mail asks for it, and the system would be asked each time.
  lateBindings.getPort = () => {
    port ??= (app.server.address() as AddressInfo | null)?.port;
    return port;
  };
  return {
    ...background,
    engine,
    oauth: contexts.oauth,
    identities,
    api: contexts.api,
    routes,
    app,
    takeMetricsSnapshot: () => metrics.takeSnapshot(options.group?.worker),
    async start() {
      const port = await startService(app, contexts, background);
      isOpen = true;
      return port;
    },
    announceStop() {
      const wasOpen = isOpen;
      isOpen = false;
      closeConnectionsWithNextAnswer(app.server);
      return wasOpen;
    },
    async stop() {
      isOpen = false;
      await stopService(app, contexts, background);
    },
  };
}

async function createBackgroundWorkers(contexts: ModuleContexts): Promise<BackgroundWorkers> {
  const { api, notifications, webhooks, inbox } = contexts;
  const { engine, log, configuration, domain } = api;
  const { database, clock } = engine;
  const mailOptions = {
    settings: configuration.mail,
    domain,
    secret: notifications.secret,
    leave: (person: number) => loadUnsubscribeUrl(notifications, person),
  };
  const mailHandlers = { mail: (payload: never) => deliverMail(database, clock, mailOptions, payload) };
  return {
    // Received emails are handled in the order of arrival: a reply must find the message that it answers. Bulk changes take
    // turns, so that they leave connections to others.
    worker: new Worker(database, clock, log, buildJobHandlers(contexts), {
      oneAtATime: [receivedMailJob, bulkChangeJob],
    }),
    notificationDispatcher: new NotificationDispatcher(notifications),
    mailWorker: new Worker(database, clock, log, mailHandlers, { concurrency: mailConcurrency }),
    scimWorker: new Worker(database, clock, log, buildScimJobHandlers(contexts), {
      together: buildScimJobsHandlers(contexts),
      concurrency: scimConcurrency,
    }),
    webhookDispatcher: new WebhookDispatcher(webhooks),
    mailListener: inbox.settings.port === null ? null : await loadMailListener(contexts),
  };
}

/** The SMTP server is loaded on demand: most installations do not receive email. */
async function loadMailListener({ inbox, api }: ModuleContexts): Promise<MailListener> {
  const { MailListener } = await import("./inbound/smtp-listener.ts");
  return new MailListener(inbox, api.configuration.tls);
}

/** The webhook dispatcher starts last: a receiver may call the API as soon as it gets a message. */
async function startService(
  app: FastifyInstance,
  { api, oauth, webhooks }: ModuleContexts,
  { worker, notificationDispatcher, mailWorker, scimWorker, webhookDispatcher, mailListener }: BackgroundWorkers,
): Promise<number> {
  const { configuration, identities, limiter, engine } = api;
  await identities.listen();
  await limiter.start();
  await runJournalJob(engine.database, engine.clock.now()); // before anything is written to them
  await planHousekeeping(oauth);
  await scheduleRemoval(webhooks);
  await scheduleRunCleanup(engine.database, engine.clock.now());
  await scheduleMailCleanup(engine.database, engine.clock.now());
  await scheduleRetention(engine.database, engine.clock.now());
  worker.start();
  notificationDispatcher.start();
  mailWorker.start();
  scimWorker.start();
  await app.listen({ host: configuration.host, port: configuration.port });
  await mailListener?.start();
  webhookDispatcher.start();
  api.requestLog.start();
  return (app.server.address() as AddressInfo).port;
}

/** Stops accepting, finishes open requests, then jobs, then closes the database. */
async function stopService(
  app: FastifyInstance,
  { api, exchange, providers }: ModuleContexts,
  { worker, notificationDispatcher, mailWorker, scimWorker, webhookDispatcher, mailListener }: BackgroundWorkers,
): Promise<void> {
  await Promise.all([app.close(), mailListener?.stop()]);
  api.limiter.stop();
  await api.requestLog.stop();
  exchange.closing = true;
  await Promise.all(
    [worker, scimWorker, webhookDispatcher, notificationDispatcher, mailWorker].map((each) => each.stop()),
  );
  await providers.close();
  await api.identities.close();
  await api.engine.database.close();
}
