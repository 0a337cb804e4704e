import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { OperatorError } from "../base/errors.ts";

// Numbered SQL files, applied in order, each in a transaction of its own, one server at a time.

const folder = join(import.meta.dirname, "migrations");
type Migration = { number: number; name: string; sql: string };

export function listMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}-.*\.sql$/.test(file))
    .sort()
    .map((file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(join(folder, file), "utf8"),
    }));
}

export const newestSchema = (): number => listMigrations().at(-1)?.number ?? 0;

const lockNumber = 7_310_025; // any number of our own: two servers starting together wait for each other on it

/** Migrates the database to the newest schema of this program (or to `upTo`) and returns the number of steps. */
export async function migrate(
  url: string,
  options: { upTo?: number; progress?: (line: string) => void } = {},
): Promise<number> {
  const client = new pg.Client({ connectionString: url, application_name: "steward migrate" });
  client.on("error", () => {}); // a connection that breaks also fails the statement on it
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockNumber]);
    return await applyMigrations(client, { ...options, each: (step) => inTransaction(client, step) });
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
    "CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ number: number }>("SELECT max(number) AS number FROM schema_migrations");
  const current = rows[0]?.number ?? 0;
  if (current > newestSchema())
    throw new OperatorError(
      `The database has schema ${current}, this program knows schemas up to ${newestSchema()}. Start the newer program, or restore a backup made by this one.`,
    );
  const due = listMigrations().filter((migration) => migration.number > current && migration.number <= upTo);
  for (const { number, name, sql } of due) {
    progress?.(`schema ${number}: ${name}`);
    try {
      await each(async () => {
        await client.query(sql);
        await client.query("INSERT INTO schema_migrations (number, name) VALUES ($1, $2)", [number, name]);
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
