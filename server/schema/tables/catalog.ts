import { createHash } from "node:crypto";
import type { ClientBase } from "pg";

// PostgreSQL's catalog of a schema, as lines of text: two databases with the same lines have the same tables, columns,
// indexes, constraints, triggers and functions. The order of columns does not matter.

// A table in partitions is described as if it were one, and its partitions are not: they depend on the time or on a setting.
const ours = "n.nspname = $1 AND c.relname <> 'schema_migrations' AND NOT c.relispartition";
// Objects of extensions belong to the role that installed the extension.
const notOfExtension = (catalog: string, id: string) =>
  `NOT EXISTS (SELECT FROM pg_depend x WHERE x.classid = '${catalog}'::regclass AND x.objid = ${id} AND x.deptype = 'e')`;

const selectCatalog = `
SELECT concat_ws(' ', 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
  CASE WHEN a.attidentity <> '' THEN 'identity ' || a.attidentity::text END, 'collation ' || (SELECT collname::text FROM pg_collation WHERE oid = a.attcollation),
  'default ' || pg_get_expr(d.adbin, d.adrelid)) AS line
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE ${ours} AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped AND ${notOfExtension("pg_class", "c.oid")}
UNION ALL SELECT concat_ws(' ', 'partitions', c.relname, pg_get_partkeydef(c.oid))
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_partitioned_table t ON t.partrelid = c.oid WHERE ${ours} AND t.partstrat = 'r'
UNION ALL SELECT concat_ws(' ', 'storage', c.relname, c.reloptions::text)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours} AND c.relkind = 'r' AND c.reloptions IS NOT NULL
UNION ALL SELECT DISTINCT concat_ws(' ', 'storage', c.relname, part.reloptions::text)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_inherits i ON i.inhparent = c.oid JOIN pg_class part ON part.oid = i.inhrelid
WHERE ${ours} AND c.relkind = 'p' AND part.reloptions IS NOT NULL
UNION ALL SELECT concat_ws(' ', 'index', replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON '), CASE WHEN NOT i.indisvalid THEN 'INVALID' END)
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours} AND ${notOfExtension("pg_class", "c.oid")}
UNION ALL SELECT concat_ws(' ', 'constraint', c.relname, k.conname, pg_get_constraintdef(k.oid))
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE ${ours} AND k.contype <> 'n' AND k.conparentid = 0 AND ${notOfExtension("pg_class", "c.oid")}
UNION ALL SELECT concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), CASE WHEN t.tgenabled <> 'O' THEN 'enabled ' || t.tgenabled::text END)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours} AND NOT t.tgisinternal
UNION ALL SELECT concat_ws(' ', 'function', regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g'))
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND p.prokind IN ('f', 'p') AND ${notOfExtension("pg_proc", "p.oid")}`;

/** The lines of a schema, sorted. Other schemas than `public` are described as if they were `public`. */
export async function loadCatalog(client: ClientBase, schema = "public"): Promise<string[]> {
  const path = (await client.query<{ path: string }>("SELECT current_setting('search_path') AS path")).rows[0]?.path;
  // Names of the schema are written with or without it, depending on the search path.
  const setPath = "SELECT set_config('search_path', $1, false)";
  await client.query(setPath, [schema]);
  try {
    const { rows } = await client.query<{ line: string }>(selectCatalog, [schema]);
    return rows.map(({ line }) => line.replaceAll(`${schema}.`, "public.")).sort();
  } finally {
    await client.query(setPath, [path]).catch(() => {});
  }
}

export const hashCatalog = (lines: readonly string[]): string =>
  createHash("sha256").update(lines.join("\n")).digest("hex");

/** The differences, a line for each; empty when both are the same. */
export function compareCatalogs(expected: readonly string[], found: readonly string[]): string[] {
  const [wanted, there] = [new Set(expected), new Set(found)];
  return [
    ...expected.filter((line) => !there.has(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !wanted.has(line)).map((line) => `not expected: ${line}`),
  ];
}
