import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual, parseArgs } from "node:util";
import pg from "pg";
import { readConfiguration } from "../server/base/configuration.ts";
import { buildLayout, locksForPartitions } from "../server/commands/database/layout.ts";
import { startEmbeddedDatabase } from "../server/embedded/cluster/index.ts";
import { migrate } from "../server/schema/migrate.ts";
import { buildServer } from "../tools/build-server.ts";
import { buildWeb } from "../tools/build-web.ts";
import { measureConditions } from "./automation.ts";
import { measureBusinessTime } from "./business-time.ts";
import {
  type CallCounts,
  countCalls,
  formatGrowth,
  formatResults,
  getCostRatio,
  type Measurement,
  readWalPosition,
  type WorkloadResult,
} from "./call-costs.ts";
import { measureImport } from "./import.ts";
import { account, loadData, type RequestTexts } from "./load-data.ts";
import { createRandom, generateLoad } from "./load-generator.ts";
import { runMillion } from "./million/index.ts";
import { readProcessorTime } from "./processor-time.ts";
import { measureProvisioning } from "./provisioning.ts";
import { measureSearch, zipfTexts } from "./search.ts";
import { measureSummaries } from "./summaries.ts";
import { measureWeb } from "./web/measure.ts";
import { type LatencyMeasurement, measureWebhooks, type WebhookMeasurement } from "./webhooks.ts";
import { startWireRelay } from "./wire-relay.ts";
import { buildAddress, type Workload, workloads } from "./workloads.ts";

// npm run bench: our server and the bare one, started as children, measured in turns on the same data. Ratios are what
// counts; the numbers themselves belong to the machine.

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "3" },
    connections: { type: "string", default: "16" },
    only: { type: "string" },
    growth: { type: "boolean", default: false },
    automation: { type: "boolean", default: false },
    clock: { type: "boolean", default: false },
    search: { type: "boolean", default: false },
    summaries: { type: "boolean", default: false },
    web: { type: "boolean", default: false },
    import: { type: "boolean", default: false },
    rows: { type: "string", default: "100000" },
    provisioning: { type: "boolean", default: false },
    users: { type: "string", default: "100000" },
    million: { type: "boolean", default: false },
    data: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(
    "npm run bench -- [--requests 100000] [--seconds 4] [--rounds 3] [--connections 16] [--only W1,W2] [--growth] [--clock] [--automation] [--search] [--summaries] [--web] [--import [--rows 100000]] [--provisioning [--users 100000]] [--million [--data folder that is kept] [--only /notes]]",
  );
  process.exit(0);
}
const root = join(import.meta.dirname, "..");
const say = (line: string) => process.stderr.write(`${line}\n`);

type Server = { process: ChildProcess; base: string };

