import pg from "pg";
import { backup } from "../embedded/backup/backup.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { prepareBackupTarget } from "./database/backup-place.ts";
import { openAttachments } from "./database/open-attachments.ts";
import { withDatabase } from "./database/with-database.ts";

export const backupCommand = defineCommand({
  name: "backup",
  summary: "Write everything into one file: all rows and all attachments.",
  details:
    "The exit code is 1 when the file of an attachment is missing or damaged; the backup then holds everything else.\n" +
    "The server may go on working: the rows are all of one moment. The file holds secrets (of this instance, not the\n" +
    "tokens themselves), and only its owner may read it. A file of that name is replaced when the new one is complete.",
  operands: [{ name: "FILE", help: "the file to write, for example steward.tar.gz or s3://bucket/steward.tar.gz" }],
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
      `${target.name}: ${rows} rows of ${tables} tables, ${files} attachments, schema ${schema}, ${Math.ceil(bytes / 1024)} KB.`,
    );
    if (damaged.length === 0) return 0;
    terminal.say(`The backup is not complete: ${damaged.length} attachments are missing or damaged.`);
    for (const damage of damaged) terminal.say(damage);
    return 1;
  },
});
