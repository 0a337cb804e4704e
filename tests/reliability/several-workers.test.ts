import assert from "node:assert/strict";
import { beforeAll, test } from "vitest";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type Client, createClient } from "../support/world.ts";

// Several processes share the port: if one of them dies, the others continue (D-516).

let processes: ServerProcesses;
let server: ServerProcess;
let client: Client;

beforeAll(async () => {
  processes = await serverProcesses({ WORKERS: "2" });
  server = await processes.start();
  const headers = { Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" };
  client = createClient(server.base, headers);
});

type Metrics = { workers: Map<string, number>; restarts: number; memory: number[] };

/** The metrics of both workers. On a busy machine one may not respond in time and is missing, so this retries. */
async function readMetrics(): Promise<Metrics> {
  let metrics = await readAnsweredMetrics();
  await until(async () => {
    if (metrics.workers.size < 2) metrics = await readAnsweredMetrics();
    return metrics.workers.size >= 2;
  });
  return metrics;
}

async function readAnsweredMetrics(): Promise<Metrics> {
  const text = await (await fetch(server.base.replace("/v1", "/metrics"))).text();
  const workers = [...text.matchAll(/steward_worker_info\{process="(\d+)",worker="(\d+)"\} 1/g)];
  return {
    workers: new Map(workers.map(([, id, worker]) => [worker as string, Number(id)])),
    restarts: Number(/steward_worker_restarts_total (\d+)/.exec(text)?.[1]),
    memory: [...text.matchAll(/process_resident_memory_bytes\{worker="\d+"\} (\d+)/g)].map(([, bytes]) =>
      Number(bytes),
    ),
  };
}

/** Creates requests over several connections until `stop` is called. */
function createRequests(): { stop(): Promise<{ acknowledged: number[]; failed: string[] }> } {
  let isRunning = true;
  const [acknowledged, failed]: [number[], string[]] = [[], []];
  const create = async () => {
    while (isRunning)
      try {
        const { status, body, text } = await client.post("/requests", { subject: "Under load", category: "rfi" });
        if (status === 201) acknowledged.push(body.id);
        else failed.push(`${status} ${text.slice(0, 200)}`);
      } catch (error) {
        failed.push(String((error as Error).cause ?? error));
      }
  };
  const running = Array.from({ length: 4 }, create);
  return {
    async stop() {
      isRunning = false;
      await Promise.all(running);
      return { acknowledged, failed };
    },
  };
}

async function countStored(ids: readonly number[]): Promise<number> {
  const { rows } = await processes.sql.query("SELECT count(*)::int AS n FROM requests WHERE id = ANY($1)", [ids]);
  return rows[0].n;
}

test("each worker has its own series in the metrics and needs less than 200 MB", async () => {
  const { workers, restarts, memory } = await readMetrics();
  assert.deepEqual([[...workers.keys()].sort(), restarts], [["1", "2"], 0]);
  assert.equal(new Set(workers.values()).size, 2);
  for (const bytes of memory) assert.ok(bytes < 200 * 2 ** 20, `${Math.round(bytes / 2 ** 20)} MB`);
});

test("a worker killed under load is replaced, and no acknowledged request is lost", async () => {
  const { workers: before } = await readMetrics();
  const load = createRequests();
  const victim = before.get("1") as number;
  process.kill(victim, "SIGKILL");
  await until(async () => {
    const { workers } = await readMetrics().catch(() => ({ workers: new Map<string, number>() }));
    return workers.size === 2 && workers.get("1") !== victim;
  });
  const { acknowledged } = await load.stop();
  assert.ok(acknowledged.length > 0);
  assert.equal(await countStored(acknowledged), acknowledged.length);
  const { workers, restarts } = await readMetrics();
  assert.deepEqual([workers.get("2"), restarts], [before.get("2"), 1]);
});

test("SIGHUP replaces all workers under load, and no call fails", async () => {
  const { workers: before } = await readMetrics();
  const load = createRequests();
  server.child.kill("SIGHUP");
  await until(async () => {
    const { workers } = await readMetrics();
    return workers.size === 2 && [...workers].every(([worker, id]) => before.get(worker) !== id);
  });
  const hasExited = (id: number) => {
    try {
      return !process.kill(id, 0);
    } catch {
      return true;
    }
  };
  await until(() => [...before.values()].every(hasExited));
  const { acknowledged, failed } = await load.stop();
  assert.deepEqual(failed, []);
  assert.equal(await countStored(acknowledged), acknowledged.length);
  assert.equal((await readMetrics()).restarts, 1, "intentional replacements don't count");
});

test("SIGTERM ends all workers", async () => {
  const { workers } = await readMetrics();
  const exit = new Promise<number | null>((resolve) => server.child.once("exit", resolve));
  server.child.kill("SIGTERM");
  assert.equal(await exit, 0);
  for (const id of workers.values()) assert.throws(() => process.kill(id, 0));
});
