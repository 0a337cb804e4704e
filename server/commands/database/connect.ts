import pg from "pg";
import { OperatorError } from "../../base/errors.ts";
import { findWritableServer } from "../../postgres/servers/open-client.ts";
import { newestSchema } from "../../schema/migrate.ts";
import { describeReason } from "../command-line/failure.ts";

export const minPostgresVersion = 15;
const connectTimeout = 10_000;

export type ServerVersion = { version: string; major: number };

/** A connection for a few statements. Error messages contain host and database, never the password. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const server = await findWritableServer(url).catch((error) => {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`No server in DATABASE_URL accepts writes: ${describeReason(error)}.`, { cause: error });
  });
  const client = createClient(server);
  client.on("error", () => {}); // a broken connection also fails its statement
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    const place = `${client.host}${client.host.startsWith("/") ? "" : `:${client.port}`}, database ${client.database}`;
    throw new OperatorError(`Can't connect to the database (${place}): ${describeReason(error)}. Check DATABASE_URL.`, {
      cause: error,
    });
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function createClient(url: string): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      application_name: "steward command",
      connectionTimeoutMillis: connectTimeout,
    });
  } catch {
    throw new OperatorError(
      "DATABASE_URL is not a valid URL. Use the form postgres://user:password@host:5432/database.",
    );
  }
}

export async function loadServerVersion(client: pg.Client): Promise<ServerVersion> {
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  const version = rows[0]?.server_version ?? "0";
  return { version, major: Number.parseInt(version, 10) };
}

/** Refuses servers that do not answer or are too old. */
export async function requireServer(url: string): Promise<void> {
  const { version, major } = await withConnection(url, loadServerVersion);
  if (major < minPostgresVersion)
    throw new OperatorError(
      `The database server runs PostgreSQL ${version}. Steward requires ${minPostgresVersion} or later.`,
    );
}

/** The schema of the database, 0 for none, and the newest that this program knows. */
export async function loadSchemaVersion(client: pg.Client): Promise<{ current: number; newest: number }> {
  const { rows } = await client.query("SELECT to_regclass('public.schema_migrations') IS NOT NULL AS there");
  const newest = newestSchema();
  if (!rows[0].there) return { current: 0, newest };
  const found = await client.query<{ number: number | null }>("SELECT max(number) AS number FROM schema_migrations");
  return { current: found.rows[0]?.number ?? 0, newest };
}
