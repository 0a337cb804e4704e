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
  summary: "Put a backup back.",
  details:
    "Into an empty database and attachments folder, or with --force in place of what is there. The file is read to its\n" +
    "end first, and nothing changes unless all of it can be put back. A backup of an older schema is migrated.\n" +
    "With --until, FILE is an archive (ARCHIVE_URL or a folder), and the embedded database of an empty data folder becomes\n" +
    "what it was at that moment. Attachments are not part of an archive.",
  operands: [{ name: "FILE", help: "a file that the backup command wrote, also s3://bucket/file, or an archive" }],
  options: {
    force: { help: "replace the rows and attachments that are there" },
    until: { value: "TIME", help: "the moment, with its zone: 2025-03-03T09:00:00Z" },
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
        terminal.print(`${rows} rows of ${tables} tables and ${files} attachments are back, from schema ${schema}.`);
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
    throw new OperatorError(`--until must be a moment with its zone, such as 2025-03-03T09:00:00Z, not "${text}".`);
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
    throw new OperatorError("An archive is restored into the embedded database: leave DATABASE_URL unset.");
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
  const last = lastChangeAt === null ? "no change since then" : `the last change is of ${lastChangeAt.toISOString()}`;
  terminal.print(`The database is as of ${moment.toISOString()}, from base backup ${base}: ${last}.`);
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

/** Rows are restored by other means than changes, so running servers must be told to invalidate cached people and tokens. */
async function notifyServers(pool: pg.Pool, say: (line: string) => void): Promise<void> {
  await pool.query(`NOTIFY ${accessChannel}`);
  const { rows } = await pool.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ${isListenerSql} LIMIT 1`,
  );
  if (rows.length > 0) say("A server uses this database: restart it, so that it knows the secrets of the backup.");
}
