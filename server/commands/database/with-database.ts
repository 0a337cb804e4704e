import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Configuration, databaseDirectory } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import {
  DataFolderInUse,
  type EmbeddedDatabase,
  findRunningDatabase,
  startEmbeddedDatabase,
} from "../../embedded/cluster/index.ts";
import { archiveSettings } from "../../embedded/log-archive/log-archive-settings.ts";
import { findWritableServer } from "../../postgres/servers/open-client.ts";
import { requireServer } from "./connect.ts";
import { prepareDataFolder } from "./data-folder.ts";

/** "configured": DATABASE_URL. "running": a Steward serves the data folder now. "started": started for this command. */
export type DatabaseLocation = { url: string; kind: "configured" | "running" | "started" };

type DatabaseOptions = {
  /** what to do when there is no database yet */
  whenNew: "create" | "refuse";
  say: (line: string) => void;
};

const startTimeout = 20_000;

/** Runs the work on the database of this configuration; starts the embedded one when it is not running, and stops it again. */
export async function withDatabase<T>(
  configuration: Configuration,
  { whenNew, say }: DatabaseOptions,
  work: (location: DatabaseLocation) => Promise<T>,
): Promise<T> {
  if (configuration.databaseUrl !== null) {
    await requireServer(configuration.databaseUrl);
    return work({ url: await findWritableServer(configuration.databaseUrl), kind: "configured" });
  }
  if (whenNew === "refuse" && !(await hasDatabase(configuration)))
    throw new OperatorError(
      `No data in ${configuration.dataDirectory} yet. Start Steward once, or set DATA_DIR or DATABASE_URL to your data.`,
    );
  const running = await findRunningDatabase(databaseDirectory(configuration));
  if (running !== null) return work({ url: running, kind: "running" });
  await prepareDataFolder(configuration);
  const database = await startOrJoin(configuration, say);
  if (typeof database === "string") return work({ url: database, kind: "running" });
  const release = stopOnSignal(database);
  try {
    return await work({ url: database.url, kind: "started" });
  } finally {
    release();
    await database.stop();
  }
}

const hasDatabase = (configuration: Configuration): Promise<boolean> =>
  access(join(databaseDirectory(configuration), "cluster")).then(
    () => true,
    () => false,
  );

/** However the database is started: changes that miss in the archive would end what can be restored from it. */
export const pickArchiveSettings = ({ archive }: Configuration): Record<string, string> =>
  archive === null ? {} : { ...archiveSettings };

/** Another process that holds the folder but does not answer is starting or stopping: waits, then uses its database or starts one. */
async function startOrJoin(
  configuration: Configuration,
  say: (line: string) => void,
): Promise<EmbeddedDatabase | string> {
  const directory = databaseDirectory(configuration);
  for (const deadline = Date.now() + startTimeout; ; await pause(100)) {
    try {
      return await startEmbeddedDatabase({ directory, log: say, settings: pickArchiveSettings(configuration) });
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || Date.now() > deadline) throw error;
    }
    const running = await findRunningDatabase(directory);
    if (running !== null) return running;
  }
}

/** Without this, Ctrl-C would leave the database running. */
function stopOnSignal(database: EmbeddedDatabase): () => void {
  const stop = (signal: NodeJS.Signals) => {
    void database.stop().finally(() => process.exit(signal === "SIGINT" ? 130 : 143));
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return () => process.off("SIGINT", stop).off("SIGTERM", stop);
}
