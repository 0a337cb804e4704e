import { migrate, newestSchema } from "../storage/migrate.ts";
import { defineCommand, loadConfiguration } from "./command-line/command.ts";
import { program } from "./command-line/help.ts";
import { withDatabase } from "./database/with-database.ts";

export const migrateCommand = defineCommand({
  name: "migrate",
  summary: "Bring the database to the schema of this program.",
  details:
    "Starting the server does the same. Others wait meanwhile, and a database that is up to date stays as it is.",
  example: `DATABASE_URL=postgres://steward:secret@db.example/steward ${program} migrate`,
  async run(_given, terminal) {
    const options = { whenNew: "create", say: terminal.say } as const;
    const steps = await withDatabase(loadConfiguration(terminal), options, ({ url }) =>
      migrate(url, { progress: terminal.say }),
    );
    const done = steps === 0 ? "Nothing to do" : steps === 1 ? "1 step" : `${steps} steps`;
    terminal.print(`${done}: the database has schema ${newestSchema()}.`);
    return 0;
  },
});
