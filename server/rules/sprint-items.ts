import { statement, type Transaction } from "../storage/database.ts";
import { type Ladder, leaveForGood } from "./ladder.ts";

// The records that sprints plan: reference, records/agile.md, "Sprint backlog item".

export const itemTypes = ["request", "problem", "task", "project_task"];

export const sprintLadder: Ladder = {
  field: "sprint",
  position: "position",
  owner: "sprints",
  steps: { sprint_backlog_item: { table: "sprint_backlog_items", place: "sprint_id", position: "position" } },
};

const itemsOf = Object.fromEntries(
  itemTypes.map((type) => [type, statement(`SELECT id FROM sprint_backlog_items WHERE ${type}_id = $1 ORDER BY id`)]),
);
const drop = statement("DELETE FROM sprint_backlog_items WHERE id = $1");

/** A record that is erased is in no sprint any more. */
export async function leaveSprints(tx: Transaction, type: string, id: number): Promise<void> {
  for (const [item] of await tx.query(itemsOf[type] as NonNullable<(typeof itemsOf)[string]>, [id])) {
    await leaveForGood(sprintLadder, tx, "sprint_backlog_item", Number(item));
    tx.send(drop, [Number(item)]);
  }
}
