import { createTable, quoteIdentifier, type Schema } from "./model.ts";

/** The statements that turn one schema into another; a draft that a person reviews. */
export function draftMigration(from: Schema, to: Schema): string[] {
  const before = new Map(from.tables.map((table) => [table.name, table]));
  const after = new Map(to.tables.map((table) => [table.name, table]));
  const oldExtras = new Map(from.extras.map((extra) => [extra.name, extra]));
  const newExtras = new Map(to.extras.map((extra) => [extra.name, extra]));
  const statements: string[] = [];

  for (const extra of from.extras) {
    if (newExtras.get(extra.name)?.sql === extra.sql || !after.has(extra.table)) continue;
    if (extra.kind === "index") statements.push(`DROP INDEX ${quoteIdentifier(extra.name)};`);
    if (extra.kind === "constraint")
      statements.push(`ALTER TABLE ${quoteIdentifier(extra.table)} DROP CONSTRAINT ${quoteIdentifier(extra.name)};`);
    if (extra.kind === "trigger")
      statements.push(`DROP TRIGGER ${quoteIdentifier(extra.name)} ON ${quoteIdentifier(extra.table)};`);
  }
  for (const extra of to.extras)
    if ((extra.kind === "function" || extra.kind === "sequence") && oldExtras.get(extra.name)?.sql !== extra.sql)
      statements.push(`${extra.sql};`);
  for (const table of from.tables)
    if (!after.has(table.name)) statements.push(`DROP TABLE ${quoteIdentifier(table.name)};`);
  for (const table of to.tables) {
    const known = before.get(table.name);
    if (known === undefined) {
      statements.push(createTable(table));
      continue;
    }
    if (known.partitioning?.by !== table.partitioning?.by)
      throw new Error(`whether ${table.name} has partitions is changed by a migration that a person writes`);
    const oldColumns = new Map(known.columns.map((column) => [column.name, column.definition]));
    const newColumns = new Map(table.columns.map((column) => [column.name, column.definition]));
    for (const name of oldColumns.keys())
      if (!newColumns.has(name))
        statements.push(`ALTER TABLE ${quoteIdentifier(table.name)} DROP COLUMN ${quoteIdentifier(name)};`);
    for (const [name, definition] of newColumns) {
      const old = oldColumns.get(name);
      if (old === undefined)
        statements.push(
          `ALTER TABLE ${quoteIdentifier(table.name)} ADD COLUMN ${quoteIdentifier(name)} ${definition};`,
        );
      else if (old !== definition) statements.push(...buildColumnChange(table.name, name, old, definition));
    }
  }
  for (const extra of to.extras)
    if (extra.kind !== "function" && extra.kind !== "sequence" && oldExtras.get(extra.name)?.sql !== extra.sql)
      statements.push(`${extra.sql};`);
  return statements;
}

const primaryKey = " PRIMARY KEY";

function buildColumnChange(table: string, column: string, old: string, definition: string): string[] {
  const parts = (text: string) => {
    const match = /^(.*?)( NOT NULL)?( DEFAULT (.*))?$/s.exec(text);
    return { type: match?.[1] ?? text, notNull: match?.[2] !== undefined, standard: match?.[4] };
  };
  const alter = `ALTER TABLE ${quoteIdentifier(table)} ALTER COLUMN ${quoteIdentifier(column)}`;
  // A key of several columns takes the place of this one.
  const isNoKeyAnyMore = old.endsWith(primaryKey) && !definition.endsWith(primaryKey);
  const statements: string[] = isNoKeyAnyMore
    ? [`ALTER TABLE ${quoteIdentifier(table)} DROP CONSTRAINT ${quoteIdentifier(`${table}_pkey`)};`]
    : [];
  const [from, to] = [parts(isNoKeyAnyMore ? old.slice(0, -primaryKey.length) : old), parts(definition)];
  if (isNoKeyAnyMore) from.notNull = to.notNull; // the column of a key has no empty values
  // A default of the old type cannot be converted, and rows need a value before NOT NULL is set.
  const retyped = from.type !== to.type;
  if (from.standard !== undefined && (retyped || to.standard === undefined)) statements.push(`${alter} DROP DEFAULT;`);
  if (retyped) statements.push(`${alter} TYPE ${to.type} USING ${quoteIdentifier(column)}::${to.type};`);
  if (to.standard !== undefined && (retyped || from.standard !== to.standard))
    statements.push(`${alter} SET DEFAULT ${to.standard};`);
  if (!from.notNull && to.notNull && to.standard !== undefined)
    statements.push(
      `UPDATE ${quoteIdentifier(table)} SET ${quoteIdentifier(column)} = ${to.standard} WHERE ${quoteIdentifier(column)} IS NULL;`,
    );
  if (from.notNull !== to.notNull) statements.push(`${alter} ${to.notNull ? "SET" : "DROP"} NOT NULL;`);
  return statements;
}
