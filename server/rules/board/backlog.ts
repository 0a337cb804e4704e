import { toTimestamp } from "../../base/clock.ts";
import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";
import { choosePosition, type Positions, shiftOthers } from "./positions.ts";

// Product backlogs: R14, AB11. The items are the requests and problems that say so; the rows of product_backlog_item
// follow them.

const positionColumns = { listColumn: "product_backlog_id", positionColumn: "product_backlog_position" };
const backlogPositions: Positions = {
  listField: "product_backlog",
  positionField: "product_backlog_position",
  listTable: "product_backlogs",
  itemTables: {
    request: { table: "requests", ...positionColumns },
    problem: { table: "problems", ...positionColumns },
  },
};

/** Part of `check`, before the status is looked at: what goes to a backlog waits there, what leaves it is assigned. */
export function setStatusByBacklog({ before, after, changed, given }: Change): void {
  if (given.has("status") || !changed.has("product_backlog")) return;
  if (after.product_backlog !== null) after.status = "on_backlog";
  else if (before?.status === "on_backlog") after.status = "assigned";
}

export const chooseBacklogPosition = (change: Change): Promise<void> => choosePosition(backlogPositions, change);

// biome-ignore format: one statement per step
const statements = Object.fromEntries(
  ["request", "problem"].map((type) => [
    type,
    {
      leave:  statement(`DELETE FROM product_backlog_items WHERE ${type}_id = $1`),
      follow: statement(`UPDATE product_backlog_items i SET position = r.product_backlog_position, updated_at = $2 FROM ${type}s r
WHERE r.id = i.${type}_id AND i.product_backlog_id = $1 AND i.position IS DISTINCT FROM r.product_backlog_position`),
      enter:  statement(`INSERT INTO product_backlog_items (id, account_id, product_backlog_id, position, ${type}_id, created_at, updated_at)
VALUES (nextval('product_backlog_items_id_seq'), $1, $2, $3, $4, $5, $5)`),
    },
  ]),
);

/** Part of `saved`. */
export function syncBacklog(change: Change): void {
  const { tx, type, id, account, by, before, after } = change;
  if (!shiftOthers(backlogPositions, change)) return;
  const [old, now] = [before?.product_backlog ?? null, after.product_backlog ?? null];
  const own = statements[type] as NonNullable<(typeof statements)[string]>;
  if (old !== now) {
    tx.send(own.leave, [id]);
    if (now !== null)
      tx.send(own.enter, [account, now as number, after.product_backlog_position as number, id, toTimestamp(by.now)]);
  }
  for (const backlog of new Set([old, now]))
    if (backlog !== null)
      for (const { follow } of Object.values(statements)) tx.send(follow, [backlog as number, toTimestamp(by.now)]);
}
