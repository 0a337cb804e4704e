import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** The real server in a separate process. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly base: string;
  /** the port for incoming email, or 0 */
  readonly mailPort: number;
  constructor(child: ChildProcess, base: string, mailPort: number) {
    this.child = child;
    this.base = base;
    this.mailPort = mailPort;
  }
  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
  async kill(): Promise<void> {
    if (!this.isAlive) return;
    const exited = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await exited;
  }
}

/** Resolves when the server accepts calls. `command`: with its arguments */
export async function startServerProcess(
  command: readonly string[],
  env: Record<string, string | undefined>,
): Promise<ServerProcess> {
  const [program, ...words] = command;
  const child = spawn(program as string, words, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const base = await new Promise<string>((resolve, reject) => {
    const append = (chunk: Buffer) => {
      output = (output + chunk).slice(-10_000);
      const found = /Steward is running at (http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(`${found}/v1`);
    };
    child.stdout.on("data", append);
    child.stderr.on("data", append);
    child.once("exit", () => reject(new Error(`the server ended:\n${output}`)));
  });
  return new ServerProcess(child, base, Number(/smtp:\/\/[^\s:]+:(\d+)/.exec(output)?.[1] ?? 0));
}
