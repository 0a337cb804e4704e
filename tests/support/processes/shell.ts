import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { atFileEnd } from "../cleanup.ts";
import { until } from "../waiting.ts";

// Runs commands in the repository's folder, as users paste them into a terminal.

const root = join(import.meta.dirname, "../../..");

export type Shell = {
  /** the output of its commands so far */
  text: { out: string; err: string };
  /** Runs commands until they exit; fails if one of them does. */
  paste(commands: string): Promise<void>;
  /** Starts a command that keeps running. */
  start(command: string): void;
};

export function openShell(): Shell {
  // A separate process group, so that its commands end with it.
  const child = spawn("bash", ["-eu", "-o", "pipefail", "-s"], {
    ...{ cwd: root, detached: true },
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" },
  });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    text.err += part;
  });
  let hasEnded = false;
  void once(child, "close").then(() => {
    hasEnded = true;
  });
  atFileEnd(() => {
    if (!hasEnded) process.kill(-(child.pid as number), "SIGKILL");
  });
  let pasted = 0;
  const start = (commands: string) => child.stdin.write(`${commands.trim()}\n`);
  return {
    text,
    start,
    async paste(commands) {
      const end = `pasted ${++pasted}\n`;
      start(`${commands.trim()}\necho; echo ${end}`);
      await until(() => hasEnded || text.out.includes(end));
      if (hasEnded) throw new Error(`a command failed: ${text.err}\n${text.out}\n${commands}`);
    },
  };
}
