import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { inject } from "vitest";
import { atFileEnd } from "../cleanup.ts";
import { databaseNamed } from "../database.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

// The real server in separate processes, on a copy of the world's database.

export type { ServerProcess } from "./server-process.ts";

/** `env`: the environment for commands on the same data */
export type ServerProcesses = {
  /** `own`: this process's own settings; `program`: another version of the server */
  start(own?: Record<string, string>, program?: string): Promise<ServerProcess>;
  sql: pg.Pool;
  env: Record<string, string>;
};

/** All processes end with the test file. `launcher`: a command that runs the program given as its arguments */
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
    for (const one of running) await one.kill();
    await sql.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
    rmSync(data, { recursive: true, force: true });
  });
  const settings = { DATABASE_URL: url, DATA_DIR: data, PORT: "0", RATE_LIMIT: "0", RATE_BURST: "0" };
  const start = async (own: Record<string, string> = {}, program = inject("serverProgram")) => {
    const one = await startServerProcess([...launcher, process.execPath, program, "serve"], {
      ...{ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...settings, ...env, ...own },
    });
    running.add(one);
    return one;
  };
  return { start, sql, env: { ...settings, ...env } };
}
