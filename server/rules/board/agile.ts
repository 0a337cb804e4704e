import { agileBoardColumn } from "../../../records/configuration/agile-board-column.ts";
import { scrumWorkspace } from "../../../records/configuration/scrum-workspace.ts";
import { sprint } from "../../../records/configuration/sprint.ts";
import { sprintBacklogItem } from "../../../records/configuration/sprint-backlog-item.ts";
import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import { toTimestamp } from "../../base/clock.ts";
import { Forbidden } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { setNextPosition } from "../shared/next-position.ts";
import { rescheduleBoardRemovals } from "./board-removal.ts";
import { choosePosition, closeGapAfterDelete, shiftOthers } from "./positions.ts";
import { sprintItemTypes, sprintPositions } from "./sprint-backlog.ts";

function checkAssignAction({ after, problem }: Change<typeof agileBoardColumn>): void {
  if (after.team !== null && after.action_type !== "assign") problem("team", "is not valid");
  if (after.member !== null && after.team === null) problem("member", "is not valid");
  if (after.clear_member === true && after.action_type !== "assign") problem("clear_member", "is not valid");
}

export const agileBoardColumnRules = rulesFor(agileBoardColumn, {
  beforeSave: steps(setNextPosition("agile_board_columns", "agile_board"), checkAssignAction),
  afterSave: rescheduleBoardRemovals,
});

type SprintChange = Change<typeof sprint>;

const selectSprintLength = statement("SELECT sprint_length FROM scrum_workspaces WHERE id = $1 AND account_id = $2");
const completeOthers = statement(
  "UPDATE sprints SET status = 'completed', updated_at = $4, revision = revision + 1 WHERE scrum_workspace_id = $1 AND id <> $2 AND account_id = $3 AND status = 'active'",
);
const planItems = statement("UPDATE sprint_backlog_items SET planned = true WHERE sprint_id = $1 AND account_id = $2");
const updateCurrentSprints = statement(
  `UPDATE agile_boards b SET current_sprint_id = (
  SELECT s.id FROM sprints s JOIN scrum_workspaces w ON w.id = s.scrum_workspace_id
  WHERE w.agile_board_id = b.id AND s.status = 'active' ORDER BY s.start_at DESC, s.id DESC LIMIT 1)
WHERE b.account_id = $1 AND (b.id = ANY($2::integer[]) OR b.id = (SELECT agile_board_id FROM scrum_workspaces WHERE id = $3))`,
);

/** The current sprint of a board is the active one of the workspace that the board belongs to. */
const updateBoardsOfWorkspace = (
  tx: Transaction,
  account: string,
  boards: readonly number[],
  workspace: number | null,
): void => tx.send(updateCurrentSprints, [account, boards, workspace]);

type PlannedItem = { type: (typeof sprintItemTypes)[number]; record: number; board: number };
/** Of the workspace's board: what is planned and is not on it yet. */
const selectItemsToPlace = jsonStatement<PlannedItem>(
  sprintItemTypes
    .map(
      (type) => `SELECT '${type}' AS type, r.id AS record, w.agile_board_id AS board, i.position
FROM sprint_backlog_items i JOIN ${type}s r ON r.id = i.${type}_id AND r.account_id = $2 JOIN sprints s ON s.id = i.sprint_id JOIN scrum_workspaces w ON w.id = s.scrum_workspace_id
WHERE i.sprint_id = $1 AND i.account_id = $2 AND i.done IS NOT TRUE AND r.agile_board_id IS DISTINCT FROM w.agile_board_id`,
    )
    .join(" UNION ALL ")
    .concat(" ORDER BY position"),
);

/** AB12: what a sprint has planned goes from the backlog to the first column of the board. */
async function placeItemsOnBoard({ tx, id, account, update }: SprintChange): Promise<void> {
  for (const { type, record, board } of await queryRows(tx, selectItemsToPlace, [id, account]))
    if (type === "request" || type === "problem")
      await update(type, record, { agile_board: board, product_backlog: null }, { account });
    else await update(type, record, { agile_board: board }, { account });
}

