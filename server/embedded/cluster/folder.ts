import { randomBytes } from "node:crypto";
import { chmod, lchown, lstat, mkdir, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { OperatorError } from "../../base/errors.ts";

export const isRoot = () => process.getuid?.() === 0;

/** Creates the folder when it is missing and returns its real path, the one the kernel shows for our processes. */
export async function openFolder(directory: string): Promise<string> {
  const path = resolve(directory);
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
  const { uid, mode } = await lstat(await realpath(path));
  const self = process.getuid?.();
  if (self !== undefined && self !== 0 && uid !== self) {
    throw new OperatorError(
      `The data folder ${path} belongs to user id ${uid}, and Steward runs as user id ${self}. Start it as its owner, ` +
        `give the folder away (chown -R ${self} ${path}), or choose another one with DATA_DIR.`,
    );
  }
  // Other users have no business here; 711 is what lending the cluster to a system user needs.
  if (process.platform !== "win32" && (mode & 0o066) !== 0) await chmod(path, 0o700);
  return realpath(path);
}

/** Replaces a small file atomically, readable by its owner only. */
export async function writePrivately(directory: string, name: string, content: string): Promise<void> {
  const temporary = join(directory, `.${name}.${randomBytes(6).toString("hex")}`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, join(directory, name));
  await giveToOwner(directory, name);
}

/** Files that root creates in the folder of another user must belong to that user, or their next start would fail. */
export async function giveToOwner(directory: string, name: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await lstat(directory);
  if (uid !== 0) await lchown(join(directory, name), uid, gid);
}

/** Changes the owner of a whole tree, its top last: an interrupted change is seen and repeated. */
export async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await chownTree(child, uid, gid);
    else await lchown(child, uid, gid);
  }
  await lchown(path, uid, gid);
}

/** Removes what an interrupted start left behind; a process that still dies there may get in the way for a moment. */
export async function removeLeftovers(directory: string, prefix: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix)) continue;
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => {});
  }
}

export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot open folders
  const handle = await open(path, "r");
  await handle.sync().finally(() => handle.close());
}
