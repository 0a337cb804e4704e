import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { readProcessorTime } from "../../bench/processor-time.ts";
import { migrate } from "../../server/schema/migrate.ts";
import { callWithAgent } from "../../tests/support/clients/agent-call.ts";
import { Noise } from "../../tests/support/hostile/noise.ts";
import { DatabasePair, withClient } from "../../tests/support/processes/database-pair.ts";
import { type ServerProcess, startServerProcess } from "../../tests/support/processes/server-process.ts";
import { createScratchFolder } from "../../tests/support/scratch-folder.ts";
import { seed as seedDatabase, tokenFor } from "../../tests/support/seed.ts";
import { bundleFolder, bundleServer } from "../bundle-server.ts";
import type { Report } from "./report.ts";

// Read-your-writes over three processes and a replica that lags by a few milliseconds: clients write through one process
// and read a list through another, repeatedly. For half a minute the replica is paused.

const processes = 3;
const writers = 12;
const applyDelay = 5;
const standstillSeconds = 30;
const headers = {
  ...{ Authorization: `Bearer ${tokenFor("administrator")}`, account: "widget-it" },
  "Content-Type": "application/json",
};

/** `count`: how many pairs of a write and a read. */
export async function runReplicas(count: number, seed: number, report: Report): Promise<void> {
  const noise = new Noise(seed);
  const program = await bundleServer(bundleFolder("steward-survival-server"));
  const folder = realpathSync(createScratchFolder());
  const pair = new DatabasePair(folder);
  const servers: ServerProcess[] = [];
  const agent = new Agent({ keepAlive: true });
  const call = async (method: string, path: string, body?: object) => {
    const { base } = servers[Math.floor(noise.next() * servers.length)] as ServerProcess;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await callWithAgent(agent, `${base}${path}`, { method, headers, body: text });
    if (answer === null || answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer?.status} ${answer?.text}`);
    return JSON.parse(answer.text);
  };
  let made = 0;
  let violations = 0;
  const writeAndRead = async (team: number, name: string) => {
    await call("PATCH", `/teams/${team}`, { name });
    const found = (await call("GET", `/teams?name=${encodeURIComponent(name)}`)) as { id: number }[];
    if (found.length !== 1 || found[0]?.id !== team) violations++;
    made++;
  };
  const writeUntil = async (isOver: () => boolean) => {
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const { id } = await call("POST", "/teams", { name: `Writer ${writer} from ${made}` });
        while (!isOver()) await writeAndRead(id, `Name ${writer} ${made}`);
      }),
    );
  };
  const countReplicaReads = () =>
    withClient(pair.standbyUrl, async (client) => {
      const { rows } = await client.query<{ reads: string }>(
        "SELECT xact_commit AS reads FROM pg_stat_database WHERE datname = current_database()",
      );
      return Number(rows[0]?.reads);
    });
  const end = async () => {
    agent.destroy();
    await Promise.all(servers.map((server) => server.kill()));
    await pair.signalStandby("SIGCONT").catch(() => {});
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    await pair.start({ isSynchronous: false, applyDelay });
    await migrate(pair.primaryUrl);
    await withClient(pair.primaryUrl, (client) => seedDatabase(client));
    for (let number = 0; number < processes; number++) {
      const data = join(folder, `machine-${number}`);
      mkdirSync(data);
      servers.push(
        await startServerProcess([process.execPath, program, "serve"], {
          ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, PORT: "0", ENVIRONMENT: "production" },
          ...{
            DATABASE_URL: pair.primaryUrl,
            DATABASE_REPLICA_URLS: pair.standbyUrl,
            RATE_LIMIT: "0",
            RATE_BURST: "0",
          },
          ...{ HOST: `127.0.0.${number + 2}`, DATA_DIR: data },
        }),
      );
    }
    const [began, busyBefore] = [performance.now(), readProcessorTime(process.pid)];
    const readsBefore = await countReplicaReads();
    const reporting = setInterval(() => report.say(`${made} pairs`), 30_000);
    await writeUntil(() => made >= count).finally(() => clearInterval(reporting));
    const seconds = (performance.now() - began) / 1000;
    const reads = (await countReplicaReads()) - readsBefore;
    const pairs = made;
    const busy = (readProcessorTime(process.pid) - busyBefore) / pairs;
    await pair.signalStandby("SIGSTOP");
    const stoodStillAt = performance.now();
    const limit = count < 10_000 ? 3 : standstillSeconds;
    await writeUntil(() => performance.now() - stoodStillAt > limit * 1000);
    await pair.signalStandby("SIGCONT");
    report.say(
      `${pairs} pairs over ${processes} processes in ${seconds.toFixed(0)} s (${(pairs / seconds).toFixed(0)} a second), the replica ran about ${reads} transactions; ` +
        `${made - pairs} more while it stood still for ${limit} s; ${violations} reads without what was written`,
    );
    report.say(
      `processor time of a pair: ${busy.toFixed(1)} ms; all ${availableParallelism()} cores could do ${Math.round((availableParallelism() * 1000) / busy)} a second`,
    );
    report.require(violations === 0, `${violations} violations of read-your-writes`);
    report.require(reads > pairs / 100, `the replica was hardly read: ${reads}`);
  } catch (error) {
    report.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await end();
  }
}
