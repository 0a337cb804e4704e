import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { FileStore } from "../../files/index.ts";
import { attachmentEntries } from "./attachments.ts";
import * as contents from "./contents.ts";
import { listDamagedFiles, loadExpectedFiles } from "./damaged-files.ts";
import { storedFileEntries } from "./stored-files.ts";
import { type ArchiveEntry, packArchive } from "./tar-archive.ts";

export { restore } from "./restore.ts";

// A backup is a gzip-compressed tar file that standard tools can read:
//
//   steward-backup.json          what this is: format, time, schema version, tables and their columns
//   tables/<table>/00001.copy    rows as PostgreSQL's COPY writes them as text; several files for a large table, each
//                                with whole rows, because tar wants to know the size of a file before its content
//   sequences.json               the current values of the sequences
//   attachments/<path>           the files of the attachments folder
//   SHA256SUMS                   always last, for `sha256sum -c`: a file without it is not complete
//
// All rows are from one snapshot: one transaction reads them while others keep writing. Sequences and attachments are
// read after the rows, so they include at least what the rows refer to.

type BackupOptions = {
  /** a folder, or a store that is none */
  attachments: string | FileStore;
  to: string;
  progress: (line: string) => void;
};

type BackupSummary = {
  schema: number;
  tables: number;
  rows: number;
  files: number;
  bytes: number;
  /** attachments whose file is missing or has another size than was stored; the backup holds all the others */
  damaged: string[];
};

const pieceSize = 4 * 1024 * 1024;

export async function backup(pool: pg.Pool, options: BackupOptions): Promise<BackupSummary> {
  const summary: BackupSummary = { schema: 0, tables: 0, rows: 0, files: 0, bytes: 0, damaged: [] };
  const partial = `${options.to}.partial`; // an interrupted backup must not pass for a backup
  try {
    await contents.withPoolConnection(pool, async (client) => {
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await contents.setSessionSettings(client);
      const file = createWriteStream(partial, { mode: 0o600, flush: true });
      await pipeline(packArchive(buildEntries(client, pool, options, summary)), createGzip({ level: 4 }), file);
      if (!file.closed) await once(file, "close");
      summary.bytes = file.bytesWritten;
      await client.query("COMMIT");
    });
    await rename(partial, options.to);
    await syncFolder(dirname(options.to));
    return summary;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function* buildEntries(
  client: pg.PoolClient,
  pool: pg.Pool,
  options: BackupOptions,
  summary: BackupSummary,
): AsyncGenerator<ArchiveEntry> {
  const manifest = await contents.loadManifest(client);
  const modified = new Date(manifest.created_at);
  const json = (name: string, value: unknown) =>
    buildEntry(name, Buffer.from(`${JSON.stringify(value, null, 2)}\n`), modified);

  summary.schema = manifest.schema.number;
  yield json(contents.manifestName, manifest);
  for (const { name, columns } of manifest.tables) {
    const list = columns.map(pg.escapeIdentifier).join(", ");
    const rows = client.query(copyTo(`COPY (SELECT ${list} FROM ${contents.qualified(name)}) TO STDOUT`));
    let number = 0;
    for await (const piece of splitRows(rows)) yield buildEntry(contents.pieceName(name, ++number), piece, modified);
    await client.query("SELECT"); // the number of rows arrives after the last of them
    summary.tables++;
    summary.rows += rows.rowCount;
    options.progress(`${name}: ${rows.rowCount} rows`);
  }
  yield json(contents.sequencesName, await contents.loadSequences(client));
  const expected = await loadExpectedFiles(client);
  const found = new Map<string, number>();
  const entries =
    typeof options.attachments === "string"
      ? attachmentEntries(options.attachments, options.progress)
      : storedFileEntries(options.attachments, options.progress);
  for await (const entry of entries) {
    summary.files++;
    found.set(entry.name.slice(contents.attachmentsPrefix.length), entry.size);
    yield entry;
  }
  summary.damaged = await listDamagedFiles(pool, expected, found);
  options.progress(`attachments: ${summary.files} files`);
}

const buildEntry = (name: string, content: Buffer, modified: Date): ArchiveEntry => ({
  name,
  size: content.length,
  modified,
  content: [content],
});

/** Splits rows into pieces of a few megabytes. COPY escapes line ends inside values, so a line end ends a row. */
async function* splitRows(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const data of rows) {
    const end = data.lastIndexOf(0x0a) + 1;
    if (size + data.length >= pieceSize && end > 0) {
      yield Buffer.concat([...parts, data.subarray(0, end)]);
      parts = [data.subarray(end)];
      size = data.length - end;
    } else {
      parts.push(data);
      size += data.length;
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
