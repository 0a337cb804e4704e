import { toTimestamp } from "../../base/clock.ts";
import type { Change, TypeRules } from "../../engine/rules.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { setNextPosition } from "../shared/next-position.ts";
import { rescheduleBoardRemovals } from "./board.ts";
import { choosePosition, closeGapAfterDelete, shiftOthers } from "./positions.ts";
import { sprintItemTypes, sprintPositions } from "./sprint-backlog.ts";

export const agileBoardColumnRules: TypeRules = {
  async beforeSave(change) {
    const { after, problem } = change;
    await setNextPosition("agile_board_columns", "agile_board")(change);
    if (after.team !== null && after.action_type !== "assign") problem("team", "is not valid");
    if (after.member !== null && after.team === null) problem("member", "is not valid");
    if (after.clear_member === true && after.action_type !== "assign") problem("clear_member", "is not valid");
  },
  afterSave: rescheduleBoardRemovals,
};

const sprintLength = statement("SELECT sprint_length FROM scrum_workspaces WHERE id = $1 AND account_id = $2");
const completeOthers = statement(
  "UPDATE sprints SET status = 'completed', updated_at = $4 WHERE scrum_workspace_id = $1 AND id <> $2 AND account_id = $3 AND status = 'active'",
);
const planItems = statement("UPDATE sprint_backlog_items SET planned = true WHERE sprint_id = $1 AND account_id = $2");
const updateCurrentSprints = statement(
  `UPDATE agile_boards b SET current_sprint_id = (
  SELECT s.id FROM sprints s JOIN scrum_workspaces w ON w.id = s.scrum_workspace_id
  WHERE w.agile_board_id = b.id AND s.status = 'active' ORDER BY s.start_at DESC, s.id DESC LIMIT 1)
WHERE b.account_id = $1 AND (b.id = ANY($2::integer[]) OR b.id = (SELECT agile_board_id FROM scrum_workspaces WHERE id = $3))`,
);

/** The current sprint of a board is the active one of the workspace it belongs to. */
const updateBoardsOfWorkspace = (
  tx: Transaction,
  account: string,
  boards: readonly number[],
  workspace: number | null,
): void => tx.send(updateCurrentSprints, [account, boards, workspace]);

/** Registered until it starts, active until it ends. One that was completed stays so while its dates stay. */
function calculateStatusByDates({ before, after, by }: Change): string {
  const moved = before !== null && (before.start_at !== after.start_at || before.end_at !== after.end_at);
  if (before?.status === "completed" && !moved) return "completed";
  const now = by.now.getTime();
  if (after.start_at === null || Date.parse(String(after.start_at)) > now) return "registered";
  return after.end_at !== null && Date.parse(String(after.end_at)) <= now ? "completed" : "active";
}

export const sprintRules: TypeRules = {
  async beforeSave(change) {
    const { after, tx, by } = change;
    await setNextPosition("sprints", "scrum_workspace", "number")(change);
    if (after.start_at !== null && after.end_at === null && after.scrum_workspace !== null) {
      const rows = await tx.query(sprintLength, [after.scrum_workspace as number, by.account]);
      const weeks = Number(rows[0]?.[0] ?? 0);
      if (weeks > 0) after.end_at = toTimestamp(new Date(Date.parse(String(after.start_at)) + weeks * 7 * 86_400_000));
    }
    if (after.start_at !== null && after.end_at !== null)
      if (Date.parse(String(after.end_at)) < Date.parse(String(after.start_at)))
        change.problem("end_at", "is not valid");
  },
  derive: { "status by its dates": calculateStatusByDates },
  afterSave({ tx, id, before, after, by }) {
    if ((before?.status ?? "registered") === after.status) return;
    const workspace = after.scrum_workspace as number;
    if (after.status === "active") {
      tx.send(completeOthers, [workspace, id, by.account, toTimestamp(by.now)]);
      tx.send(planItems, [id, by.account]);
    }
    updateBoardsOfWorkspace(tx, by.account, [], workspace);
  },
};

export const scrumWorkspaceRules: TypeRules = {
  afterSave({ tx, before, after, by }) {
    if (before?.agile_board === after.agile_board) return;
    const boards = [before?.agile_board, after.agile_board].filter((board) => typeof board === "number");
    updateBoardsOfWorkspace(tx, by.account, boards, null);
  },
};

export const sprintBacklogItemRules: TypeRules = {
  async beforeSave(change) {
    const { after, before, problem } = change;
    await choosePosition(sprintPositions, change);
    if (before !== null) return;
    after.done = false;
    const named = sprintItemTypes.filter((name) => after[name] !== null);
    if (named.length === 0) problem("request", "can't be blank");
    for (const name of named.slice(1)) problem(name, "is not valid");
  },
  afterSave: (change) => void shiftOthers(sprintPositions, change),
  afterDelete: (gone) => closeGapAfterDelete(sprintPositions, gone),
};
