import type { RowOf } from "../../../records/vocabulary/index.ts";
import { request } from "../../../records/work/request.ts";
import { watch } from "../../../records/work/watch.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Change, rulesFor, steps } from "../../engine/rules.ts";
import { updateOrderLine } from "../asset/shop.ts";
import { chooseBacklogPosition, setStatusByBacklog, syncBacklog } from "../board/backlog.ts";
import { lockBoardFirst, placeOnBoard, removeFromBoardAndSprints, syncBoard } from "../board/board.ts";
import { endBroadcasts } from "../communication/broadcast-of-request.ts";
import { addNotes } from "../communication/notes.ts";
import { updateAffectedSlas } from "../sla/affected-slas.ts";
import { updateGeneratingTask } from "../task-graph/generated-request.ts";
import { addTimeEntry } from "../time/time-spent.ts";
import { assignToCaller } from "../work-item/assign-member.ts";
import { checkMemberInTeam, isAssignedOrDeclined } from "../work-item/assignment-checks.ts";
import { refreshLinkedWorkflows } from "../work-item/linked-work.ts";
import { checkCompletionNotPrevented, setPendingStatus } from "../work-item/pending-on-workflow-or-project.ts";
import { setResolutionDuration } from "../work-item/resolution-duration.ts";
import { checkWaitingUntil } from "../work-item/waiting-until.ts";
import { agreementFilters } from "./agreement-filters.ts";
import {
  applyTemplate,
  assignToCallerIfTemplateSays,
  dropUnknownCheckedItems,
  startWorkflow,
} from "./apply-template.ts";
import { chooseTeamAndSupplier, countAssignment } from "./assignment.ts";
import { checkAddressed, checkInternalNote, checkPendingReferenceOfRequest, checkSupportDomain } from "./checks.ts";
import { requestConditions } from "./conditions.ts";
import {
  keepCreator,
  registerNewRequest,
  restoreDefaults,
  setDefaultImpact,
  setInitialStatus,
  settleCompletionReason,
} from "./defaults.ts";
import { settleDesiredCompletion } from "./desired-completion.ts";
import { feedbackLinks, renewFeedbackLinks } from "./feedback.ts";
import { copyToMembers, joinGroup, loadNextTargetOfGroup, refreshGroupOfMember, ungroupMembers } from "./group.ts";
import { countArticle, countTemplate, replaceLinkedCis } from "./linked-records.ts";
import { checkMajorIncident } from "./major-incident.ts";
import {
  checkTeamOfParticipant,
  pickNextTargetOfParticipant,
  syncParticipants,
  withPreviousSharedValues,
} from "./participant-accounts.ts";
import { readAheadOfNewRequest, readAheadOfRequest } from "./read-ahead.ts";
import { filterByTargets } from "./resolution-target.ts";
import { settleReviewed } from "./review.ts";
import { assignAgain, checkChangeByRequester, leaveBacklogWhenCompleted, settleMember } from "./status.ts";

// RQ1 to RQ24

type RequestChange = Change<typeof request>;
type RequestStep = (change: RequestChange) => void | Promise<void>;

/** For steps that concern the account that owns the request, and not its participants. */
const forOwner =
  (step: RequestStep): RequestStep =>
  (change) =>
    change.participant === null ? step(change) : undefined;

const beforeSave = steps<typeof request>(
  keepCreator,
  applyTemplate, // early: all other steps may look at the values of the template
  registerNewRequest,
  restoreDefaults,
  setDefaultImpact,
  joinGroup,
  setStatusByBacklog,
  (change) => setPendingStatus(change, "completed"),
  startWorkflow,
  setInitialStatus,
  chooseTeamAndSupplier,
  assignToCallerIfTemplateSays,
  (change) => placeOnBoard(change, { completedStatus: "completed", assignMember: () => assignToCaller(change) }),
  checkChangeByRequester,
  assignAgain,
  settleMember, // from here on status, team and member are final
  leaveBacklogWhenCompleted,
  checkCompletionNotPrevented,
  countAssignment,
  checkTeamOfParticipant,
  checkMemberInTeam,
  settleCompletionReason,
  checkWaitingUntil,
  checkPendingReferenceOfRequest,
  checkAddressed,
  chooseBacklogPosition,
  checkMajorIncident,
  dropUnknownCheckedItems,
  settleReviewed,
  checkInternalNote,
  checkSupportDomain,
  settleDesiredCompletion,
  updateAffectedSlasOfOwner, // last: the SLA clock depends on everything above
);

/** GR12: a group has no affected SLAs. Participants have none either: the clock runs in the account of the owner. */
async function updateAffectedSlasOfOwner(change: RequestChange): Promise<void> {
  if (change.participant === null && change.after.grouping !== "group")
    await updateAffectedSlas(withPreviousSharedValues(change));
}

const afterSave = steps<typeof request>(
  countTemplate,
  replaceLinkedCis,
  countArticle,
  addNotes,
  addTimeEntry,
  syncBacklog,
  syncBoard,
  forOwner(updateGeneratingTask),
  forOwner(updateOrderLine),
  forOwner(endBroadcasts),
  forOwner(refreshLinkedWorkflows),
  forOwner(refreshGroupOfMember),
  forOwner(copyToMembers),
  syncParticipants,
);

function pickNextTarget(change: RequestChange): string | null | Promise<string | null> {
  if (change.participant !== null) return pickNextTargetOfParticipant(change);
  return change.after.grouping === "group" ? loadNextTargetOfGroup(change) : change.after.next_target_at;
}

const selectSupportDomain = statement("SELECT 1 FROM accounts WHERE id = $1 AND directory_account_id = $2");

/** People of a directory account name the support domain in which the request is registered. */
async function findSupportDomain(
  tx: Transaction,
  by: Caller,
  { support_domain: domain }: RowOf<typeof request>,
): Promise<string | null> {
  if (typeof domain !== "string" || domain === by.account) return null;
  return (await tx.query(selectSupportDomain, [domain, by.me.account])).length > 0 ? domain : null;
}

export const requestRules = rulesFor(request, {
  async beforePurge(tx, id, account) {
    await removeFromBoardAndSprints("request")(tx, id, account);
    tx.send(ungroupMembers, [id, account]);
  },
  conditions: requestConditions,
  filters: { targets: filterByTargets, ...agreementFilters },
  accountForCreate: findSupportDomain,
  compute: { "where the requesters can answer": feedbackLinks },
  lockFirst: lockBoardFirst("request"),
  readAhead: { ofCreate: readAheadOfNewRequest, ofUpdate: readAheadOfRequest },
  beforeSave,
  derive: { "status is assigned or declined": isAssignedOrDeclined, "the target to be met next": pickNextTarget },
  effects: {
    "set the resolution duration": setResolutionDuration("created_at", "completed_at"),
    "renew the feedback links": renewFeedbackLinks,
  },
  afterSave,
});

export const watchRules = rulesFor(watch, { derive: { "where it was added": ({ by }) => by.account } });
