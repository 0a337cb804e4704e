import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// The pages in the browser, built into web/dist. Done at `npm install` and looked at again at `npm start`: a hash of
// everything they are made from says whether there is anything to do. To read it all takes longer than the rest of a start, so
// it is read only when a file has another size or time than when it was read last.

const root = join(import.meta.dirname, "..");
const dist = join(root, "web", "dist");
const fingerprintFile = "built-from";
const timesFile = "built-from-times";

const listFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const listSources = (): string[] => [
  ...["web", "records", "markup"]
    .flatMap(listFiles)
    .filter((file) => !file.startsWith(dist))
    .sort(),
  join(root, "package-lock.json"),
  import.meta.filename,
];

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

async function isFresh(wanted: string, from = fingerprintFile): Promise<boolean> {
  if (!existsSync(join(dist, from))) return false;
  return (await readFile(join(dist, from), "utf8")) === wanted;
}

/** Compressed once here, so that the server never has to. */
async function compress(folder: string): Promise<void> {
  const brotli = (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const files = await readdir(join(folder, "assets"));
  await Promise.all(
    files.map(async (name) => {
      if (name.endsWith(".woff2")) return; // compressed already
      const file = join(folder, "assets", name);
      const bytes = await readFile(file);
      await writeFile(`${file}.br`, await brotli(bytes));
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Builds when something has changed. A server that is running keeps what it read, and no half-built state is seen. */
export async function buildWeb(say: (line: string) => void): Promise<void> {
  const files = listSources();
  const times = describeTimes(files);
  if (await isFresh(times, timesFile)) return;
  const wanted = await fingerprint(files);
  if (await isFresh(wanted)) {
    // Where the folder is not ours to write to, everything is read again next time.
    await writeFile(join(dist, timesFile), times).catch(() => {});
    return;
  }
  say("Building the pages of the web interface ...");
  const started = performance.now();
  const { NODE_ENV: environment } = process.env;
  const { build } = await import("vite");
  const place = join(root, "node_modules", ".cache", `web-${process.pid}`);
  try {
    await mkdir(place, { recursive: true });
    // Under a test runner NODE_ENV says "test", and React would come with its checks for developers.
    process.env.NODE_ENV = "production";
    const configFile = join(root, "web", "vite.config.ts");
    await build({ configFile, logLevel: "warn", build: { outDir: place } });
    await compress(place);
    await writeFile(join(place, fingerprintFile), wanted);
    await writeFile(join(place, timesFile), times);
    await rm(dist, { recursive: true, force: true });
    await rename(place, dist);
  } catch (error) {
    if (await isFresh(wanted)) return; // somebody else was quicker
    throw error;
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
    await rm(place, { recursive: true, force: true });
  }
  say(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

if (import.meta.main) {
  try {
    await buildWeb((line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`The web interface could not be built.\n${error instanceof Error ? error.message : error}\n`);
    // An install that fails would leave nothing to repair the sources with; `npm start` says it again, and stops.
    if (!process.argv.includes("--when-possible")) process.exitCode = 1;
  }
}
