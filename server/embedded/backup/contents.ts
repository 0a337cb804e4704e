import type { ClientBase } from "pg";
import pg from "pg";
import { OperatorError } from "../../base/errors.ts";

// The contents of a backup file, for both backup and restore.

export const format = 1;
export const manifestName = "steward-backup.json";
export const sequencesName = "sequences.json";
export const attachmentsPrefix = "attachments/";
export const pieceName = (table: string, number: number) => `tables/${table}/${String(number).padStart(5, "0")}.copy`;
export const parsePieceTable = (name: string) => /^tables\/([^/]+)\/\d{5,}\.copy$/.exec(name)?.[1];

export type Table = { name: string; columns: string[] };
export type Sequence = { name: string; last_value: string; is_called: boolean };
export type Manifest = {
  product: "steward";
  format: number;
  created_at: string;
  schema: { number: number; name: string };
  postgres: string;
  tables: Table[];
};

export const qualified = (name: string) => `public.${pg.escapeIdentifier(name)}`;

/** Holds a connection of the pool for the function. After an error it is closed, which rolls its transaction back. */
export async function withPoolConnection<T>(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const broken = () => {}; // also fails the statement that runs on it; without a listener it would end the process
  client.on("error", broken);
  try {
    const result = await act(client);
    client.off("error", broken);
    client.release();
    return result;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Settings for text that is read back as the same value, and without time limits. */
export async function setSessionSettings(client: ClientBase): Promise<void> {
  await client.query(
    `SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC';
     SET LOCAL extra_float_digits = 3; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8';
     SET LOCAL row_security = off; SET LOCAL lock_timeout = '30s';
     SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`,
  );
}

export async function loadManifest(client: ClientBase): Promise<Manifest> {
  const tables = await loadTables(client);
  if (!tables.some(({ name }) => name === "schema_migrations")) {
    throw new OperatorError("Not a Steward database: the table schema_migrations is missing.");
  }
  // A migration that starts meanwhile waits until the backup is done.
  await client.query(`LOCK TABLE ${tables.map(({ name }) => qualified(name)).join(", ")} IN ACCESS SHARE MODE`);
  const schema = await loadSchemaVersion(client);
  // The rows are as of the start of the transaction, so the time is the database's, not ours.
  const { rows } = await client.query(`SELECT now() AS created_at, current_setting('server_version') AS postgres`);
  return { product: "steward", format, ...rows[0], created_at: rows[0].created_at.toISOString(), schema, tables };
}

export async function loadSchemaVersion(client: ClientBase): Promise<Manifest["schema"]> {
  const { rows } = await client.query("SELECT number, name FROM public.schema_migrations ORDER BY number DESC LIMIT 1");
  return { number: Number(rows[0]?.number ?? 0), name: rows[0]?.name ?? "" };
}

/** All our tables: a partitioned table counts as one, tables of extensions are left out. */
export async function loadTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
      GROUP BY c.oid, c.relname
      ORDER BY c.relname::text COLLATE "C"`,
  );
  return rows;
}

export async function loadSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' ORDER BY relname::text COLLATE "C"`,
  );
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const { rows } = await client.query(`SELECT last_value::text, is_called FROM ${qualified(name)}`);
    sequences.push({ name, ...rows[0] });
  }
  return sequences;
}
