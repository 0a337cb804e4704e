import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { OperatorError } from "../../base/errors.ts";
import type { FileStore } from "../../files/index.ts";
import { hasFiles, type IncomingAttachments, receiveAttachments } from "./attachments.ts";
import * as contents from "./contents.ts";
import { suspendChecks } from "./foreign-keys.ts";
import { hasStoredFiles, receiveStoredFiles } from "./stored-files.ts";
import { readText, unpackArchive } from "./tar-archive.ts";

type RestoreOptions = {
  from: string;
  /** a folder, or a store that is none */
  attachments: string | FileStore;
  /** Replace what is there. */
  force?: boolean;
  /** The newest schema this program knows. */
  newest: number;
  /** Creates the schema of that version. It runs inside the restoring transaction: use this client, do not commit. */
  migrateTo: (client: pg.PoolClient, version: number) => Promise<unknown>;
  /** Runs in the transaction, after the rows are loaded. */
  finish?: (client: pg.PoolClient) => Promise<unknown>;
  /** Brings the restored database to the newest schema, after the commit. */
  migrate: () => Promise<unknown>;
  progress: (line: string) => void;
};

export type RestoreSummary = { schema: number; tables: number; rows: number; files: number };

/** Restores a backup. Nothing is final before the end: a damaged file, an error or a crash changes nothing. */
export async function restore(pool: pg.Pool, options: RestoreOptions): Promise<RestoreSummary> {
  const file = await open(options.from);
  try {
    options.progress("checking the backup file");
    const manifest = await check(file, options.newest);
    const { attachments } = options;
    if (
      !options.force &&
      (await (typeof attachments === "string" ? hasFiles(attachments) : hasStoredFiles(attachments)))
    ) {
      const place = typeof attachments === "string" ? `folder ${attachments}` : "bucket of the attachments";
      throw new OperatorError(`The ${place} is not empty. Restore elsewhere, or use --force to replace it.`);
    }
    const summary = await replace(pool, file, manifest, options);
    await options.migrate();
    return summary;
  } finally {
    await file.close();
  }
}

/** Reads the whole file once before anything is changed. */
async function check(file: FileHandle, newest: number): Promise<contents.Manifest> {
  let manifest: contents.Manifest | undefined;
  for await (const entry of unpackArchive(file)) {
    manifest ??= readManifest(entry.name, entry.name === contents.manifestName ? await readText(entry) : "", newest);
  }
  if (!manifest) throw new OperatorError("Not a Steward backup: the file is empty.");
  return manifest;
}

function readManifest(name: string, text: string, newest: number): contents.Manifest {
  if (name !== contents.manifestName) throw new OperatorError("Not a Steward backup.");
  const manifest = JSON.parse(text) as contents.Manifest;
  if (manifest.product !== "steward") throw new OperatorError("Not a Steward backup.");
  if (manifest.format !== contents.format) {
    throw new OperatorError(
      `The backup has format ${manifest.format}, but this version of Steward reads format ${contents.format}.`,
    );
  }
  if (manifest.schema.number > newest) {
    throw new OperatorError(
      `This backup has schema ${manifest.schema.number}, this Steward knows schemas up to ${newest}. Restore it with the program that wrote it.`,
    );
  }
  return manifest;
}

async function replace(pool: pg.Pool, file: FileHandle, manifest: contents.Manifest, options: RestoreOptions) {
  const { attachments } = options;
  const files = await (typeof attachments === "string"
    ? receiveAttachments(attachments)
    : receiveStoredFiles(attachments));
  let summary: RestoreSummary;
  try {
    summary = await contents.withPoolConnection(pool, async (client) => {
      await beginEmpty(client, options.force ?? false);
      await options.migrateTo(client, manifest.schema.number);
      const loaded = await load(client, file, manifest, files, options.progress);
      await options.finish?.(client);
      await files.exchange(); // before the commit, because it can fail
      await client.query("COMMIT");
      return loaded;
    });
  } catch (error) {
    await files.undo();
    throw error;
  }
  await files.keep();
  await pool.query("ANALYZE");
  return summary;
}