async function setEndBySprintLength({ tx, by, after }: SprintChange): Promise<void> {
  if (after.start_at === null || after.end_at !== null || after.scrum_workspace === null) return;
  const [row] = await tx.query(selectSprintLength, [after.scrum_workspace, by.account]);
  const weeks = Number(row?.[0] ?? 0);
  if (weeks > 0) after.end_at = toTimestamp(new Date(Date.parse(after.start_at) + weeks * 7 * 86_400_000));
}

/** Registered until the start, active until the end. A sprint that was completed stays so until its dates change. */
function calculateStatusByDates({ before, after, by }: SprintChange): EnumerationValue<"sprint.status"> {
  const hasMoved = before !== null && (before.start_at !== after.start_at || before.end_at !== after.end_at);
  if (before?.status === "completed" && !hasMoved) return "completed";
  const now = by.now.getTime();
  if (after.start_at === null || Date.parse(after.start_at) > now) return "registered";
  return after.end_at !== null && Date.parse(after.end_at) <= now ? "completed" : "active";
}

async function activateSprint(change: SprintChange): Promise<void> {
  const { tx, id, before, after, by } = change;
  if ((before?.status ?? "registered") === after.status) return;
  if (after.status === "active") {
    tx.send(completeOthers, [after.scrum_workspace, id, by.account, toTimestamp(by.now)]);
    tx.send(planItems, [id, by.account]);
    await placeItemsOnBoard(change);
  }
  updateBoardsOfWorkspace(tx, by.account, [], after.scrum_workspace);
}

const isOfMyWorkspace = (workspace: string, person: string): string =>
  `EXISTS (SELECT 1 FROM scrum_workspaces w JOIN team_members m ON m.team_id = w.team_id WHERE w.id = ${workspace} AND m.person_id = ${person})`;
const selectMayPlan = statement(`SELECT ${isOfMyWorkspace("$1", "$2")}`);

/** AB13: a row condition cannot speak of a sprint that does not exist yet. */
async function checkWorkspaceOfNewSprint({ tx, by, account, before, after, cause }: SprintChange): Promise<void> {
  if (before !== null || cause !== null || by.isService || isAdministrator(by, account)) return;
  const [row] = await tx.query(selectMayPlan, [after.scrum_workspace, by.person]);
  if (row?.[0] !== "t") throw new Forbidden();
}

export const sprintRules = rulesFor(sprint, {
  conditions: {
    "its workspace is of one of my teams": (by: Caller): Clause => ({
      key: "sprint of my team",
      sql: (alias, next) => isOfMyWorkspace(`${alias}.scrum_workspace_id`, next()),
      values: [by.person],
    }),
  },
  beforeSave: steps(
    checkWorkspaceOfNewSprint,
    setNextPosition("sprints", "scrum_workspace", "number"),
    setEndBySprintLength,
  ),
  derive: { "status by its dates": calculateStatusByDates },
  afterSave: activateSprint,
});

export const scrumWorkspaceRules = rulesFor(scrumWorkspace, {
  afterSave({ tx, before, after, by }) {
    if (before?.agile_board === after.agile_board) return;
    const boards = [before?.agile_board, after.agile_board].filter((board) => typeof board === "number");
    updateBoardsOfWorkspace(tx, by.account, boards, null);
  },
});

function checkSprintItem({ before, after, problem }: Change<typeof sprintBacklogItem>): void {
  if (before !== null) return;
  after.done = false;
  const named = sprintItemTypes.filter((name) => after[name] !== null);
  if (named.length === 0) problem("request", "can't be blank");
  for (const name of named.slice(1)) problem(name, "is not valid");
}

export const sprintBacklogItemRules = rulesFor(sprintBacklogItem, {
  beforeSave: steps((change) => choosePosition(sprintPositions, change), checkSprintItem),
  afterSave: (change) => void shiftOthers(sprintPositions, change),
  afterDelete: (context) => closeGapAfterDelete(sprintPositions, context),
});
