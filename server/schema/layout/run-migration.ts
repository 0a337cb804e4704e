import type { ClientBase } from "pg";
import { splitStatements } from "./split-statements.ts";

const storageParameters = /^ALTER TABLE (\S+) (SET \([^)]*\))$/;

/** Runs the statements of a migration one by one. The caller opens the transaction. */
export async function runMigration(client: ClientBase, sql: string): Promise<void> {
  for (const statement of splitStatements(sql)) {
    const [, table, parameters] = storageParameters.exec(statement) ?? [];
    const partitions = table === undefined ? [] : await loadPartitions(client, table);
    if (partitions.length === 0) await client.query(statement);
    // A table in partitions has no storage of its own.
    for (const partition of partitions) await client.query(`ALTER TABLE ${partition} ${parameters}`);
  }
}

async function loadPartitions(client: ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT i.inhrelid::regclass::text AS name FROM pg_inherits i JOIN pg_partitioned_table p ON p.partrelid = i.inhparent WHERE i.inhparent = $1::regclass`,
    [table],
  );
  return rows.map(({ name }) => name);
}
