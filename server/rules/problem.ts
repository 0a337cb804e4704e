import type { Change, TypeRules } from "../engine/rules.ts";
import { chooseBacklogPosition, followBacklog, keepBacklog } from "./backlog.ts";
import { keepBoard, leaveAgile, placeOnBoard } from "./board.ts";
import { tellHowLong } from "./how-long.ts";
import { tellWorkflows } from "./linked-work.ts";
import { addNotes } from "./notes.ts";
import { waitForLinked } from "./pending.ts";
import { takeUp } from "./taking-up.ts";
import { assignedToMyTeam } from "./team.ts";
import { enterTimeSpent } from "./time-spent.ts";
import { checkWaiting } from "./waiting.ts";
import { checkMember, checkPending, isNewAssignment } from "./work.ts";

// Reference: lifecycles.md section 12.

/** An article that is erased later does not keep the problem from being worked on. */
function checkKnownError({ after, changed, problem }: Change): void {
  if (!["known_error", "workaround", "knowledge_article"].some((name) => changed.has(name))) return;
  const hasWorkaround = typeof after.workaround === "string" && after.workaround.trim() !== "";
  if (after.known_error === true && !hasWorkaround && after.knowledge_article === null)
    problem("known_error", "is not valid");
}

export const problemRules: TypeRules = {
  erased: leaveAgile("problem"),
  conditions: { "is assigned to one of my teams": assignedToMyTeam },
  async check(change: Change) {
    const { before, after, changed, cause } = change;
    followBacklog(change);
    await waitForLinked(change, "solved");
    if (before === null) after.status ??= "assigned";
    if (before !== null && before.team !== after.team && !changed.has("member")) after.member = null;
    await placeOnBoard(change, { completed: "solved" });
    const isTakenUp = ["accepted", "in_progress"].includes(String(after.status)) && before?.status !== after.status;
    if (isTakenUp && after.member === null && cause === null) await takeUp(change);
    if (after.status === "solved") after.product_backlog = null;
    await chooseBacklogPosition(change);
    await checkMember(change);
    checkWaiting(change);
    checkPending(change, { workflow_pending: "workflow", project_pending: "project" });
    checkKnownError(change);
  },
  derive: { "status is assigned or declined": isNewAssignment },
  effects: { "tell how long it took": tellHowLong("created_at", "solved_at") },
  async saved(change) {
    await addNotes(change);
    await enterTimeSpent(change);
    await tellWorkflows(change);
    keepBacklog(change);
    await keepBoard(change);
  },
};
