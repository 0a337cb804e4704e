import type { Change } from "../../engine/rules.ts";
import { selectTeamMember } from "../people/team.ts";

// What requests, problems and other work have in common: members, and what they wait for.

/** The member is one of the team. What nobody touched is left alone: people leave teams. A group knows whom it gives it to. */
export async function checkMemberInTeam({ tx, after, changed, cause, problem }: Change): Promise<void> {
  if (after.member === null || cause !== null || !(changed.has("member") || changed.has("team"))) return;
  const rows =
    after.team === null ? [] : await tx.query(selectTeamMember, [after.team as number, after.member as number]);
  if (rows.length === 0) problem("member", "is not valid");
}

/** A status that waits for another record needs that record; a record waits for a workflow or for a project. */
export function checkPendingReference(
  { after, changed, problem }: Change,
  pending: Readonly<Record<string, string>>,
): void {
  const needed = pending[String(after.status)];
  if (needed !== undefined && after[needed] === null && (changed.has("status") || changed.has(needed)))
    problem(needed, "can't be blank");
  if (after.workflow !== null && after.project !== null && (changed.has("workflow") || changed.has("project")))
    problem("project", "is not valid");
}

export const isAssignedOrDeclined = ({ after }: Change): boolean =>
  after.status === "assigned" || after.status === "declined";
