import { setTimeout as pause } from "node:timers/promises";
import { type Configuration, databaseDirectory } from "../../base/configuration.ts";
import { jsonLog } from "../../base/log.ts";
import { assembleService, type Service } from "../../service.ts";
import { migrate } from "../../storage/migrate.ts";
import type { Terminal } from "../command.ts";
import { prepareDataFolder } from "../data-folder.ts";
import { requireServer } from "../reach-database.ts";
import { begin } from "./begin.ts";
import { type KeptDatabase, keepDatabase } from "./keep-database.ts";
import { listenMistake, requireFreePort } from "./listen.ts";
import { welcome } from "./welcome.ts";

/** What runs so far, so that it can be stopped at any moment of the start. */
export type Parts = { database: KeptDatabase | null; service: Service | null };

/** From nothing to serving. A start that is no longer wanted ends after the step it is in: each leaves things whole. */
export async function start(
  configuration: Configuration,
  terminal: Terminal,
  parts: Parts,
  unwanted: AbortSignal,
): Promise<KeptDatabase> {
  const log = jsonLog((line) => process.stderr.write(line));
  await requireFreePort(configuration);
  await prepareDataFolder(configuration);
  const database =
    configuration.databaseUrl === null
      ? await keepDatabase(databaseDirectory(configuration), log, terminal.say)
      : await configured(configuration.databaseUrl);
  parts.database = database;
  unwanted.throwIfAborted();
  await migrate(database.url, { progress: terminal.say });
  const service = await assembleService({ configuration, databaseUrl: database.url, log });
  parts.service = service;
  unwanted.throwIfAborted();
  const beginning = await begin(configuration, service.engine, terminal.say);
  unwanted.throwIfAborted();
  const port = await service.start().catch((error) => {
    throw listenMistake(error, configuration);
  });
  terminal.print(welcome({ ...configuration, port }, beginning, service.mailListener?.port).join("\n"));
  return database;
}

async function configured(url: string): Promise<KeptDatabase> {
  await requireServer(url);
  return { url, stop: async () => {}, lost: new Promise(() => {}) };
}

export const patience = 10_000;

/** Stops accepting, finishes what runs, stops the jobs, then the database. */
export async function stopAll({ service, database }: Parts, say: (line: string) => void): Promise<void> {
  if (service !== null) {
    const outcome = await Promise.race([service.stop(), pause(patience, "too late" as const)]);
    if (outcome === "too late") say("Some requests or jobs took too long: they are taken back, and jobs run again.");
  }
  await database?.stop();
}