/** The database is there until the server has let go of it. */
async function stopServer({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  child.kill();
  await exit;
}

/** Started as a user would, by the start script's own command. */
async function startOurs(env: Record<string, string>): Promise<Server> {
  await buildServer(say);
  const port = await findFreePort();
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  const path = `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}`;
  const child = spawn(scripts.start, {
    shell: true,
    cwd: root,
    env: { ...process.env, ...env, PATH: path, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 600; tries++) {
    if ((await fetch(`${url}/health/ready`).catch(() => null))?.ok) return { process: child, base: `${url}/v1` };
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error("our server did not become ready");
}

async function startBare(env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "bare-server.ts")], {
    env: { ...process.env, ...env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  return { process: child, base: `http://127.0.0.1:${port}` };
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

const readPostmaster = (directory: string): number =>
  Number(readFileSync(join(directory, "postgres/cluster/postmaster.pid"), "utf8").split("\n")[0]);

/** Resident memory of a process in MB. */
const readMemory = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

/** The members in which two answers differ, one line each. */
function listDifferences(mine: unknown, theirs: unknown, at = ""): string[] {
  if (isDeepStrictEqual(mine, theirs)) return [];
  const both = [mine, theirs];
  if (!both.every((side) => typeof side === "object" && side !== null))
    return [`${at}: ours ${JSON.stringify(mine)}, bare ${JSON.stringify(theirs)}`];
  const [one, other] = both as Record<string, unknown>[];
  const names = new Set(both.flatMap((side) => Object.keys(side as object)));
  return [...names].flatMap((name) => listDifferences(one?.[name], other?.[name], `${at}/${name}`));
}

/** Both must answer the same, or the comparison means nothing. */
async function assertSameResponses(
  ours: string,
  bare: string,
  headers: Record<string, string>,
  requests: number,
): Promise<void> {
  const reading = workloads.filter(({ name }) => ["W1", "W2", "W3", "W7"].includes(name));
  for (const workload of reading)
    for (let seed = 1; seed <= 3; seed++) {
      const call = workload.next(createRandom(seed), requests);
      const { method, body } = call;
      const sent = {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
      };
      const [one, other] = (await Promise.all(
        [ours, bare].map((base) =>
          fetch(buildAddress(base, call), { ...sent, ...(body === undefined ? {} : { body }) }),
        ),
      )) as [Response, Response];
      const [mine, theirs] = [await one.json(), await other.json()];
      if (!isDeepStrictEqual(mine, theirs))
        throw new Error(
          `${workload.name}: the servers answer differently\n${listDifferences(mine, theirs).join("\n")}`,
        );
    }
}

type Results = {
  rows: WorkloadResult[];
  webhooks: WebhookMeasurement | null;
};

/** A database of its own with that many requests in it. */
async function prepareDatabase(requests: number, texts?: RequestTexts) {
  const directory = mkdtempSync(join(tmpdir(), "steward-bench-"));
  const configuration = readConfiguration();
  const settings: Record<string, string> =
    configuration.partitions === 0 ? {} : { max_locks_per_transaction: locksForPartitions };
  const database = await startEmbeddedDatabase({ directory: join(directory, "postgres"), log: () => {}, settings });
  const remove = async () => {
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await migrate(database.url, { layout: buildLayout(configuration) });
    const { token } = await loadData(database.url, requests, say, texts);
    const limits = { RATE_LIMIT: "0", COST_LIMIT: "0", RATE_BURST: "0" };
    // One process each: the bare server has one, too.
    const env = { DATABASE_URL: database.url, DATA_DIR: directory, WORKERS: "1", ...limits };
    return { database, env, headers: { Authorization: `Bearer ${token}`, account, "User-Agent": "bench" }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function runWebBenchmark(requests: number): Promise<string> {
  await buildWeb(say);
  const { database, env, headers, remove } = await prepareDatabase(requests);
  const ours = await startOurs(env);
  try {
    return await measureWeb(ours.base.replace(/\/v1$/, ""), database.url, Number(options.rounds), { headers, say });
  } finally {
    await stopServer(ours);
    await remove();
  }
}

async function runSummaryBenchmark(requests: number): Promise<string> {
  const { database, env, headers, remove } = await prepareDatabase(requests);
  const ours = await startOurs(env);
  try {
    return await measureSummaries(ours.base, database.url, headers);
  } finally {
    await stopServer(ours);
    await remove();
  }
}

async function runImportBenchmark(rows: number): Promise<string> {
  const { env, headers, remove } = await prepareDatabase(0);
  const ours = await startOurs(env);
  try {
    return await measureImport({ base: ours.base, headers, pid: ours.process.pid as number }, rows, say);
  } finally {
    await stopServer(ours);
    await remove();
  }
}

async function runProvisioningBenchmark(users: number): Promise<string> {
  const { env, headers, remove } = await prepareDatabase(0);
  const ours = await startOurs({ ...env, SCIM_RATE_LIMIT: "0", SCIM_RATE_BURST: "0" });
  try {
    return await measureProvisioning({ base: ours.base, headers, pid: ours.process.pid as number }, users, say);
  } finally {
    await stopServer(ours);
    await remove();
  }
}

type Environment = Record<string, string>;

/** The statements and round trips of every workload, of a server that reaches its database by way of a relay. */
async function countOnRelay(
  start: (env: Environment) => Promise<Server>,
  env: Environment & { DATABASE_URL: string },
  headers: Record<string, string>,
  works: readonly Workload[],
  requests: number,
): Promise<Map<Workload, CallCounts>> {
  const relay = await startWireRelay(env.DATABASE_URL);
  const server = await start({ ...env, DATABASE_URL: relay.url });
  try {
    return await countCalls(relay, server.base, headers, works, requests);
  } finally {
    await stopServer(server);
    await relay.stop();
  }
}

const isWanted = (name: string): boolean => options.only === undefined || options.only.split(",").includes(name);

async function runWorkloads(requests: number, all: readonly Workload[] = workloads): Promise<Results> {
  const works = all.filter(({ name }) => isWanted(name));
  const { database, env, headers, remove } = await prepareDatabase(requests);
  const servers: Server[] = [];
  const client = new pg.Client({ connectionString: database.url });
  try {
    await client.connect();
    const counted = {
      ours: await countOnRelay(startOurs, env, headers, works, requests),
      bare: await countOnRelay(startBare, env, headers, works, requests),
    };
    const ours = await startOurs(env);
    const bare = await startBare(env);
    servers.push(ours, bare);
    await assertSameResponses(ours.base, bare.base, headers, requests);
    const results: WorkloadResult[] = [];
    const postmaster = readPostmaster(env.DATA_DIR);
    for (const workload of works) {
      const rounds: { ours: Measurement[]; bare: Measurement[] } = { ours: [], bare: [] };
      for (let round = 0; round <= Number(options.rounds); round++)
        for (const [name, server] of [
          ["ours", ours],
          ["bare", bare],
        ] as const) {
          const readTimes = () => ({
            server: readProcessorTime(server.process.pid as number),
            database: readProcessorTime(postmaster),
          });
          const before = { ...readTimes(), wal: await readWalPosition(client) };
          const measured = await generateLoad(server.base, headers, workload, requests, {
            connections: Number(options.connections),
            seconds: round === 0 ? 1.5 : Number(options.seconds),
            seed: round + 1,
          });
          const after = { ...readTimes(), wal: await readWalPosition(client) };
          const processor = {
            server: (after.server - before.server) / measured.count,
            database: (after.database - before.database) / measured.count,
          };
          const wal = (after.wal - before.wal) / measured.count;
          if (round > 0) rounds[name].push({ ...measured, processor, wal }); // the first round warms up
        }
      const middle = (list: Measurement[]): Measurement => ({
        perSecond: median(list.map((m) => m.perSecond)),
        p50: median(list.map((m) => m.p50)),
        p99: median(list.map((m) => m.p99)),
        failures: list.reduce((sum, m) => sum + m.failures, 0),
        count: list.reduce((sum, m) => sum + m.count, 0),
        bytes: median(list.map((m) => m.bytes)),
        wal: median(list.map((m) => m.wal)),
        processor: {
          server: median(list.map((m) => m.processor.server)),
          database: median(list.map((m) => m.processor.database)),
        },
      });
      const counts = {
        ours: counted.ours.get(workload) as CallCounts,
        bare: counted.bare.get(workload) as CallCounts,
      };
      const row = { workload, ours: middle(rounds.ours), bare: middle(rounds.bare), counts };
      results.push(row);
      say(
        `${workload.name} ours ${Math.round(row.ours.perSecond)}/s, bare ${Math.round(row.bare.perSecond)}/s, processor time ${getCostRatio(row).toFixed(2)} times${row.ours.failures + row.bare.failures > 0 ? `, FAILURES ${row.ours.failures} ours ${row.bare.failures} bare` : ""}`,
      );
    }
    say(`memory: ours ${readMemory(ours.process.pid as number)} MB, bare ${readMemory(bare.process.pid as number)} MB`);
    const wanted = all === workloads && isWanted("W6");
    const webhooks = wanted && requests > 40_000 ? await measureWebhooks(ours.base, database.url, headers) : null;
    return { rows: results, webhooks };
  } finally {
    await Promise.all(servers.map(stopServer));
    await client.end();
    await remove();
  }
}

async function runSearchBenchmark(requests: number): Promise<void> {
  const { database, env, remove } = await prepareDatabase(requests, zipfTexts);
  let ours: Server | null = null;
  try {
    ours = await startOurs(env);
    const { searched, writes, sizes, perSecond } = await measureSearch(ours.base, database.url, say);
    const title = "specialist p50 ms | p95 ms | processor ms | requester p50 ms | p95 ms | processor ms";
    console.log(`| Search among ${requests} requests | ${title} |\n|---|---|---|---|---|---|---|`);
    for (const { what, callers } of searched) {
      const cells = callers.flatMap(({ p50, p95, cost }) => [p50, p95, cost].map((each) => each.toFixed(1)));
      console.log(`| ${[what, ...cells].join(" | ")} |`);
    }
    console.log(`\n${Math.round(perSecond)} searches a second for words as they occur; ${sizes}`);
    for (const line of writes) console.log(line);
  } finally {
    if (ours !== null) await stopServer(ours);
    await remove();
  }
}

async function runMillionBenchmark(): Promise<string> {
  const directory = options.data ?? mkdtempSync(join(tmpdir(), "steward-million-"));
  const { only = "" } = options;
  try {
    return await runMillion({ directory, rows: 1_000_000, only, say, start: startOurs, stop: stopServer });
  } finally {
    if (options.data === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

if (options.million) {
  console.log(await runMillionBenchmark());
} else if (options.search) {
  await runSearchBenchmark(Number(options.requests));
} else if (options.clock) {
  console.log(measureBusinessTime());
} else if (options.automation) {
  console.log(measureConditions());
} else if (options.summaries) {
  console.log(await runSummaryBenchmark(Number(options.requests)));
} else if (options.web) {
  console.log(await runWebBenchmark(Number(options.requests)));
} else if (options.import) {
  console.log(await runImportBenchmark(Number(options.rows)));
} else if (options.provisioning) {
  console.log(await runProvisioningBenchmark(Number(options.users)));
} else if (options.growth) {
  const sizes = [10_000, 100_000, 1_000_000];
  const growing = workloads.filter(({ name }) => /^W[1-5]$/.test(name));
  const measured: Results["rows"][] = [];
  for (const size of sizes) measured.push((await runWorkloads(size, growing)).rows);
  console.log(formatGrowth(sizes, measured));
} else {
  const { rows: results, webhooks } = await runWorkloads(Number(options.requests));
  if (results.length > 0) console.log(formatResults(results));
  if (webhooks !== null) {
    const { perSecond, lost, rate, alone, besideOthers } = webhooks;
    const paced = ({ p50, p95, p99, answer }: LatencyMeasurement, budgets: string) =>
      `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)} ms (${budgets}; the changes themselves: p95 ${answer.toFixed(1)} ms)`;
    console.log(`
W6 webhook deliveries to a local receiver: ${Math.round(perSecond)}/s (budget 1500), ${lost} lost
   from the answer to a change to its message, at ${rate} changes a second: ${paced(alone, "budget p95 50")}
   beside a receiver that is slow and one that hangs: ${paced(besideOthers, "budget p99 1000")}`);
  }
  console.log(`\n${measureBusinessTime()}`);
  console.log(`\n${measureConditions()}`);
}
