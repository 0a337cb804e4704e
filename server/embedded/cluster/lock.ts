import { chmod, lstat, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OperatorError } from "../../base/errors.ts";
import { giveToOwner, writePrivately } from "./folder.ts";

export class DataFolderInUse extends OperatorError {
  override name = "DataFolderInUse";
  directory: string;
  pid: number | null;

  constructor(directory: string, pid: number | null) {
    const holder = pid === null ? "another process" : pid === process.pid ? "this very process" : `process ${pid}`;
    super(
      `The data folder ${directory} is in use by ${holder}. ` +
        "Stop it first, or choose another folder with DATA_DIR. Two servers on one folder would destroy its data.",
    );
    this.directory = directory;
    this.pid = pid;
  }
}

type FolderLock = { release(): Promise<void> };

// Two processes that start together may both check the lock before one holds it: the loser gives up within this time.
const lockTimeout = 200;

const sqliteBusy = 5;

// A lock without a reference would be garbage-collected, and thereby released.
const heldLocks = new Set<DatabaseSync>();

/**
 * Locks the folder for this process until release() or the end of the process, even by a crash.
 *
 * The lock is the kernel's (SQLite takes a byte-range lock on an empty file): it cannot be stale, it needs no guess
 * whether a process id was recycled, and it holds between containers that share a volume. Do not open the file by other
 * means in this process: POSIX drops all locks of a process on a file as soon as it closes any handle of that file.
 */
export async function lockFolder(directory: string): Promise<FolderLock> {
  const file = join(directory, "lock");
  await refuseLink(file);
  const lock = new DatabaseSync(file, { timeout: lockTimeout });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY");
    lock.exec("BEGIN EXCLUSIVE");
    await chmod(file, 0o600);
    await giveToOwner(directory, "lock");
    await writePrivately(directory, "holder.json", JSON.stringify({ pid: process.pid }));
    heldLocks.add(lock);
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) {
      throw new DataFolderInUse(directory, await readHolder(directory));
    }
    throw new OperatorError(`The data folder ${directory} cannot be locked: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return {
    async release() {
      await rm(join(directory, "holder.json"), { force: true });
      heldLocks.delete(lock);
      lock.close(); // the file stays: removing a lock file may remove one that another process holds again
    },
  };
}

async function readHolder(directory: string): Promise<number | null> {
  try {
    const { pid } = JSON.parse(await readFile(join(directory, "holder.json"), "utf8"));
    return Number.isInteger(pid) ? pid : null;
  } catch {
    return null; // it only makes the message better
  }
}

// Root may work in the folder of another user: it must not be tricked into creating files elsewhere.
async function refuseLink(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found && !found.isFile()) throw new OperatorError(`${file} is not a plain file; remove it.`);
}
