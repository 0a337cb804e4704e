import type { Caller } from "../engine/caller.ts";
import type { Clause } from "../engine/clauses.ts";
import type { Change, Values } from "../engine/rules.ts";
import { statement } from "../storage/database.ts";

// What requests, problems and other work have in common: teams and members, waiting, and how long it took.

const isMember = statement("SELECT 1 FROM team_members WHERE team_id = $1 AND person_id = $2");

/** "is assigned to one of my teams" */
export const ofMyTeams = (by: Caller): Clause => ({
  key: "my teams",
  sql: (alias, next) => `${alias}.team_id IN (SELECT team_id FROM team_members WHERE person_id = ${next()})`,
  values: [by.person],
});

/** The member is one of the team. What nobody touched is left alone: people leave teams. */
export async function checkMember({ tx, after, changed, problem }: Change): Promise<void> {
  if (after.member === null || !(changed.has("member") || changed.has("team"))) return;
  const rows = after.team === null ? [] : await tx.query(isMember, [after.team as number, after.member as number]);
  if (rows.length === 0) problem("member", "is not valid");
}

/** waiting_until goes with waiting_for alone, and lies ahead when it is set. */
export function checkWaiting({ after, before, changed, by, problem }: Change): void {
  if (after.status !== "waiting_for") {
    after.waiting_until = null;
    return;
  }
  if (before?.status === "waiting_for" && !changed.has("waiting_until")) return;
  if (after.waiting_until === null) problem("waiting_until", "can't be blank");
  else if (Date.parse(String(after.waiting_until)) <= by.now.getTime())
    problem("waiting_until", "must be in the future");
}

/** A status that waits for another record needs that record; a record waits for a workflow or for a project. */
export function checkPending({ after, changed, problem }: Change, pending: Readonly<Record<string, string>>): void {
  const needed = pending[String(after.status)];
  if (needed !== undefined && after[needed] === null && (changed.has("status") || changed.has(needed)))
    problem(needed, "can't be blank");
  if (after.workflow !== null && after.project !== null && (changed.has("workflow") || changed.has("project")))
    problem("project", "is not valid");
}

export const isNewAssignment = ({ after }: Change): boolean =>
  after.status === "assigned" || after.status === "declined";

/** Whole minutes from created_at to the end, for `resolution_duration`. */
export const tellHowLong =
  (end: string) =>
  ({ after }: { after: Values }): void => {
    const last = after[end];
    after.resolution_duration =
      last == null ? null : Math.floor((Date.parse(String(last)) - Date.parse(String(after.created_at))) / 60_000);
  };
