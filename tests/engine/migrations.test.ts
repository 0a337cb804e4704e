import pg from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { readConfiguration } from "../../server/base/configuration.ts";
import { listMigrations, migrate, newestSchema, verifySchema } from "../../server/schema/migrate.ts";
import { parseMigration } from "../../server/schema/migration-files.ts";
import { loadCatalog } from "../../server/schema/tables/catalog.ts";
import { atFileEnd } from "../support/cleanup.ts";
import { databaseNamed } from "../support/database.ts";
import { runCommandHere } from "../support/processes/command-line.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { until } from "../support/waiting.ts";

// A database must match its migrations. Otherwise the server isn't ready and names the difference.

const server = inject("databaseUrl");
const admin = new pg.Client({ connectionString: server });
const prefix = `migrations_${process.pid}`;
const made: string[] = [];

/** Creates a database, as a copy of another one if `from` is given. */
async function createDatabase(from?: string): Promise<{ name: string; url: string }> {
  const name = `${prefix}_${made.length}`;
  made.push(name);
  await admin.query(`CREATE DATABASE ${name}${from === undefined ? "" : ` TEMPLATE ${from} STRATEGY FILE_COPY`}`);
  return { name, url: databaseNamed(server, name) };
}

async function inside<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const sql = (url: string, text: string) => inside(url, async (client) => (await client.query(text)).rows);

let newest: { name: string; url: string };

beforeAll(async () => {
  await admin.connect();
  atFileEnd(async () => {
    for (const name of made) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  });
  // This program has migrated the template at the start of the run, unless the run partitions its tables.
  newest = await createDatabase(readConfiguration().partitions === 0 ? "template_empty" : undefined);
  await migrate(newest.url);
});

describe("checksums", () => {
  test("are recorded with every migration", async () => {
    const rows = await sql(newest.url, "SELECT number, name, checksum FROM schema_migrations ORDER BY number");
    expect(rows).toEqual(listMigrations().map(({ number, name, checksum }) => ({ number, name, checksum })));
  });

  test("an applied migration that was edited stops the start", async () => {
    const { url } = await createDatabase(newest.name);
    await sql(url, "UPDATE schema_migrations SET checksum = 'of another text' WHERE number = 1");
    await expect(migrate(url)).rejects.toThrow(/migration 1 \(baseline\) was applied with another text/);
    const doctor = await runCommandHere(["doctor"], { DATABASE_URL: url, DATA_DIR: "/tmp", PORT: "1" });
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/^PROBLEM {2}schema: migration 1 \(baseline\) was applied with another text/m);
  });
});

test("a database from before the first release is refused with the reason", async () => {
  const { url } = await createDatabase(newest.name);
  await sql(
    url,
    "UPDATE schema_migrations SET name = 'first-schema'; INSERT INTO schema_migrations (number, name, checksum) VALUES (35, 'hidden-texts', 'x')",
  );
  const reason = /created by a version from before the first release and cannot be migrated\. Use an empty database/;
  await expect(migrate(url)).rejects.toThrow(reason);
  const env = { DATABASE_URL: url, DATA_DIR: "/tmp", PORT: "1" };
  for (const command of ["serve", "migrate"]) {
    const { code, err } = await runCommandHere([command], env);
    expect(code).toBe(1);
    expect(err).toMatch(reason);
  }
  expect((await runCommandHere(["doctor"], env)).out).toMatch(
    /^PROBLEM {2}schema: the database was created by a version/m,
  );
});

test("every kind of difference is detected", async () => {
  const { url } = await createDatabase(newest.name);
  const changes: [string, RegExp][] = [
    ["ALTER TABLE teams ADD COLUMN extra integer", /^not expected: column teams\.extra integer$/],
    [
      "ALTER TABLE contracts DROP CONSTRAINT contracts_customer_id_fkey",
      /^missing: constraint contracts contracts_customer_id_fkey/,
    ],
    [
      "CREATE FUNCTION of_somebody_else() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
      /^not expected: function .*of_somebody_else/,
    ],
    [
      "CREATE TRIGGER extra AFTER DELETE ON tokens FOR EACH STATEMENT EXECUTE FUNCTION of_somebody_else()",
      /^not expected: trigger CREATE TRIGGER extra/,
    ],
    [
      "CREATE OR REPLACE FUNCTION marked(words tsvector, mark text) RETURNS tsvector LANGUAGE sql IMMUTABLE RETURN words",
      /^missing: function .*marked/,
    ],
    ["CREATE TABLE of_somebody_else (id integer)", /^not expected: column of_somebody_else\.id integer$/],
    ["ALTER TABLE notes RESET (autovacuum_vacuum_scale_factor)", /^missing: storage notes /],
    ["ALTER TABLE teams ALTER COLUMN name DROP NOT NULL", /^not expected: column teams\.name text collation/],
  ];
  for (const [change] of changes) await sql(url, change);
  const differences = await verifySchema(url);
  for (const [change, pattern] of changes)
    expect(
      differences.filter((line) => pattern.test(line)),
      change,
    ).toHaveLength(1);
});

