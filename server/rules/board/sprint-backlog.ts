import { statement, type Transaction } from "../../storage/database.ts";
import { closeGapBeforePurge, type Positions } from "./positions.ts";

// The records that sprints plan: AB10.

export const sprintItemTypes = ["request", "problem", "task", "project_task"];

export const sprintPositions: Positions = {
  listField: "sprint",
  positionField: "position",
  listTable: "sprints",
  itemTables: {
    sprint_backlog_item: { table: "sprint_backlog_items", listColumn: "sprint_id", positionColumn: "position" },
  },
};

const selectSprintItems = Object.fromEntries(
  sprintItemTypes.map((type) => [
    type,
    statement(`SELECT id FROM sprint_backlog_items WHERE ${type}_id = $1 ORDER BY id`),
  ]),
);
const deleteSprintItem = statement("DELETE FROM sprint_backlog_items WHERE id = $1");

/** A record that is erased is in no sprint any more. */
export async function removeFromSprints(tx: Transaction, type: string, id: number): Promise<void> {
  for (const [item] of await tx.query(selectSprintItems[type] as NonNullable<(typeof selectSprintItems)[string]>, [
    id,
  ])) {
    await closeGapBeforePurge(sprintPositions, tx, "sprint_backlog_item", Number(item));
    tx.send(deleteSprintItem, [Number(item)]);
  }
}
