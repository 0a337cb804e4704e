import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { register as everyType } from "../records/index.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { attachmentRoutes, downloadRoute } from "./api/attachment-routes.ts";
import { calendarRoutes } from "./api/calendar-routes.ts";
import type { Route } from "./api/call.ts";
import { docsPage } from "./api/docs-page.ts";
import { eventRoutes } from "./api/event-routes.ts";
import { healthRoutes, Metrics } from "./api/health.ts";
import { openApiRoute } from "./api/openapi/index.ts";
import { clientAddress, originOf } from "./api/origin.ts";
import { ownRoutes } from "./api/own-routes.ts";
import { permissionRoutes } from "./api/permission-routes.ts";
import type { Api } from "./api/pipeline.ts";
import { recordRoutes } from "./api/record-routes.ts";
import { searchRoutes } from "./api/search-routes.ts";
import { createServer } from "./api/server.ts";
import { serviceDeskRoutes } from "./api/service-desk-routes.ts";
import { Limiter } from "./api/shared-rate-limit.ts";
import { timesheetRoutes } from "./api/timesheet-routes.ts";
import { usageRoutes } from "./api/usage-routes.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { attachmentsDirectory, type Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import { isUnused } from "./engine/attachments.ts";
import type { Engine } from "./engine/engine.ts";
import { erase } from "./engine/life-cycle.ts";
import { Output } from "./engine/output.ts";
import { Rules, type TypeRules } from "./engine/rules.ts";
import { Statements } from "./engine/statements.ts";
import { Types } from "./engine/types.ts";
import { deliverMail } from "./mail/mails.ts";
import type { Oauth } from "./oauth/context.ts";
import { housekeeping, planHousekeeping, removeExpired } from "./oauth/housekeeping.ts";
import { oauthEndpoints } from "./oauth/http/endpoints.ts";
import { Identities } from "./oauth/identities.ts";
import { watchPeople } from "./oauth/listener.ts";
import { sendResets } from "./oauth/password-resets.ts";
import { type HashCost, PasswordHasher } from "./oauth/passwords.ts";
import { type Pages, registerPages } from "./pages/index.ts";
import { Worker } from "./queue/worker.ts";
import { memoryOf, watchAgreements } from "./rules/agreements.ts";
import { fireFollowUp, followUpOfWaiting } from "./rules/follow-ups.ts";
import { typeRules } from "./rules/index.ts";
import { fireNotification, slaNotification } from "./rules/sla-notifications.ts";
import { watchAnswers } from "./rules/survey.ts";
import { watchTimeEntries } from "./rules/time-entry.ts";
import { Database } from "./storage/database.ts";
import { FileStore, signDownload } from "./storage/files/index.ts";
import { instanceFacts } from "./storage/instance-facts.ts";
import { fireTimer } from "./timers/fire.ts";
import { planTimers } from "./timers/plan.ts";
import { webShell } from "./web/shell.ts";

// Knows all the rooms, introduces them to each other and starts them. The database is there and migrated already.

export type ServiceOptions = {
  configuration: Configuration;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  /** further record types and their rules: tests bring some of their own */
  types?: readonly RecordType[];
  rules?: Readonly<Record<string, TypeRules>>;
  /** tests make passwords cheaper to hash */
  passwordCost?: HashCost;
};

export type Service = {
  engine: Engine;
  oauth: Oauth;
  identities: Identities;
  worker: Worker;
  api: Api;
  /** everything that is served below /v1 */
  routes: readonly Route[];
  app: FastifyInstance;
  /** starts listening and working; answers the port */
  start(): Promise<number>;
  stop(): Promise<void>;
};

