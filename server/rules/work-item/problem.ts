import type { Change, TypeRules } from "../../engine/rules.ts";
import { chooseBacklogPosition, setStatusByBacklog, syncBacklog } from "../board/backlog.ts";
import { placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { addNotes } from "../communication/notes.ts";
import { isAssignedToMyTeam } from "../people/team.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { assignToCaller } from "./assign-member.ts";
import { checkMemberInTeam, checkPendingReference, isAssignedOrDeclined } from "./assignment-checks.ts";
import { refreshLinkedWorkflows } from "./linked-work.ts";
import { setPendingStatus } from "./pending-on-workflow-or-project.ts";
import { setResolutionDuration } from "./resolution-duration.ts";
import { checkWaitingUntil } from "./waiting-until.ts";

// PB1 to PB12

/** An article that is erased later does not keep the problem from being worked on. */
function checkKnownError({ after, changed, problem }: Change): void {
  if (!["known_error", "workaround", "knowledge_article"].some((name) => changed.has(name))) return;
  const hasWorkaround = typeof after.workaround === "string" && after.workaround.trim() !== "";
  if (after.known_error === true && !hasWorkaround && after.knowledge_article === null)
    problem("known_error", "is not valid");
}

export const problemRules: TypeRules = {
  beforePurge: removeFromBoardAndSprints("problem"),
  conditions: { "is assigned to one of my teams": isAssignedToMyTeam },
  async beforeSave(change: Change) {
    const { before, after, changed, cause } = change;
    setStatusByBacklog(change);
    await setPendingStatus(change, "solved");
    if (before === null) after.status ??= "assigned";
    if (before !== null && before.team !== after.team && !changed.has("member")) after.member = null;
    await placeOnBoard(change, { completedStatus: "solved" });
    const isTakenUp = ["accepted", "in_progress"].includes(String(after.status)) && before?.status !== after.status;
    if (isTakenUp && after.member === null && cause === null) await assignToCaller(change);
    if (after.status === "solved") after.product_backlog = null;
    await chooseBacklogPosition(change);
    await checkMemberInTeam(change);
    checkWaitingUntil(change);
    checkPendingReference(change, { workflow_pending: "workflow", project_pending: "project" });
    checkKnownError(change);
  },
  derive: { "status is assigned or declined": isAssignedOrDeclined },
  effects: { "tell how long it took": setResolutionDuration("created_at", "solved_at") },
  async afterSave(change) {
    await addNotes(change);
    await addTimeEntry(change);
    await refreshLinkedWorkflows(change);
    syncBacklog(change);
    await syncBoard(change);
  },
};
