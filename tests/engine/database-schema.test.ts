import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, inject, test } from "vitest";
import { register } from "../../records/index.ts";
import { deriveSchema } from "../../server/engine/schema/derive-schema.ts";
import { oldestProgramFact } from "../../server/schema/compatible-programs.ts";
import { listMigrations, migrate } from "../../server/schema/migrate.ts";
import { compareCatalogs, loadCatalog } from "../../server/schema/tables/catalog.ts";
import { draftMigration } from "../../server/schema/tables/draft-migration.ts";
import { createTable, dumpSchema, parseDump, type Schema } from "../../server/schema/tables/model.ts";
import { databaseNamed } from "../support/database.ts";

// Declarations define the tables, migrations are their differences, and the dump is committed.

const committed = readFileSync(join(import.meta.dirname, "../../server/schema/schema.sql"), "utf8");
const server = inject("databaseUrl");
const admin = new pg.Client({ connectionString: server });
await admin.connect();
const made: string[] = [];
afterAll(async () => {
  for (const name of made) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await admin.end();
});

async function createEmptyDatabase(): Promise<string> {
  const name = `schema_${process.pid}_${made.length}`;
  made.push(name);
  await admin.query(`CREATE DATABASE ${name}`);
  return databaseNamed(server, name);
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

const readCatalog = (url: string) => inside(url, (client) => loadCatalog(client));

/** The migrations take seconds, so one database serves all tests that start from the newest schema. */
const migrated = await createEmptyDatabase();

describe("the committed schema", () => {
  test("equals the schema derived from the declarations", () => {
    expect(dumpSchema(deriveSchema(register))).toBe(committed);
  });

  test("is parsed back unchanged, so the next draft starts where this one ended", () => {
    expect(dumpSchema(parseDump(committed))).toBe(committed);
    expect(draftMigration(parseDump(committed), deriveSchema(register))).toEqual([]);
  });

  test("is the result of migrating an empty database, once, even when several programs start at the same time", async () => {
    const executed = await createEmptyDatabase();
    const steps = await Promise.all([migrate(migrated), migrate(migrated), migrate(migrated)]);
    expect(steps.sort()).toEqual([0, 0, listMigrations().length]);
    await inside(executed, (client) => client.query(committed));
    const catalogs = await Promise.all([readCatalog(migrated), readCatalog(executed)]);
    expect(catalogs[0].filter((line) => line.startsWith("column ")).length).toBeGreaterThan(100);
    expect(compareCatalogs(...catalogs)).toEqual([]);
    expect(await migrate(migrated)).toBe(0);
  });

  test("gives every tenant table its account, and every name a length that PostgreSQL doesn't truncate", () => {
    const { tables, extras } = deriveSchema(register);
    const tenants = register
      .filter((type) => !type.routes.singleton && !type.storage.virtual)
      .map((type) => type.collection);
    for (const { name, columns } of tables)
      if (tenants.includes(name))
        expect(columns.map((column) => column.name).slice(0, 2), name).toEqual(["id", "account_id"]);
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(tenants));
    const names = [...tables, ...extras].map(({ name }) => name);
    for (const name of names) expect(name.length, name).toBeLessThanOrEqual(63);
    expect(new Set(extras.map(({ name }) => name)).size).toBe(extras.length);
  });
});

describe("migrations", () => {
  test("are numbered without gaps", () => {
    expect(listMigrations().map(({ number }) => number)).toEqual(listMigrations().map((_, index) => index + 1));
  });

  test("a database with a newer schema that requires newer programs is refused and left unchanged", async () => {
    const url = migrated;
    await migrate(url);
    await inside(url, async (client) => {
      await client.query("INSERT INTO schema_migrations (number, name, checksum) VALUES (9999, 'of the future', 'x')");
      await client.query("UPDATE instance_facts SET value = '9999' WHERE name = $1", [oldestProgramFact]);
    });
    const before = await readCatalog(url);
    await expect(migrate(url)).rejects.toThrow(/schema 9999/);
    expect(await readCatalog(url)).toEqual(before);
  });
});

