import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { OperatorError } from "../../base/errors.ts";
import { isTemporary, removeSocket } from "./address.ts";
import { postmasterFile, readPostmaster, serverProcesses } from "./postmaster.ts";

/**
 * Stops the server that a killed Steward left running, and removes what a killed server leaves behind. Only the holder
 * of the folder's lock may call this: a server that still runs then has no living parent.
 */
export async function clearOrphans(directory: string, cluster: string, log: (line: string) => void): Promise<void> {
  const last = await readPostmaster(cluster);
  const remaining = await serverProcesses(cluster);
  if (remaining.length > 0) {
    log(`Stopping the database process ${last?.pid ?? remaining[0]} that an earlier Steward left running.`);
    await stopServer(cluster, last?.pid);
  }
  // A recycled process id in these files would keep PostgreSQL from starting. It still checks for itself, by its shared
  // memory, that no other process uses the cluster.
  await rm(postmasterFile(cluster), { force: true });
  await removeSocket(join(directory, "socket"));
  if (last?.address.kind === "socket" && isTemporary(last.address.directory))
    await removeSocket(last.address.directory);
}

async function stopServer(cluster: string, postmaster: number | undefined): Promise<void> {
  const gone = async (milliseconds: number) => {
    for (const limit = Date.now() + milliseconds; Date.now() < limit; await pause(20)) {
      if ((await serverProcesses(cluster)).length === 0) return true;
    }
    return false;
  };
  const lead = async (signal: NodeJS.Signals) => {
    const pids = await serverProcesses(cluster);
    if (postmaster !== undefined && pids.includes(postmaster)) sendSignal(postmaster, signal);
  };
  await lead("SIGINT"); // roll back, write everything, leave
  if (await gone(5000)) return;
  await lead("SIGQUIT"); // exit immediately; the next start recovers from the log
  if (await gone(3000)) return;
  // Without their postmaster busy backends may run for long; their uncommitted changes are lost either way.
  for (const pid of await serverProcesses(cluster)) sendSignal(pid, "SIGKILL");
  if (await gone(3000)) return;
  throw new OperatorError(
    `The database processes ${(await serverProcesses(cluster)).join(", ")} did not stop. End them manually.`,
  );
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
