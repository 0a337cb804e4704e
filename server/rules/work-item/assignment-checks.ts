import type { problem } from "../../../records/work/problem.ts";
import type { request } from "../../../records/work/request.ts";
import type { Change } from "../../engine/rules.ts";
import { selectTeamMember } from "../people/team.ts";

/**
 * RQ10: the member belongs to the team. Checked only when a caller changes one of the two: people leave teams, and a
 * group hands its member on to its requests.
 */
export async function checkMemberInTeam(change: Change<typeof request | typeof problem>): Promise<void> {
  const { tx, after, changed, cause, problem } = change;
  if (after.member === null || cause !== null || !(changed.has("member") || changed.has("team"))) return;
  const rows = after.team === null ? [] : await tx.query(selectTeamMember, [after.team, after.member]);
  if (rows.length === 0) problem("member", "is not valid");
}

/**
 * A pending status needs the record that it waits for, and a record never waits for a workflow and a project together. `pending`
 * maps statuses to the fields that they need.
 */
export function checkPendingReference(
  { after, changed, problem }: Change,
  pending: Readonly<Record<string, string>>,
): void {
  const needed = typeof after.status === "string" ? pending[after.status] : undefined;
  if (needed !== undefined && after[needed] === null && (changed.has("status") || changed.has(needed)))
    problem(needed, "can't be blank");
  if (after.workflow !== null && after.project !== null && (changed.has("workflow") || changed.has("project")))
    problem("project", "is not valid");
}

export const isAssignedOrDeclined = ({ after }: Change): boolean =>
  after.status === "assigned" || after.status === "declined";
