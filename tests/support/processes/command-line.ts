import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { run } from "../../../server/commands/command-line/run.ts";
import { commands } from "../../../server/commands/index.ts";
import { lastLine } from "../../../server/commands/serve/welcome.ts";
import { atFileEnd } from "../cleanup.ts";
import { databaseNamed } from "../database.ts";
import { createScratchFolder } from "../scratch-folder.ts";

// Runs the command line as users do: in another process, with its own environment, and with its output.

export type Env = Record<string, string>;
export type CommandResult = { code: number | null; out: string; err: string };

function spawnCommand(
  words: readonly string[],
  env: Env,
  input?: string | Buffer,
  program = inject("serverProgram"),
): { child: ChildProcess; text: { out: string; err: string } } {
  const child = spawn(process.execPath, [program, ...words], {
    // tests/reliability/demo-company.test.ts tests the demo company's work; loading it here would only take time.
    env: { PATH: process.env.PATH ?? "", PORT: "0", DEMO_WORK: "0", ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => {}); // it may exit before it has read everything
  child.stdin?.end(input);
  const text = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (part) => {
    text.out += part;
  });
  child.stderr?.setEncoding("utf8").on("data", (part) => {
    text.err += part;
  });
  return { child, text };
}

/** Runs a command of this program, or of another one, until it exits. */
export async function runCommand(
  words: readonly string[],
  env: Env,
  input?: string | Buffer,
  program?: string,
): Promise<CommandResult> {
  const { child, text } = spawnCommand(words, env, input, program);
  const [code] = await once(child, "close");
  return { code, ...text };
}

/** The same within this process, because a new one takes a second to start. */
export async function runCommandHere(
  words: readonly string[],
  env: Env,
  input: string | Buffer = "",
): Promise<CommandResult> {
  const said = { out: "", err: "" };
  const terminal = {
    print: (line: string) => {
      said.out += `${line}\n`;
    },
    say: (line: string) => {
      said.err += `${line}\n`;
    },
    env: { DEMO_WORK: "0", ...env },
    input: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
  };
  return { code: await run(words, commands, terminal), ...said };
}

/** Sends a signal when the command's output matches, and waits until it exits. */
export async function interruptCommand(
  words: readonly string[],
  env: Env,
  pattern: RegExp,
  signalled: () => unknown = () => {},
): Promise<CommandResult> {
  const { child, text } = spawnCommand(words, env);
  const closed = once(child, "close");
  while (!pattern.test(text.err) && child.exitCode === null) await pause(5);
  child.kill("SIGTERM");
  await signalled();
  return { code: (await closed)[0], ...text };
}

export type RunningServer = {
  url: string;
  pid: number;
  text: { out: string; err: string };
  /** sends the signal and waits for the exit */
  end(signal?: NodeJS.Signals): Promise<CommandResult>;
  closed: Promise<number | null>;
};

/** Starts the server and waits until it has printed its whole startup message. */
export async function startServer(env: Env): Promise<RunningServer> {
  const { child, text } = spawnCommand(["serve"], env);
  const closed = once(child, "close").then(([code]) => code as number | null);
  let code: number | null | undefined;
  void closed.then((ended) => {
    code = ended;
  });
  atFileEnd(() => void child.kill("SIGKILL"));
  for (;;) {
    const url = /^Steward is running at (\S+)\n/m.exec(text.out)?.[1];
    if (url !== undefined && text.out.includes(lastLine))
      return {
        url,
        pid: child.pid as number,
        text,
        closed,
        async end(signal = "SIGTERM") {
          child.kill(signal);
          return { code: await closed, ...text };
        },
      };
    if (code !== undefined) throw new Error(`serve ended with ${code}: ${text.err}`);
    await pause(20);
  }
}

/** Creates an empty database on the test server, or a copy of `template`. */
export async function createDatabase(template?: "template_empty"): Promise<string> {
  const server = inject("databaseUrl");
  const name = `c_${randomBytes(8).toString("hex")}`;
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await admin(`CREATE DATABASE ${name} ${template === undefined ? "" : `TEMPLATE ${template} STRATEGY FILE_COPY`}`);
  atFileEnd(() => admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  return databaseNamed(server, name);
}

export function createFolder(): string {
  const folder = createScratchFolder();
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
