import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "vitest";
import { parseCsvTable, unzip } from "../support/clients/import-and-export.ts";
import { type ServerProcess, serverProcesses } from "../support/processes/server-processes.ts";
import { tokenFor } from "../support/seed.ts";

// An export that is killed starts again from the beginning: one file, one email, and it counts as one of the day.

const rows = 60_000;
const kills = 3;
const headers = {
  ...{ Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it", "User-Agent": "test" },
  "Content-Type": "application/json",
};

const ask = async ({ base }: ServerProcess, path: string, body?: unknown) => {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(base + path, { headers, ...sent })).json() as Promise<Record<string, string>>;
};

test(`an export that is killed ${kills} times produces the whole file`, async () => {
  const { start, sql } = await serverProcesses();
  await sql.query(
    `INSERT INTO sites (account_id, name, created_at, updated_at) SELECT 'widget-it', 'Site ' || n, '2025-03-01', '2025-03-01' FROM generate_series(1, ${rows}) n`,
  );
  const readLine = async () => Number((await sql.query("SELECT line FROM exports")).rows[0]?.line ?? 0);
  let server = await start();
  const { token } = await ask(server, "/export", { type: "people,sites" });
  for (let kill = 0; kill < kills; kill++) {
    while ((await readLine()) < 1000) await pause(5);
    await server.kill();
    const { rowCount } = await sql.query("SELECT 1 FROM exports WHERE finished_at IS NULL");
    assert.equal(rowCount, 1, "the export was done before it was killed");
    await sql.query("UPDATE jobs SET leased_until = NULL WHERE kind = 'export'"); // as if the lease had expired
    await sql.query("UPDATE exports SET line = 0");
    server = await start();
  }
  let state = await ask(server, `/export/${token}`);
  while (state.state !== "done" && state.state !== "failed") {
    await pause(50);
    state = await ask(server, `/export/${token}`);
  }
  assert.equal(state.state, "done");
  const files = unzip(Buffer.from(await (await fetch(state.url as string)).arrayBuffer()));
  const sites = await parseCsvTable(files.get("sites.csv")?.toString() ?? "");
  assert.deepEqual([files.size, sites.length, sites.at(-1)?.Name], [2, rows, `Site ${rows}`]);
  const mails = await sql.query("SELECT subject FROM mails WHERE subject LIKE 'Your export of%'");
  assert.deepEqual(mails.rows, [{ subject: "Your export of people, sites is ready" }]);
  const removals = await sql.query("SELECT key FROM jobs WHERE kind = 'remove folder'");
  assert.deepEqual(removals.rows, [{ key: token }]);
});
