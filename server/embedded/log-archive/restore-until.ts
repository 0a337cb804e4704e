import { createWriteStream } from "node:fs";
import { type FileHandle, mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { OperatorError } from "../../base/errors.ts";
import type { FileStore } from "../../files/index.ts";
import { unpackArchive } from "../backup/tar-archive.ts";
import { clusterPath } from "../cluster/cluster.ts";
import { openFolder, removeLeftovers, writePrivately } from "../cluster/folder.ts";
import { startEmbeddedDatabase } from "../cluster/index.ts";
import { type BaseBackup, baseFolder, clusterPrefix, passwordName } from "./base-backup.ts";
import { buildRecoverySettings, logFolder, parseLogKey, restoredLogName } from "./log-archive-settings.ts";

type RestoreUntilOptions = {
  /** of the embedded database; it must not have one yet */
  directory: string;
  store: FileStore;
  until: Date;
  progress: (line: string) => void;
};

/** `lastChangeAt`: when the last change was made that is there again; null: none since the base backup */
export type RestoreUntilSummary = { base: string; pieces: number; lastChangeAt: Date | null };

const restoringPrefix = "restoring-";

/** Puts the newest base backup before the moment back, and lets PostgreSQL read the log up to the moment. */
export async function restoreUntil(options: RestoreUntilOptions): Promise<RestoreUntilSummary> {
  const { store, until, progress } = options;
  const directory = await openFolder(options.directory);
  if (await stat(clusterPath(directory)).catch(() => null))
    throw new OperatorError(`${directory} already contains a database. Restore into another DATA_DIR.`);
  const base = await findBaseBackup(store, until);
  progress(`base backup ${base.name}, complete at ${base.backup.finishedAt}`);
  await removeLeftovers(directory, restoringPrefix);
  const workshop = await mkdtemp(join(directory, restoringPrefix));
  try {
    await unpackBaseBackup(store, base, workshop, directory);
    const pieces = await loadLog(store, base.backup.firstPiece, join(workshop, "cluster", restoredLogName));
    progress(`${pieces} pieces of the log`);
    await rename(join(workshop, "cluster"), clusterPath(directory));
    const lastChangeAt = await recover(directory, until, progress).catch(async (error) => {
      await rm(clusterPath(directory), { recursive: true, force: true }); // it must not be mistaken for the database
      throw error;
    });
    return { base: base.name, pieces, lastChangeAt };
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

type NamedBackup = { name: string; backup: BaseBackup };

async function findBaseBackup(store: FileStore, until: Date): Promise<NamedBackup> {
  const found: NamedBackup[] = [];
  for await (const { key } of store.list(baseFolder)) {
    const name = /^base\/([\w]+)\.json$/.exec(key)?.[1];
    if (name === undefined) continue;
    const backup = JSON.parse(await readText(store, key)) as BaseBackup;
    if (backup.product === "steward") found.push({ name, backup });
  }
  found.sort((one, other) => one.backup.finishedAt.localeCompare(other.backup.finishedAt));
  const [first] = found;
  if (first === undefined) throw new OperatorError("The archive contains no base backup.");
  const usable = found.filter(({ backup }) => new Date(backup.finishedAt) <= until).at(-1);
  if (usable !== undefined) return usable;
  throw new OperatorError(
    `The oldest base backup in the archive is from ${first.backup.finishedAt}. Choose a later time.`,
  );
}

async function readText(store: FileStore, key: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of (await store.read(key)).stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

async function unpackBaseBackup(
  store: FileStore,
  { name, backup }: NamedBackup,
  workshop: string,
  directory: string,
): Promise<void> {
  for (const folder of ["", ...backup.folders])
    await mkdir(join(workshop, "cluster", checkPath(folder)), { recursive: true, mode: 0o700 });
  const file = await store.openTemporary();
  try {
    await receive(file, store, `${baseFolder}${name}.tar.gz`);
    for await (const entry of unpackArchive(file)) {
      if (entry.name === passwordName) {
        const parts: Buffer[] = [];
        for await (const part of entry.content) parts.push(part);
        await writePrivately(directory, passwordName, Buffer.concat(parts).toString("utf8"));
      } else if (entry.name.startsWith(clusterPrefix)) {
        const path = join(workshop, "cluster", checkPath(entry.name.slice(clusterPrefix.length)));
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await pipeline(entry.content, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
      } else throw new OperatorError(`The base backup holds ${entry.name}, which this Steward does not know.`);
    }
  } finally {
    await file.close();
  }
  await writePrivately(join(workshop, "cluster"), "recovery.signal", "");
}

async function receive(file: FileHandle, store: FileStore, key: string): Promise<void> {
  for await (const part of (await store.read(key)).stream) await file.writeFile(part);
}

/** The names come from a file of unknown origin: they must not lead out of the folder. */
function checkPath(path: string): string {
  const parts = path.replace(/\/$/, "").split("/");
  if (path !== "" && parts.some((part) => !/^[\w-][\w.-]*$/.test(part)))
    throw new OperatorError(`The base backup names a file that is not allowed: ${JSON.stringify(path)}.`);
  return path;
}

/** All segments from the first one on, on any timeline, and the timeline history files. */
async function loadLog(store: FileStore, firstPiece: string, folder: string): Promise<number> {
  await mkdir(folder, { mode: 0o700 });
  let count = 0;
  for await (const { key } of store.list(logFolder)) {
    const name = parseLogKey(key);
    if (name === null || /\.(?:backup|partial)$/.test(name)) continue;
    if (!name.endsWith(".history") && name.slice(8) < firstPiece.slice(8)) continue;
    const { stream } = await store.read(key);
    await pipeline(stream, createGunzip(), createWriteStream(join(folder, name), { mode: 0o600 }));
    count++;
  }
  return count;
}

/** One start that ends when the moment is reached; the files then belong to a database like any other. */
async function recover(directory: string, until: Date, progress: (line: string) => void): Promise<Date | null> {
  const database = await startEmbeddedDatabase({
    ...{ directory, log: progress, settings: buildRecoverySettings(until) },
  }).catch((error) => {
    if (!/recovery ended before configured recovery target was reached/.test((error as Error).message)) throw error;
    throw new OperatorError(`The archive ends before ${until.toISOString()}. Choose an earlier time.`, {
      cause: error,
    });
  });
  try {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ at: Date | null }>("SELECT pg_last_xact_replay_timestamp() AS at");
      return rows[0]?.at ?? null;
    } finally {
      await client.end();
    }
  } finally {
    await database.stop();
    await rm(join(clusterPath(directory), restoredLogName), { recursive: true, force: true });
  }
}