describe("a drafted migration", () => {
  type Table = Record<string, string>;
  const schema = (tables: Record<string, Table>, extras: Schema["extras"] = []): Schema => ({
    tables: Object.entries(tables).map(([name, columns]) => ({
      name,
      columns: Object.entries(columns).map(([column, definition]) => ({ name: column, definition })),
    })),
    extras,
  });
  const index = (name: string, on: string): Schema["extras"][number] => ({
    kind: "index",
    name,
    table: "things",
    sql: `CREATE INDEX ${name} ON things ${on}`,
  });
  const key = {
    kind: "constraint" as const,
    name: "things_other_fkey",
    table: "things",
    sql: "ALTER TABLE things ADD CONSTRAINT things_other_fkey FOREIGN KEY (other) REFERENCES others (id)",
  };
  const id = "integer PRIMARY KEY";
  const others = { id };
  const small = { id, other: "integer" };

  const cases: [string, Schema, Schema][] = [
    ["adds a table", schema({ others }), schema({ others, things: small })],
    [
      "drops a table with its dependents",
      schema({ others, things: small }, [index("things_other", "(other)"), key]),
      schema({ others }),
    ],
    [
      "adds a column",
      schema({ things: { id } }),
      schema({ things: { ...small, order: "text NOT NULL DEFAULT 'none'" } }),
    ],
    [
      "drops a column with its index",
      schema({ things: small }, [index("things_other", "(other)")]),
      schema({ things: { id } }),
    ],
    ["changes the type of a column", schema({ things: { id, n: "integer" } }), schema({ things: { id, n: "text" } })],
    [
      "changes a column's default",
      schema({ things: { id, n: "integer NOT NULL DEFAULT 1" } }),
      schema({ things: { id, n: "integer NOT NULL DEFAULT 2" } }),
    ],
    [
      "makes a column nullable",
      schema({ things: { id, n: "boolean NOT NULL DEFAULT false" } }),
      schema({ things: { id, n: "boolean" } }),
    ],
    [
      "makes a column required",
      schema({ things: { id, n: "integer" } }),
      schema({ things: { id, n: "integer NOT NULL DEFAULT 0" } }),
    ],
    [
      "changes the type of a column that has a default",
      schema({ things: { id, n: "text DEFAULT '1'" } }),
      schema({ things: { id, n: "integer DEFAULT 2" } }),
    ],
    ["adds an index", schema({ things: small }), schema({ things: small }, [index("things_other", "(other)")])],
    [
      "changes an index",
      schema({ things: small }, [index("things_other", "(other)")]),
      schema({ things: small }, [index("things_other", "(other, id)")]),
    ],
    [
      "adds a table with monthly partitions",
      schema({ others }),
      {
        tables: [
          ...schema({ others }).tables,
          {
            name: "lines",
            columns: [{ name: "at", definition: "timestamptz NOT NULL" }],
            partitioning: { by: "at", storage: "fillfactor = 80" },
          },
        ],
        extras: [{ kind: "sequence", name: "lines_id_seq", table: "", sql: "CREATE SEQUENCE lines_id_seq AS bigint" }],
      },
    ],
    ["adds a constraint", schema({ others, things: small }), schema({ others, things: small }, [key])],
    ["drops a constraint", schema({ others, things: small }, [key]), schema({ others, things: small })],
  ];
  test.each(cases)("%s", async (_title, from, to) => {
    const build = async (schema: Schema) => {
      const url = await createEmptyDatabase();
      const statements = [...schema.tables.map(createTable), ...schema.extras.map(({ sql }) => sql)];
      await inside(url, async (client) => {
        for (const statement of statements) await client.query(statement);
        if (schema === from && schema.tables.some(({ name }) => name === "things"))
          await client.query("INSERT INTO things (id) VALUES (1)");
      });
      return url;
    };
    const [changed, wanted] = [await build(from), await build(to)];
    const statements = draftMigration(from, to);
    expect(statements.length).toBeGreaterThan(0);
    await inside(changed, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    expect(await readCatalog(changed)).toEqual(await readCatalog(wanted));
    expect(draftMigration(to, to)).toEqual([]);
    expect(parseDump(dumpSchema(to))).toEqual(to);
  });
});
