import type { Value } from "../../engine/kinds/kind.ts";
import type { Change, LinkContext } from "../../engine/rules.ts";
import { lockRowsNoWait, statement, type Transaction } from "../../storage/database.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";

// Records that stand one below the other, 1 on top, without gaps: the items of a board column or of a product backlog.
// Several types share one order. Whoever moves something locks the places, so that two moves do not meet; and does not
// wait for them, because whoever has them may wait for the record that is to be moved.

type PositionColumns = { table: string; listColumn: string; positionColumn: string };
/** `owner`: the table of the places; `steps`: where positions are kept, records by their type first */
export type Positions = {
  listField: string;
  positionField: string;
  listTable: string;
  itemTables: Readonly<Record<string, PositionColumns>>;
};

const toNumberOrNull = (value: Value | undefined): number | null => (typeof value === "number" ? value : null);

/** How many others stand there. */
async function countOthers(
  ladder: Positions,
  tx: Transaction,
  place: number,
  type: string,
  id: number,
): Promise<number> {
  const counts = Object.entries(ladder.itemTables).map(
    ([name, { table, listColumn: column }]) =>
      `(SELECT count(*) FROM ${table} WHERE ${column} = $1 AND NOT ($2 = '${name}' AND id = $3))`,
  );
  const [row] = await tx.query(statement(`SELECT ${counts.join(" + ")}`), [place, type, id]);
  return Number(row?.[0] ?? 0);
}

/** Part of `check`: where exactly the record goes. Without a position it goes to the bottom. */
export async function choosePosition(ladder: Positions, change: Change): Promise<void> {
  const { tx, type, id, before, after, given } = change;
  const { listField: field, positionField: position } = ladder;
  const [old, place] = [toNumberOrNull(before?.[field]), toNumberOrNull(after[field])];
  const wanted = given.has(position) ? toNumberOrNull(after[position]) : null;
  const isThere = place === old && (place === null || before?.[position] != null);
  if (isThere && (wanted === null || wanted === before?.[position])) {
    after[position] = before?.[position] ?? null;
    return;
  }
  await lockRowsNoWait(
    tx,
    ladder.listTable,
    [old, place].filter((id) => id !== null),
  );
  if (place === null) {
    after[position] = null;
    return;
  }
  const bottom = (await countOthers(ladder, tx, place, type, id)) + 1;
  after[position] = Math.min(Math.max(wanted ?? bottom, 1), bottom);
}

/** For a record that is erased: the others close the gap. */
export async function closeGapBeforePurge(ladder: Positions, tx: Transaction, type: string, id: number): Promise<void> {
  const { table, listColumn: place, positionColumn: position } = ladder.itemTables[type] as PositionColumns;
  const [row] = await tx.query(statement(`SELECT ${place}, ${position} FROM ${table} WHERE id = $1`), [id]);
  const [from, rung] = [parseNumberOrNull(row?.[0]), parseNumberOrNull(row?.[1])];
  if (from === null) return;
  await lockRowsNoWait(tx, ladder.listTable, [from]);
  shiftOthers(ladder, { tx, type, id, before: { [ladder.listField]: from, [ladder.positionField]: rung }, after: {} });
}

type PositionChange = Pick<Change, "tx" | "type" | "id" | "before" | "after">;

/** Part of `removed`: the others close the gap. */
export async function closeGapAfterDelete(ladder: Positions, { tx, id, change, values }: LinkContext): Promise<void> {
  const place = toNumberOrNull(values[ladder.listField]);
  if (place !== null) await lockRowsNoWait(tx, ladder.listTable, [place]);
  shiftOthers(ladder, { tx, type: change.type, id, before: values, after: {} });
}

/** Part of `saved`: the others make room, or close the gap. */
export function shiftOthers(
  { itemTables: steps, listField: field, positionField: position }: Positions,
  change: PositionChange,
): boolean {
  const { tx, type, id, before, after } = change;
  const [oldPlace, oldAt] = [toNumberOrNull(before?.[field]), toNumberOrNull(before?.[position])];
  const [newPlace, newAt] = [toNumberOrNull(after[field]), toNumberOrNull(after[position])];
  if (oldPlace === newPlace && oldAt === newAt) return false;
  const shift = (place: number, from: number, to: number, by: number) => {
    for (const [name, { table, listColumn: column, positionColumn: rung }] of Object.entries(steps))
      tx.send(
        statement(
          `UPDATE ${table} SET ${rung} = ${rung} + $4 WHERE ${column} = $1 AND ${rung} BETWEEN $2 AND $3 AND NOT ($5 = '${name}' AND id = $6)`,
        ),
        [place, from, to, by, type, id],
      );
  };
  const last = 2_147_483_646;
  if (oldPlace === newPlace && oldPlace !== null && oldAt !== null && newAt !== null) {
    if (newAt < oldAt) shift(oldPlace, newAt, oldAt - 1, 1);
    else shift(oldPlace, oldAt + 1, newAt, -1);
    return true;
  }
  if (oldPlace !== null && oldAt !== null) shift(oldPlace, oldAt + 1, last, -1);
  if (newPlace !== null && newAt !== null) shift(newPlace, newAt, last, 1);
  return true;
}
