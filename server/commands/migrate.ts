import { migrate, newestSchema } from "../schema/migrate.ts";
import { defineCommand, loadConfiguration, UsageError } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { buildLayout } from "./database/layout.ts";
import { withDatabase } from "./database/with-database.ts";

export const migrateCommand = defineCommand({
  name: "migrate",
  summary: "Bring the database to the schema of this program.",
  details:
    "Starting the server does the same. Others wait meanwhile, and a database that is up to date stays as it is.\n" +
    "With --divide, tables that grow are divided into as many partitions as PARTITIONS says. Stop all servers first: the\n" +
    "rows of each table are copied, which takes time and space for the largest of them.",
  options: { divide: { help: "divide the tables of an existing database into partitions" } },
  example: `DATABASE_URL=postgres://steward:secret@db.example/steward ${program} migrate`,
  async run({ divide }, terminal) {
    const configuration = loadConfiguration(terminal);
    if (divide && configuration.partitions === 0)
      throw new UsageError("--divide needs the setting PARTITIONS.", "migrate");
    const options = { whenNew: "create", say: terminal.say } as const;
    const steps = await withDatabase(configuration, options, ({ url }) =>
      migrate(url, { progress: terminal.say, layout: buildLayout(configuration), divide }),
    );
    const done = steps === 0 ? "Nothing to do" : steps === 1 ? "1 step" : `${steps} steps`;
    terminal.print(`${done}: the database has schema ${newestSchema()}.`);
    return 0;
  },
});
