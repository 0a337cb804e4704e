import type { ClientBase, Pool } from "pg";

// Attachments whose file is missing or has another size than was stored with it.

/** Null: the file is as it should be. `found`: its size, null when it is missing. */
export function describeDamage(key: string, expected: number, found: number | null): string | null {
  if (found === null) return `${key} (missing)`;
  return found === expected ? null : `${key} (${found} bytes instead of ${expected})`;
}

/** Sizes by key, as of the transaction. -1 marks an upload that is not complete. */
export async function loadExpectedFiles(client: ClientBase): Promise<Map<string, number>> {
  const { rows: found } = await client.query("SELECT to_regclass('public.attachments') IS NOT NULL AS there");
  if (!found[0].there) return new Map();
  const { rows } = await client.query<{ key: string; size: number }>(
    "SELECT key, size FROM public.attachments WHERE size >= 0 ORDER BY key",
  );
  return new Map(rows.map(({ key, size }) => [key, size]));
}

/** The damaged files, without those whose attachment was deleted while the files were read. */
export async function listDamagedFiles(
  pool: Pool,
  expected: ReadonlyMap<string, number>,
  found: ReadonlyMap<string, number>,
): Promise<string[]> {
  const damages = new Map<string, string>();
  for (const [key, size] of expected) {
    const damage = describeDamage(key, size, found.get(key) ?? null);
    if (damage !== null) damages.set(key, damage);
  }
  if (damages.size === 0) return [];
  const { rows } = await pool.query<{ key: string }>(
    "SELECT key FROM public.attachments WHERE key = ANY($1::text[]) ORDER BY key",
    [[...damages.keys()]],
  );
  return rows.map(({ key }) => damages.get(key) as string);
}
