import { setTimeout as pause } from "node:timers/promises";
import { type Configuration, databaseDirectory } from "../../base/configuration.ts";
import { createJsonLog } from "../../base/log.ts";
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
export type RunningParts = { database: SupervisedDatabase | null; service: Service | null };

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
  const port = await service.start().catch((error) => {
    throw explainListenError(error, configuration);
  });
  terminal.print(renderWelcome({ ...configuration, port }, startState, service.mailListener?.port).join("\n"));
  return database;
}

async function connectConfiguredDatabase(url: string): Promise<SupervisedDatabase> {
  await requireServer(url);
  return { url, stop: async () => {}, lost: new Promise(() => {}) };
}

export const stopTimeout = 10_000;

/** Stops the service, then the database. */
export async function stopServer({ service, database }: RunningParts, say: (line: string) => void): Promise<void> {
  if (service !== null) {
    const outcome = await Promise.race([service.stop(), pause(stopTimeout, "too late" as const)]);
    if (outcome === "too late") say("Some requests or jobs took too long: they are taken back, and jobs run again.");
  }
  await database?.stop();
}
