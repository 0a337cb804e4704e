import { setTimeout as pause } from "node:timers/promises";
import type { LaterWork } from "../../../demo/loader/later-work.ts";
import { hasPendingWork } from "../../actions/sample-work/work-progress.ts";
import { type Configuration, databaseDirectory } from "../../base/configuration.ts";
import { createJsonLog, describeError, type Log } from "../../base/log.ts";
import { warmUpReads } from "../../engine/read/warm-up.ts";
import { assembleService, type Service } from "../../service.ts";
import { migrate, verifySchema } from "../../storage/migrate.ts";
import type { Terminal } from "../command-line/command.ts";
import { requireServer } from "../database/connection.ts";
import { prepareDataFolder } from "../database/data-folder.ts";
import { prepareFirstStart } from "./first-start.ts";
import { explainListenError, requireFreePort } from "./preflight.ts";
import { type SupervisedDatabase, superviseDatabase } from "./supervise-database.ts";
import { renderWelcome } from "./welcome.ts";

/** What has been started so far, so that a stop can happen at any moment of the start. */
export type RunningParts = {
  database: SupervisedDatabase | null;
  service: Service | null;
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
  const database =
    configuration.databaseUrl === null
      ? await superviseDatabase(databaseDirectory(configuration), log, terminal.say)
      : await connectConfiguredDatabase(configuration.databaseUrl);
  parts.database = database;
  abortSignal.throwIfAborted();
  await migrate(database.url, { progress: terminal.say });
  const schemaDifferences = await verifySchema(database.url);
  if (schemaDifferences.length > 0)
    log.error("the schema of the database differs from its migrations: not ready", { differences: schemaDifferences });
  const service = await assembleService({ configuration, databaseUrl: database.url, log, schemaDifferences });
  parts.service = service;
  abortSignal.throwIfAborted();
  const startState = await prepareFirstStart(configuration, service.engine, service.oauth, terminal.say);
  abortSignal.throwIfAborted();
  parts.laterWork = await loadLaterWork(configuration, service, terminal, log);
  const port = await service.start().catch((error) => {
    throw explainListenError(error, configuration);
  });
  warmUpReads(service.engine).catch(() => {}); // without it the first reads take longer
  terminal.print(renderWelcome({ ...configuration, port }, startState, service.mailListener?.port).join("\n"));
  return database;
}

/** The work of the demo company arrives while people sign in (D-515). A failure leaves the company without it. */
async function loadLaterWork(
  { environment }: Configuration,
  { engine }: Service,
  { say }: Terminal,
  log: Log,
): Promise<LaterWork | null> {
  if (environment !== "demo" || !(await hasPendingWork(engine.database))) return null;
  const { beginLaterWork } = await import("../../../demo/loader/later-work.ts"); // on demand: later starts do not need it
  say("Loading the work of its last three months, while people sign in ...");
  const work = await beginLaterWork(engine, { say });
  work?.done.then(
    (isLoaded) => isLoaded && say("The work of the last three months is there."),
    (error) =>
      log.error("the work of the demo company was not loaded; the next start tries again", describeError(error)),
  );
  return work;
}

async function connectConfiguredDatabase(url: string): Promise<SupervisedDatabase> {
  await requireServer(url);
  return { url, stop: async () => {}, lost: new Promise(() => {}) };
}

export const stopTimeout = 10_000;

/** Stops the service, then the database. */
export async function stopServer(
  { service, database, laterWork }: RunningParts,
  say: (line: string) => void,
): Promise<void> {
  await laterWork?.stop();
  if (service !== null) {
    const outcome = await Promise.race([service.stop(), pause(stopTimeout, "too late" as const)]);
    if (outcome === "too late") say("Some requests or jobs took too long: they are taken back, and jobs run again.");
  }
  await database?.stop();
}
