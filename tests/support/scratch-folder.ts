import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Folders for databases, in memory where there is enough of it: a database is 1,700 files, and copying the one that every
// test file begins with takes a tenth of the time there.

const memory = "/dev/shm";
const enough = 4 * 2 ** 30;

function isSpacious(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

/** Where folders for databases are made. */
export const scratchRoot = isSpacious(memory) ? memory : tmpdir();

const prefix = "steward-scratch-";

/** A new folder; whoever makes it removes it. */
export const createScratchFolder = (): string => mkdtempSync(join(scratchRoot, `${prefix}${process.pid}-`));

/** Removes what runs left behind that were killed: memory is not freed by itself. */
export function removeAbandonedFolders(): void {
  for (const name of readdirSync(scratchRoot)) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (Number.isInteger(owner) && !isRunning(owner)) rmSync(join(scratchRoot, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
