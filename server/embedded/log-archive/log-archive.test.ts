import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { test } from "vitest";
import { atFileEnd } from "../../../tests/support/cleanup.ts";
import { startObjectStorage } from "../../../tests/support/object-storage/object-storage.ts";
import { runCommandHere } from "../../../tests/support/processes/command-line.ts";
import { until } from "../../../tests/support/waiting.ts";
import { readConfiguration } from "../../base/configuration.ts";
import { openStore } from "../../files/index.ts";
import { startEmbeddedDatabase } from "../cluster/index.ts";
import { archiveSettings, spoolPath } from "./log-archive-settings.ts";
import { LogShipper } from "./ship-log.ts";

// Restores a database that was copied once to a point in time after the copy (D-675).

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

test("a database is restored from a bucket to its exact state at a point in time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "archive-"));
  atFileEnd(() => rm(folder, { recursive: true, force: true }));
  const storage = await startObjectStorage();
  const env = { DATA_DIR: join(folder, "one"), ...storage.env, ARCHIVE_URL: storage.url().replace("?", "/archive?") };
  const configuration = readConfiguration(env);
  assert.ok(configuration.archive);
  const directory = join(env.DATA_DIR, "postgres");
  const settings = { ...archiveSettings, fsync: "off" };
  const database = await startEmbeddedDatabase({ directory, log: () => {}, settings });
  const problems: string[] = [];
  const log = { info: () => {}, error: (message: string) => void problems.push(message) };
  const shipper = new LogShipper(directory, openStore(configuration.archive, configuration), log);
  shipper.start();

  const moment = await withClient(database.url, async (client) => {
    await client.query("CREATE TABLE rows (id integer PRIMARY KEY, text text); INSERT INTO rows VALUES (1, 'before')");
    const copied = await runCommandHere(["base-backup"], env);
    assert.match(copied.out, /archive\/: base backup \d{8}T\d{6}Z, \d+ KB\.\n$/, copied.err);
    await client.query("INSERT INTO rows VALUES (2, 'after the copy'); UPDATE rows SET text = 'changed' WHERE id = 1");
    const { rows } = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
    // The archive is unavailable for a while, and the time has the precision of JavaScript, milliseconds.
    storage.stop();
    await until(() => Date.now() > (rows[0]?.now.getTime() ?? 0) + 2, { every: 1 });
    await client.query("INSERT INTO rows VALUES (3, 'too late'); DELETE FROM rows WHERE id = 2");
    await client.query("SELECT pg_switch_wal()");
    await until(async () => problems.length > 0 && (await readdir(spoolPath(directory))).length > 0);
    storage.start();
    return new Date((rows[0]?.now.getTime() ?? 0) + 1);
  });
  await until(async () => (await readdir(spoolPath(directory))).length === 0);
  await database.stop();
  await shipper.stop();
  assert.deepEqual(problems, ["the log of the database could not be archived"]);

  const restored = { ...env, DATA_DIR: join(folder, "two") };
  const restore = (time: string) => runCommandHere(["restore", env.ARCHIVE_URL, "--until", time], restored);
  assert.match(
    (await restore("2020-01-01T00:00:00Z")).err,
    /^The oldest base backup in the archive is from .*later time/m,
  );
  assert.match((await restore("yesterday")).err, /^--until must be a time with a time zone/);
  assert.match((await restore("2100-01-01T00:00:00Z")).err, /^The archive ends before 2100-01-01T00:00:00.000Z/m);
  const done = await restore(moment.toISOString());
  assert.deepEqual(
    [done.code, done.out.startsWith(`Restored the database as of ${moment.toISOString()}`)],
    [0, true],
    done.err,
  );
  assert.match((await restore(moment.toISOString())).err, /already contains a database. Restore into another DATA_DIR/);

  const again = await startEmbeddedDatabase({
    directory: join(restored.DATA_DIR, "postgres"),
    log: () => {},
    settings,
  });
  atFileEnd(() => again.stop());
  const rows = await withClient(again.url, async (client) => {
    const found = await client.query("SELECT id, text FROM rows ORDER BY id");
    await client.query("INSERT INTO rows VALUES (4, 'goes on')");
    return found.rows;
  });
  assert.deepEqual(rows, [
    { id: 1, text: "changed" },
    { id: 2, text: "after the copy" },
  ]);
});
