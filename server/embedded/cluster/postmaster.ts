import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Address } from "./address.ts";
import { runCommand } from "./run-command.ts";

/** The content of postmaster.pid of a running server. */
type Postmaster = { pid: number; ready: boolean; address: Address };

export const postmasterFile = (cluster: string) => join(cluster, "postmaster.pid");

export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(postmasterFile(cluster), "utf8").catch((error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
    throw error;
  });
  // process id, data folder, start time, port, socket folder, listen address, shared memory, status
  const [pid = "", , , port = "", socket = "", , , status = ""] = text.split("\n").map((line) => line.trim());
  if (!/^\d+$/.test(pid)) return null;
  const address: Address = socket
    ? { kind: "socket", directory: socket, port: Number(port) }
    : { kind: "port", port: Number(port) };
  return { pid: Number(pid), ready: status === "ready", address };
}

/**
 * The processes that serve this cluster now. A process id in a file proves nothing, because it may belong to another
 * program by now; a postgres whose working directory is this cluster does.
 */
export async function serverProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== "linux") {
    const pid = (await readPostmaster(cluster))?.pid;
    return pid !== undefined && (await commandMentions(pid, cluster)) ? [pid] : [];
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const checked = await Promise.all(pids.map((pid) => runsInCluster(pid, cluster)));
  return pids.filter((_, index) => checked[index]);
}

// Zombies and processes of other users have no readable links: neither serves our cluster.
async function runsInCluster(pid: number, cluster: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== cluster) return false;
    return basename(await readlink(`/proc/${pid}/exe`)).startsWith("postgres");
  } catch {
    return false;
  }
}

async function commandMentions(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === "win32") {
    const { output } = await runCommand("tasklist", ["/FI", `PID eq ${pid}`, "/NH"]);
    return /\bpostgres/i.test(output);
  }
  const { output } = await runCommand("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
  return /\bpostgres\b/.test(output) && output.includes(cluster);
}
