import { lockRowsNoWait, statement, type Transaction } from "../../database/database.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import type { Change, LinkContext, Values } from "../../engine/rules.ts";
import { getNumberOrNull } from "../shared/get-number.ts";

// Ordered lists without gaps, 1 on top: the items of a board column, of a product backlog, of a sprint. Items of several
// types share one list. A move locks the rows of the lists it touches, so that two moves do not interleave. It does not
// wait for these locks: their holder may be waiting for the record that is being moved.

type PositionColumns = { table: string; listColumn: string; positionColumn: string };
export type Positions<Type extends string = string> = {
  listField: string;
  positionField: string;
  listTable: string;
  /** the tables that store positions, by the type of the item */
  itemTables: Readonly<Record<Type, PositionColumns>>;
};

async function countOthers(
  positions: Positions,
  { tx, type, id, account }: Pick<Change, "tx" | "type" | "id" | "account">,
  list: number,
): Promise<number> {
  const counts = Object.entries(positions.itemTables).map(
    ([name, { table, listColumn }]) =>
      `(SELECT count(*) FROM ${table} WHERE ${listColumn} = $1 AND account_id = $4 AND NOT ($2 = '${name}' AND id = $3))`,
  );
  const [row] = await tx.query(statement(`SELECT ${counts.join(" + ")}`), [list, type, id, account]);
  return Number(row?.[0] ?? 0);
}

/** In `beforeSave`: an item without a position goes to the bottom of its list. */
export async function choosePosition(positions: Positions, change: Change): Promise<void> {
  const { tx, account, before, after, given } = change;
  const { listField, positionField, listTable } = positions;
  const [oldList, list] = [getNumberOrNull(before, listField), getNumberOrNull(after, listField)];
  const wanted = given.has(positionField) ? getNumberOrNull(after, positionField) : null;
  const isThere = list === oldList && (list === null || before?.[positionField] != null);
  if (isThere && (wanted === null || wanted === before?.[positionField])) {
    after[positionField] = before?.[positionField] ?? null;
    return;
  }
  await lockRowsNoWait(
    tx,
    listTable,
    [oldList, list].filter((each) => each !== null),
    account,
  );
  if (list === null) {
    after[positionField] = null;
    return;
  }
  const bottom = (await countOthers(positions, change, list)) + 1;
  after[positionField] = Math.min(Math.max(wanted ?? bottom, 1), bottom);
}

/** For an item that is purged. */
export async function closeGapBeforePurge<Type extends string>(
  positions: Positions<Type>,
  tx: Transaction,
  type: Type,
  { id, account }: { id: number; account: string },
): Promise<void> {
  const { listField, positionField, listTable, itemTables } = positions;
  const { table, listColumn, positionColumn } = itemTables[type];
  const select = statement(`SELECT ${listColumn}, ${positionColumn} FROM ${table} WHERE id = $1 AND account_id = $2`);
  const [row] = await tx.query(select, [id, account]);
  const list = parseNumberOrNull(row?.[0]);
  if (list === null) return;
  await lockRowsNoWait(tx, listTable, [list], account);
  const before: Values = { [listField]: list, [positionField]: parseNumberOrNull(row?.[1]) };
  shiftOthers(positions, { tx, type, id, account, before, after: {} });
}

/** In `afterDelete`. */
export async function closeGapAfterDelete(
  positions: Positions,
  { tx, id, account, change, values }: LinkContext,
): Promise<void> {
  const list = getNumberOrNull(values, positions.listField);
  if (list !== null) await lockRowsNoWait(tx, positions.listTable, [list], account);
  shiftOthers(positions, { tx, type: change.type, id, account, before: values, after: {} });
}

type PositionChange = Pick<Change, "tx" | "type" | "id" | "account" | "before" | "after">;
const lastPosition = 2_147_483_646;

/** In `afterSave`: the other items make room, or close the gap. Returns whether the item moved. */
export function shiftOthers(
  { itemTables, listField, positionField }: Positions,
  { tx, type, id, account, before, after }: PositionChange,
): boolean {
  const [oldList, oldPosition] = [getNumberOrNull(before, listField), getNumberOrNull(before, positionField)];
  const [newList, newPosition] = [getNumberOrNull(after, listField), getNumberOrNull(after, positionField)];
  if (oldList === newList && oldPosition === newPosition) return false;
  const shift = (list: number, from: number, to: number, by: number) => {
    for (const [name, { table, listColumn, positionColumn: position }] of Object.entries(itemTables))
      tx.send(
        statement(
          `UPDATE ${table} SET ${position} = ${position} + $4 WHERE ${listColumn} = $1 AND account_id = $7 AND ${position} BETWEEN $2 AND $3 AND NOT ($5 = '${name}' AND id = $6)`,
        ),
        [list, from, to, by, type, id, account],
      );
  };
  if (oldList === newList && oldList !== null && oldPosition !== null && newPosition !== null) {
    if (newPosition < oldPosition) shift(oldList, newPosition, oldPosition - 1, 1);
    else shift(oldList, oldPosition + 1, newPosition, -1);
    return true;
  }
  if (oldList !== null && oldPosition !== null) shift(oldList, oldPosition + 1, lastPosition, -1);
  if (newList !== null && newPosition !== null) shift(newList, newPosition, lastPosition, 1);
  return true;
}
