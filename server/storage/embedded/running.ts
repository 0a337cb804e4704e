import { realpath } from "node:fs/promises";
import { urlOf } from "./address.ts";
import { clusterOf, readPassword } from "./cluster.ts";
import { readPostmaster, serverProcesses } from "./postmaster.ts";

/** The address of the database of this data folder if a server runs it now: for commands beside a running Steward. */
export async function runningDatabase(directory: string): Promise<string | null> {
  const folder = await realpath(directory).catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (folder === null) return null;
  const postmaster = await readPostmaster(clusterOf(folder));
  if (!postmaster?.ready) return null;
  if (!(await serverProcesses(clusterOf(folder))).includes(postmaster.pid)) return null;
  return urlOf(postmaster.address, await readPassword(folder));
}
