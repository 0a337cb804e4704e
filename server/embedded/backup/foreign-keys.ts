import type { ClientBase } from "pg";
import { qualified, type Table } from "./contents.ts";

/**
 * Allows loading rows in any order, although tables refer to each other in circles, and runs no triggers, whose effects
 * are in the rows already. Returns the function that restores the checks, in the same transaction.
 */
export async function suspendChecks(client: ClientBase, tables: Table[]): Promise<() => Promise<void>> {
  if (await mayReplicate(client)) {
    return async () => {
      await client.query("SET LOCAL session_replication_role = origin");
    };
  }
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint
      WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`,
  );
  for (const key of keys) await client.query(`ALTER TABLE ${key.table} DROP CONSTRAINT ${key.name}`);
  for (const { name } of tables) await client.query(`ALTER TABLE ${qualified(name)} DISABLE TRIGGER USER`);
  return async () => {
    await client.query("SET CONSTRAINTS ALL IMMEDIATE"); // a table with checks outstanding cannot be altered
    for (const { name } of tables) await client.query(`ALTER TABLE ${qualified(name)} ENABLE TRIGGER USER`);
    for (const key of keys) await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT ${key.name} ${key.definition}`);
  };
}

// Superusers have the right, and roles to which it was granted. A refusal must not end the transaction.
async function mayReplicate(client: ClientBase): Promise<boolean> {
  await client.query("SAVEPOINT replicate");
  try {
    await client.query("SET LOCAL session_replication_role = replica");
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "42501") throw error;
    await client.query("ROLLBACK TO SAVEPOINT replicate");
    return false;
  }
}
