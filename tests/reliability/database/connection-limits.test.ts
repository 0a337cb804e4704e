import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterEach, expect, inject, test } from "vitest";
import { atFileEnd } from "../../support/cleanup.ts";
import { type ServerProcess, serverProcesses } from "../../support/processes/server-processes.ts";
import { tokenFor } from "../../support/seed.ts";
import { until } from "../../support/waiting.ts";
import { createClient } from "../../support/world.ts";

// A database with few connections: the processes share them, and no call fails for lack of one (D-786). The test limits the
// connections of a role, which Steward treats like the server's limit.

const role = `limited_${randomBytes(4).toString("hex")}`;
const admin = new pg.Client({ connectionString: inject("databaseUrl") });
await admin.connect();
await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'few' IN ROLE ${pg.escapeIdentifier(admin.user as string)}`);
// Registered first, so it runs last. The servers create objects as this role, which disappear with their database.
atFileEnd(async () => {
  await admin.query(`DROP OWNED BY ${role}`);
  await admin.query(`DROP ROLE ${role}`);
  await admin.end();
});
const processes = await serverProcesses();

const url = (processes.env.DATABASE_URL as string).replace(/\/\/[^@]*@/, `//${role}:few@`);

let running: ServerProcess | null = null;
afterEach(async () => {
  await running?.kill();
  running = null;
  await until(async () => (await countConnections()) === 0);
});

async function countConnections(): Promise<number> {
  const { rows } = await admin.query("SELECT count(*)::integer AS n FROM pg_stat_activity WHERE usename = $1", [role]);
  return rows[0].n;
}

const limit = (connections: number) => admin.query(`ALTER ROLE ${role} CONNECTION LIMIT ${connections}`);

async function start(env: Record<string, string>) {
  running = await processes.start({ DATABASE_URL: url, ...env });
  const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" };
  return createClient(running.base, headers);
}

/** Mixes reads and changes continuously; resolves with the number of calls by status. */
async function load(client: Awaited<ReturnType<typeof start>>): Promise<Record<string, number>> {
  const paths = ["/people/5", "/requests?sort=-updated_at", "/notes", "/people?sort=name", "/search?q=printer", "/me"];
  const counts: Record<string, number> = {};
  const count = ({ status }: { status: number }) => {
    counts[status] = (counts[status] ?? 0) + 1;
  };
  const callers = Array.from({ length: 48 }, async (_, number) => {
    for (let call = 0; call < 6; call++)
      count(
        number % 4 === 0
          ? await client.post("/requests", { subject: `Load ${number}`, category: "rfi" })
          : await client.get(paths[(number + call) % paths.length] as string),
      );
  });
  await Promise.all(callers);
  return counts;
}

test.each([
  ["two workers", "2", 25],
  ["more workers than the database has connections for", "3", 17],
])("%s share the connections of the database", async (_, workers, connections) => {
  await limit(connections);
  const client = await start({ WORKERS: workers });
  let most = 0;
  const watch = setInterval(() => void countConnections().then((now) => (most = Math.max(most, now))), 50);
  const counts = await load(client);
  clearInterval(watch);
  expect(counts).toEqual({ 200: 216, 201: 72 });
  expect(most).toBeLessThanOrEqual(connections);
});

test("a call waits for a connection that other processes use", async () => {
  await limit(15);
  const client = await start({});
  const others = await takeAllConnections();
  const changes = Array.from({ length: 8 }, () => client.post("/requests", { subject: "Waits", category: "rfi" }));
  await Promise.race(changes); // the others need connections that aren't open yet
  for (const other of others) await other.end();
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(8).fill(201));
});

async function takeAllConnections(): Promise<pg.Client[]> {
  const opened: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      opened.push(client);
    } catch (error) {
      expect((error as { code?: string }).code).toBe("53300");
      return opened;
    }
  }
}

test("a database that allows too few connections is refused with the required number", async () => {
  await limit(8);
  await expect(start({})).rejects.toThrow(/allows 8 connections, but Steward needs 10 or more/);
});
