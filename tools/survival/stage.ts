import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { readConfiguration } from "../../server/base/configuration.ts";
import { createJsonLog } from "../../server/base/log.ts";
import { startEmbeddedDatabase } from "../../server/embedded/cluster/index.ts";
import { migrate } from "../../server/schema/migrate.ts";
import { assembleService } from "../../server/service.ts";
import { beginSession } from "../../tests/support/clients/begin-session.ts";
import { parseRoutes, type Target } from "../../tests/support/hostile/entrances.ts";
import { people, type Role, seed, tokenFor } from "../../tests/support/seed.ts";
import type { LoopReport } from "./loop-probe.ts";

// A server process with the accounts and people of the tests, on an embedded database of its own with its real settings.

const root = join(import.meta.dirname, "../..");

export type Server = {
  child: ChildProcess;
  port: number;
  mailPort: number;
  pid: number;
  /** error lines of its log */
  errors: string[];
  /** what the event loop did since the last call */
  readLoop(): Promise<LoopReport>;
  isAlive(): boolean;
};

export type Stage = {
  databaseUrl: string;
  sql: pg.Pool;
  start(env?: Record<string, string>): Promise<Server>;
  /** routes, types, tokens and sessions, for generators */
  describe(): Promise<Target>;
  end(): Promise<void>;
};

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Resident memory in MB: now, and at its highest. */
export function readMemory(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** The highest memory is measured from now on. */
export const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

export const roles = [
  "administrator",
  "specialist",
  "auditor",
  "requester",
  "keyContact",
  "directoryAdmin",
  "stranger",
  "provider",
] as const;

/** The accounts of people who have no work in their own account. */
const workplaces: Partial<Record<Role, string>> = { requester: "widget-it", keyContact: "widget-it" };

/** `settings`: of PostgreSQL */
export async function prepareStage(settings: Record<string, string> = {}): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), "steward-survival-"));
  const database = await startEmbeddedDatabase({ directory: join(directory, "postgres"), log: () => {}, settings });
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await seed(client);
  await client.end();
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  sql.on("error", () => {});
  const running = new Set<ChildProcess>();
  const environment = { DATABASE_URL: database.url, DATA_DIR: directory, ENVIRONMENT: "production", MAIL_PORT: "0" };

  async function start(env: Record<string, string> = {}): Promise<Server> {
    const [port, probePort] = [await findFreePort(), await findFreePort()];
    const probe = join(import.meta.dirname, "loop-probe.ts");
    const child = spawn(process.execPath, ["--import", probe, join(root, "server/main.ts"), "serve"], {
      env: {
        ...{ PATH: process.env.PATH, ...environment, PORT: String(port), SURVIVAL_PROBE_PORT: String(probePort) },
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.once("exit", () => running.delete(child));
    const errors: string[] = [];
    let said = "";
    let rest = "";
    const hear = (chunk: Buffer) => {
      said = (said + chunk).slice(-20_000);
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() as string;
      errors.push(...lines.filter((line) => line.includes('"level":"error"')));
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    for (;;) {
      const health = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      if (health?.ok) break;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended:\n${said}`);
      await new Promise((next) => setTimeout(next, 50));
    }
    const mailPort = Number(/smtp:\/\/[^\s:]+:(\d+)/.exec(said)?.[1] ?? 0);
    return {
      ...{ child, port, mailPort, pid: child.pid as number, errors },
      readLoop: async () => (await (await fetch(`http://127.0.0.1:${probePort}`)).json()) as LoopReport,
      isAlive: () => child.exitCode === null && child.signalCode === null,
    };
  }

  async function describe(): Promise<Target> {
    const configuration = { ...readConfiguration({ ...environment, MAIL_PORT: "" }), port: 0 };
    const service = await assembleService({
      ...{ configuration, databaseUrl: database.url, clock: { now: () => new Date() } },
      log: createJsonLog(() => {}),
    });
    await service.app.ready();
    const otherRoutes = parseRoutes(service.app.printRoutes({ commonPrefix: false })).filter(
      ({ path }) => !path.startsWith("/v1"),
    );
    const apiRoutes = service.routes.map(({ method, path }) => ({ method, path }));
    const { secret } = service.oauth;
    const { types } = service.engine;
    await service.engine.database.close();
    await service.identities.close();
    return {
      ...{ types, apiRoutes, otherRoutes, accounts: ["widget-it", "widget", "stranger", "provider"] },
      callers: roles.map((role) => ({ token: tokenFor(role), account: workplaces[role] ?? people[role].account })),
      sessions: await Promise.all(
        (["specialist", "administrator", "requester", "provider"] as const).map((role) =>
          beginSession((text, values) => sql.query(text, values), secret, role),
        ),
      ),
    };
  }

  async function end(): Promise<void> {
    for (const child of running) {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    }
    await sql.end();
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  // A run that is interrupted leaves nothing behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
  return { databaseUrl: database.url, sql, start, describe, end };
}
