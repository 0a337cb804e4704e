import type pg from "pg";
import { register } from "../../../records/index.ts";
import { attachmentsDirectory, type Configuration } from "../../base/configuration.ts";
import { deriveSchema } from "../../engine/schema/derive-schema.ts";
import { FileStore } from "../../storage/files/index.ts";
import { program } from "../command-line/help.ts";
import { loadSchemaVersion, loadServerVersion, minPostgresVersion } from "../database/connection.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Checks that need a database; later ones rely on earlier ones. */
export async function* databaseChecks(
  client: pg.Client,
  configuration: Configuration,
  isServed: boolean,
): AsyncGenerator<Finding> {
  const { version, major } = await loadServerVersion(client);
  if (major < minPostgresVersion)
    yield problem("database", `PostgreSQL ${version}: use ${minPostgresVersion} or newer.`);
  else yield ok("database", `PostgreSQL ${version} answers`);
  yield await checkClock(client);
  const schema = await checkSchema(client);
  yield schema;
  if (!schema.isOk) return; // the tables may be unknown
  yield await checkFacts(client);
  yield await checkAttachments(client, configuration);
  yield await checkJobs(client, isServed);
}

const maxSkew = 2000;

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
  const skew = Math.round(Number(rows[0].now) - (before + Date.now()) / 2);
  return Math.abs(skew) > maxSkew
    ? problem("clock", `the database is ${skew / 1000} s away from this machine: set both by a time server.`)
    : ok("clock", "this machine and the database agree");
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const { current, newest } = await loadSchemaVersion(client);
  if (current === 0) return problem("schema", `the database is empty: start Steward, or run ${program} migrate.`);
  if (current < newest) return problem("schema", `${current}, this program needs ${newest}: run ${program} migrate.`);
  if (current > newest)
    return problem("schema", `${current}, this program knows schemas up to ${newest}: use the newer program.`);
  const { rows } = await client.query<{ name: string }>(
    "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
  );
  const existing = new Set(rows.map(({ name }) => name));
  const missing = deriveSchema(register)
    .tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`))
    .filter((name) => !existing.has(name));
  if (missing.length > 0)
    return problem(
      "schema",
      `${missing.length} declared columns are missing, for example ${missing[0]}: draft a migration for them.`,
    );
  return ok("schema", `${current}, up to date`);
}

async function checkFacts(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM instance_facts");
  const missing = ["domain", "secret"].filter((name) => !rows.some((row) => row.name === name));
  return missing.length === 0
    ? ok("instance", "its domain and its secret are chosen")
    : problem("instance", `${missing.join(" and ")} not chosen yet: start the server once.`);
}

const pageSize = 500;

/** Looks for missing files; files without a row do no harm. */
async function checkAttachments(client: pg.Client, configuration: Configuration): Promise<Finding> {
  const files = new FileStore(attachmentsDirectory(configuration));
  const missing: string[] = [];
  let count = 0;
  for (let last = 0; ; ) {
    const { rows } = await client.query<{ id: number; key: string }>(
      "SELECT id, key FROM attachments WHERE id > $1 ORDER BY id LIMIT $2",
      [last, pageSize],
    );
    const found = await Promise.all(rows.map(({ key }) => files.exists(key).catch(() => false)));
    missing.push(...rows.filter((_, index) => !found[index]).map(({ key }) => key));
    count += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageSize) break;
  }
  return missing.length === 0
    ? ok("attachments", `${count} files, all there`)
    : problem(
        "attachments",
        `${missing.length} of ${count} files are missing, for example ${missing[0]}: restore them from a backup.`,
      );
}

async function checkJobs(client: pg.Client, isServed: boolean): Promise<Finding> {
  const [dead] = (
    await client.query<{ count: string; error: string | null }>(
      "SELECT count(*), max(last_error) AS error FROM jobs WHERE dead_at IS NOT NULL",
    )
  ).rows;
  if (dead !== undefined && dead.count !== "0")
    return problem(
      "jobs",
      `${dead.count} failed too often and do not run any more (${dead.error}): solve the cause, then run ${program} jobs --retry.`,
    );
  const { rows } = await client.query<{ overdue: string; failing: string; error: string | null }>(
    `SELECT count(*) FILTER (WHERE run_at < clock_timestamp() - interval '1 minute') AS overdue,
       count(*) FILTER (WHERE attempts > 3) AS failing, max(last_error) FILTER (WHERE attempts > 3) AS error FROM jobs`,
  );
  const { overdue = "0", failing = "0", error } = rows[0] ?? {};
  if (failing !== "0") return problem("jobs", `${failing} fail again and again (${error}): see the server's log.`);
  if (overdue === "0") return ok("jobs", "none is overdue");
  return isServed
    ? problem("jobs", `${overdue} are overdue although a server runs: see its log, or start it again.`)
    : ok("jobs", `${overdue} wait for the server to start`);
}
