import { agileBoardColumn } from "../../../records/configuration/agile-board-column.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { type Row, statement, type Transaction } from "../../database/database.ts";
import { parseBoolean, parseChoice, parseNumberOrNull } from "../../database/rows.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { notifyPeople } from "../communication/notify.ts";
import { selectTeamMember } from "../people/team.ts";
import { mapNames } from "../shared/map-names.ts";
import {
  type BoardItemChange,
  type BoardItemType,
  boardItemTypes,
  columnPositions,
  parseBoardItemType,
} from "./board-items.ts";
import { cancelBoardRemoval, scheduleBoardRemoval } from "./board-removal.ts";
import { choosePosition, closeGapBeforePurge, shiftOthers } from "./positions.ts";
import { removeFromSprints } from "./sprint-backlog.ts";

// Agile boards, for every type that can be an item of one: AB1 to AB9.

export const removeFromBoardAndSprints =
  (type: BoardItemType): NonNullable<TypeRules["beforePurge"]> =>
  async (tx, id, account) => {
    await closeGapBeforePurge(columnPositions, tx, type, { id, account });
    await removeFromSprints(tx, type, { id, account });
  };

const selectColumn = statement(
  "SELECT id, agile_board_id, action_type, team_id, member_id, clear_member, deleted FROM agile_board_columns WHERE id = $1",
);
const selectLeftmostColumn = statement(
  "SELECT id FROM agile_board_columns WHERE agile_board_id = $1 AND NOT deleted ORDER BY position, id LIMIT 1",
);
export const buildBoardOfTeamSql = (team: string): string =>
  `SELECT t.agile_board_id FROM teams t JOIN agile_boards b ON b.id = t.agile_board_id AND NOT b.disabled WHERE t.id = ${team}`;
export const selectBoardOfTeam = statement(buildBoardOfTeamSql("$1"));

/** Sends what an item on no board will ask for when it is assigned to that team. */
export const readBoardOfTeamAhead = (tx: Transaction, team: number): void => tx.readAhead(selectBoardOfTeam, [team]);

type Column = {
  id: number;
  board: number;
  action: EnumerationValue<"agile_board_column.action_type"> | null;
  team: number | null;
  member: number | null;
  clearsMember: boolean;
  isDeleted: boolean;
};

const parseColumn = (row: Row): Column => ({
  id: Number(row[0]),
  board: Number(row[1]),
  action: parseChoice(agileBoardColumn.fields.action_type, row[2]),
  team: parseNumberOrNull(row[3]),
  member: parseNumberOrNull(row[4]),
  clearsMember: parseBoolean(row[5]),
  isDeleted: parseBoolean(row[6]),
});

/** AB8: an item that is on no board goes to the board of the team that it is assigned to, unless it is on a backlog. */
async function chooseBoard({ tx, before, after }: BoardItemChange): Promise<number | null> {
  if ("product_backlog" in after && after.product_backlog !== null) return after.agile_board;
  const isAssigned = after.team != null && before?.team !== after.team;
  if (after.agile_board !== null || after.agile_board_column !== null || !isAssigned) return after.agile_board;
  return parseNumberOrNull((await tx.query(selectBoardOfTeam, [after.team]))[0]?.[0]);
}

/** AB2, AB7: null when the item is in no column, or when its column is refused. */
async function chooseColumn(change: BoardItemChange): Promise<Column | null> {
  const { tx, before, after, changed, given, problem } = change;
  const isCleared = (name: "agile_board" | "agile_board_column") => changed.has(name) && after[name] === null;
  if (isCleared("agile_board") || (isCleared("agile_board_column") && !changed.has("agile_board"))) {
    after.agile_board = null;
    return null;
  }
  after.agile_board = await chooseBoard(change);
  let id = after.agile_board_column;
  if (!given.has("agile_board_column") && (before?.agile_board ?? null) !== after.agile_board)
    id = parseNumberOrNull((await tx.query(selectLeftmostColumn, [after.agile_board]))[0]?.[0]);
  const [row] = id === null ? [] : await tx.query(selectColumn, [id]);
  if (row === undefined) return null;
  const column = parseColumn(row);
  const isOnOtherBoard =
    given.has("agile_board_column") && changed.has("agile_board") && after.agile_board !== column.board;
  if (!isOnOtherBoard && !(column.isDeleted && changed.has("agile_board_column"))) return column;
  problem("agile_board_column", "is not valid");
  return null;
}

type BoardActions = {
  /** the status that the column action `complete` sets */
  completedStatus: "completed" | "solved";
  /** chooses the member when a column action starts the work; by default the caller, when the team has them as a member */
  assignMember?: (change: BoardItemChange) => void | Promise<void>;
};

// Project tasks have no member: the union of the item types does not know the field.
const isMemberGiven = ({ given }: Change): boolean => given.has("member");

async function assignToCallerInTeam({ tx, by, after }: BoardItemChange): Promise<void> {
  if (!("member" in after) || by.isService || after.team == null) return;
  if ((await tx.query(selectTeamMember, [after.team, by.person])).length > 0) after.member = by.person;
}

