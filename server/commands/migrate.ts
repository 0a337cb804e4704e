import { migrate, newestSchema } from "../schema/migrate.ts";
import { defineCommand, loadConfiguration, UsageError } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { buildLayout } from "./database/layout.ts";
import { withDatabase } from "./database/with-database.ts";

export const migrateCommand = defineCommand({
  name: "migrate",
  summary: "Migrate the database to the schema of this version.",
  details:
    "Starting the server does the same. Other processes wait; an up-to-date database is left unchanged.\n" +
    "With --divide, growing tables are split into the number of partitions set in PARTITIONS. Stop all servers first: the\n" +
    "rows of each table are copied, which needs time and disk space for the largest one.",
  options: { divide: { help: "partition the tables of an existing database" } },
  example: `DATABASE_URL=postgres://steward:secret@db.example/steward ${program} migrate`,
  async run({ divide }, terminal) {
    const configuration = loadConfiguration(terminal);
    if (divide && configuration.partitions === 0)
      throw new UsageError("--divide requires PARTITIONS to be set.", "migrate");
    const options = { whenNew: "create", say: terminal.say } as const;
    const steps = await withDatabase(configuration, options, ({ url }) =>
      migrate(url, { progress: terminal.say, layout: buildLayout(configuration), divide }),
    );
    const done = steps === 0 ? "Nothing to do" : steps === 1 ? "1 step" : `${steps} steps`;
    terminal.print(`${done}. The database is at schema ${newestSchema()}.`);
    return 0;
  },
});
