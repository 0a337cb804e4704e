import { realpath } from "node:fs/promises";
import { buildUrl } from "./address.ts";
import { clusterPath, readPassword } from "./cluster.ts";
import { readPostmaster, serverProcesses } from "./postmaster.ts";

/** The address of the database of this data folder if a server runs it now: for commands beside a running Steward. */
export async function findRunningDatabase(directory: string): Promise<string | null> {
  const folder = await realpath(directory).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (folder === null) return null;
  const postmaster = await readPostmaster(clusterPath(folder));
  if (!postmaster?.ready) return null;
  if (!(await serverProcesses(clusterPath(folder))).includes(postmaster.pid)) return null;
  return buildUrl(postmaster.address, await readPassword(folder));
}
