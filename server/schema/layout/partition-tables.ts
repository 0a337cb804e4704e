import pg from "pg";
import { OperatorError } from "../../base/errors.ts";

// Divides tables into partitions by a hash of the account (D-663). PostgreSQL then refuses what could not be divided among
// servers either: unique keys without the account, and references to a divided table without it.

/** The tables that can be divided, and the column with the account of a row. */
export type Layout = {
  tables: readonly { name: string; accountColumn: string }[];
  /** of a new database; 0: tables are not divided */
  partitions: number;
};

const oldSuffix = "__undivided";
// Columns that count up cannot belong to a partitioned table before.
const minVersion = 170_000;

/** The number of partitions that the tables of the database have; 0 when none is divided. */
export async function loadPartitionCount(client: pg.ClientBase, { tables }: Pick<Layout, "tables">): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM pg_inherits i JOIN pg_partitioned_table p ON p.partrelid = i.inhparent JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1) GROUP BY c.oid LIMIT 1`,
    [tables.map(({ name }) => name)],
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * Divides the tables that are not divided yet, each in its own transaction, and returns their number. The database must have
 * no other clients meanwhile.
 */
export async function partitionTables(
  client: pg.ClientBase,
  { tables, partitions }: Layout,
  progress: (line: string) => void = () => {},
): Promise<number> {
  const { rows } = await client.query<{ name: string; version: number }>(
    `SELECT relname::text AS name, current_setting('server_version_num')::integer AS version
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname = ANY($1)`,
    [tables.map(({ name }) => name)],
  );
  const undivided = new Set(rows.map(({ name }) => name));
  if (undivided.size > 0 && (rows[0]?.version ?? 0) < minVersion)
    throw new OperatorError("Partitions need PostgreSQL 17 or newer.");
  for (const table of tables) {
    if (!undivided.has(table.name)) continue;
    progress(`partitions: ${table.name}`);
    await client.query("BEGIN");
    try {
      await client.query("SET LOCAL statement_timeout = 0");
      await partitionTable(client, table, partitions);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    }
  }
  return undivided.size;
}

const { escapeIdentifier: quote } = pg;

/** The table with the rows of the accounts whose hash has this remainder. */
export const namePartition = (table: string, remainder: number): string =>
  `${table}_p${String(remainder).padStart(2, "0")}`;

async function partitionTable(
  client: pg.ClientBase,
  { name, accountColumn }: Layout["tables"][number],
  partitions: number,
): Promise<void> {
  const [table, old] = [quote(name), quote(`${name}${oldSuffix}`)];
  await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const parts = await loadParts(client, name);
  for (const { on, key } of parts.foreignKeys) await client.query(`ALTER TABLE ${on} DROP CONSTRAINT ${key}`);
  await client.query(`ALTER TABLE ${table} RENAME TO ${old}`);
  // The new sequence takes the name of the old one.
  for (const { sequence } of parts.sequences)
    await client.query(`ALTER SEQUENCE ${quote(sequence)} RENAME TO ${quote(`${sequence}${oldSuffix}`)}`);
  await client.query(
    `CREATE TABLE ${table} (LIKE ${old} INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING STORAGE INCLUDING COMPRESSION)
PARTITION BY HASH (${quote(accountColumn)})`,
  );
  const options = parts.options === null ? "" : ` WITH (${parts.options})`;
  const partitionNames = Array.from({ length: partitions }, (_, number) => namePartition(name, number));
  for (const [remainder, partition] of partitionNames.entries())
    await client.query(
      `CREATE TABLE ${quote(partition)} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder})${options}`,
    );
  const columns = parts.columns.map(quote).join(", ");
  await client.query(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${old}`);
  for (const { sequence } of parts.sequences) {
    await client.query(`SELECT setval($1::regclass, last_value, is_called) FROM ${quote(`${sequence}${oldSuffix}`)}`, [
      quote(sequence),
    ]);
    for (const { on, column } of parts.sharedDefaults)
      await client.query(
        `ALTER TABLE ${on} ALTER COLUMN ${column} SET DEFAULT nextval('${quote(sequence)}'::regclass)`,
      );
  }
  await client.query(`DROP TABLE ${old}`);
  for (const sql of [
    ...parts.constraints,
    ...nameUniqueIndexes(parts, partitionNames),
    ...parts.indexes,
    ...parts.triggers,
  ])
    await client.query(sql);
  for (const { on, key, definition } of parts.foreignKeys)
    await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${key} ${definition}`);
  await client.query(`ANALYZE ${table}`);
}

/**
 * A value that is taken is reported with the name of the index of its partition, from which the engine learns the field. The
 * index of the whole table adopts those of its partitions.
 */
const nameUniqueIndexes = ({ indexes }: TableParts, partitions: readonly string[]): string[] =>
  indexes.flatMap((sql) => {
    const [, name, rest] = /^CREATE UNIQUE INDEX ("[^"]+"|\S+) ON (?:"[^"]+"|\S+) (.*)$/s.exec(sql) ?? [];
    return name === undefined
      ? []
      : partitions.map(
          (partition) =>
            `CREATE UNIQUE INDEX ${quote(`${name.replaceAll('"', "")}${partition.slice(-4)}`)} ON ${quote(partition)} ${rest}`,
        );
  });

type TableParts = {
  columns: string[];
  options: string | null;
  sequences: { sequence: string }[];
  /** columns of other tables that count with the same sequence */
  sharedDefaults: { on: string; column: string }[];
  constraints: string[];
  indexes: string[];
  triggers: string[];
  foreignKeys: { on: string; key: string; definition: string }[];
};

/** Everything that belongs to a table and has to be created again. */
async function loadParts(client: pg.ClientBase, name: string): Promise<TableParts> {
  const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> =>
    (await client.query<Row>(sql, [`public.${quote(name)}`])).rows;
  const texts = async (sql: string) => (await query<{ text: string }>(sql)).map(({ text }) => text);
  const sequences = await query<{ sequence: string; id: number }>(
    `SELECT s.relname::text AS sequence, s.oid::integer AS id FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = $1::regclass AND d.deptype = 'i'`,
  );
  const { rows: sharedDefaults } = await client.query<{ on: string; column: string }>(
    `SELECT a.attrelid::regclass::text AS on, quote_ident(a.attname) AS column FROM pg_depend d
JOIN pg_attrdef f ON f.oid = d.objid JOIN pg_attribute a ON a.attrelid = f.adrelid AND a.attnum = f.adnum
WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = ANY($1::oid[])
  AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = f.adrelid AND c.relispartition)`,
    [sequences.map(({ id }) => id)],
  );
  return {
    columns: await texts(
      "SELECT attname::text AS text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
    ),
    options:
      (await texts("SELECT array_to_string(reloptions, ', ') AS text FROM pg_class WHERE oid = $1::regclass"))[0] ??
      null,
    sequences,
    sharedDefaults,
    constraints: await texts(
      `SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS text
FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'c')`,
    ),
    indexes: await texts(
      `SELECT pg_get_indexdef(i.indexrelid) AS text FROM pg_index i WHERE i.indrelid = $1::regclass
AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u')) ORDER BY i.indexrelid`,
    ),
    triggers: await texts(
      "SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal",
    ),
    foreignKeys: await query(
      `SELECT conrelid::regclass::text AS on, quote_ident(conname) AS key, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND $1::regclass IN (conrelid, confrelid)`,
    ),
  };
}
