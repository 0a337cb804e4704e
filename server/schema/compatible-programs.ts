import type { ClientBase } from "pg";
import { OperatorError } from "../base/errors.ts";
import { baseline, type Migration } from "./migration-files.ts";

// The versions that work with the schema of a database. Two versions run at the same time during an upgrade, so the newer one
// records the oldest version that its migrations support, and an older one that starts reads it (D-670).

export const oldestProgramFact = "oldest_program";

export const getOldestProgram = (upTo: number, migrations: readonly Migration[]): number =>
  migrations.reduce<number>(
    (oldest, { number, oldestProgram }) => (number <= upTo ? Math.max(oldest, oldestProgram ?? 0) : oldest),
    baseline.number,
  );

export async function recordOldestProgram(client: ClientBase, oldestProgram: number): Promise<void> {
  await client.query(
    "INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [oldestProgramFact, String(oldestProgram)],
  );
}

export async function loadOldestProgram(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM public.instance_facts WHERE name = $1", [
    oldestProgramFact,
  ]);
  return Number(rows[0]?.value);
}

/** Every server process listens on one connection under this name, so that a migration sees which programs run. */
export const buildListenerName = (schema: number): string => `steward listener ${schema}`;
export const isListenerSql = "application_name LIKE 'steward listener %'";

/** Refuses a migration that would break servers of older programs, while such servers run. */
export async function requireNoOlderServers(
  client: ClientBase,
  { name, number, oldestProgram }: Pick<Migration, "name" | "number" | "oldestProgram">,
): Promise<void> {
  if (oldestProgram === null) return;
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND ${isListenerSql}
       AND substring(application_name FROM '\\d+$')::integer < $1`,
    [oldestProgram],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new OperatorError(
    `Schema ${number} (${name}) removes what programs before schema ${oldestProgram} use, and ${count} server ` +
      `${count === 1 ? "process of such a program runs" : "processes of such programs run"}. Replace them first, or stop them.`,
  );
}
