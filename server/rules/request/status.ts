import type { EnumerationValue } from "../../../records/enumerations/index.ts";
import type { request } from "../../../records/work/request.ts";
import { workflow } from "../../../records/work/workflow.ts";
import { type Change, isChangeOf } from "../../engine/rules.ts";
import { assignToCaller, assignToPerson } from "../work-item/assign-member.ts";
import { updateGroup } from "./group.ts";

// The status of a request as far as its state table cannot express it: R1 to R34.

type RequestChange = Change<typeof request>;
type RequestStatus = EnumerationValue<"request.status">;

const insiderRoles = ["specialist", "auditor", "account_administrator"];
const isEndUser = ({ by }: RequestChange): boolean => !by.isService && !insiderRoles.some((role) => by.roles.has(role));

const statusesWithMember: readonly (RequestStatus | null)[] = [
  ...(["accepted", "in_progress", "waiting_for", "waiting_for_customer", "completed"] as const),
];
const isNonEmptyText = (text: string | null | undefined): boolean => text != null && text.trim() !== "";

/** R9: a requester who is not the member answers. */
const isReply = ({ by, before, after }: RequestChange): boolean =>
  before?.status === "waiting_for_customer" &&
  isNonEmptyText(after.note) &&
  [after.requested_by, after.requested_for].includes(by.person) &&
  after.member !== by.person;

/** R28, R29: requesters may withdraw a request and open it again, with a note that says why. */
export function checkChangeByRequester(change: RequestChange): void {
  const { before, after, changed, given, cause, problem } = change;
  if (before === null || cause !== null || given.has("satisfaction") || !isEndUser(change)) return;
  if (!changed.has("status")) {
    if (changed.has("completion_reason")) problem("completion_reason", "is not valid");
  } else if (mayReopen(change)) after.status = "assigned";
  else if (mayWithdraw(change)) {
    if (given.has("completion_reason") && after.completion_reason !== "withdrawn")
      problem("completion_reason", "is not valid");
    after.completion_reason = "withdrawn";
  } else problem("status", "is not valid");
  if (changed.has("status") && !isNonEmptyText(after.note)) problem("note", "can't be blank");
}

const isRequester = ({ by, before }: RequestChange): boolean =>
  [before?.requested_by, before?.requested_for].includes(by.person);
const mayReopen = (change: RequestChange): boolean =>
  change.before?.status === "completed" &&
  (change.by.roles.has("key_contact") || (isRequester(change) && change.before.completion_reason === "withdrawn"));
const mayWithdraw = (change: RequestChange): boolean => isRequester(change) && change.after.status === "completed";

/** R30, R31, R9: without a status in the call, another team or member or a reply makes a new assignment. */
function becomesAssigned(change: RequestChange): boolean {
  const { before, after, changed, given } = change;
  if (given.has("status") || before === null) return false;
  if (before.status === "completed" || before.status !== after.status) return false;
  if (changed.has("team")) return true;
  const isHandedOver = changed.has("member") && after.member !== null && before.member !== null;
  if (isHandedOver && (before.status === "accepted" || before.status === "in_progress")) return true;
  return isReply(change);
}

export function assignAgain(change: RequestChange): void {
  const { before, after } = change;
  if (!becomesAssigned(change)) return;
  // GR11: a reply to a member is a reply to its group.
  const group = isReply(change) && before?.grouping === "grouped" ? after.grouped_into : null;
  if (group === null) after.status = "assigned";
  else change.runAfterSave(() => updateGroup(change, group, { status: "assigned" }));
}

/** R13, R20 to R22 */
export async function settleMember(change: RequestChange): Promise<void> {
  const { before, after, given, cause, by } = change;
  if (after.status === before?.status) return;
  if (after.status === "declined" && !given.has("member")) after.member = null;
  if (after.status === "completed" && isChangeOf(workflow, cause) && cause.id === after.workflow)
    await assignToPerson(change, cause.after.manager);
  else if (cause === null && !by.isService && after.member === null && statusesWithMember.includes(after.status))
    await assignToCaller(change);
}

/** R26: participants leave the backlog to the account that owns the request. */
export function leaveBacklogWhenCompleted({ before, after, participant }: RequestChange): void {
  if (participant === null && after.status === "completed" && before?.status !== "completed")
    after.product_backlog = null;
}
