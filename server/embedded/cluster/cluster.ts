import { randomBytes } from "node:crypto";
import { lchown, mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import { programPath } from "./binaries.ts";
import type { Runner } from "./choose-runner.ts";
import { removeLeftovers, syncFolder, writePrivately } from "./folder.ts";
import { runCommand } from "./run-command.ts";

export const clusterPath = (directory: string) => join(directory, "cluster");
export const databaseUser = "steward";
export const databaseName = "steward";

/** Refuses a cluster that these binaries cannot read, or whose password is lost. Returns whether there is a cluster. */
export async function checkCluster(directory: string, major: string): Promise<boolean> {
  if (!(await stat(clusterPath(directory)).catch(() => null))) return false;
  const found = (await readFile(join(clusterPath(directory), "PG_VERSION"), "utf8").catch(() => "")).trim();
  if (found === "")
    throw new OperatorError(`${clusterPath(directory)} is not a PostgreSQL data folder: PG_VERSION is missing.`);
  if (found !== major) {
    throw new OperatorError(
      `The data in ${clusterPath(directory)} is of PostgreSQL ${found}, this Steward runs PostgreSQL ${major}. Make a backup ` +
        "with the Steward that wrote it (steward backup FILE) and restore it into an empty data folder with this one.",
    );
  }
  return true;
}

export async function readPassword(directory: string): Promise<string> {
  const password = await readFile(join(directory, "password"), "utf8").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new OperatorError(
      `The file ${join(directory, "password")} is missing. Restore it from a copy of the data folder.`,
    );
  });
  return password.trim();
}

/** Creates a cluster beside its place and renames it when it is complete: half a cluster would never start. */
export async function createCluster(directory: string, { identity, binaries }: Runner, sync: boolean): Promise<void> {
  await removeLeftovers(directory, "initialising-");
  const workshop = await mkdtemp(join(directory, "initialising-"));
  const password = randomBytes(32).toString("base64url");
  await writePrivately(workshop, "password", password);
  if (identity.owner) {
    await lchown(join(workshop, "password"), identity.owner.uid, identity.owner.gid);
    await lchown(workshop, identity.owner.uid, identity.owner.gid);
  }
  const common = [
    ...["--pgdata", join(workshop, "cluster"), "--username", databaseUser, "--pwfile", join(workshop, "password")],
    ...["--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--data-checksums", "--no-instructions"],
    ...(sync ? [] : ["--no-sync"]),
  ];
  const initialise = (...locale: string[]) =>
    runCommand(programPath(binaries, "initdb"), [...common, ...locale], { identity, cwd: directory });

  let outcome = await initialise("--locale-provider=icu", "--icu-locale=und");
  if (outcome.code !== 0 && /\bICU\b/i.test(outcome.output)) {
    // Binaries without ICU: letters are still known to be letters, only the order of words becomes plain.
    await rm(join(workshop, "cluster"), { recursive: true, force: true });
    outcome = await initialise("--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  }
  if (outcome.code !== 0) {
    await rm(workshop, { recursive: true, force: true });
    throw new OperatorError(`The database could not be created in ${directory}:\n${outcome.output}`);
  }
  // The password first: a cluster without its password is lost, a password without its cluster is replaced.
  await writePrivately(directory, "password", password);
  await rename(join(workshop, "cluster"), clusterPath(directory));
  await syncFolder(directory);
  await rm(workshop, { recursive: true, force: true });
}

/** The folders that PostgreSQL writes to outside its cluster. */
export async function createFolders(directory: string): Promise<void> {
  for (const name of ["log", "socket"]) await mkdir(join(directory, name), { recursive: true, mode: 0o700 });
}
