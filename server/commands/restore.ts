import { resolve } from "node:path";
import pg from "pg";
import { type Configuration, databaseDirectory } from "../base/configuration.ts";
import { OperatorError } from "../base/errors.ts";
import { parseFilesUrl } from "../base/files-location.ts";
import { accessChannel } from "../database/access-changes/access-changes.ts";
import { type RestoreSummary, restore } from "../embedded/backup/restore.ts";
import { restoreUntil } from "../embedded/log-archive/restore-until.ts";
import { openStore } from "../files/index.ts";
import { isListenerSql } from "../schema/compatible-programs.ts";
import { applyMigrations, migrate, newestSchema } from "../schema/migrate.ts";
import { acceptRestoredSchema } from "../schema/verify-schema.ts";
import { defineCommand, loadConfiguration, type Terminal } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { prepareBackupSource } from "./database/backup-place.ts";
import { prepareDataFolder } from "./database/data-folder.ts";
import { buildLayout } from "./database/layout.ts";
import { openAttachments } from "./database/open-attachments.ts";
import { withDatabase } from "./database/with-database.ts";

export const restoreCommand = defineCommand({
  name: "restore",
  summary: "Restore a backup.",
  details:
    "Restores into an empty database and attachments folder or, with --force, replaces existing data. The whole file is\n" +
    "checked first, and nothing changes unless all of it can be restored. Backups of older schemas are migrated.\n" +
    "With --until, FILE is an archive (ARCHIVE_URL or a folder), and the embedded database is restored into an empty data\n" +
    "folder as of that time. Archives do not contain attachments.",
  operands: [{ name: "FILE", help: "backup file (path or s3://bucket/file), or an archive" }],
  options: {
    force: { help: "replace existing data and attachments" },
    until: { value: "TIME", help: "point in time with time zone, for example 2025-03-03T09:00:00Z" },
  },
  example: `DATA_DIR=./restored ${program} restore /var/backups/steward-2025-03-03.tar.gz`,
  async run({ FILE, force, until }, terminal) {
    const configuration = loadConfiguration(terminal);
    if (until !== undefined) return restoreFromArchive(FILE, until, configuration, terminal);
    const source = await prepareBackupSource(FILE, configuration, terminal.env);
    const from = source.path;
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
        terminal.print(`Restored ${rows} rows in ${tables} tables and ${files} attachments from schema ${schema}.`);
        await notifyServers(pool, terminal.say);
      } finally {
        await pool.end();
      }
    }).finally(source.clean);
    return 0;
  },
});

/** A moment without its zone would be another one on another machine. */
function parseMoment(text: string): Date {
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(moment.getTime()))
    throw new OperatorError(`--until must be a time with a time zone, such as 2025-03-03T09:00:00Z, not "${text}".`);
  return moment;
}

async function restoreFromArchive(
  place: string,
  until: string,
  configuration: Configuration,
  terminal: Terminal,
): Promise<number> {
  const moment = parseMoment(until);
  if (configuration.databaseUrl !== null)
    throw new OperatorError("Archives can only be restored into the embedded database. Unset DATABASE_URL.");
  const archive = /^\w+:\/\//.test(place)
    ? parseFilesUrl("FILE", place, terminal.env)
    : ({ kind: "folder", path: resolve(place) } as const);
  await prepareDataFolder(configuration);
  const { base, lastChangeAt } = await restoreUntil({
    directory: databaseDirectory(configuration),
    store: openStore(archive, configuration),
    until: moment,
    progress: terminal.say,
  });
  const last = lastChangeAt === null ? "no later changes" : `the last change was at ${lastChangeAt.toISOString()}`;
  terminal.print(`Restored the database as of ${moment.toISOString()} from base backup ${base}; ${last}.`);
  return 0;
}

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

/** Rows are not restored by changes of the engine, so running servers must be notified to drop cached people and tokens. */
async function notifyServers(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  await pool.query(`NOTIFY ${accessChannel}`);
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${isListenerSql} LIMIT 1`,
  );
  if (rows.length > 0) say("A server is using this database. Restart it to load the secrets from the backup.");
}
