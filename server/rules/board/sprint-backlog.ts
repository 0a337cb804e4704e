import { statement, type Transaction } from "../../storage/database.ts";
import { mapNames } from "../shared/map-names.ts";
import { closeGapBeforePurge, type Positions } from "./positions.ts";

// The records that sprints plan: AB10.

export const sprintItemTypes = ["request", "problem", "task", "project_task"] as const;

export const sprintPositions: Positions<"sprint_backlog_item"> = {
  listField: "sprint",
  positionField: "position",
  listTable: "sprints",
  itemTables: {
    sprint_backlog_item: { table: "sprint_backlog_items", listColumn: "sprint_id", positionColumn: "position" },
  },
};

const selectSprintItems = mapNames(sprintItemTypes, (type) =>
  statement(`SELECT id FROM sprint_backlog_items WHERE ${type}_id = $1 ORDER BY id`),
);
const deleteSprintItem = statement("DELETE FROM sprint_backlog_items WHERE id = $1");

/** In `beforePurge` of a record that may be planned in sprints. */
export async function removeFromSprints(
  tx: Transaction,
  type: (typeof sprintItemTypes)[number],
  id: number,
): Promise<void> {
  for (const [item] of await tx.query(selectSprintItems[type], [id])) {
    await closeGapBeforePurge(sprintPositions, tx, "sprint_backlog_item", Number(item));
    tx.send(deleteSprintItem, [Number(item)]);
  }
}
