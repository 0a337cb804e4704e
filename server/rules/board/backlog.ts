import type { problem } from "../../../records/work/problem.ts";
import type { request } from "../../../records/work/request.ts";
import { toTimestamp } from "../../base/clock.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import { mapNames } from "../shared/map-names.ts";
import { choosePosition, type Positions, shiftOthers } from "./positions.ts";

// Product backlogs: R14, AB11, AB15. The fields of requests and problems decide what is on a backlog; the rows of
// product_backlog_item are kept in step with them.

type BacklogItemChange = Change<typeof request | typeof problem>;

const itemTypes = ["request", "problem"] as const;
const backlogPositions: Positions = {
  listField: "product_backlog",
  positionField: "product_backlog_position",
  listTable: "product_backlogs",
  itemTables: mapNames(itemTypes, (type) => ({
    table: `${type}s`,
    listColumn: "product_backlog_id",
    positionColumn: "product_backlog_position",
  })),
};

/** In `beforeSave`, before any step that reads the status: an item that leaves its backlog is assigned. */
export function setStatusByBacklog({ before, after, changed, given }: BacklogItemChange): void {
  if (given.has("status") || !changed.has("product_backlog")) return;
  if (after.product_backlog !== null) after.status = "on_backlog";
  else if (before?.status === "on_backlog") after.status = "assigned";
}

export const chooseBacklogPosition = (change: BacklogItemChange): Promise<void> =>
  choosePosition(backlogPositions, change);

const buildDeleteItem = (type: string) =>
  statement(`DELETE FROM product_backlog_items WHERE ${type}_id = $1 AND account_id = $2`);
const buildInsertItem = (type: string) =>
  statement(
    `INSERT INTO product_backlog_items (id, account_id, product_backlog_id, position, ${type}_id, created_at, updated_at)
VALUES (nextval('product_backlog_items_id_seq'), $1, $2, $3, $4, $5, $5)`,
  );
const buildUpdatePositions = (type: string) =>
  statement(`UPDATE product_backlog_items i SET position = r.product_backlog_position, updated_at = $2 FROM ${type}s r
WHERE r.id = i.${type}_id AND r.account_id = $3 AND i.product_backlog_id = $1 AND i.account_id = $3 AND i.position IS DISTINCT FROM r.product_backlog_position`);

const deleteItem = mapNames(itemTypes, buildDeleteItem);
const insertItem = mapNames(itemTypes, buildInsertItem);
const updatePositions = mapNames(itemTypes, buildUpdatePositions);

/** In `afterSave`. */
export function syncBacklog(change: BacklogItemChange): void {
  const { tx, id, account, by, before, after } = change;
  if (!shiftOthers(backlogPositions, change)) return;
  const type = change.type === "request" ? "request" : "problem";
  const [oldBacklog, backlog] = [before?.product_backlog ?? null, after.product_backlog ?? null];
  const now = toTimestamp(by.now);
  if (oldBacklog !== backlog) {
    tx.send(deleteItem[type], [id, account]);
    if (backlog !== null) tx.send(insertItem[type], [account, backlog, after.product_backlog_position, id, now]);
  }
  for (const each of new Set([oldBacklog, backlog]))
    if (each !== null) for (const itemType of itemTypes) tx.send(updatePositions[itemType], [each, now, account]);
}