const deadlock = "40P01";
const maxAttempts = 20;

/** Begins the transaction and clears the database. A server that still uses it may lock tables in another order. */
async function beginEmpty(client: pg.PoolClient, force: boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await client.query("BEGIN");
    await contents.setSessionSettings(client);
    try {
      await clearDatabase(client, force);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || attempt === maxAttempts) throw error;
      await client.query("ROLLBACK");
    }
  }
}

async function clearDatabase(client: pg.PoolClient, force: boolean): Promise<void> {
  const tables = await contents.loadTables(client);
  for (const { name } of force ? [] : tables) {
    if (name === "schema_migrations") continue;
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM ${contents.qualified(name)}) AS filled`);
    if (rows[0].filled) {
      throw new OperatorError(
        `The database is not empty (${name} has rows). Restore into an empty database, or use --force to replace everything.`,
      );
    }
  }
  if (tables.length === 0) return;
  // The schema of the backup may be older than the existing one, so it is created again.
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC");
}

async function load(
  client: pg.PoolClient,
  file: FileHandle,
  manifest: contents.Manifest,
  files: IncomingAttachments,
  progress: (line: string) => void,
): Promise<RestoreSummary> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  checkTables(await contents.loadTables(client), manifest);
  const resume = await suspendChecks(client, manifest.tables);
  // A migration may have inserted rows; the backup contains its own version of them.
  await client.query(`TRUNCATE ${manifest.tables.map(({ name }) => contents.qualified(name)).join(", ")}`);

  const summary = { schema: manifest.schema.number, tables: tables.size, rows: 0, files: 0 };
  let current = { name: "", rows: 0 };
  const begin = (name: string) => {
    if (current.rows > 0) progress(`${current.name}: ${current.rows} rows`);
    current = { name, rows: 0 };
  };
  for await (const entry of unpackArchive(file)) {
    const table = tables.get(contents.parsePieceTable(entry.name) ?? "");
    if (current.name !== (table?.name ?? "")) begin(table?.name ?? "");
    if (table) {
      const number = await copyInto(client, table, entry.content);
      current.rows += number;
      summary.rows += number;
    } else if (entry.name === contents.sequencesName) {
      await setSequences(client, JSON.parse(await readText(entry)));
    } else if (entry.name.startsWith(contents.attachmentsPrefix)) {
      await files.add(entry);
      summary.files++;
    } else if (entry.name !== contents.manifestName) {
      throw new OperatorError(`The backup contains ${entry.name}, which this version of Steward doesn't recognize.`);
    }
  }
  progress(`attachments: ${summary.files} files`);
  await resume();
  const { number } = await contents.loadSchemaVersion(client);
  if (number !== summary.schema) throw new Error(`The restored rows are of schema ${number}, not ${summary.schema}.`);
  return summary;
}

async function copyInto(client: pg.PoolClient, table: contents.Table, rows: AsyncIterable<Buffer>): Promise<number> {
  const columns = table.columns.map(pg.escapeIdentifier).join(", ");
  const target = client.query(copyFrom(`COPY ${contents.qualified(table.name)} (${columns}) FROM STDIN`));
  await pipeline(rows, target);
  return target.rowCount;
}

function checkTables(found: contents.Table[], manifest: contents.Manifest): void {
  const describe = (tables: contents.Table[]) =>
    new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)));
  const [here, there] = [describe(found), describe(manifest.tables)];
  const missing = [...[...there].filter((name) => !here.has(name)), ...[...here].filter((name) => !there.has(name))];
  if (missing.length === 0) return;
  throw new OperatorError(
    `The backup does not fit schema ${manifest.schema.number} of this Steward: ${missing.slice(0, 5).join(", ")}.`,
  );
}

async function setSequences(client: pg.PoolClient, sequences: contents.Sequence[]): Promise<void> {
  for (const { name, last_value, is_called } of sequences) {
    await client.query("SELECT setval($1::regclass, $2, $3)", [contents.qualified(name), last_value, is_called]);
  }
}
