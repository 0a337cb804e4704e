import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "../base/errors.ts";
import { isConflict } from "../postgres/database-errors.ts";
import { findWritableServer } from "../postgres/servers/open-client.ts";
import {
  getOldestProgram,
  loadOldestProgram,
  recordOldestProgram,
  requireNoOlderServers,
} from "./compatible-programs.ts";
import { runConcurrently } from "./layout/concurrent-indexes.ts";
import { type Layout, loadPartitionCount, partitionTables } from "./layout/partition-tables.ts";
import { runMigration } from "./layout/run-migration.ts";
import { splitStatements } from "./layout/split-statements.ts";
import { getTransactionalSql, listMigrations, type Migration } from "./migration-files.ts";
import {
  findBaselineProblem,
  findMigrationProblems,
  findSchemaDifferences,
  loadAppliedMigrations,
  recordSchema,
} from "./verify-schema.ts";

export { listMigrations, newestSchema } from "./migration-files.ts";

// Numbered SQL files, applied in order, each in its own transaction, one server at a time. Servers of the previous version
// keep running meanwhile (D-670).

const lockNumber = 7_310_025; // any number of our own: two servers starting together wait for each other on it
const lockPollMilliseconds = 100;
/**
 * Statements on a table queue up behind a migration that waits for its lock. So a migration waits only briefly, less than
 * the deadlock timeout of PostgreSQL (1 s), lets the others run and retries.
 */
const tableLockMilliseconds = 700;
const retryPauseMilliseconds = 300;
const retryLimitMilliseconds = 120_000;

type MigrateOptions = {
  upTo?: number;
  progress?: (line: string) => void;
  /** those of this program unless a test has others */
  migrations?: readonly Migration[];
  /** which tables are divided into partitions, in a new database or where others are */
  layout?: Layout;
  /** divides tables that have rows as well */
  divide?: boolean;
};

/** Migrates the database to the newest schema of this program (or to `upTo`) and returns the number of steps. */
export const migrate = (url: string, options: MigrateOptions = {}): Promise<number> =>
  withTurn(url, async (client) => {
    const steps = await applyMigrations(client, { ...options, runsAlone: true });
    const isNew = steps > 0 && (await loadAppliedMigrations(client)).length === steps;
    const divided = await divideTables(client, isNew, options);
    // From an empty database the migrations of this program made everything.
    if (isNew) await recordSchema(client);
    return steps + divided;
  });

/** A new table of a divided database is divided like the others. */
async function divideTables(client: pg.ClientBase, isNew: boolean, options: MigrateOptions): Promise<number> {
  const { layout, divide = false, progress } = options;
  if (layout === undefined) return 0;
  const existing = await loadPartitionCount(client, layout);
  const partitions = existing || (isNew || divide ? layout.partitions : 0);
  return partitions === 0 ? 0 : await partitionTables(client, { ...layout, partitions }, progress);
}

/**
 * The differences between the schema of the database and its migrations. If there are none, the schema is recorded, so that
 * the next check is fast.
 */
export const verifySchema = (url: string): Promise<string[]> =>
  withTurn(url, (client) => findSchemaDifferences(client, { record: true }));

/** On a connection of its own, while no other program migrates or verifies the database. */
async function withTurn<Result>(url: string, work: (client: pg.ClientBase) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: await findWritableServer(url),
    application_name: "steward migrate",
  });
  client.on("error", () => {}); // a connection that breaks also fails the statement on it
  await client.connect();
  try {
    await takeTurn(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Asks again and again: a statement that waits has a snapshot, for whose end an index that is built concurrently waits. */
async function takeTurn(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [lockNumber]);
    if (rows[0]?.taken) return;
    await pause(lockPollMilliseconds);
  }
}

type MigrationOptions = Pick<MigrateOptions, "upTo" | "progress" | "migrations"> & {
  /** every step in a transaction of its own; without it all steps run in the caller's transaction */
  runsAlone?: boolean;
};

/** Applies missing migrations. The caller prevents concurrent runs. */
export async function applyMigrations(client: pg.ClientBase, options: MigrationOptions = {}): Promise<number> {
  const { migrations = listMigrations(), progress, runsAlone = false } = options;
  const newest = migrations.at(-1)?.number ?? 0;
  const { upTo = newest } = options;
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), checksum text NOT NULL)",
  );
  const applied = await loadAppliedMigrations(client);
  const unusable = findBaselineProblem(applied);
  if (unusable !== null) throw new OperatorError(`This program cannot use the database: ${unusable}.`);
  const current = applied.at(-1)?.number ?? 0;
  if (current > newest) await requireCompatibleSchema(client, { current, newest }, progress);
  const problems = findMigrationProblems(applied, migrations);
  if (problems.length > 0)
    throw new OperatorError(
      `The database and this program disagree about migrations: ${problems.join("; ")}. A migration is never edited once it was applied: start the program that applied it, or restore a backup into an empty database.`,
    );
  const due = migrations.filter((migration) => migration.number > current && migration.number <= upTo);
  const record = async (migration: Migration) => {
    await recordMigration(client, migration);
    await recordOldestProgram(client, getOldestProgram(migration.number, migrations));
  };
  for (const migration of due) {
    const { number, name } = migration;
    progress?.(`schema ${number}: ${name}`);
    await requireNoOlderServers(client, migration);
    try {
      if (!runsAlone) await applyStep(client, migration, record);
      else if (migration.isConcurrent && current > 0) await applyConcurrently(client, migration, record, progress);
      else await inTransaction(client, () => applyStep(client, migration, record), progress);
    } catch (error) {
      throw new OperatorError(`Schema ${number} (${name}) could not be applied: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return due.length;
}

/** A newer version migrated the database, and recorded which older versions may keep running. */
async function requireCompatibleSchema(
  client: pg.ClientBase,
  { current, newest }: { current: number; newest: number },
  progress?: (line: string) => void,
): Promise<void> {
  if ((await loadOldestProgram(client)) > newest)
    throw new OperatorError(
      `The database has schema ${current}, but this version supports schemas up to ${newest}. Use a newer version of Steward, or restore a backup made by this version.`,
    );
  progress?.(
    `The database has schema ${current} of a newer program, which this program of schema ${newest} works with.`,
  );
}

type RecordMigration = (migration: Migration) => Promise<void>;

async function applyStep(client: pg.ClientBase, migration: Migration, record: RecordMigration): Promise<void> {
  await runMigration(client, getTransactionalSql(migration));
  await record(migration);
}

async function recordMigration(client: pg.ClientBase, { number, name, checksum }: Migration): Promise<void> {
  await client.query("INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)", [
    number,
    name,
    checksum,
  ]);
}

/** Statement by statement; an interrupted migration resumes at the next start. */
async function applyConcurrently(
  client: pg.ClientBase,
  migration: Migration,
  record: RecordMigration,
  progress?: (line: string) => void,
): Promise<void> {
  const briefly = (work: () => Promise<void>) => inTransaction(client, work, progress);
  for (const statement of splitStatements(migration.sql)) await runConcurrently(client, statement, briefly);
  await briefly(() => record(migration));
}

async function inTransaction(
  client: pg.ClientBase,
  work: () => Promise<void>,
  progress?: (line: string) => void,
): Promise<void> {
  const began = Date.now();
  for (let attempt = 1; ; attempt++) {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${tableLockMilliseconds}`);
    try {
      await work();
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK");
      if (!isConflict(error) || Date.now() - began > retryLimitMilliseconds) throw error;
      if (attempt === 1) progress?.("others use the same tables: waiting for a free moment");
      await pause(retryPauseMilliseconds);
    }
  }
}