test("a server whose schema differs isn't ready, and doctor names the difference", async () => {
  const processes = await serverProcesses();
  const before = await processes.start();
  const loadReadiness = (base: string) => fetch(new URL("/health/ready", base));
  await until(async () => (await loadReadiness(before.base)).status === 200);
  await before.kill();
  await processes.sql.query("DROP INDEX contracts_name");
  const { base } = await processes.start();
  const difference = "the schema of the database differs from its migrations";
  await until(async () => (await (await loadReadiness(base)).text()).includes(difference)); // the job worker has started by then, too
  expect((await loadReadiness(base)).status).toBe(503);
  const doctor = await runCommandHere(["doctor"], { ...processes.env, PORT: "1" });
  expect(doctor.out).toMatch(/^PROBLEM {2}schema: .*missing: index CREATE INDEX contracts_name/m);
});

describe("an upgrade", () => {
  /** Changes of future versions: additions, concurrently built indexes, validated constraints and a contract. */
  const laterSteps = [
    "ALTER TABLE teams ADD COLUMN motto text;\nCREATE TABLE slogans (id integer PRIMARY KEY, text text NOT NULL);\n",
    "CREATE INDEX CONCURRENTLY IF NOT EXISTS teams_motto ON teams (motto);\n",
    "ALTER TABLE teams ADD CONSTRAINT teams_motto_check CHECK (motto <> '') NOT VALID;\n",
    "ALTER TABLE teams VALIDATE CONSTRAINT teams_motto_check;\n",
    `-- contract: needs programs of schema ${newestSchema() + 1} or newer\nDROP TABLE slogans;\n`,
  ];
  const migrations = [
    ...listMigrations(),
    ...laterSteps.map((text, index) =>
      parseMigration(`${String(newestSchema() + 1 + index).padStart(4, "0")}-later-step.sql`, text),
    ),
  ];

  type Column = { table: string; column: string; type: string; target: string | null };

  const sample = (type: string): string => {
    if (type.endsWith("[]")) return "'{}'";
    if (/^(integer|bigint|smallint|numeric|double|real)/.test(type)) return "1";
    if (type === "boolean") return "false";
    if (/^json/.test(type)) return "'{}'";
    if (/^(timestamp|date)/.test(type)) return "'2025-03-03'";
    if (type === "bytea") return "'\\x00'";
    return "'x'";
  };

  /** Fills every table with one row: required columns get a value, and references point to existing rows. */
  async function fill(client: pg.Client, filled: ReadonlySet<string>): Promise<string[]> {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'schema_migrations' ORDER BY 1",
    );
    const { rows: columns } = await client.query<Column>(
      `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
         (SELECT k.confrelid::regclass::text FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.conkey[1] = a.attnum LIMIT 1) AS target
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND a.attnum > 0 AND NOT a.attisdropped AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''`,
    );
    const quote = (name: string) => client.escapeIdentifier(name);
    let waiting = tables.map(({ name }) => name).filter((name) => !filled.has(name));
    for (let before = Number.POSITIVE_INFINITY; waiting.length < before; ) {
      before = waiting.length;
      const failed: string[] = [];
      for (const table of waiting) {
        const own = columns.filter((column) => column.table === table);
        const values = own.map(({ type, target }) =>
          target === null || target === table ? sample(type) : `(SELECT min(id) FROM ${target})`,
        );
        const text =
          own.length === 0
            ? `INSERT INTO ${quote(table)} DEFAULT VALUES`
            : `INSERT INTO ${quote(table)} (${own.map(({ column }) => quote(column)).join(", ")}) VALUES (${values.join(", ")})`;
        await client.query(text).catch(() => failed.push(table));
      }
      waiting = failed;
    }
    return tables.map(({ name }) => name).filter((name) => !waiting.includes(name));
  }

  // One database passes through all schemas, with a row in every table from the first schema on.
  test("through all released and future schemas keeps its rows and ends in the newest schema", async () => {
    const { url } = await createDatabase();
    const filled = new Set<string>();
    const lines: string[] = [];
    for (const { number } of migrations) {
      expect(await migrate(url, { migrations, upTo: number, progress: (line) => lines.push(line) })).toBe(1);
      await inside(url, async (client) => {
        for (const table of filled) {
          const there = await client.query(`SELECT FROM ${client.escapeIdentifier(table)} LIMIT 1`).catch(() => null);
          if (there === null)
            filled.delete(table); // the migration dropped it
          else expect(there.rowCount, `${table} in schema ${number}`).toBe(1);
        }
        for (const table of await fill(client, filled)) filled.add(table);
        const { rows } = await client.query<{ count: number }>(
          "SELECT count(*)::integer FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
        );
        expect(filled.size, `tables with a row in schema ${number}`).toBeGreaterThan((rows[0]?.count ?? 0) * 0.9);
      });
    }
    expect(lines).toEqual(migrations.map(({ number, name }) => `schema ${number}: ${name}`));
    expect(await sql(url, "SELECT value FROM instance_facts WHERE name = 'oldest_program'")).toEqual([
      { value: String(newestSchema() + 1) },
    ]);
    const atOnce = await createDatabase();
    expect(await migrate(atOnce.url, { migrations })).toBe(migrations.length);
    const readCatalog = (of: string) => inside(of, (client) => loadCatalog(client));
    expect(await readCatalog(url)).toEqual(await readCatalog(atOnce.url));
  });
});
