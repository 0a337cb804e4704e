import { statement } from "../../database/database.ts";
import { parseJson } from "../../database/rows.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Type } from "../../engine/types.ts";

// The work that came with the demo company, which an administrator removes before the real work begins. A fact of the
// instance separates it from records that people created since: by type, the ids that the loader used.

const factName = "sample work";
const storeFact = statement(
  "INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
const selectFact = statement("SELECT value FROM instance_facts WHERE name = $1");

/**
 * By type: the last id before the work was loaded, the last id of the work, and its last moment: people who create records
 * while the work is loaded get ids between those of the work.
 */
export type SampleRanges = readonly (readonly [type: string, after: number, until: number, latest?: string])[];

/** `write`: sends a statement in the transaction that loads the work. */
export const keepSampleRanges = (
  write: (text: typeof storeFact, values: string[]) => void,
  ranges: SampleRanges,
): void => write(storeFact, [factName, JSON.stringify(ranges)]);

async function loadSampleRanges({ database }: Engine): Promise<SampleRanges> {
  const [row] = await database.read(selectFact, [factName]);
  return row === undefined ? [] : parseJson(row[0]);
}

export type SampleIds = { type: Type; ids: number[] };

/** The remaining sample work in an account, in the order in which it is removed. */
export async function loadSampleIds(engine: Engine, account: string): Promise<SampleIds[]> {
  const ranges = await loadSampleRanges(engine);
  return Promise.all(
    ranges.map(async ([name, after, until, latest = "infinity"]) => {
      const type = engine.types.get(name);
      const select = statement(
        `SELECT id FROM ${type.ownTable}
WHERE account_id = $1 AND id > $2::integer AND id <= $3::integer AND created_at <= $4::timestamptz ORDER BY id`,
      );
      const rows = await engine.database.read(select, [account, after, until, latest]);
      return { type, ids: rows.map(([id]) => Number(id)) };
    }),
  );
}
