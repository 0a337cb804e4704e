import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Folders for databases, in memory if there is enough of it. A database has 1,700 files, and copying the template for every
// test file takes a tenth of the time in memory.

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

/** The parent folder for databases. */
export const scratchRoot = isSpacious(memory) ? memory : tmpdir();

const prefix = "steward-scratch-";

/** Creates a folder; the caller removes it. */
export const createScratchFolder = (): string => mkdtempSync(join(scratchRoot, `${prefix}${process.pid}-`));

/** Removes the folders of killed runs, because memory isn't freed automatically. */
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
