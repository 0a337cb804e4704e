import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { atFileEnd } from "../cleanup.ts";
import { databaseNamed } from "../database.ts";

// The real server in processes of its own, on a copy of the world's database.

export class ServerProcess {
  readonly child: ChildProcess;
  readonly base: string;
  /** where it receives mail; 0 where it does not */
  readonly mailPort: number;
  constructor(child: ChildProcess, base: string, mailPort: number) {
    this.child = child;
    this.base = base;
    this.mailPort = mailPort;
  }
  async kill(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

/** `env`: what commands need to work on the same data */
export type ServerProcesses = {
  /** `own`: what differs from the others; `program`: another version of it */
  start(own?: Record<string, string>, program?: string): Promise<ServerProcess>;
  sql: pg.Pool;
  env: Record<string, string>;
};

/** Whatever was started is gone when the test file ends. `launcher`: a command that runs the program as its arguments */
export async function serverProcesses(
  env: Record<string, string> = {},
  launcher: readonly string[] = [],
): Promise<ServerProcesses> {
  const server = inject("databaseUrl");
  const name = `p_${randomBytes(8).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template_world STRATEGY FILE_COPY`);
  const url = databaseNamed(server, name);
  const data = mkdtempSync(join(tmpdir(), "steward-processes-"));
  const sql = new pg.Pool({ connectionString: url, max: 2 });
  sql.on("error", () => {}); // the database is dropped at the end
  const running = new Set<ServerProcess>();
  atFileEnd(async () => {
    for (const one of running) if (one.child.exitCode === null && one.child.signalCode === null) await one.kill();
    await sql.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
    rmSync(data, { recursive: true, force: true });
  });
  const settings = { DATABASE_URL: url, DATA_DIR: data, PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" };
  const start = async (own: Record<string, string> = {}, program = inject("serverProgram")) => {
    const [command, ...words] = [...launcher, process.execPath, program, "serve"];
    const child = spawn(command as string, words, {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings, ...env, ...own },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const base = await new Promise<string>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said = (said + chunk).slice(-10_000);
        const found = /Steward serves (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(`${found}/v1`);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.once("exit", () => reject(new Error(`the server ended:\n${said}`)));
    });
    const mailPort = Number(/smtp:\/\/[^\s:]+:(\d+)/.exec(said)?.[1] ?? 0);
    const one = new ServerProcess(child, base, mailPort);
    running.add(one);
    return one;
  };
  return { start, sql, env: { ...settings, ...env } };
}
