import { type Database, statement } from "../../database/database.ts";

// How much of the work of the demo company has arrived, while it arrives behind the pages (demo/loader/later-work.ts).

const factName = "work progress";
const storePercent = statement(
  "INSERT INTO instance_facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
);
const removePercent = statement("DELETE FROM instance_facts WHERE name = $1");
/** A process that was killed may leave it behind; then there is nothing left to load, or the next start continues. */
const selectPercent = statement(
  "SELECT value FROM instance_facts WHERE name = $1 AND EXISTS (SELECT 1 FROM instance_facts WHERE name = $2)",
);

const selectPending = statement("SELECT 1 FROM instance_facts WHERE name = $1");

/** The fact that says that the work is still to come. */
export const pendingWorkFact = "work to load";

export async function storeWorkProgress(database: Database, percent: number): Promise<void> {
  await database.change(storePercent, [factName, String(percent)]);
}

export async function clearWorkProgress(database: Database): Promise<void> {
  await database.change(removePercent, [factName]);
}

export const hasPendingWork = async (database: Database): Promise<boolean> =>
  (await database.read(selectPending, [pendingWorkFact])).length > 0;

/** Undefined when none is arriving. */
export async function loadWorkProgress(database: Database): Promise<number | undefined> {
  const [row] = await database.read(selectPercent, [factName, pendingWorkFact]);
  return row === undefined ? undefined : Number(row[0]);
}
