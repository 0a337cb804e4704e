import { setTimeout as pause } from "node:timers/promises";
import type { LaterWork } from "../../../demo/loader/later-work.ts";
import { hasPendingWork } from "../../actions/sample-work/work-progress.ts";
import { type Configuration, databaseDirectory } from "../../base/configuration.ts";
import { createJsonLog, describeError, type Log } from "../../base/log.ts";
import { type RunningTracing, startTracing } from "../../base/tracing/otlp.ts";
import { divideShare, getFullLimit, leastShare, type ProcessShares } from "../../database/lanes/connection-counts.ts";
import { LogShipper } from "../../embedded/log-archive/ship-log.ts";
import { warmUpReads } from "../../engine/read/warm-up.ts";
import { claimFilesFolder, describeForeignFolder, openStore } from "../../files/index.ts";
import { migrate, verifySchema } from "../../schema/migrate.ts";
import { assembleService, type Service } from "../../service.ts";
import type { Terminal } from "../command-line/command.ts";
import { requireServer, withConnection } from "../database/connect.ts";
import { prepareDataFolder } from "../database/data-folder.ts";
import { buildLayout, locksForPartitions } from "../database/layout.ts";
import { pickArchiveSettings } from "../database/with-database.ts";
import { prepareFirstStart } from "./first-start.ts";
import { planConnections } from "./plan-connections.ts";
import { explainListenError, requireFreePort } from "./preflight.ts";
import { type SupervisedDatabase, superviseDatabase } from "./supervise-database.ts";
import { renderWelcome } from "./welcome.ts";
import { type ReadyWorker, WorkerPool } from "./worker-pool.ts";

/** The parts started so far, so that a stop can happen at any moment of the start. */
export type RunningParts = {
  tracing: RunningTracing | null;
  database: SupervisedDatabase | null;
  /** sends the log of the database to the archive */
  shipper: LogShipper | null;
  service: Service | null;
  /** the processes that serve the port, where there are several */
  workers: WorkerPool | null;
  /** the work of the demo company, while it arrives */
  laterWork: LaterWork | null;
};

/** Starts everything in steps. An aborted start ends after the current step, which leaves a consistent state. */
export async function startServer(
  configuration: Configuration,
  terminal: Terminal,
  parts: RunningParts,
  abortSignal: AbortSignal,
): Promise<SupervisedDatabase> {
  const log = createJsonLog((line) => process.stderr.write(line));
  await requireFreePort(configuration);
  await prepareDataFolder(configuration);
  parts.tracing = await startTracing(terminal.env);
  const database =
    configuration.databaseUrl === null
      ? await superviseDatabase(databaseDirectory(configuration), log, terminal.say, sizeDatabase(configuration))
      : await connectConfiguredDatabase(configuration.databaseUrl);
  parts.database = database;
  parts.shipper = shipLog(configuration, log);
  const shares = await planConnections(database.url, configuration, log);
  const isServing = shares.workers === 1;
  abortSignal.throwIfAborted();
  await migrate(database.url, { progress: terminal.say, layout: buildLayout(configuration) });
  const schemaDifferences = await verifySchema(database.url);
  if (schemaDifferences.length > 0)
    log.error("not ready: the database schema differs from its migrations", { differences: schemaDifferences });
  if (!(await withConnection(database.url, (client) => claimFilesFolder(client, configuration))))
    log.error(describeForeignFolder(configuration));
  const service = await assembleService({
    ...{ configuration, databaseUrl: database.url, log, schemaDifferences },
    connections: divideShare(isServing ? shares.share : leastShare),
  });
  parts.service = service;
  abortSignal.throwIfAborted();
  const startState = await prepareFirstStart(configuration, service, terminal.say, abortSignal);
  abortSignal.throwIfAborted();
  parts.laterWork = await loadLaterWork(configuration, service, terminal, log);
  const { port, mailPort } = isServing
    ? await listen(configuration, service)
    : await startWorkers(shares, parts, database.url, log);
  terminal.print(renderWelcome({ ...configuration, port }, startState, mailPort ?? undefined).join("\n"));
  return database;
}

