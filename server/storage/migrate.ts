import pg from "pg";
import { OperatorError } from "../base/errors.ts";
import { type Layout, loadPartitionCount, partitionTables } from "./layout/partition-tables.ts";
import { runMigration } from "./layout/run-migration.ts";
import { listMigrations, newestSchema } from "./migration-files.ts";
import { findWritableServer } from "./servers/open-client.ts";
import { findMigrationProblems, findSchemaDifferences, loadAppliedMigrations, recordSchema } from "./verify-schema.ts";

export { listMigrations, newestSchema } from "./migration-files.ts";

// Numbered SQL files, applied in order, each in a transaction of its own, one server at a time.

const addChecksumColumn = "ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS checksum text";
const lockNumber = 7_310_025; // any number of our own: two servers starting together wait for each other on it

type MigrateOptions = {
  upTo?: number;
  progress?: (line: string) => void;
  /** which tables are divided into partitions, in a new database or where others are */
  layout?: Layout;
  /** divides tables that have rows as well */
  divide?: boolean;
};

/** Migrates the database to the newest schema of this program (or to `upTo`) and returns the number of steps. */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<number> {
  const client = new pg.Client({
    connectionString: await findWritableServer(url),
    application_name: "steward migrate",
  });
  client.on("error", () => {}); // a connection that breaks also fails the statement on it
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
    await adoptChecksums(client);
    const steps = await applyMigrations(client, { ...options, each: (step) => inTransaction(client, step) });
    const isNew = steps > 0 && (await loadAppliedMigrations(client)).length === steps;
    const divided = await divideTables(client, isNew, options);
    // From an empty database the migrations of this program made everything.
    if (isNew) await recordSchema(client);
    return steps + divided;
  } finally {
    await client.end();
  }
}

/** A new table of a divided database is divided like the others. */
async function divideTables(client: pg.ClientBase, isNew: boolean, options: MigrateOptions): Promise<number> {
  const { layout, divide = false, progress } = options;
  if (layout === undefined) return 0;
  const existing = await loadPartitionCount(client, layout);
  const partitions = existing || (isNew || divide ? layout.partitions : 0);
  return partitions === 0 ? 0 : await partitionTables(client, { ...layout, partitions }, progress);
}

/**
 * Takes the checksums of migrations that were applied before checksums were recorded, if the schema is what the files say
 * today: an edited file may have been applied with another text. A schema that differs is not migrated any further.
 */
async function adoptChecksums(client: pg.ClientBase): Promise<void> {
  const applied = await loadAppliedMigrations(client);
  if (!applied.some(({ checksum }) => checksum === null) || (applied.at(-1)?.number ?? 0) > newestSchema()) return;
  const differences = await findSchemaDifferences(client, { record: true });
  if (differences.length === 0) {
    await client.query(addChecksumColumn);
    for (const { number, checksum } of listMigrations())
      await client.query("UPDATE schema_migrations SET checksum = $2 WHERE number = $1 AND checksum IS NULL", [
        number,
        checksum,
      ]);
  } else if ((applied.at(-1)?.number ?? 0) < newestSchema())
    throw new OperatorError(
      `The database is not what its migrations say, so it cannot be migrated further. Bring it to that state first:\n${differences.join("\n")}`,
    );
}

/**
 * What differs between the schema of the database and its migrations; nothing when it is right, which is recorded, so that
 * the next check is fast.
 */
export async function verifySchema(url: string): Promise<string[]> {
  const client = new pg.Client({
    connectionString: await findWritableServer(url),
    application_name: "steward migrate",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
    return await findSchemaDifferences(client, { record: true });
  } finally {
    await client.end();
  }
}

type MigrationOptions = {
  upTo?: number;
  progress?: (line: string) => void;
  /** wraps every step; without it all steps run in the caller's transaction */
  each?: (step: () => Promise<void>) => Promise<void>;
};

/** Applies missing migrations. The caller prevents concurrent runs. */
export async function applyMigrations(client: pg.ClientBase, options: MigrationOptions = {}): Promise<number> {
  const { upTo = newestSchema(), progress, each = (step) => step() } = options;
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), checksum text)",
  );
  const applied = await loadAppliedMigrations(client);
  const current = applied.at(-1)?.number ?? 0;
  if (current > newestSchema())
    throw new OperatorError(
      `The database has schema ${current}, this program knows schemas up to ${newestSchema()}. Start the newer program, or restore a backup made by this one.`,
    );
  const problems = findMigrationProblems(applied);
  if (problems.length > 0)
    throw new OperatorError(
      `The database and this program disagree about migrations: ${problems.join("; ")}. A migration is never edited once it was applied: start the program that applied it, or restore a backup into an empty database.`,
    );
  const due = listMigrations().filter((migration) => migration.number > current && migration.number <= upTo);
  if (due.length > 0) await client.query(addChecksumColumn);
  for (const { number, name, sql, checksum } of due) {
    progress?.(`schema ${number}: ${name}`);
    try {
      await each(async () => {
        await runMigration(client, sql);
        await client.query("INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)", [
          number,
          name,
          checksum,
        ]);
      });
    } catch (error) {
      throw new OperatorError(`Schema ${number} (${name}) could not be applied: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return due.length;
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
