import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

// A folder that is made from sources, and made again when they change. A hash of everything it is made from says whether there is
// anything to do; everything is read only when a file has another size or time than when it was read last (D-583).

export const root = join(import.meta.dirname, "..");
const fingerprintFile = "built-from";
const timesFile = "built-from-times";

export type BuiltFolder = {
  folder: string;
  /** what it is, in a sentence */
  what: string;
  sources: readonly string[];
  /** Writes the files to this empty folder. */
  make(place: string): Promise<void>;
  /** The folder in which they are made; the default lies beside the packages. */
  place?: string;
  /** Moves what was made to where it is used; the default replaces the folder. `version` is different for other sources. */
  publish?(place: string, version: string): Promise<void>;
};

export const listFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Sizes and times of change of all files. */
function describeTimes(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) {
    const { size, mtimeMs, ctimeMs } = statSync(file);
    hash.update(`${file.slice(root.length)}\0${size} ${mtimeMs} ${ctimeMs}\0`);
  }
  return hash.digest("hex");
}

async function fingerprint(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file.slice(root.length))
      .update("\0")
      .update(await readFile(file))
      .update("\0");
  return hash.digest("hex");
}

const replaceFolder = (folder: string) => async (place: string) => {
  await rm(folder, { recursive: true, force: true });
  await rename(place, folder);
};

/** Builds when something has changed. A server that is running keeps what it read, and no half-built state is seen. */
export async function build(built: BuiltFolder, say: (line: string) => void): Promise<void> {
  const { folder, what, sources, make, publish = replaceFolder(folder) } = built;
  const isFresh = async (wanted: string, from = fingerprintFile): Promise<boolean> =>
    existsSync(join(folder, from)) && (await readFile(join(folder, from), "utf8")) === wanted;
  const times = describeTimes(sources);
  if (await isFresh(times, timesFile)) return;
  const wanted = await fingerprint(sources);
  if (await isFresh(wanted)) {
    // If the folder is not writable, everything is read again next time.
    await writeFile(join(folder, timesFile), times).catch(() => {});
    return;
  }
  say(`Building ${what} ...`);
  const started = performance.now();
  const { NODE_ENV: environment } = process.env;
  const { place = join(root, "node_modules", ".cache", `building-${process.pid}`) } = built;
  try {
    await mkdir(place, { recursive: true });
    // Under a test runner NODE_ENV says "test", and React would come with its checks for developers.
    process.env.NODE_ENV = "production";
    await make(place);
    await publish(place, wanted.slice(0, 16));
    await writeFile(join(folder, timesFile), times);
    await writeFile(join(folder, fingerprintFile), wanted);
  } catch (error) {
    if (await isFresh(wanted)) return; // another process was faster
    throw error;
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    await rm(place, { recursive: true, force: true });
  }
  say(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
