import type { ClientBase } from "pg";
import { listMigrations, type Migration } from "./migration-files.ts";
import { compareCatalogs, hashCatalog, loadCatalog } from "./schema/catalog.ts";

// Whether a database is what its migrations say. Building the expected schema takes seconds, so the hash of a schema that
// was found right is recorded; later checks compare with it. D-183.

const scratch = "steward_expected";
const factName = "schema_fingerprint";

export type AppliedMigration = { number: number; name: string; checksum: string | null };

/** Oldest first; none when the database is empty. The checksum is null for those applied before checksums were recorded. */
export async function loadAppliedMigrations(client: ClientBase): Promise<AppliedMigration[]> {
  const { rows: columns } = await client.query<{ name: string }>(
    "SELECT attname::text AS name FROM pg_attribute WHERE attrelid = to_regclass('public.schema_migrations') AND attnum > 0 AND NOT attisdropped",
  );
  if (columns.length === 0) return [];
  const checksum = columns.some(({ name }) => name === "checksum") ? "checksum" : "NULL::text AS checksum";
  return (
    await client.query<AppliedMigration>(
      `SELECT number, name, ${checksum} FROM public.schema_migrations ORDER BY number`,
    )
  ).rows;
}

/** Migrations that were edited after they were applied, that are unknown, or that were passed over. */
export function findMigrationProblems(
  applied: readonly AppliedMigration[],
  files: readonly Migration[] = listMigrations(),
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
      return checksum === null || checksum === file.checksum
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
 * What differs between the tables of the database and those that its migrations create; nothing when it is right.
 * `record`: a schema that is right is recorded, so that the next check is fast.
 */
export async function findSchemaDifferences(client: ClientBase, { record = false } = {}): Promise<string[]> {
  const applied = await loadAppliedMigrations(client);
  const current = applied.at(-1)?.number ?? 0;
  if (current === 0) return [];
  const found = await loadCatalog(client);
  const fingerprint = await buildFingerprint(client, current, found);
  const { rows } = await client.query<{ value: string }>("SELECT value FROM instance_facts WHERE name = $1", [
    factName,
  ]);
  if (rows[0]?.value === fingerprint) return [];
  const differences = compareCatalogs(await loadExpectedCatalog(client, current), found);
  if (record && differences.length === 0) await saveFingerprint(client, fingerprint);
  return differences;
}

/** Records that the schema is right as it is now. */
export async function recordSchema(client: ClientBase): Promise<void> {
  const current = (await loadAppliedMigrations(client)).at(-1)?.number ?? 0;
  await saveFingerprint(client, await buildFingerprint(client, current, await loadCatalog(client)));
}

const saveFingerprint = (client: ClientBase, fingerprint: string) =>
  client.query(
    "INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [factName, fingerprint],
  );

/**
 * After a restore: this program created the tables, whichever program wrote the backup and its list of migrations. The next
 * start also says anew where files are.
 */
export async function acceptRestoredSchema(client: ClientBase): Promise<void> {
  for (const { number, checksum } of listMigrations())
    await client.query("UPDATE schema_migrations SET checksum = $2 WHERE number = $1", [number, checksum]);
  await client.query("DELETE FROM instance_facts WHERE name = ANY($1)", [[factName, "files_folder"]]);
}

/** Another version of PostgreSQL may describe the same schema in other words, and another program expects another one. */
async function buildFingerprint(client: ClientBase, current: number, catalog: readonly string[]): Promise<string> {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
  const texts = listMigrations().filter(({ number }) => number <= current);
  return `${current} ${rows[0]?.version} ${hashCatalog(texts.map(({ checksum }) => checksum))} ${hashCatalog(catalog)}`;
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
    for (const { sql } of listMigrations().filter(({ number }) => number <= upTo)) await client.query(sql);
    return await loadCatalog(client, scratch);
  } finally {
    await client.query("ROLLBACK");
  }
}
