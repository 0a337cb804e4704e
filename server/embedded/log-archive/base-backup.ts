import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import pg from "pg";
import { OperatorError } from "../../base/errors.ts";
import type { FileStore } from "../../files/index.ts";
import { type ArchiveEntry, packArchive } from "../backup/tar-archive.ts";
import { clusterPath } from "../cluster/cluster.ts";
import { spoolName } from "./log-archive-settings.ts";

// A base backup is a copy of the files of PostgreSQL, taken while it works. It becomes consistent with the log that was written
// meanwhile, and any later moment is reached by reading more of the log.

/** The description of a base backup, beside its files: `base/<time>.json` and `base/<time>.tar.gz`. */
export type BaseBackup = {
  product: "steward";
  /** version of PostgreSQL, whose files no other version reads */
  postgres: string;
  /** when it was complete: the earliest moment that it can be brought to */
  finishedAt: string;
  /** the first piece of the log that it needs */
  firstPiece: string;
  /** folders without files */
  folders: readonly string[];
};

export const baseFolder = "base/";
const maxSize = 2 ** 43;

/** Not copied: files of the running server, and files that the next one recreates. */
const leftOut = new Set([
  ...["postmaster.pid", "postmaster.opts", "backup_label", "tablespace_map", "pg_internal.init"],
  spoolName,
]);
const emptied = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
const controlFile = "global/pg_control";

export const passwordName = "password";
export const clusterPrefix = "cluster/";

/** `directory`: of the embedded database, which runs and archives its log. Returns the name and the size of the backup. */
export async function writeBaseBackup(
  url: string,
  directory: string,
  store: FileStore,
): Promise<{ name: string; size: number; backup: BaseBackup }> {
  const client = new pg.Client({ connectionString: url, application_name: "steward base backup" });
  client.on("error", () => {}); // a broken connection also fails its statement
  await client.connect();
  try {
    await requireArchive(client);
    // The connection must stay: PostgreSQL ends the backup with it.
    const { rows } = await client.query<{ piece: string; version: string }>(
      "SELECT pg_walfile_name(pg_backup_start('steward', fast => true)) AS piece, split_part(current_setting('server_version'), '.', 1) AS version",
    );
    const { piece, version } = rows[0] as { piece: string; version: string };
    const folders: string[] = [];
    const packed = packArchive(listEntries(client, directory, folders));
    const name = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const stream = Readable.from(packed, { objectMode: false }).pipe(createGzip({ level: 4 }));
    const { size } = await store.write(`${baseFolder}${name}.tar.gz`, stream, maxSize);
    const backup: BaseBackup = {
      ...{ product: "steward", postgres: version, firstPiece: piece, folders },
      finishedAt: await loadNow(client),
    };
    const text = Buffer.from(`${JSON.stringify(backup, null, 2)}\n`);
    // Last: a backup without its description is not complete, and is not found.
    await store.write(`${baseFolder}${name}.json`, Readable.from([text]), text.length);
    return { name, size, backup };
  } finally {
    await client.end().catch(() => {});
  }
}

async function requireArchive(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ archive_mode: string }>("SHOW archive_mode");
  if (rows[0]?.archive_mode !== "on")
    throw new OperatorError("Archiving is not enabled. Set ARCHIVE_URL and restart the server.");
}

async function loadNow(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  return (rows[0] as { now: Date }).now.toISOString();
}

async function* listEntries(client: pg.Client, directory: string, folders: string[]): AsyncGenerator<ArchiveEntry> {
  const cluster = clusterPath(directory);
  const password = await readFile(join(directory, passwordName));
  yield { name: passwordName, size: password.length, modified: new Date(), content: [password] };
  yield* listFiles(cluster, "", folders);
  // After all files: it says where reading the log begins, which must not be later than any of them.
  yield* openEntry(cluster, controlFile);
  // Waits until the log that the copy needs is archived.
  const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
  const label = Buffer.from((rows[0] as { labelfile: string }).labelfile);
  yield { name: `${clusterPrefix}backup_label`, size: label.length, modified: new Date(), content: [label] };
}

async function* listFiles(cluster: string, path: string, folders: string[]): AsyncGenerator<ArchiveEntry> {
  const entries = await readdir(join(cluster, path), { withFileTypes: true }).catch(ignoreMissing);
  if (entries === undefined) return;
  if (path !== "") folders.push(path);
  for (const entry of entries) {
    const child = `${path}${entry.name}`;
    if (leftOut.has(entry.name) || entry.name.startsWith("pgsql_tmp") || child === controlFile) continue;
    if (entry.isDirectory()) {
      if (emptied.test(`${child}/`)) folders.push(`${child}/`);
      else yield* listFiles(cluster, `${child}/`, folders);
    } else if (entry.isFile()) yield* openEntry(cluster, child);
  }
}

async function* openEntry(cluster: string, path: string): AsyncGenerator<ArchiveEntry> {
  const file = await open(join(cluster, path)).catch(ignoreMissing);
  if (file === undefined) return;
  try {
    const { size, mtime } = await file.stat();
    const read = size === 0 ? [] : file.createReadStream({ start: 0, end: size - 1, autoClose: false });
    yield { name: `${clusterPrefix}${path}`, size, modified: mtime, content: padContent(read, size) };
  } finally {
    await file.close();
  }
}

/** PostgreSQL may shorten a file while it is read; replaying the log repeats that, regardless of the copied content. */
async function* padContent(content: Iterable<Buffer> | AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for await (const part of content) {
    left -= part.length;
    yield part;
  }
  for (; left > 0; left -= Math.min(left, zeros.length)) yield zeros.subarray(0, Math.min(left, zeros.length));
}
const zeros = Buffer.alloc(65_536);

/** The server removes files while they are copied, and the log says so. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