async function listen(configuration: Configuration, service: Service): Promise<ReadyWorker> {
  const port = await service.start().catch((error) => {
    throw explainListenError(error, configuration);
  });
  warmUpReads(service.engine).catch(() => {}); // without it the first reads take longer
  return { port, mailPort: service.mailListener?.port ?? null };
}

/** This process only prepares the database and loads the demo company: the workers serve (D-516). */
async function startWorkers(
  { workers, share }: ProcessShares,
  parts: RunningParts,
  databaseUrl: string,
  log: Log,
): Promise<ReadyWorker> {
  const env = { DATABASE_URL: databaseUrl, DATABASE_CONNECTIONS: String(share) };
  parts.workers = new WorkerPool(workers, env, log);
  const ready = await parts.workers.start();
  const { service } = parts;
  void Promise.resolve(parts.laterWork?.done)
    .catch(() => {})
    .then(() => service?.stop()) // its connections are not needed any more
    .catch(() => {});
  parts.service = null;
  return ready;
}

/** For commands such as backups, for administrators, and those that PostgreSQL reserves. */
const otherConnections = 24;
const sizeDatabase = (configuration: Configuration): Record<string, string> => ({
  ...pickArchiveSettings(configuration),
  max_connections: String(getFullLimit(configuration.workers) + otherConnections),
  ...(configuration.partitions === 0 ? {} : { max_locks_per_transaction: locksForPartitions }),
});

/** Sends the log of the embedded database to the archive, as long as this process runs. */
function shipLog(configuration: Configuration, log: Log): LogShipper | null {
  const { archive } = configuration;
  if (archive === null) return null;
  const shipper = new LogShipper(databaseDirectory(configuration), openStore(archive, configuration), log);
  shipper.start();
  return shipper;
}

/** The work of the demo company arrives while people sign in (D-515). A failure leaves the company without it. */
async function loadLaterWork(
  { environment }: Configuration,
  { engine, api: { files } }: Service,
  { say }: Terminal,
  log: Log,
): Promise<LaterWork | null> {
  if (environment !== "demo" || !(await hasPendingWork(engine.database))) return null;
  const { beginLaterWork } = await import("../../../demo/loader/later-work.ts"); // on demand: later starts do not need it
  say("Loading three months of demo work in the background. You can sign in now.");
  const work = await beginLaterWork({ engine, files }, { say });
  work?.done.then(
    (isLoaded) => isLoaded && say("Demo work loaded."),
    (error) => log.error("loading the demo work failed; the next start retries", describeError(error)),
  );
  return work;
}

async function connectConfiguredDatabase(url: string): Promise<SupervisedDatabase> {
  await requireServer(url);
  return { url, stop: async () => {}, lost: new Promise(() => {}) };
}

export const stopTimeout = 10_000;

/** A load balancer that polls `/health/ready` stops sending calls before this ends; a second signal ends it immediately. */
export async function announceStop(service: Service, { drainSeconds }: Configuration): Promise<void> {
  if (drainSeconds > 0 && service.announceStop()) await pause(drainSeconds * 1000);
}

/** Stops the service, then the database. */
export async function stopServer(
  { service, database, shipper, laterWork, workers, tracing }: RunningParts,
  configuration: Configuration,
  say: (line: string) => void,
): Promise<void> {
  await laterWork?.stop();
  await workers?.stop();
  if (service !== null) {
    await announceStop(service, configuration);
    const outcome = await Promise.race([service.stop(), pause(stopTimeout, "too late" as const)]);
    if (outcome === "too late")
      say("Some requests or jobs didn't finish in time. They were rolled back; jobs will be retried.");
  }
  await tracing?.stop();
  await database?.stop();
  await shipper?.stop(); // what the database archived at its end
}
