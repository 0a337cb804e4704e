import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import type { Configuration } from "../base/configuration.ts";
import { OperatorError } from "../base/errors.ts";
import { type RestoreSummary, restore } from "../storage/backup/restore.ts";
import { applyMigrations, migrate, newestSchema } from "../storage/migrate.ts";
import { acceptRestoredSchema } from "../storage/verify-schema.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { prepareDataFolder } from "./database/data-folder.ts";
import { buildLayout } from "./database/layout.ts";
import { openAttachments } from "./database/open-attachments.ts";
import { withDatabase } from "./database/with-database.ts";

export const restoreCommand = defineCommand({
  name: "restore",
  summary: "Put a backup back.",
  details:
    "Into an empty database and attachments folder, or with --force in place of what is there. The file is read to its\n" +
    "end first, and nothing changes unless all of it can be put back. A backup of an older schema is migrated.",
  operands: [{ name: "FILE", help: "a file that the backup command wrote" }],
  options: { force: { help: "replace the rows and attachments that are there" } },
  example: `DATA_DIR=./restored ${program} restore /var/backups/steward-2025-03-03.tar.gz`,
  async run({ FILE, force }, terminal) {
    const from = resolve(FILE);
    if (!(await stat(from).catch(() => null))?.isFile()) throw new OperatorError(`There is no file ${from}.`);
    const configuration = loadConfiguration(terminal);
    const options = { whenNew: "create", say: terminal.say } as const;
    await prepareDataFolder(configuration);
    await withDatabase(configuration, options, async ({ url }) => {
      const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "steward restore" });
      pool.on("error", () => {}); // a broken connection also fails its statement
      try {
        const { rows, tables, files, schema } = await restoreBackup(
          pool,
          url,
          configuration,
          { from, force },
          terminal.say,
        );
        terminal.print(`${rows} rows of ${tables} tables and ${files} attachments are back, from schema ${schema}.`);
        await notifyServers(pool, terminal.say);
      } finally {
        await pool.end();
      }
    });
    return 0;
  },
});

const restoreBackup = (
  pool: pg.Pool,
  url: string,
  configuration: Configuration,
  options: { from: string; force: boolean },
  progress: (line: string) => void,
): Promise<RestoreSummary> =>
  restore(pool, {
    ...options,
    attachments: openAttachments(configuration),
    newest: newestSchema(),
    migrateTo: (client, upTo) => applyMigrations(client, { upTo }),
    finish: acceptRestoredSchema,
    migrate: () => migrate(url, { progress, layout: buildLayout(configuration), divide: true }),
    progress,
  });

/** Restoring fires no triggers, so running servers must be told to invalidate cached people and tokens. */
async function notifyServers(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  await pool.query("NOTIFY access_changed");
  const { rows } = await pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'steward listener' LIMIT 1",
  );
  if (rows.length > 0) say("A server uses this database: restart it, so that it knows the secrets of the backup.");
}