/**
 * AB4, AB5: the action of a column applies when the caller moves an item there, and leaves alone the fields that the
 * same call names. An item that AB8 places on the board of its team keeps its status: a task may still wait for its
 * predecessors, a request for its workflow.
 */
async function applyColumnAction(
  change: BoardItemChange,
  column: Column,
  { completedStatus, assignMember = assignToCallerInTeam }: BoardActions,
): Promise<void> {
  const { after, given } = change;
  const { action } = column;
  if (!given.has("agile_board") && !given.has("agile_board_column")) return;
  if (action === null || action === "none" || after.category === "approval") return;
  if (after.category === "milestone" && (action === "accept" || action === "start")) return;
  const statuses = { assign: "assigned", accept: "accepted", start: "in_progress", complete: completedStatus } as const;
  if (!given.has("status")) after.status = statuses[action];
  if (action === "assign") {
    if (column.team !== null && !given.has("team") && after.team !== column.team) {
      after.team = column.team;
      if ("member" in after && !isMemberGiven(change)) after.member = null;
    }
    if (!("member" in after) || isMemberGiven(change)) return;
    if (column.member !== null) after.member = column.member;
    else if (column.clearsMember) after.member = null;
  } else if (!isMemberGiven(change)) await assignMember(change);
}

const boardFields = ["agile_board", "agile_board_column", "agile_board_column_position"] as const;

/** In `beforeSave`: after the step that chooses the team, before any step that reads the status. */
export async function placeOnBoard(change: BoardItemChange, actions: BoardActions): Promise<void> {
  const { before, after, given } = change;
  const isNamed = boardFields.some((name) => given.has(name));
  if (!isNamed && (after.team ?? null) === (before?.team ?? null)) return;
  const column = await chooseColumn(change);
  after.agile_board_column = column?.id ?? null;
  if (column !== null) {
    after.agile_board = column.board;
    if ((before?.agile_board_column ?? null) !== column.id) await applyColumnAction(change, column, actions);
  }
  await choosePosition(columnPositions, change);
}

const isMove = (members: Readonly<Record<string, unknown>> | undefined): boolean =>
  Object.keys(members ?? {}).some((name) => name.startsWith("agile_board"));
const lockColumnsOfBoard = mapNames(boardItemTypes, (type) =>
  statement(
    `SELECT c.id FROM agile_board_columns c WHERE c.agile_board_id = (SELECT r.agile_board_id FROM ${type}s r WHERE r.id = $1 AND r.account_id = $2)
ORDER BY c.id FOR NO KEY UPDATE`,
  ),
);

/**
 * People who move cards of one board wait for each other here, before they hold the record that another one pushes aside
 * (D-417). Everything else that moves a card does not wait, and is tried again.
 */
export const lockBoardFirst =
  (type: BoardItemType): NonNullable<TypeRules["lockFirst"]> =>
  async (tx, target) => {
    if ("id" in target && isMove(target.members)) await tx.query(lockColumnsOfBoard[type], [target.id, target.account]);
  };

const markColumnUsed = statement(
  `UPDATE agile_board_columns c SET used = true FROM agile_boards b WHERE c.id = $1 AND b.id = c.agile_board_id
RETURNING c.remove_after, c.wip_limit, c.name, b.id, b.manager_id,
  ${boardItemTypes.map((type) => `(SELECT count(*) FROM ${type}s i WHERE i.agile_board_column_id = c.id AND i.account_id = $2)`).join(" + ")}`,
);
const updateSprintItemsDone = mapNames(boardItemTypes, (type) =>
  statement(
    `UPDATE sprint_backlog_items i SET done = $2 FROM sprints s WHERE i.${type}_id = $1 AND i.account_id = $3 AND s.id = i.sprint_id AND s.status = 'active'`,
  ),
);
const isDone = (status: string | null): boolean =>
  status === "completed" || status === "solved" || status === "approved";

/** In `afterSave`: updates the sprint items, the positions of the column, the removal job, and checks the WIP limit. */
export async function syncBoard(change: BoardItemChange): Promise<void> {
  const { tx, id, account, by, before, after } = change;
  const type = parseBoardItemType(change.type);
  if (type === undefined) return;
  if (before !== null && isDone(before.status) !== isDone(after.status))
    tx.send(updateSprintItemsDone[type], [id, isDone(after.status), account]);
  if (!shiftOthers(columnPositions, change)) return;
  const column = after.agile_board_column;
  if (column === null) return cancelBoardRemoval(tx, type, id);
  const [row] = await tx.query(markColumnUsed, [column, account]);
  const [days, limit, name, board, manager, count] = row ?? [];
  if (days == null) cancelBoardRemoval(tx, type, id);
  else scheduleBoardRemoval(tx, { type, id, account, column, since: by.now.toISOString() }, Number(days));
  const hasMoved = (before?.agile_board_column ?? null) !== column;
  if (hasMoved && limit != null && Number(count) > Number(limit))
    notifyPeople(change, "agile_board/wip_limit_exceeded", {
      about: { type: "agile_board", id: Number(board), values: { manager: parseNumberOrNull(manager) } },
      facts: { column: name, limit, count },
    });
}
