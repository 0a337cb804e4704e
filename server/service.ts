import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { register as everyType } from "../records/index.ts";
import type { RecordType } from "../records/vocabulary/index.ts";
import { attachmentRoutes, downloadRoute } from "./api/attachment-routes.ts";
import { healthRoutes, Metrics } from "./api/health.ts";
import { ownRoutes } from "./api/own-routes.ts";
import { permissionRoutes } from "./api/permission-routes.ts";
import type { Api } from "./api/pipeline.ts";
import { RateLimiter } from "./api/rate-limit.ts";
import { recordRoutes } from "./api/record-routes.ts";
import { createServer } from "./api/server.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { attachmentsDirectory, type Configuration } from "./base/configuration.ts";
import type { Log } from "./base/log.ts";
import type { Engine } from "./engine/engine.ts";
import { erase } from "./engine/life-cycle.ts";
import { Statements } from "./engine/list.ts";
import { Output } from "./engine/output.ts";
import { Rules, type TypeRules } from "./engine/rules.ts";
import { Types } from "./engine/types.ts";
import { Identities } from "./oauth/identities.ts";
import { Worker } from "./queue/worker.ts";
import { typeRules } from "./rules/index.ts";
import { Database } from "./storage/database.ts";
import { FileStore, signDownload } from "./storage/files/index.ts";
import { instanceFacts } from "./storage/instance-facts.ts";

// Knows all the rooms, introduces them to each other and starts them. The database is there and migrated already.

export type ServiceOptions = {
  configuration: Configuration;
  databaseUrl: string;
  log: Log;
  clock?: Clock;
  /** further record types and their rules: tests bring some of their own */
  types?: readonly RecordType[];
  rules?: Readonly<Record<string, TypeRules>>;
};

export type Service = {
  engine: Engine;
  identities: Identities;
  worker: Worker;
  api: Api;
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
  const identities = new Identities(database, log);
  const output = new Output(types, rules, {
    domain: facts.domain,
    accountName: (id) => identities.accountName(id),
    signedUri: (key, viewer) => {
      const signed = signDownload({ secret: facts.secret, key, now: viewer.now });
      return `${viewer.origin}/${key.split("/").map(encodeURIComponent).join("/")}?${new URLSearchParams(signed)}`;
    },
  });
  const engine: Engine = { database, clock, types, rules, output, statements: new Statements(), listeners: [] };
  return { engine, identities, facts };
}

export async function assembleService(options: ServiceOptions): Promise<Service> {
  const { configuration, log } = options;
  const { engine, identities, facts } = await assembleEngine(options);
  const { clock } = engine;
  const limiter = new RateLimiter(clock, { perHour: configuration.rateLimit, burst: configuration.rateBurst });
  const files = new FileStore(attachmentsDirectory(configuration));
  const api: Api = { engine, identities, limiter, configuration, log, files, ...facts };
  const metrics = new Metrics();
  const worker = new Worker(engine.database, clock, log, { erase: (payload: never) => erase(engine, payload) });
  const routes = [...ownRoutes(api), ...permissionRoutes(api), ...attachmentRoutes(api), ...recordRoutes(api)];
  let open = false;
  const pages = (app: FastifyInstance) => {
    healthRoutes(api, app, metrics, () => open && Date.now() - worker.lastLook < 30_000);
    downloadRoute(api, app);
  };
  const app = createServer(api, routes, pages, metrics.observe);
  return {
    engine,
    identities,
    worker,
    api,
    app,
    async start() {
      await identities.listen();
      worker.start();
      await app.listen({ host: configuration.host, port: configuration.port });
      open = true;
      return (app.server.address() as AddressInfo).port;
    },
    async stop() {
      open = false;
      await app.close();
      await worker.stop();
      await identities.close();
      await engine.database.close();
    },
  };
}
