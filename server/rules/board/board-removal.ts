import type { agileBoardColumn } from "../../../records/configuration/agile-board-column.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Change } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { mapNames } from "../shared/map-names.ts";
import { type BoardItemType, boardItemTypes, parseBoardItemType } from "./board-items.ts";

// AB6: an item leaves its board after the days that its column sets in `remove_after`.

export const boardRemovalJob = "leave agile board";
type BoardRemoval = { type: BoardItemType; id: number; account: string; column: number; since: string };
const dayInMilliseconds = 86_400_000;

export function scheduleBoardRemoval(tx: Transaction, removal: BoardRemoval, days: number): void {
  const { type, id, account, since } = removal;
  const runAt = new Date(Date.parse(since) + days * dayInMilliseconds);
  addJob(tx, { kind: boardRemovalJob, key: `${type} ${id}`, account, payload: removal, runAt });
}

export const cancelBoardRemoval = (tx: Transaction, type: BoardItemType, id: number): void =>
  deleteJob(tx, boardRemovalJob, `${type} ${id}`);

const selectRemoveAfter = mapNames(boardItemTypes, (type) =>
  statement(
    `SELECT c.remove_after FROM ${type}s r JOIN agile_board_columns c ON c.id = r.agile_board_column_id WHERE r.id = $1 AND r.account_id = $3 AND c.id = $2`,
  ),
);

/** The job reads the column again: the item may have moved, and the days may have changed since. */
export async function runBoardRemoval(engine: Engine, removal: BoardRemoval): Promise<void> {
  const { type, id, account, column, since } = removal;
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(selectRemoveAfter[type], [id, column, account]);
    if (row?.[0] == null) return;
    const now = engine.clock.now();
    const until = Date.parse(since) + Number(row[0]) * dayInMilliseconds;
    if (until > now.getTime()) return scheduleBoardRemoval(tx, removal, Number(row[0]));
    const by = await loadServiceCaller(tx, account, now);
    await updateUnchecked({ engine, tx, by, type: engine.types.get(type) }, id, { agile_board: null }, { account });
  });
}

const selectItemsInColumn = statement(
  boardItemTypes
    .map((type) => `SELECT '${type}', id FROM ${type}s WHERE agile_board_column_id = $1 AND account_id = $2`)
    .join(" UNION ALL "),
);

/** In `afterSave` of a column. */
export async function rescheduleBoardRemovals(change: Change<typeof agileBoardColumn>): Promise<void> {
  const { tx, id: column, account, by, before, after } = change;
  if (before === null || before.remove_after === after.remove_after || after.remove_after === null) return;
  const since = by.now.toISOString();
  for (const [typeName, item] of await tx.query(selectItemsInColumn, [column, account])) {
    const type = parseBoardItemType(typeName);
    if (type !== undefined)
      scheduleBoardRemoval(tx, { type, id: Number(item), account, column, since }, after.remove_after);
  }
}
