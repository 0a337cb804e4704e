import { assembleEngine } from "../../assemble-engine.ts";
import type { Configuration } from "../../base/configuration.ts";
import { OperatorError } from "../../base/errors.ts";
import { createJsonLog } from "../../base/log.ts";
import type { Engine } from "../../engine/engine.ts";
import { migrate } from "../../storage/migrate.ts";
import { program } from "../command-line/help.ts";
import { loadSchemaVersion, withConnection } from "./connection.ts";
import { type DatabaseLocation, withDatabase } from "./with-database.ts";

/** Everything below HTTP, on a database of the newest schema. */
export async function withEngine<T>(
  configuration: Configuration,
  wanted: { whenNew: "create" | "refuse"; say: (line: string) => void },
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return withDatabase(configuration, wanted, async (found) => {
    await requireSchema(found, wanted.say);
    const log = createJsonLog(wanted.say);
    const { engine } = await assembleEngine({ configuration, databaseUrl: found.url, log });
    try {
      return await work(engine);
    } finally {
      await engine.database.close();
    }
  });
}

/** An empty database and one that nobody else uses are migrated; one that others may be using is theirs to migrate. */
async function requireSchema({ url, kind }: DatabaseLocation, say: (line: string) => void): Promise<void> {
  const { current, newest } = await withConnection(url, loadSchemaVersion);
  if (current === newest) return;
  if (current > 0 && current < newest && kind !== "ours")
    throw new OperatorError(
      `The database has schema ${current}, this program needs ${newest}: restart the server, or run ${program} migrate.`,
    );
  await migrate(url, { progress: say }); // refuses a newer schema, and says what to do
}
