import type { ChildProcess } from "node:child_process";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "../../base/errors.ts";
import { type Binaries, programPath } from "./binaries.ts";
import type { Runner } from "./choose-runner.ts";
import { clusterPath } from "./cluster.ts";
import { giveToOwner } from "./folder.ts";
import { readLastLines } from "./log-files.ts";
import { readPostmaster } from "./postmaster.ts";
import { runCommand, spawnAs } from "./run-command.ts";

export type Server = { pid: number; exited: Promise<void>; stop(): Promise<void> };

const closeTimeout = 250;
const fastShutdownTimeout = 10_000;

export async function launch(directory: string, runner: Runner, args: string[], log: (line: string) => void) {
  // Backends of a killed server may hold its shared memory for another moment.
  for (let attempt = 1; ; attempt++) {
    try {
      return await launchOnce(directory, runner, args, log);
    } catch (error) {
      if (attempt === 20 || !/pre-existing shared memory block/.test((error as Error).message)) throw error;
      await pause(250);
    }
  }
}

async function launchOnce(directory: string, runner: Runner, args: string[], log: (line: string) => void) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);
  const early = await open(join(directory, "start.log"), flags, 0o600);
  await giveToOwner(directory, "start.log");
  let child: ChildProcess;
  try {
    child = spawnAs(
      runner.identity,
      programPath(runner.binaries, "postgres"),
      ["-D", clusterPath(directory), ...args],
      {
        cwd: directory,
        stdio: ["ignore", early.fd, early.fd],
        detached: true, // Ctrl-C in a terminal reaches a whole process group: we stop the database ourselves, last
      },
    );
  } finally {
    await early.close();
  }
  const server = supervise(child, directory, runner.binaries);
  try {
    await waitUntilReady(child, server, directory, log);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

function supervise(child: ChildProcess, directory: string, binaries: Binaries): Server {
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  // However we leave, short of kill -9, the database leaves with us.
  const atExit = () => void child.kill("SIGINT");
  process.once("exit", atExit);
  void exited.then(() => process.off("exit", atExit));

  async function stop(): Promise<void> {
    if (process.platform === "win32") {
      await runCommand(programPath(binaries, "pg_ctl"), ["stop", "-D", clusterPath(directory), "-m", "fast"]);
      return exited; // signals would end it without a word
    }
    // pg's pools report that they have ended while their connections still close: an error then would be unhandled.
    child.kill("SIGTERM"); // leave when the last connection has
    const timers = [
      setTimeout(() => child.kill("SIGINT"), closeTimeout), // cut off connections, roll back, write everything, leave
      setTimeout(() => child.kill("SIGQUIT"), fastShutdownTimeout), // exit immediately; the next start recovers
    ];
    await exited;
    for (const timer of timers) clearTimeout(timer);
  }
  let stopping: Promise<void> | undefined;
  return { pid: child.pid ?? 0, exited, stop: () => (stopping ??= stop()) };
}

async function waitUntilReady(child: ChildProcess, server: Server, directory: string, log: (line: string) => void) {
  let failure: Error | undefined;
  let running = true;
  child.once("error", (error) => {
    failure = error;
  });
  void server.exited.then(() => {
    running = false;
  });
  const began = Date.now();
  let said = began;
  while (running) {
    const postmaster = await readPostmaster(clusterPath(directory));
    if (postmaster?.pid === server.pid && postmaster.ready) return;
    if (Date.now() - said > 5000) {
      said = Date.now();
      log(`The database is recovering from an unclean stop (${Math.round((said - began) / 1000)} s) ...`);
    }
    await pause(10);
  }
  throw new OperatorError(`PostgreSQL did not start:\n${failure?.message ?? (await readLastLines(directory))}`);
}
