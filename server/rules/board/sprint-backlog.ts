import { statement, type Transaction } from "../../database/database.ts";
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

/** A request that several accounts work on may be planned by each of them. */
const selectSprintItems = mapNames(sprintItemTypes, (type) =>
  statement(
    type === "request"
      ? "SELECT id, account_id FROM sprint_backlog_items WHERE request_id = $1 ORDER BY id"
      : `SELECT id, account_id FROM sprint_backlog_items WHERE ${type}_id = $1 AND account_id = $2 ORDER BY id`,
  ),
);
const deleteSprintItem = statement("DELETE FROM sprint_backlog_items WHERE id = $1 AND account_id = $2");

/** In `beforePurge` of a record that may be planned in sprints. */
export async function removeFromSprints(
  tx: Transaction,
  type: (typeof sprintItemTypes)[number],
  { id, account }: { id: number; account: string },
): Promise<void> {
  const items = await tx.query(selectSprintItems[type], type === "request" ? [id] : [id, account]);
  for (const [item, planner] of items) {
    const planned = { id: Number(item), account: planner as string };
    await closeGapBeforePurge(sprintPositions, tx, "sprint_backlog_item", planned);
    tx.send(deleteSprintItem, [planned.id, planned.account]);
  }
}
