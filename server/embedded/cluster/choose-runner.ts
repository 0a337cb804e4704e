import { chmod, lchown, lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { OperatorError } from "../../base/errors.ts";
import { type Binaries, copyBinaries, programPath, restoreLinks } from "./binaries.ts";
import { chownTree, isRoot } from "./folder.ts";
import { currentUser, listIdentities } from "./identity.ts";
import type { Identity } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

export type Runner = { identity: Identity; binaries: Binaries };

/** Finds a user who may run PostgreSQL on this folder, and binaries that this user can reach. */
export async function chooseRunner(directory: string, installed: Binaries, log: (line: string) => void) {
  const linked = (await restoreLinks(installed)) ? installed : await copyBinaries(installed, directory);
  if (process.platform === "win32") return { identity: currentUser, binaries: linked };

  const cluster = await stat(join(directory, "cluster")).catch(() => null);
  const failures: string[] = [];
  for await (const identity of listIdentities(cluster?.uid ?? null, await findFolderOwner(directory))) {
    const opened = await openFolderTo(identity, directory);
    const attempt = await tryRun(identity, directory, linked);
    if (attempt === "works") return { identity, binaries: linked };
    if (attempt.reached) {
      const copy = await copyBinaries(installed, directory);
      if ((await tryRun(identity, directory, copy)) === "works") {
        log(`PostgreSQL runs from a copy in ${copy.folder}: ${identity.description} cannot reach node_modules.`);
        return { identity, binaries: copy };
      }
    }
    failures.push(`as ${identity.description}: ${attempt.problem}`);
    await opened.undo();
  }
  throw new OperatorError(
    (isRoot()
      ? `PostgreSQL does not run with root's identity, and no other way worked for ${directory}:\n`
      : "PostgreSQL cannot be started on this machine:\n") +
      failures.map((line) => `  ${line}\n`).join("") +
      (isRoot() ? "Start Steward as an ordinary user, choose another folder with DATA_DIR, or set" : "Set") +
      " DATABASE_URL to a PostgreSQL server of yours.",
  );
}

// Root in the home of another user: the owner of the nearest folder that is not root's can enter everything below it.
async function findFolderOwner(directory: string): Promise<number> {
  const { uid } = await stat(directory);
  return uid !== 0 || dirname(directory) === directory ? uid : findFolderOwner(dirname(directory));
}

const cannotEnter = 91;

type Attempt = "works" | { reached: boolean; problem: string };

async function tryRun(identity: Identity, directory: string, binaries: Binaries): Promise<Attempt> {
  const script = `cd "$1" || exit ${cannotEnter}; exec "$2" --version`;
  const args = ["-c", script, "sh", directory, programPath(binaries, "postgres")];
  const { code, output } = await runCommand("/bin/sh", args, { identity, cwd: "/" });
  if (code === 0) return "works";
  if (code === cannotEnter) return { reached: false, problem: `may not enter ${directory}` };
  return { reached: !/^unshare:|ENOENT|EPERM/.test(output), problem: output || `ended with code ${code}` };
}

// A folder of root must be passable for the owner of the cluster in it; its other files stay accessible to root only.
async function openFolderTo(identity: Identity, directory: string): Promise<{ undo(): Promise<void> }> {
  const { uid, gid, mode } = await lstat(directory);
  if (identity.user === null || uid !== 0) return { undo: async () => {} };
  if (identity.ownsFolder) await lchown(directory, identity.user.uid, identity.user.gid);
  else await chmod(directory, 0o711);
  return {
    async undo() {
      await lchown(directory, uid, gid);
      await chmod(directory, mode & 0o777);
    },
  };
}

/** Gives the parts that PostgreSQL writes to its user. */
export async function giveClusterTo(identity: Identity, directory: string): Promise<void> {
  const { owner } = identity;
  if (owner === null) {
    const cluster = await stat(join(directory, "cluster")).catch(() => null);
    if (cluster && process.getuid && cluster.uid !== process.getuid()) {
      throw new OperatorError(
        `The database in ${directory} belongs to user id ${cluster.uid}. ` +
          `Start Steward as that user, or give the folder away: chown -R ${process.getuid()} ${directory}`,
      );
    }
    return;
  }
  const theirs = identity.ownsFolder ? await readdir(directory) : ["cluster", "log", "socket"];
  for (const name of theirs) {
    const path = join(directory, name);
    const found = await lstat(path).catch(() => null);
    if (!found || found.uid === owner.uid) continue;
    if (found.isDirectory()) await chownTree(path, owner.uid, owner.gid);
    else await lchown(path, owner.uid, owner.gid);
  }
}
