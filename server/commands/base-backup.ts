import { databaseDirectory } from "../base/configuration.ts";
import { OperatorError } from "../base/errors.ts";
import { describeLocation } from "../base/files-location.ts";
import { createJsonLog } from "../base/log.ts";
import { writeBaseBackup } from "../embedded/log-archive/base-backup.ts";
import { LogShipper } from "../embedded/log-archive/ship-log.ts";
import { openStore } from "../files/index.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withDatabase } from "./database/with-database.ts";

export const baseBackup = defineCommand({
  name: "base-backup",
  summary: "Write a base backup of the embedded database to the archive, for point-in-time recovery.",
  details:
    'The server can keep running. With ARCHIVE_URL, the server archives the write-ahead log. "restore --until" needs a base\n' +
    "backup and the log. Run this daily or weekly: a restore replays the whole log since the last base\n" +
    "backup. Attachments are not included; store them in their own bucket.",
  example: `ARCHIVE_URL=s3://steward-archive?region=eu-central-1 ${program} base-backup`,
  async run(_given, terminal) {
    const configuration = loadConfiguration(terminal);
    const { archive, databaseUrl } = configuration;
    if (archive === null || databaseUrl !== null)
      throw new OperatorError(
        "base-backup needs ARCHIVE_URL and the embedded database. For your own PostgreSQL server, use its archiving.",
      );
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const directory = databaseDirectory(configuration);
    const store = openStore(archive, configuration);
    const { name, size } = await withDatabase(configuration, options, async ({ url, kind }) => {
      const written = await writeBaseBackup(url, directory, store);
      // Without a server no other process archives the log that the copy needs.
      if (kind === "started") await new LogShipper(directory, store, createJsonLog(terminal.say)).stop();
      return written;
    });
    terminal.print(`${describeLocation(archive)}: base backup ${name}, ${Math.ceil(size / 1024)} KB.`);
    return 0;
  },
});