/** Everything below HTTP: enough for the command line. */
export async function assembleEngine(
  options: ServiceOptions,
): Promise<{ engine: Engine; identities: Identities; facts: Awaited<ReturnType<typeof instanceFacts>> }> {
  const { configuration, log, clock = systemClock } = options;
  const database = new Database(options.databaseUrl);
  const facts = await instanceFacts(database, configuration);
  const rules = new Rules({ ...typeRules, ...options.rules });
  const types = new Types([...everyType, ...(options.types ?? [])], rules);
  const identities = new Identities(database, log, clock);
  const output = new Output(types, rules, {
    domain: facts.domain,
    accountName: (id) => identities.accountName(id),
    signedUri: (key, viewer) => {
      const signed = signDownload({ secret: facts.secret, key, now: viewer.now });
      return `${viewer.origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
    },
  });
  memoryOf(database).hear(identities.notices);
  const listeners = [
    watchPeople(identities, () => clock.now()),
    watchAnswers,
    watchTimeEntries,
    planTimers,
    watchAgreements,
  ];
  const engine: Engine = { database, clock, types, rules, output, statements: new Statements(), listeners };
  return { engine, identities, facts };
}

export async function assembleService(options: ServiceOptions): Promise<Service> {
  const { configuration, log } = options;
  const { engine, identities, facts } = await assembleEngine(options);
  const { clock } = engine;
  const limits = { perHour: configuration.rateLimit, burst: configuration.rateBurst };
  const limiter = new Limiter(engine.database, clock, limits, log);
  const files = new FileStore(attachmentsDirectory(configuration));
  const api: Api = { engine, identities, limiter, configuration, log, files, ...facts };
  const metrics = new Metrics();
  const { database, types } = engine;
  const hasher = new PasswordHasher(options.passwordCost);
  const oauth: Oauth = { database, clock, types, identities, hasher, log, secret: facts.secret };
  const { mail } = configuration;
  const worker = new Worker(database, clock, log, {
    erase: (payload: never) => erase(engine, payload),
    timer: (payload: never) => fireTimer(engine, payload),
    "remove file": ({ key }: { key: string }) => files.remove(key),
    "forget upload": async ({ key }: { key: string }) => {
      if (await engine.database.transaction((tx) => isUnused(tx, key))) await files.remove(key);
    },
    "password-reset": (payload: never) => sendResets(oauth, ownAddress(configuration), payload),
    mail: (payload: never) => deliverMail(database, clock, mail, payload),
    [slaNotification]: (payload: never) => fireNotification(engine, payload),
    [followUpOfWaiting]: (payload: never) => fireFollowUp(engine, payload),
    [housekeeping]: () => removeExpired(oauth),
  });
  const routes = [
    ...ownRoutes(api),
    ...usageRoutes(api),
    ...permissionRoutes(api),
    ...serviceDeskRoutes(api),
    ...searchRoutes(api),
    ...eventRoutes(api),
    ...timesheetRoutes(api),
    ...attachmentRoutes(api),
    ...calendarRoutes(api),
    ...recordRoutes(api),
  ];
  routes.push(openApiRoute(api, routes));
  const around: Pages = {
    oauth,
    originOf: (request) => originOf(configuration, request.raw),
    addressOf: (request) => clientAddress(configuration, request.raw),
    sendsMail: mail !== null,
  };
  let open = false;
  const pages = (app: FastifyInstance) => {
    healthRoutes(api, app, metrics, () => open && Date.now() - worker.lastLook < 30_000);
    downloadRoute(api, app);
    docsPage(app);
    app.register(oauthEndpoints(oauth, around.originOf));
    registerPages(around, app);
    webShell(app);
  };
  const app = createServer(api, routes, pages, metrics.observe);
  return {
    engine,
    oauth,
    identities,
    worker,
    api,
    routes,
    app,
    async start() {
      await identities.listen();
      await limiter.start();
      await planHousekeeping(oauth);
      worker.start();
      await app.listen({ host: configuration.host, port: configuration.port });
      open = true;
      return (app.server.address() as AddressInfo).port;
    },
    async stop() {
      open = false;
      // A connection that was busy when we stopped accepting is idle later, and would keep the server open.
      const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
      await app.close().finally(() => clearInterval(sweep));
      limiter.stop();
      await worker.stop();
      await identities.close();
      await engine.database.close();
    },
  };
}

/** For mails: never the name by which some client happened to reach us. */
function ownAddress({ publicUrl, tls, host, port }: Configuration): string {
  return publicUrl ?? `${tls === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
