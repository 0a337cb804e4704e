import { stampOf } from "../base/clock.ts";
import type { TypeRules } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";
import { nextPosition } from "./position.ts";

export const agileBoardColumnRules: TypeRules = {
  async check(change) {
    const { after, problem } = change;
    await nextPosition("agile_board_columns", "agile_board")(change);
    if (after.team !== null && after.action_type !== "assign") problem("team", "is not valid");
    if (after.member !== null && after.team === null) problem("member", "is not valid");
    if (after.clear_member === true && after.action_type !== "assign") problem("clear_member", "is not valid");
  },
};

const sprintLength = statement("SELECT sprint_length FROM scrum_workspaces WHERE id = $1 AND account_id = $2");

export const sprintRules: TypeRules = {
  async check(change) {
    const { after, tx, by } = change;
    await nextPosition("sprints", "scrum_workspace", "number")(change);
    if (after.start_at !== null && after.end_at === null && after.scrum_workspace !== null) {
      const rows = await tx.query(sprintLength, [after.scrum_workspace as number, by.account]);
      const weeks = Number(rows[0]?.[0] ?? 0);
      if (weeks > 0) after.end_at = stampOf(new Date(Date.parse(String(after.start_at)) + weeks * 7 * 86_400_000));
    }
    if (after.start_at !== null && after.end_at !== null && String(after.end_at) < String(after.start_at))
      change.problem("end_at", "is not valid");
  },
};
