import { createHash } from "node:crypto";
import pg from "pg";

// Builds and drops indexes while others write. PostgreSQL does that for tables that are not in partitions only. Where a table is, the
// index begins as one that covers no partition yet, is built for one partition after the other, and is complete with the last (D-665).

/** Runs statements that lock a table briefly in a transaction that releases its locks after a short timeout. */
type Briefly = (work: () => Promise<void>) => Promise<void>;

const name = String.raw`("[^"]+"|\w+)`;
const createPattern = new RegExp(
  `^CREATE (UNIQUE )?INDEX CONCURRENTLY (?:IF NOT EXISTS )?${name} ON ${name}\\s+(.*)$`,
  "is",
);
const dropPattern = new RegExp(`^DROP INDEX CONCURRENTLY (?:IF EXISTS )?${name}$`, "i");
const maxNameLength = 63;

type Index = { kind: "INDEX" | "UNIQUE INDEX"; name: string; table: string; definition: string };

/**
 * Runs a statement of a migration that builds or drops an index. After an interruption it resumes: a complete index
 * stays; an incomplete one was left behind by a failed build, and is built again.
 */
export async function runConcurrently(client: pg.ClientBase, statement: string, briefly: Briefly): Promise<void> {
  const [, unique, created, table = "", definition = ""] = createPattern.exec(statement) ?? [];
  const dropped = dropPattern.exec(statement)?.[1];
  if (created !== undefined) {
    const kind = unique === undefined ? "INDEX" : "UNIQUE INDEX";
    const index: Index = { kind, name: unquote(created), table: unquote(table), definition };
    if ((await loadKind(client, index.table)) === "p") await buildInPartitions(client, index, briefly);
    else await build(client, index);
  } else if (dropped !== undefined && (await loadKind(client, unquote(dropped))) === "I")
    await briefly(async () => void (await client.query(`DROP INDEX ${dropped}`)));
  else await client.query(statement);
}

const { escapeIdentifier: quote } = pg;
const unquote = (text: string): string => (text.startsWith('"') ? text.slice(1, -1) : text.toLowerCase());

/** As in `pg_class`: p for a table in partitions, I for an index of one. */
async function loadKind(client: pg.ClientBase, relation: string): Promise<string | undefined> {
  const { rows } = await client.query<{ kind: string }>(
    "SELECT relkind AS kind FROM pg_class WHERE relname = $1 AND relnamespace = 'public'::regnamespace",
    [relation],
  );
  return rows[0]?.kind;
}

async function loadIsValid(client: pg.ClientBase, index: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    "SELECT i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname = $1 AND c.relnamespace = 'public'::regnamespace",
    [index],
  );
  return rows[0]?.valid;
}

async function build(client: pg.ClientBase, { kind, name, table, definition }: Index): Promise<void> {
  const isValid = await loadIsValid(client, name);
  if (isValid) return;
  if (isValid !== undefined) await client.query(`DROP INDEX CONCURRENTLY ${quote(name)}`);
  await client.query(`CREATE ${kind} CONCURRENTLY ${quote(name)} ON ${quote(table)} ${definition}`);
}

async function buildInPartitions(client: pg.ClientBase, index: Index, briefly: Briefly): Promise<void> {
  const { kind, name, table, definition } = index;
  if ((await loadIsValid(client, name)) === undefined)
    await briefly(
      async () => void (await client.query(`CREATE ${kind} ${quote(name)} ON ONLY ${quote(table)} ${definition}`)),
    );
  // A partition that comes meanwhile has the index from the beginning.
  for (const partition of await loadPartitionsWithout(client, index)) {
    const own = nameIndex(index, partition);
    await build(client, { ...index, name: own, table: partition });
    await briefly(async () => void (await client.query(`ALTER INDEX ${quote(name)} ATTACH PARTITION ${quote(own)}`)));
  }
}

async function loadPartitionsWithout(client: pg.ClientBase, { name, table }: Index): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname::text AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass AND NOT EXISTS (
  SELECT FROM pg_inherits p JOIN pg_index x ON x.indexrelid = p.inhrelid WHERE p.inhparent = $2::regclass AND x.indrelid = c.oid) ORDER BY 1`,
    [`public.${quote(table)}`, `public.${quote(name)}`],
  );
  return rows.map((row) => row.name);
}

/**
 * The name of the whole index and a suffix for the partition: a duplicate value is reported with the index of its
 * partition, from which the engine derives the field.
 */
function nameIndex({ name, table }: Index, partition: string): string {
  const suffix = partition.startsWith(table) ? partition.slice(table.length) : `_${partition}`;
  if (name.length + suffix.length <= maxNameLength) return `${name}${suffix}`;
  const end = `_${createHash("sha256").update(`${name}${suffix}`).digest("hex").slice(0, 8)}`;
  return `${name.slice(0, maxNameLength - end.length)}${end}`;
}
