import { problem } from "../../../records/work/problem.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { chooseBacklogPosition, setStatusByBacklog, syncBacklog } from "../board/backlog.ts";
import { lockBoardFirst, placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
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

type ProblemChange = Change<typeof problem>;

function setInitialStatus({ before, after }: ProblemChange): void {
  if (before === null) after.status ??= "assigned";
}

/** A member belongs to a team: a problem that gets another team has no member until one is chosen. */
function clearMemberOfOldTeam({ before, after, changed }: ProblemChange): void {
  if (before !== null && before.team !== after.team && !changed.has("member")) after.member = null;
}

async function assignToWhoStarts(change: ProblemChange): Promise<void> {
  const { before, after, cause } = change;
  const isStarted = (after.status === "accepted" || after.status === "in_progress") && before?.status !== after.status;
  if (isStarted && after.member === null && cause === null) await assignToCaller(change);
}

function leaveBacklogWhenSolved({ after }: ProblemChange): void {
  if (after.status === "solved") after.product_backlog = null;
}

/** Checked only when one of the fields changes: an article that is purged later must not block other changes. */
function checkKnownError({ after, changed, problem }: ProblemChange): void {
  if (!(["known_error", "workaround", "knowledge_article"] as const).some((name) => changed.has(name))) return;
  const hasWorkaround = after.workaround !== null && after.workaround.trim() !== "";
  if (after.known_error === true && !hasWorkaround && after.knowledge_article === null)
    problem("known_error", "is not valid");
}

export const problemRules = rulesFor(problem, {
  beforePurge: removeFromBoardAndSprints("problem"),
  conditions: { "is assigned to one of my teams": isAssignedToMyTeam },
  lockFirst: lockBoardFirst("problem"),
  beforeSave: steps<typeof problem>(
    setStatusByBacklog,
    (change) => setPendingStatus(change, "solved"),
    setInitialStatus,
    clearMemberOfOldTeam,
    (change) => placeOnBoard(change, { completedStatus: "solved" }),
    assignToWhoStarts,
    leaveBacklogWhenSolved,
    chooseBacklogPosition,
    checkMemberInTeam,
    checkWaitingUntil,
    (change) => checkPendingReference(change, { workflow_pending: "workflow", project_pending: "project" }),
    checkKnownError,
  ),
  derive: { "status is assigned or declined": isAssignedOrDeclined },
  effects: { "set the resolution duration": setResolutionDuration("created_at", "solved_at") },
  afterSave: steps<typeof problem>(addNotes, addTimeEntry, refreshLinkedWorkflows, syncBacklog, syncBoard),
});
