import type pg from "pg";
import type { Configuration } from "../../base/configuration.ts";
import { describeDamage } from "../../embedded/backup/damaged-files.ts";
import { createFileStore, describeForeignFolder, isFilesFolder } from "../../files/index.ts";
import { loadOldestProgram } from "../../schema/compatible-programs.ts";
import {
  findBaselineProblem,
  findMigrationProblems,
  findSchemaDifferences,
  loadAppliedMigrations,
} from "../../schema/verify-schema.ts";
import { program } from "../command-line/help.ts";
import { loadSchemaVersion, loadServerVersion, minPostgresVersion } from "../database/connect.ts";
import { type Finding, ok, problem } from "./finding.ts";

/** Checks that need a database; later ones rely on earlier ones. */
export async function* databaseChecks(
  client: pg.Client,
  configuration: Configuration,
  isServed: boolean,
): AsyncGenerator<Finding> {
  const { version, major } = await loadServerVersion(client);
  if (major < minPostgresVersion)
    yield problem("database", `PostgreSQL ${version} is not supported. Use ${minPostgresVersion} or later.`);
  else yield ok("database", `PostgreSQL ${version} answers`);
  yield await checkClock(client);
  const schema = await checkSchema(client);
  yield schema;
  if (!schema.isOk) return; // the tables may be unknown
  yield await checkFacts(client);
  if (!(await isFilesFolder(client, configuration))) yield problem("files", `${describeForeignFolder(configuration)}.`);
  yield await checkAttachments(client, configuration);
  yield await checkJobs(client, isServed);
}

const maxSkew = 2000;
const maxDifferences = 20;

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now");
  const skew = Math.round(Number(rows[0].now) - (before + Date.now()) / 2);
  return Math.abs(skew) > maxSkew
    ? problem("clock", `the database clock differs from this machine by ${skew / 1000} s. Synchronize both with NTP.`)
    : ok("clock", "this machine and the database agree");
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const { current, newest } = await loadSchemaVersion(client);
  const applied = await loadAppliedMigrations(client);
  const unusable = findBaselineProblem(applied);
  if (unusable !== null) return problem("schema", `${unusable}.`);
  if (current === 0) return problem("schema", `the database is empty: start Steward, or run ${program} migrate.`);
  if (current < newest) return problem("schema", `${current}, this program needs ${newest}: run ${program} migrate.`);
  if (current > newest) {
    return (await loadOldestProgram(client)) > newest
      ? problem("schema", `${current}, this program knows schemas up to ${newest}: use the newer program.`)
      : ok("schema", `${current} of a newer program, which this program of schema ${newest} works with`);
  }
  const edited = findMigrationProblems(applied);
  if (edited.length > 0) return problem("schema", `${edited.join("; ")}: start the program that applied it.`);
  const differences = await findSchemaDifferences(client);
  if (differences.length > 0) {
    const more = differences.length > maxDifferences ? [`and ${differences.length - maxDifferences} more`] : [];
    return problem(
      "schema",
      `the schema differs from its migrations: ${[...differences.slice(0, maxDifferences), ...more].join("; ")}.`,
    );
  }
  return ok("schema", `${current}, up to date`);
}

async function checkFacts(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM instance_facts");
  const missing = ["domain", "secret"].filter((name) => !rows.some((row) => row.name === name));
  return missing.length === 0
    ? ok("instance", "domain and secret are set")
    : problem("instance", `${missing.join(" and ")} not set yet. Start the server once.`);
}

const pageSize = 500;

/** Looks for missing files and files of another size than was stored; files without a row do no harm. */
async function checkAttachments(client: pg.Client, configuration: Configuration): Promise<Finding> {
  const files = createFileStore(configuration);
  const damages: string[] = [];
  let count = 0;
  for (let last = 0; ; ) {
    const { rows } = await client.query<{ id: number; key: string; size: number }>(
      "SELECT id, key, size FROM attachments WHERE id > $1 AND size >= 0 ORDER BY id LIMIT $2",
      [last, pageSize],
    );
    const sizes = await Promise.all(rows.map(({ key }) => files.getSize(key).catch(() => null)));
    for (const [index, { key, size }] of rows.entries()) {
      const damage = describeDamage(key, size, sizes[index] ?? null);
      if (damage !== null) damages.push(damage);
    }
    count += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageSize) break;
  }
  if (damages.length === 0) return ok("attachments", `${count} files, all present with the expected size`);
  const more = damages.length > maxDifferences ? `, and ${damages.length - maxDifferences} more` : "";
  return problem(
    "attachments",
    `${damages.length} of ${count} files are missing or damaged: ${damages.slice(0, maxDifferences).join(", ")}${more}. Restore them from a backup.`,
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
      `${dead.count} failed permanently (${dead.error}). Fix the cause, then run ${program} jobs --retry.`,
    );
  const { rows } = await client.query<{ overdue: string; failing: string; error: string | null }>(
    `SELECT count(*) FILTER (WHERE run_at < clock_timestamp() - interval '1 minute') AS overdue,
       count(*) FILTER (WHERE attempts > 3) AS failing, max(last_error) FILTER (WHERE attempts > 3) AS error FROM jobs`,
  );
  const { overdue = "0", failing = "0", error } = rows[0] ?? {};
  if (failing !== "0") return problem("jobs", `${failing} keep failing (${error}). See the server log.`);
  if (overdue === "0") return ok("jobs", "none overdue");
  return isServed
    ? problem("jobs", `${overdue} overdue while a server is running. See its log or restart it.`)
    : ok("jobs", `${overdue} waiting for the server to start`);
}
