import pg from "pg";
import { backup } from "../embedded/backup/backup.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { prepareBackupTarget } from "./database/backup-place.ts";
import { openAttachments } from "./database/open-attachments.ts";
import { withDatabase } from "./database/with-database.ts";

export const backupCommand = defineCommand({
  name: "backup",
  summary: "Back up all data and attachments to one file.",
  details:
    "The server can keep running; the backup is a consistent snapshot. The file contains secrets of this instance (not the\n" +
    "tokens themselves) and is readable only by its owner. An existing file is replaced once the new one is complete.\n" +
    "If an attachment is missing or damaged, the backup contains everything else and the exit code is 1.",
  operands: [{ name: "FILE", help: "file to write, for example steward.tar.gz or s3://bucket/steward.tar.gz" }],
  example: `${program} backup /var/backups/steward-$(date +%F).tar.gz`,
  async run({ FILE }, terminal) {
    const configuration = loadConfiguration(terminal);
    const target = await prepareBackupTarget(FILE, configuration, terminal.env);
    const options = { whenNew: "refuse", say: terminal.say } as const;
    const summary = await withDatabase(configuration, options, async ({ url }) => {
      const pool = new pg.Pool({ connectionString: url, max: 2, application_name: "steward backup" });
      pool.on("error", () => {}); // a broken connection also fails its statement
      try {
        const attachments = openAttachments(configuration);
        const written = await backup(pool, { attachments, to: target.path, progress: terminal.say });
        await target.finish();
        return written;
      } finally {
        await target.clean();
        await pool.end();
      }
    });
    const { rows, tables, files, bytes, schema, damaged } = summary;
    terminal.print(
      `${target.name}: ${rows} rows in ${tables} tables, ${files} attachments, schema ${schema}, ${Math.ceil(bytes / 1024)} KB.`,
    );
    if (damaged.length === 0) return 0;
    terminal.say(`The backup is incomplete. Missing or damaged attachments: ${damaged.length}`);
    for (const damage of damaged) terminal.say(damage);
    return 1;
  },
});
