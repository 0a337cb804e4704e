import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, test } from "vitest";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../cluster/index.ts";
import { backup, restore } from "./backup.ts";

let folder: string;
let server: EmbeddedDatabase;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-"));
  server = await startEmbeddedDatabase({
    directory: join(folder, "postgres"),
    settings: { fsync: "off" },
    log: () => {},
  });
});

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

// A schema that is hard to restore: tables that refer to each other, values that need escaping, a trigger that
// must not run again, a generated column, rows inserted by the migration itself.
const schema = `
  CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE teams (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, lead_id bigint);
  CREATE TABLE "odd People" (
    id bigserial PRIMARY KEY, team_id bigint NOT NULL REFERENCES teams, "Full Name" text NOT NULL,
    letters integer GENERATED ALWAYS AS (length("Full Name")) STORED,
    custom jsonb, cost numeric, picture bytea, tags text[], born date, seen timestamptz, pause interval, share float8);
  ALTER TABLE teams ADD CONSTRAINT "lead" FOREIGN KEY (lead_id) REFERENCES "odd People" (id);
  CREATE TABLE empty (id integer);
  CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := NEW.name || '!'; RETURN NEW; END $$;
  CREATE TRIGGER shout BEFORE INSERT ON teams FOR EACH ROW EXECUTE FUNCTION shout();
  INSERT INTO schema_migrations VALUES (1, 'first'), (2, 'second');
  INSERT INTO teams (name) VALUES ('put here by the migration');`;

const rows = `
  INSERT INTO teams (name) VALUES ('Desk');
  INSERT INTO "odd People" (team_id, "Full Name", custom, cost, picture, tags, born, seen, pause, share) VALUES
    (2, E'tab\\there\\nline\\\\N \\\\. end\\r', '{"a": [1, "\\\\u00e9\\\\n", null]}', 12345678901234567890.123456789, '\\x00ff0a09',
     '{"a,b",NULL,"c\\"d"}', '0044-03-15 BC', '2025-03-30 01:30:00.123456+02', '1 year 2 days 03:04:05.6', 0.1::float8 + 0.2),
    (2, '', NULL, 'NaN', NULL, '{}', 'infinity', NULL, NULL, '-Infinity');
  UPDATE teams SET lead_id = 1 WHERE id = 2;
  SELECT setval('"odd People_id_seq"', 41);
  INSERT INTO "odd People" (team_id, "Full Name") SELECT 2, repeat(md5(n::text), 20) FROM generate_series(1, 10000) n;`;

async function database(name: string, role?: string): Promise<pg.Pool> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  if (role) await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
  await admin.query(`CREATE DATABASE ${name} ${role ? `OWNER ${role}` : ""}`);
  await admin.end();
  const address = server.url.replace("/steward?", `/${name}?`);
  const pool = new pg.Pool({ connectionString: role ? address.replace(/steward:[^@]+@/, `${role}:plain@`) : address });
  pools.push(pool);
  return pool;
}

async function filled(name: string): Promise<{ pool: pg.Pool; attachments: string; to: string }> {
  const pool = await database(name);
  await pool.query(schema);
  await pool.query(rows);
  const attachments = join(folder, name);
  await mkdir(join(attachments, "1/ü"), { recursive: true });
  await writeFile(join(attachments, "1/ü/a.txt"), "hello");
  await writeFile(join(attachments, `1/${"long".repeat(40)}`), Buffer.alloc(100_000, 7));
  await writeFile(join(attachments, "nothing"), "");
  await utimes(join(attachments, "nothing"), 1_000_000_000, 1_000_000_000);
  return { pool, attachments, to: join(folder, `${name}.tar.gz`) };
}

async function everything(pool: pg.Pool): Promise<string> {
  const parts = ["teams", '"odd People"', "schema_migrations"].map(async (table) => {
    const { rows: found } = await pool.query(`SELECT t::text AS line FROM ${table} t ORDER BY 1`);
    return found.map(({ line }) => line).join("\n");
  });
  return (await Promise.all(parts)).join("\n\n");
}

const steps = {
  newest: 2,
  migrateTo: (client: pg.PoolClient) => client.query(schema),
  migrate: async () => {},
  progress: () => {},
};

