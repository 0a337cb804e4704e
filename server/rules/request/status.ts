import { randomBytes } from "node:crypto";
import type { Change } from "../../engine/rules.ts";
import { assignToCaller, assignToPerson } from "../work-item/assign-member.ts";
import { updateGroup } from "./group.ts";

// The status of a request: R1 to R34.

const insiderRoles = ["specialist", "auditor", "account_administrator"];
const isEndUser = ({ by }: Change): boolean => !by.isService && !insiderRoles.some((role) => by.roles.has(role));

const statusesWithMember = ["accepted", "in_progress", "waiting_for", "waiting_for_customer", "completed"];
const isNonEmptyText = (text: unknown): boolean => typeof text === "string" && text.trim() !== "";

/** R9: the one who asked replies, and is not the one who works on it. */
const isReply = ({ by, before, after }: Change): boolean =>
  before?.status === "waiting_for_customer" &&
  isNonEmptyText(after.note) &&
  [after.requested_by, after.requested_for].includes(by.person) &&
  after.member !== by.person;

/** R28, R29: who asked may take a request back and open it again, and says why. */
function checkRequester(change: Change): void {
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

const isRequester = ({ by, before }: Change): boolean =>
  [before?.requested_by, before?.requested_for].includes(by.person);
const mayReopen = (change: Change): boolean =>
  change.before?.status === "completed" &&
  (change.by.roles.has("key_contact") || (isRequester(change) && change.before.completion_reason === "withdrawn"));
const mayWithdraw = (change: Change): boolean => isRequester(change) && change.after.status === "completed";

/** R30, R31, R9: what makes a request a new assignment when nothing is said about its status. */
function becomesAssigned(change: Change): boolean {
  const { before, after, changed } = change;
  if (before === null || before.status === "completed" || before.status !== after.status) return false;
  if (changed.has("team")) return true;
  const isHandedOver = changed.has("member") && after.member !== null && before.member !== null;
  if (isHandedOver && ["accepted", "in_progress"].includes(String(before.status))) return true;
  return isReply(change);
}

/** Part of `check`, once team and board are known. */
export async function settleStatus(change: Change): Promise<void> {
  const { before, after, given, cause, by } = change;
  checkRequester(change);
  if (!given.has("status") && becomesAssigned(change)) {
    // GR11: a reply to one of a group is a reply to all of it.
    const group = isReply(change) && before?.grouping === "grouped" ? after.grouped_into : null;
    if (group == null) after.status = "assigned";
    else change.runAfterSave(() => updateGroup(change, group as number, { status: "assigned" }));
  }
  if (after.status === before?.status) return;
  if (after.status === "declined" && !given.has("member")) after.member = null; // R13
  const isDoneByWorkflow = after.status === "completed" && cause?.type === "workflow" && cause.id === after.workflow;
  if (isDoneByWorkflow && typeof cause.after.manager === "number")
    await assignToPerson(change, cause.after.manager); // R22
  else if (
    cause === null &&
    !by.isService &&
    after.member === null &&
    statusesWithMember.includes(String(after.status))
  )
    await assignToCaller(change); // R20, R21
  if (change.participant !== null) return; // the rest goes by the account it belongs to
  if (after.status === "completed") after.product_backlog = null; // R26
  // Every completion is answered anew.
  if (after.status === "completed" || before?.status === "completed") {
    after.feedback_key = after.status === "completed" ? randomBytes(24).toString("base64url") : null;
    after.answered_by = false;
    after.answered_for = false;
  }
}
