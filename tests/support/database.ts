import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { register } from "../../records/index.ts";
import { readConfiguration } from "../../server/base/configuration.ts";
import { locksForPartitions } from "../../server/commands/database/layout.ts";
import { Database } from "../../server/database/database.ts";
import { maintainJournals } from "../../server/database/journal-partitions.ts";
import { startEmbeddedDatabase } from "../../server/embedded/cluster/index.ts";
import { deriveSchema } from "../../server/engine/schema/derive-schema.ts";
import { listGrowingTables } from "../../server/engine/schema/placement.ts";
import { migrate } from "../../server/schema/migrate.ts";
import { draftMigration } from "../../server/schema/tables/draft-migration.ts";
import { recordSchema } from "../../server/schema/verify-schema.ts";
import { bundleFolder, bundleServer } from "../../tools/bundle-server.ts";
import { specimens } from "./records/specimen.ts";
import { createScratchFolder, removeAbandonedFolders } from "./scratch-folder.ts";
import { seed, startTime } from "./seed.ts";
import { judgeRun } from "./statements/judge-run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** the server's address; every test file copies the database `template_world`, and `template_empty` has no rows */
    databaseUrl: string;
    /** the program that separate processes run */
    serverProgram: string;
    /** the folder where workers record their servers' statements */
    statementsFolder: string;
  }
}

export const databaseNamed = (url: string, name: string): string => {
  const parsed = new URL(url.replace("@/", "@localhost/"));
  parsed.pathname = `/${name}`;
  return url.includes("@/") ? parsed.href.replace("@localhost/", "@/") : parsed.href;
};

/** The tests open thousands of connections. Each would compute 4,096 hash iterations for a password that protects nothing. */
async function makeSignInCheap(admin: pg.Client): Promise<void> {
  await admin.query("SET scram_iterations = 1");
  await admin.query(`ALTER ROLE CURRENT_USER PASSWORD ${admin.escapeLiteral(admin.password ?? "")}`);
}

/** A crash of a PostgreSQL process ends all tests' connections, and none of the tests can report the cause. */
function reportCrashes(folder: string): void {
  const crashes = readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split(/\n(?=\d{4}-)/))
    .filter((entry) => /was terminated by (?:signal|exception)|Failed process was running/.test(entry));
  if (crashes.length === 0) return;
  process.stderr.write(`\nPostgreSQL crashed during the run:\n${crashes.join("\n")}\n`);
  process.exitCode = 1;
}

/** Starts one PostgreSQL for the whole run, with a migrated and seeded template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundled = bundleServer(bundleFolder("steward-test-server"));
  removeAbandonedFolders();
  const directory = createScratchFolder();
  const external = process.env.TEST_DATABASE_URL;
  // The data needn't survive a power cut, so no commit waits for the disk.
  const embedded = external
    ? null
    : await startEmbeddedDatabase({
        directory: join(directory, "postgres"),
        log: () => {},
        settings: {
          ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "200" },
          ...(readConfiguration().partitions === 0 ? {} : { max_locks_per_transaction: locksForPartitions }),
          autovacuum: "off", // the tables are small and short-lived
          file_copy_method: "clone", // every test file copies the template: cloning in the file system takes half the time
          // Most statements run a few times per connection. The generic plan saves planning each of the first five runs.
          // Planning is two fifths of the database's work in tests.
          plan_cache_mode: "force_generic_plan",
        },
      });
  const url = external ?? (embedded?.url as string);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  if (embedded !== null) await makeSignInCheap(admin);
  for (const name of ["template_world", "template_empty"]) await admin.query(`DROP DATABASE IF EXISTS ${name}`);
  await admin.query("CREATE DATABASE template_empty");
  // PARTITIONS=16 npm test runs the suite on tables partitioned by account.
  const layout = { tables: listGrowingTables(register), partitions: readConfiguration().partitions };
  await migrate(databaseNamed(url, "template_empty"), { layout });
  await admin.query("CREATE DATABASE template_world TEMPLATE template_empty STRATEGY FILE_COPY");
  await admin.end();
  const template = databaseNamed(url, "template_world");
  const client = new pg.Client({ connectionString: template });
  await client.connect();
  for (const statement of draftMigration(deriveSchema(register), deriveSchema([...register, ...specimens])))
    await client.query(statement);
  await recordSchema(client); // includes the specimens' tables
  await seed(client);
  await client.end();
  const database = new Database(template);
  await maintainJournals(database, new Date(startTime)); // once, instead of once per test file
  await database.close();
  project.provide("databaseUrl", url);
  project.provide("serverProgram", await bundled);
  const statementsFolder = join(directory, "statements");
  mkdirSync(statementsFolder);
  project.provide("statementsFolder", statementsFolder);
  return async () => {
    try {
      await judgeRun(template, statementsFolder, [...register, ...specimens], layout.partitions > 0);
    } finally {
      await embedded?.stop();
      if (embedded !== null) reportCrashes(join(directory, "postgres", "log"));
      rmSync(directory, { recursive: true, force: true });
    }
  };
}
