import type { ClientBase } from "pg";
import { runMigration } from "./layout/run-migration.ts";
import { baseline, getTransactionalSql, listMigrations, type Migration, newestSchema } from "./migration-files.ts";
import { compareCatalogs, hashCatalog, loadCatalog } from "./tables/catalog.ts";

// Whether a database matches its migrations. Building the expected schema takes seconds, so the hash of a schema that
// passed is recorded; later checks compare with it. D-183. Describing a schema takes a third of a second, so the
// transactions that wrote the catalog are recorded, too: while they are the same, the schema is unchanged. D-642.

const scratch = "steward_expected";
const factName = "schema_fingerprint";
const stateFactName = "schema_state";

export type AppliedMigration = Pick<Migration, "number" | "name" | "checksum">;

/** Oldest first; none when the database is empty. */
export async function loadAppliedMigrations(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows: found } = await client.query(
    "SELECT FROM pg_class WHERE oid = to_regclass('public.schema_migrations')",
  );
  if (found.length === 0) return [];
  const text = "SELECT number, name, checksum FROM public.schema_migrations ORDER BY number";
  return (await client.query<AppliedMigration>(text)).rows;
}

/** Versions from before the first release began with another migration, which this program does not contain. */
export const findBaselineProblem = ([first]: readonly AppliedMigration[]): string | null =>
  first === undefined || first.name === baseline.name
    ? null
    : "the database was created by a version from before the first release and cannot be migrated. Use an empty database";

/** Migrations that were edited after they were applied, that are unknown, or that were passed over. */
export function findMigrationProblems(
  applied: readonly AppliedMigration[],
  files: readonly AppliedMigration[] = listMigrations(),
): string[] {
  const current = applied.at(-1)?.number ?? 0;
  const newest = files.at(-1)?.number ?? 0;
  const byNumber = new Map(files.map((file) => [file.number, file]));
  const numbers = new Set(applied.map(({ number }) => number));
  return [
    ...applied.flatMap(({ number, name, checksum }) => {
      const file = byNumber.get(number);
      if (file === undefined)
        return number > newest ? [] : [`migration ${number} (${name}) is not part of this program`];
      return checksum === file.checksum
        ? []
        : [
            `migration ${number} (${name}) was applied with another text: its checksum is ${checksum}, not ${file.checksum}`,
          ];
    }),
    ...files
      .filter(({ number }) => number <= current && !numbers.has(number))
      .map(({ number, name }) => `migration ${number} (${name}) was never applied`),
  ];
}

/**
 * The differences between the tables of the database and those that its migrations create.
 * `record`: if there are none, the schema is recorded, so that the next check is fast.
 */
export async function findSchemaDifferences(client: ClientBase, { record = false } = {}): Promise<string[]> {
  const applied = await loadAppliedMigrations(client);
  const current = applied.at(-1)?.number ?? 0;
  // Only a newer program knows its expected schema: it has compared when it migrated.
  if (current === 0 || current > newestSchema()) return [];
  const state = await buildState(client, current);
  if ((await loadFact(client, stateFactName)) === state) return [];
  const found = await loadCatalog(client);
  const fingerprint = await buildFingerprint(client, current, found);
  const isKnown = (await loadFact(client, factName)) === fingerprint;
  const differences = isKnown ? [] : compareCatalogs(await loadExpectedCatalog(client, current), found);
  if (record && differences.length === 0) {
    if (!isKnown) await saveFact(client, factName, fingerprint);
    await saveFact(client, stateFactName, state);
  }
  return differences;
}

/** Records that the schema is right as it is now. */
export async function recordSchema(client: ClientBase): Promise<void> {
  const current = (await loadAppliedMigrations(client)).at(-1)?.number ?? 0;
  await saveFact(client, factName, await buildFingerprint(client, current, await loadCatalog(client)));
  await saveFact(client, stateFactName, await buildState(client, current));
}

async function loadFact(client: ClientBase, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM instance_facts WHERE name = $1", [name]);
  return rows[0]?.value;
}

const saveFact = (client: ClientBase, name: string, value: string) =>
  client.query(
    "INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );

/**
 * After a restore: this version created the tables, even if another one wrote the backup and its list of migrations, so they
 * are correct as they are. The next start also records again where files are.
 */
export async function acceptRestoredSchema(client: ClientBase): Promise<void> {
  for (const { number, checksum } of listMigrations())
    await client.query("UPDATE schema_migrations SET checksum = $2 WHERE number = $1", [number, checksum]);
  await client.query("DELETE FROM instance_facts WHERE name = 'files_folder'");
  await recordSchema(client);
}

/** Another version of PostgreSQL may describe the same schema in other words, and another program expects another one. */
async function buildFingerprint(client: ClientBase, current: number, catalog: readonly string[]): Promise<string> {
  return `${await describeProgram(client, current)} ${hashCatalog(catalog)}`;
}

async function describeProgram(client: ClientBase, current: number): Promise<string> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
  const texts = listMigrations().filter(({ number }) => number <= current);
  return `${current} ${rows[0]?.version} ${hashCatalog(texts.map(({ checksum }) => checksum))}`;
}

/** The number of rows of a catalog, and a sum over their keys and the transactions that wrote them. */
const selectRowState = (catalog: string, key: string, where: string): string =>
  `SELECT concat(count(*), ':', sum(hashtextextended(concat_ws(' ', ${key}, r.xmin), 0))) FROM ${catalog} r WHERE ${where}`;
const inTables = (column: string) =>
  `r.${column} IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`;
const selectState = `SELECT concat_ws(' ', ${[
  selectRowState("pg_class", "r.oid", "r.relnamespace = 'public'::regnamespace"),
  selectRowState("pg_attribute", "r.attrelid, r.attnum", inTables("attrelid")),
  selectRowState("pg_attrdef", "r.oid", inTables("adrelid")),
  selectRowState("pg_index", "r.indexrelid", inTables("indrelid")),
  selectRowState("pg_constraint", "r.oid", inTables("conrelid")),
  selectRowState("pg_trigger", "r.oid", inTables("tgrelid")),
  selectRowState("pg_proc", "r.oid", "r.pronamespace = 'public'::regnamespace"),
]
  .map((part) => `(${part})`)
  .join(", ")}) AS state`;

/** Equal states mean that nothing wrote the description of a table, an index, a constraint, a trigger or a function. */
async function buildState(client: ClientBase, current: number): Promise<string> {
  const { rows } = await client.query<{ state: string }>(selectState);
  return `${await describeProgram(client, current)} ${rows[0]?.state}`;
}

const expectedCatalogs = new Map<string, Promise<string[]>>();

/** Built once for each version of PostgreSQL: a start may compare twice, a test many times. */
async function loadExpectedCatalog(client: ClientBase, upTo: number): Promise<string[]> {
  const { rows } = await client.query<{ version: string }>("SELECT version()");
  const key = `${upTo} ${rows[0]?.version}`;
  const known = expectedCatalogs.get(key) ?? buildExpectedCatalog(client, upTo);
  expectedCatalogs.set(key, known);
  known.catch(() => expectedCatalogs.delete(key));
  return known;
}

/** Runs the migrations in a schema of its own, inside a transaction that is rolled back. */
async function buildExpectedCatalog(client: ClientBase, upTo: number): Promise<string[]> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL statement_timeout = 0; CREATE SCHEMA ${scratch}; SET LOCAL search_path = ${scratch}`);
    for (const migration of listMigrations().filter(({ number }) => number <= upTo))
      await runMigration(client, getTransactionalSql(migration));
    return await loadCatalog(client, scratch);
  } finally {
    await client.query("ROLLBACK");
  }
}
