import pg from "pg";
import { beforeAll, expect, inject, test } from "vitest";
import { register } from "../../records/index.ts";
import { listGrowingTables } from "../../server/engine/schema/placement.ts";
import { runConcurrently } from "../../server/schema/layout/concurrent-indexes.ts";
import { migrate, verifySchema } from "../../server/schema/migrate.ts";
import { atFileEnd } from "../support/cleanup.ts";
import { databaseNamed } from "../support/database.ts";
import { until } from "../support/waiting.ts";

// D-663: growing tables are partitioned by account, in new databases and in databases that have rows already.

const server = inject("databaseUrl");
const name = `partitions_${process.pid}`;
const url = databaseNamed(server, name);
const admin = new pg.Client({ connectionString: server });
const client = new pg.Client({ connectionString: url });
const layout = { tables: listGrowingTables(register), partitions: 2 };

beforeAll(async () => {
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  atFileEnd(async () => {
    await client.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  await client.connect();
  await migrate(url, { layout });
});

const query = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
const selectDivided = `SELECT c.relname AS name, pg_get_partkeydef(c.oid) AS key, count(*)::integer AS partitions
FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid JOIN pg_inherits i ON i.inhparent = c.oid
WHERE p.partstrat = 'h' GROUP BY c.oid ORDER BY 1`;

test("a new database is partitioned and matches its migrations", async () => {
  expect(await query(selectDivided)).toEqual(
    layout.tables
      .map(({ name, accountColumn }) => ({ name, key: `HASH (${accountColumn})`, partitions: 2 }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
  );
  expect(await verifySchema(url)).toEqual([]);
  // Provisioning groups use the users' ID sequence, which was replaced.
  expect(
    await query("SELECT pg_get_expr(adbin, adrelid) AS text FROM pg_attrdef WHERE adrelid = 'scim_groups'::regclass"),
  ).toContainEqual({ text: "nextval('scim_users_id_seq'::regclass)" });
});

test("PostgreSQL keeps references inside of an account", async () => {
  await query(
    "INSERT INTO people (account_id, name, primary_email, created_at, updated_at) VALUES ('one', 'p', 'p@example.com', now(), now())",
  );
  const request = `INSERT INTO requests (id, account_id, subject, category, created_by_id, created_at, updated_at)
VALUES (1, $1, 's', 'incident', (SELECT id FROM people), now(), now())`;
  await query(request, ["one"]);
  await expect(query(request, ["one"])).rejects.toMatchObject({ code: "23505" });
  const note =
    "INSERT INTO notes (account_id, text, request_id, created_at, updated_at) VALUES ($1, 'x', 1, now(), now())";
  await query(note, ["one"]);
  await expect(query(note, ["two"])).rejects.toMatchObject({ code: "23503", constraint: "notes_request_id_fkey" });
});

test("an index of a partitioned table is built during writes, resumes after an interruption, and is dropped", async () => {
  const insertNote =
    "INSERT INTO notes (account_id, text, created_at, updated_at) SELECT 'n' || n % 9, $1 || n, now(), now() FROM generate_series(1, $2) n";
  await query(insertNote, ["x", 20]);
  await query(insertNote, ["x", 1]); // one duplicate
  const briefly = async (work: () => Promise<void>) => {
    await query("BEGIN; SET LOCAL lock_timeout = 1000");
    await work();
    await query("COMMIT");
  };
  const build = () =>
    runConcurrently(
      client,
      "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS notes_unique_text ON notes (account_id, text)",
      briefly,
    );
  const loadIndexes = () =>
    query(`SELECT c.relname AS name, x.indisvalid AS valid FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
WHERE c.relname LIKE '%unique_text%' ORDER BY 1`);
  await expect(build()).rejects.toMatchObject({ code: "23505" });
  expect(await loadIndexes()).toContainEqual({ name: "notes_unique_text", valid: false });
  await query("DELETE FROM notes WHERE id = (SELECT max(id) FROM notes)");

  // A transaction has written to every partition and is still open: the build waits for it, and no write waits for the build.
  const [first, second] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  for (const each of [first, second]) await each.connect();
  await first.query("BEGIN");
  await first.query(insertNote, ["y", 20]);
  let isBuilt = false;
  const built = build().then(() => {
    isBuilt = true;
  });
  await until(
    async () =>
      (
        await second.query(
          "SELECT FROM pg_stat_activity WHERE query LIKE '%INDEX CONCURRENTLY%' AND wait_event_type = 'Lock' AND datname = $1",
          [name],
        )
      ).rowCount === 1,
  );
  await second.query(insertNote, ["z", 20]);
  expect(isBuilt).toBe(false);
  await first.query("COMMIT");
  await built;
  for (const each of [first, second]) await each.end();
  expect(await loadIndexes()).toEqual(
    ["notes_unique_text", "notes_unique_text_p00", "notes_unique_text_p01"].map((each) => ({
      name: each,
      valid: true,
    })),
  );
  await expect(query(insertNote, ["z", 1])).rejects.toMatchObject({
    constraint: expect.stringMatching(/^notes_unique_text_p0[01]$/),
  });
  await build(); // nothing is left to do
  await runConcurrently(client, "DROP INDEX CONCURRENTLY IF EXISTS notes_unique_text", briefly);
  expect(await loadIndexes()).toEqual([]);

  // Journals are partitioned by month in every database.
  const [create, drop] = [
    "CREATE INDEX CONCURRENTLY events_later ON events (account_id)",
    "DROP INDEX CONCURRENTLY events_later",
  ];
  const loadValid = () =>
    query("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('events_later')");
  await runConcurrently(client, create, briefly);
  expect(await loadValid()).toEqual([{ valid: true }]);
  await runConcurrently(client, drop, briefly);
  expect(await loadValid()).toEqual([]);
});

test("partitioning a table with rows keeps all rows", async () => {
  await query(
    `CREATE TABLE later (id integer GENERATED BY DEFAULT AS IDENTITY, account_id text NOT NULL, other_id integer, PRIMARY KEY (id, account_id));
CREATE TABLE beside (id integer DEFAULT nextval('later_id_seq'), account_id text NOT NULL, later_id integer);
CREATE UNIQUE INDEX later_unique_other ON later (account_id, other_id);
CREATE INDEX later_account ON later (account_id, id) WHERE id > 1;
ALTER TABLE later SET (fillfactor = 90);
ALTER TABLE later ADD CONSTRAINT later_other FOREIGN KEY (other_id, account_id) REFERENCES later (id, account_id);
ALTER TABLE beside ADD CONSTRAINT beside_later FOREIGN KEY (later_id, account_id) REFERENCES later (id, account_id) ON DELETE CASCADE;
INSERT INTO later (account_id, other_id) SELECT 'account-' || n, n FROM generate_series(1, 20) n;
INSERT INTO beside (account_id, later_id) SELECT 'account-' || n, n FROM generate_series(1, 20) n`,
  );
  const before = await query("SELECT * FROM later ORDER BY id");
  const tables = [{ name: "later", accountColumn: "account_id" }];
  const catalog = await verifySchema(url);
  expect(await migrate(url, { layout: { tables, partitions: 3 } })).toBe(0);
  expect(await migrate(url, { layout: { tables, partitions: 3 }, divide: true })).toBe(1);
  expect(await query(selectDivided)).toContainEqual({ name: "later", key: "HASH (account_id)", partitions: 3 });
  expect(await verifySchema(url)).toEqual(catalog); // as for the unpartitioned table
  expect(await query("SELECT * FROM later ORDER BY id")).toEqual(before);
  expect(await query("SELECT count(DISTINCT tableoid)::integer AS used FROM later")).toEqual([{ used: 3 }]);
  expect(await query("INSERT INTO later (account_id) VALUES ('x') RETURNING id")).toEqual([{ id: 41 }]);
  expect(await query("INSERT INTO beside (account_id) VALUES ('x') RETURNING id")).toEqual([{ id: 42 }]);
  await expect(query("INSERT INTO later (account_id, other_id) VALUES ('account-7', 7)")).rejects.toMatchObject({
    constraint: expect.stringMatching(/^later_unique_other_p0[0-2]$/),
  });
  await query("DELETE FROM later WHERE id = 20");
  expect(await query("SELECT FROM beside WHERE later_id = 20")).toEqual([]);

  // A table added later is partitioned like the others, regardless of the setting.
  await query("CREATE TABLE last (account_id text NOT NULL)");
  const all = [...tables, { name: "last", accountColumn: "account_id" }];
  expect(await migrate(url, { layout: { tables: all, partitions: 0 } })).toBe(1);
  expect(await query(selectDivided)).toContainEqual({ name: "last", key: "HASH (account_id)", partitions: 3 });
});
