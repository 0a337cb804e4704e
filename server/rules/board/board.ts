import { updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { type Row, statement } from "../../storage/database.ts";
import { notifyPeople } from "../communication/notify.ts";
import { selectTeamMember } from "../people/team.ts";
import { parseNumberOrNull } from "../shared/parse-number.ts";
import { choosePosition, closeGapBeforePurge, type Positions, shiftOthers } from "./positions.ts";
import { removeFromSprints } from "./sprint-backlog.ts";

// Agile boards, for everything that can be an item of one: AB1 to AB9.

const itemTables = { request: "requests", problem: "problems", task: "tasks", project_task: "project_tasks" };
const positionColumns = { listColumn: "agile_board_column_id", positionColumn: "agile_board_column_position" };
const columnPositions: Positions = {
  listField: "agile_board_column",
  positionField: "agile_board_column_position",
  listTable: "agile_board_columns",
  itemTables: Object.fromEntries(
    Object.entries(itemTables).map(([type, table]) => [type, { table, ...positionColumns }]),
  ),
};

/** A record that is erased leaves its board and its sprints. */
export const removeFromBoardAndSprints =
  (type: string): NonNullable<TypeRules["beforePurge"]> =>
  async (tx, id) => {
    await closeGapBeforePurge(columnPositions, tx, type, id);
    await removeFromSprints(tx, type, id);
  };

const selectColumn = statement(
  "SELECT id, agile_board_id, action_type, team_id, member_id, clear_member, deleted FROM agile_board_columns WHERE id = $1",
);
const selectLeftmostColumn = statement(
  "SELECT id FROM agile_board_columns WHERE agile_board_id = $1 AND NOT deleted ORDER BY position, id LIMIT 1",
);
const selectBoardOfTeam = statement(
  "SELECT t.agile_board_id FROM teams t JOIN agile_boards b ON b.id = t.agile_board_id AND NOT b.disabled WHERE t.id = $1",
);

type Column = { id: number; board: number; action: string; team: number | null; member: number | null } & {
  clearsMember: boolean;
  isDeleted: boolean;
};

const parseColumn = (row: Row): Column => ({
  id: Number(row[0]),
  board: Number(row[1]),
  action: String(row[2]),
  team: parseNumberOrNull(row[3]),
  member: parseNumberOrNull(row[4]),
  clearsMember: row[5] === "t",
  isDeleted: row[6] === "t",
});

/** AB8: what a team with a board gets goes there, unless it is on a board already. */
async function chooseBoard({ tx, before, after }: Change): Promise<number | null> {
  const board = after.agile_board as number | null;
  const isAssigned = after.team != null && before?.team !== after.team;
  if (board !== null || after.agile_board_column !== null || !isAssigned) return board;
  return parseNumberOrNull((await tx.query(selectBoardOfTeam, [after.team as number]))[0]?.[0]);
}

/** AB2, AB7: the column that the record is in. Null: in none, or one that was told to be wrong. */
async function chooseColumn(change: Change): Promise<Column | null> {
  const { tx, before, after, changed, given, problem } = change;
  const isOff = (name: string) => changed.has(name) && after[name] === null;
  if (isOff("agile_board") || (isOff("agile_board_column") && !changed.has("agile_board"))) {
    after.agile_board = null;
    return null;
  }
  after.agile_board = await chooseBoard(change);
  let id = after.agile_board_column as number | null;
  if (!given.has("agile_board_column") && (before?.agile_board ?? null) !== after.agile_board)
    id = parseNumberOrNull((await tx.query(selectLeftmostColumn, [after.agile_board]))[0]?.[0]);
  const [row] = id === null ? [] : await tx.query(selectColumn, [id]);
  if (row === undefined) return null;
  const column = parseColumn(row);
  const isElsewhere =
    given.has("agile_board_column") && changed.has("agile_board") && after.agile_board !== column.board;
  if (!isElsewhere && !(column.isDeleted && changed.has("agile_board_column"))) return column;
  problem("agile_board_column", "is not valid");
  return null;
}

export type BoardActions = {
  /** what complete means for the type */
  completedStatus: string;
  /** how the type chooses the member who took it up; by default whoever moved it, when that is one of the team */
  assignMember?: (change: Change) => void | Promise<void>;
};

async function assignToCallerInTeam({ tx, by, after }: Change): Promise<void> {
  if (!("member" in after) || by.isService || after.team == null) return;
  if ((await tx.query(selectTeamMember, [after.team as number, by.person])).length > 0) after.member = by.person;
}

const isMovedByCaller = ({ given }: Change): boolean => given.has("agile_board") || given.has("agile_board_column");

/**
 * AB4, AB5: what moving into a column does. What the same call says itself is left alone; and what is only placed on the
 * board of its team (AB8) goes its own way: a task waits for its turn, a request for its workflow.
 */
async function applyColumnAction(
  change: Change,
  column: Column,
  { completedStatus: completed, assignMember: takenUp = assignToCallerInTeam }: BoardActions,
): Promise<void> {
  const { after, given } = change;
  if (!isMovedByCaller(change)) return;
  const status = { assign: "assigned", accept: "accepted", start: "in_progress", complete: completed }[column.action];
  if (status === undefined || after.category === "approval") return;
  if (after.category === "milestone" && ["accept", "start"].includes(column.action)) return;
  if (!given.has("status")) after.status = status;
  if (column.action === "assign") {
    if (column.team !== null && !given.has("team") && after.team !== column.team) {
      after.team = column.team;
      if ("member" in after && !given.has("member")) after.member = null;
    }
    if (!("member" in after) || given.has("member")) return;
    if (column.member !== null) after.member = column.member;
    else if (column.clearsMember) after.member = null;
  } else if (!given.has("member")) await takenUp(change);
}

/** Part of `check`, once the team is known and before the status is looked at. */
export async function placeOnBoard(change: Change, doing: BoardActions): Promise<void> {
  const { before, after, given } = change;
  const isNamed = ["agile_board", "agile_board_column", "agile_board_column_position"].some((name) => given.has(name));
  if (!isNamed && (after.team ?? null) === (before?.team ?? null)) return;
  const column = await chooseColumn(change);
  after.agile_board_column = column?.id ?? null;
  if (column !== null) {
    after.agile_board = column.board;
    if ((before?.agile_board_column ?? null) !== column.id) await applyColumnAction(change, column, doing);
  }
  await choosePosition(columnPositions, change);
}

const markColumnUsed = statement(
  `UPDATE agile_board_columns c SET used = true FROM agile_boards b WHERE c.id = $1 AND b.id = c.agile_board_id
RETURNING c.remove_after, c.wip_limit, c.name, b.id, b.manager_id,
  ${Object.values(itemTables)
    .map((table) => `(SELECT count(*) FROM ${table} WHERE agile_board_column_id = c.id)`)
    .join(" + ")}`,
);

export const boardRemovalJob = "leave agile board";
type BoardRemoval = { type: string; id: number; account: string; column: number; since: string };
const dayInMilliseconds = 86_400_000;

function scheduleBoardRemoval(change: Pick<Change, "tx">, leaving: BoardRemoval, days: number): void {
  const runAt = new Date(Date.parse(leaving.since) + days * dayInMilliseconds);
  const { type, id, account } = leaving;
  addJob(change.tx, { kind: boardRemovalJob, key: `${type} ${id}`, account, payload: leaving, runAt });
}

const updateSprintItemsDone = Object.fromEntries(
  Object.keys(itemTables).map((type) => [
    type,
    statement(
      `UPDATE sprint_backlog_items i SET done = $2 FROM sprints s WHERE i.${type}_id = $1 AND s.id = i.sprint_id AND s.status = 'active'`,
    ),
  ]),
);
const finishedStatuses = ["completed", "solved", "approved"];

/** Part of `saved`: the rest of the column, the time the item may stay there, and the sprint it is part of. */
export async function syncBoard(change: Change): Promise<void> {
  const { tx, type, id, account, by, before, after } = change;
  const isDone = finishedStatuses.includes(String(after.status));
  if (before !== null && finishedStatuses.includes(String(before.status)) !== isDone)
    tx.send(updateSprintItemsDone[type] as NonNullable<(typeof updateSprintItemsDone)[string]>, [id, isDone]);
  if (!shiftOthers(columnPositions, change)) return;
  const column = after.agile_board_column as number | null;
  if (column === null) return deleteJob(tx, boardRemovalJob, `${type} ${id}`);
  const [row] = await tx.query(markColumnUsed, [column]);
  const [days, limit, name, board, manager, count] = row ?? [];
  if (days == null) deleteJob(tx, boardRemovalJob, `${type} ${id}`);
  else scheduleBoardRemoval(change, { type, id, account, column, since: by.now.toISOString() }, Number(days));
  const hasMoved = (before?.agile_board_column ?? null) !== column;
  if (hasMoved && limit != null && Number(count) > Number(limit))
    notifyPeople(change, "agile_board/wip_limit_exceeded", {
      about: { type: "agile_board", id: Number(board), values: { manager: parseNumberOrNull(manager) } },
      facts: { column: name, limit, count },
    });
}

const selectRemoveAfter = Object.fromEntries(
  Object.entries(itemTables).map(([type, table]) => [
    type,
    statement(
      `SELECT c.remove_after FROM ${table} r JOIN agile_board_columns c ON c.id = r.agile_board_column_id WHERE r.id = $1 AND c.id = $2`,
    ),
  ]),
);

/** The job, AB6. Whatever moved meanwhile has a later one; how long items may stay may have changed since. */
export async function runBoardRemoval(engine: Engine, leaving: BoardRemoval): Promise<void> {
  const { type, id, account, column, since } = leaving;
  await engine.database.transaction(async (tx) => {
    const [row] = await tx.query(selectRemoveAfter[type] as NonNullable<(typeof selectRemoveAfter)[string]>, [
      id,
      column,
    ]);
    if (row?.[0] == null) return;
    const now = engine.clock.now();
    const until = Date.parse(since) + Number(row[0]) * dayInMilliseconds;
    if (until > now.getTime()) return scheduleBoardRemoval({ tx }, leaving, Number(row[0]));
    const by = await loadServiceCaller(tx, account, now);
    await updateUnchecked(engine, tx, by, engine.types.get(type), id, { agile_board: null }, { account });
  });
}

const selectItemsInColumn = statement(
  Object.entries(itemTables)
    .map(([type, table]) => `SELECT '${type}', id FROM ${table} WHERE agile_board_column_id = $1`)
    .join(" UNION ALL "),
);

/** A column in which items may stay for another time than before. */
export const rescheduleBoardRemovals: NonNullable<TypeRules["afterSave"]> = async (change) => {
  const { tx, id, account, by, before, after } = change;
  if (before === null || before.remove_after === after.remove_after || after.remove_after === null) return;
  for (const [type, item] of await tx.query(selectItemsInColumn, [id]))
    scheduleBoardRemoval(
      change,
      { type: String(type), id: Number(item), account, column: id, since: by.now.toISOString() },
      Number(after.remove_after),
    );
};