test("restoring a backup into an empty database returns the same data", async () => {
  const { pool, attachments, to } = await filled("source");
  const lines: string[] = [];
  const made = await backup(pool, { attachments, to, progress: (line) => lines.push(line) });
  assert.deepEqual({ ...made, bytes: 0 }, { schema: 2, tables: 4, rows: 10_006, files: 3, bytes: 0, damaged: [] });
  assert.ok(lines.includes("odd People: 10002 rows"));
  assert.equal((await stat(to)).mode & 0o777, 0o600);

  const target = await database("target");
  const calls: unknown[] = [];
  const done = await restore(target, {
    ...steps,
    from: to,
    attachments: join(folder, "target"),
    migrateTo: (client, version) => client.query(schema).then(() => calls.push(version)),
    migrate: async () => calls.push("newest"),
  });
  assert.deepEqual(done, { schema: 2, tables: 4, rows: 10_006, files: 3 });
  assert.deepEqual(calls, [2, "newest"]);
  assert.equal(await everything(target), await everything(pool));
  const next = await target.query(`INSERT INTO "odd People" (team_id, "Full Name") VALUES (1, 'x') RETURNING id::int`);
  assert.equal(next.rows[0].id, 10_042);
  await assert.rejects(target.query("UPDATE teams SET lead_id = 9999999"), { code: "23503" });
  assert.equal(await readFile(join(folder, "target/1/ü/a.txt"), "utf8"), "hello");
  assert.equal((await stat(join(folder, `target/1/${"long".repeat(40)}`))).size, 100_000);
  assert.equal((await stat(join(folder, "target/nothing"))).mtimeMs, 1_000_000_000_000);
  assert.deepEqual((await readdir(join(folder, "target"))).sort(), ["1", "nothing"]);

  await assert.rejects(
    restore(target, { ...steps, from: to, attachments: join(folder, "new") }),
    /is not empty \(odd People/,
  );
  await assert.rejects(restore(target, { ...steps, from: to, attachments }), /folder .* is not empty/);
  await assert.rejects(
    restore(target, { ...steps, from: to, attachments, force: true, newest: 1 }),
    /schema 2.*up to 1/,
  );
});

const tools = ["tar", "sha256sum"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

if (tools)
  test("other programs can read the tar file and verify its checksums", async () => {
    const { pool, attachments, to } = await filled("looked_into");
    await backup(pool, { attachments, to, progress: () => {} });
    const place = await mkdtemp(join(folder, "unpacked-"));
    execFileSync("tar", ["-xzf", to, "-C", place]);
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: place });
    assert.match(await readFile(join(place, "tables/teams/00001.copy"), "utf8"), /^2\tDesk!\t1$/m);
    assert.deepEqual((await readdir(join(place, "tables/odd People"))).sort(), ["00001.copy", "00002.copy"]);
  });

test("a database user without special rights can restore, and the foreign keys are recreated", async () => {
  const { pool, attachments, to } = await filled("plain_source");
  await backup(pool, { attachments, to, progress: () => {} });
  const target = await database("plain_target", "plain");
  await restore(target, { ...steps, from: to, attachments: join(folder, "plain_target") });
  assert.equal(await everything(target), await everything(pool));
  await assert.rejects(target.query("UPDATE teams SET lead_id = 9999999"), { code: "23503" });
  await target.query("INSERT INTO teams (name) VALUES ('loud')");
  assert.equal((await target.query("SELECT name FROM teams WHERE name LIKE 'loud%'")).rows[0].name, "loud!");
});

test("a damaged file or a failure during a restore changes nothing, not even with force", async () => {
  const { pool, attachments, to } = await filled("damaged");
  await backup(pool, { attachments, to, progress: () => {} });
  await pool.query("INSERT INTO teams (name) VALUES ('later')");
  await writeFile(join(attachments, "later"), "later");
  const before = await everything(pool);
  const whole = await readFile(to);
  const from = join(folder, "damaged-copy");
  const attempt = () => restore(pool, { ...steps, from, attachments, force: true });
  const unchanged = async () => {
    assert.equal(await everything(pool), before);
    assert.deepEqual((await readdir(attachments)).sort(), ["1", "later", "nothing"]);
  };

  for (const length of [0, 100, Math.floor(whole.length / 2), whole.length - 1]) {
    await writeFile(from, whole);
    await truncate(from, length);
    await assert.rejects(attempt(), /damaged or incomplete/, `cut at ${length}`);
  }
  const flipped = Buffer.from(whole);
  flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 0x10;
  await writeFile(from, flipped);
  await assert.rejects(attempt(), /damaged or incomplete/);
  await unchanged();

  await writeFile(from, whole);
  const broken = async (client: pg.PoolClient) => {
    await client.query(schema);
    await client.query(`ALTER TABLE "odd People" ADD CHECK (id < 5000)`);
  };
  await assert.rejects(restore(pool, { ...steps, from, attachments, force: true, migrateTo: broken }), {
    code: "23514",
  });
  await unchanged();

  await attempt();
  assert.equal((await pool.query("SELECT FROM teams WHERE name = 'later!'")).rowCount, 0);
  assert.deepEqual((await readdir(attachments)).sort(), ["1", "nothing"]);
});
