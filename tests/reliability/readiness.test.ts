import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { atFileEnd } from "../support/cleanup.ts";
import { serverProcesses } from "../support/processes/server-processes.ts";
import { uploadTextFile } from "../support/records/upload.ts";
import { startTime, tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { createClient, type World, world } from "../support/world.ts";

// A server that can't store data returns 503 for writes and reports to load balancers that it isn't ready.

type Health = { status: number; problems: string[] };
async function loadHealth(base: string): Promise<Health> {
  const reply = await fetch(new URL("/health/ready", base));
  const { problems = [] } = (await reply.json()) as { problems?: string[] };
  return { status: reply.status, problems };
}

let the: World;
beforeAll(async () => {
  the = await world({ env: { RATE_LIMIT: "5000", RATE_BURST: "500/2" } });
});

let number = 0;
const createTeam = () => the.as("administrator").post("/teams", { name: `Team ${++number}` });

describe("a database that accepts no writes", () => {
  test("returns 503 with Retry-After for writes while it is read-only, and reads continue", async () => {
    expect((await createTeam()).status).toBe(201);
    await until(async () => (await loadHealth(the.base)).status === 200);
    const admin = new pg.Client({ connectionString: inject("databaseUrl") });
    await admin.connect();
    atFileEnd(() => admin.end());
    const name = new URL(the.databaseUrl.replace("@/", "@localhost/")).pathname.slice(1);
    const setReadOnly = async (isReadOnly: boolean) => {
      await admin.query(
        `ALTER DATABASE ${name} ${isReadOnly ? "SET default_transaction_read_only = on" : "RESET default_transaction_read_only"}`,
      );
    };
    await setReadOnly(true);
    // As after a failover, the server's new connections are read-only.
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'steward%'",
      [name],
    );
    await until(async () => (await the.as("administrator").get("/teams/1")).status === 200);
    const refused = await createTeam();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await until(async () => (await loadHealth(the.base)).problems.includes("the database is read-only"));
    expect((await loadHealth(the.base)).status).toBe(503);
    expect((await the.as("administrator").get("/teams/1")).status).toBe(200);
    await setReadOnly(false);
    await until(async () => (await loadHealth(the.base)).status === 200);
    await until(async () => (await createTeam()).status === 201);
  });

  test("whose schema requires newer programs makes the server not ready", async () => {
    const setOldest = (program: number) =>
      the.sql("UPDATE instance_facts SET value = $1 WHERE name = 'oldest_program' RETURNING name", [String(program)]);
    const [known] = await the.sql<{ value: string }>("SELECT value FROM instance_facts WHERE name = 'oldest_program'");
    expect(await setOldest(9999)).toHaveLength(1);
    const problem = "the schema of the database needs a newer program";
    await until(async () => (await loadHealth(the.base)).problems.includes(problem));
    await setOldest(Number(known?.value));
    await until(async () => (await loadHealth(the.base)).status === 200);
  });

  test("returns 503 with Retry-After while its disk is full, and isn't ready until a write succeeds", async () => {
    await the.sql(
      "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$",
    );
    for (const table of ["teams", "instance_facts"])
      await the.sql(
        `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION disk_full()`,
      );
    const refused = await createTeam();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await until(async () => (await loadHealth(the.base)).status === 503);
    expect((await loadHealth(the.base)).problems).toEqual(["the disk of the database is full"]);
    for (const table of ["teams", "instance_facts"]) await the.sql(`DROP TRIGGER disk_full ON ${table}`);
    expect(await loadHealth(the.base)).toEqual({ status: 200, problems: [] });
    expect((await createTeam()).status).toBe(201);
  });
});

describe("clock jumps", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a clock that jumps forward or back by a day neither stops nor repeats anything", async () => {
    const specialist = the.as("specialist");
    const { body: request } = await specialist.post("/requests", { subject: "Wait", category: "incident", team: 1 });
    const wait = async (until: string) => {
      const body = { status: "waiting_for", waiting_until: until };
      expect((await specialist.patch(`/requests/${request.id}`, body)).status).toBe(200);
    };
    const loadStatus = async () => (await specialist.get(`/requests/${request.id}`)).body.status;
    const check = async () => {
      expect((await createTeam()).status).toBe(201);
      expect((await specialist.get("/requests")).status).toBe(200);
      await until(async () => (await loadHealth(the.base)).status === 200);
    };
    vi.useFakeTimers({ toFake: ["Date"] }); // Date.now() of the process jumps, too
    const jumpTo = async (moment: string) => {
      vi.setSystemTime(moment);
      await the.clock.moveTo(moment);
    };
    await wait("2025-03-03T12:00:00Z");
    await jumpTo("2025-03-04T08:00:00Z");
    expect(await loadStatus()).toBe("assigned");
    await check();
    await jumpTo("2025-03-02T08:00:00Z");
    expect(await loadStatus()).toBe("assigned");
    await check();
    await wait("2025-03-02T12:00:00Z");
    await jumpTo("2025-03-02T12:00:01Z");
    expect(await loadStatus()).toBe("assigned");
    const { body: lines } = await specialist.get(`/requests/${request.id}/audit?per_page=100`);
    const moves = (lines as { changes?: { status?: unknown } }[]).filter(
      ({ changes }) => changes?.status !== undefined,
    );
    expect(moves.length).toBeLessThanOrEqual(6); // each wait starts once and ends once
    await jumpTo(startTime);
    await check();
  });
});

// A separate file system for the data folder, only if this user may mount one.
const mountScript = 'mount -t tmpfs -o size=24m none "$DATA_DIR" && exec "$0" "$@"';
const unshare = ["unshare", ...(process.getuid?.() === 0 ? [] : ["-r"]), "-m"];
const mayMount =
  spawnSync(unshare[0] as string, [...unshare.slice(1), "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

if (mayMount)
  test("a full disk: uploads return 503, the server isn't ready, and it recovers when there is room", async () => {
    const processes = await serverProcesses({ MIN_FREE_DISK: "4" }, [...unshare, "sh", "-c", mountScript]);
    const { base, child } = await processes.start();
    const data = join(`/proc/${child.pid}/root`, processes.env.DATA_DIR as string);
    const token = tokenFor("specialist");
    const client = createClient(base, { Authorization: `Bearer ${token}`, account: "widget-it" });
    await until(async () => (await loadHealth(base)).status === 200);
    expect(await uploadTextFile(client, "small.txt", "fits")).toMatch(/small\.txt$/);

    await writeFile(join(data, "filling"), Buffer.alloc(23 * 1024 * 1024)).catch(() => {});
    await until(async () => (await loadHealth(base)).status === 503);
    expect((await loadHealth(base)).problems).toEqual(["the disk of the data folder is almost full"]);
    const { body: storage } = await client.get("/attachments/storage");
    const form = new FormData();
    for (const [field, value] of Object.entries(storage.local)) form.set(field, String(value));
    form.set("file", new Blob([Buffer.alloc(4 * 1024 * 1024)]), "large.txt");
    const refused = await client.post("/attachments", form);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    await rm(join(data, "filling"));
    await until(async () => (await loadHealth(base)).status === 200);
    expect(await uploadTextFile(client, "small again.txt", "fits")).toMatch(/txt$/);
  });
