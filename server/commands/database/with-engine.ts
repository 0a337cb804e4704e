import { assembleEngine } from "../../assemble-engine.ts";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { createJsonLog } from "../../base/log.ts";
import type { Engine } from "../../engine/engine.ts";
import type { FileStore } from "../../files/index.ts";
import { migrate } from "../../schema/migrate.ts";
import { program } from "../command-line/help.ts";
import { loadSchemaVersion, withConnection } from "./connect.ts";
import { buildLayout } from "./layout.ts";
import { type DatabaseLocation, withDatabase } from "./with-database.ts";

/** Runs the work with an engine on a database of the newest schema. */
export async function withEngine<T>(
  configuration: Configuration,
  options: { whenNew: "create" | "refuse"; say: (line: string) => void },
  work: (engine: Engine, files: FileStore) => Promise<T>,
): Promise<T> {
  return withDatabase(configuration, options, async (location) => {
    await requireSchema(location, configuration, options.say);
    const log = createJsonLog(options.say);
    const { engine, files } = await assembleEngine({ configuration, databaseUrl: location.url, log });
    try {
      return await work(engine, files);
    } finally {
      await engine.database.close();
    }
  });
}

/** Migrates an empty database and one that this command started; a database that a server may be using is refused. */
async function requireSchema(
  { url, kind }: DatabaseLocation,
  configuration: Configuration,
  say: (line: string) => void,
): Promise<void> {
  const { current, newest } = await withConnection(url, loadSchemaVersion);
  if (current === newest) return;
  if (current > 0 && current < newest && kind !== "started")
    throw new OperatorError(
      `The database has schema ${current}, but this version needs ${newest}. Restart the server or run ${program} migrate.`,
    );
  await migrate(url, { progress: say, layout: buildLayout(configuration) }); // refuses a newer schema, and says what to do
}
