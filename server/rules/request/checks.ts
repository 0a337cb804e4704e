import type { request } from "../../../records/work/request.ts";
import type { Change } from "../../engine/rules.ts";
import { mayWriteInternalNotes } from "../communication/notes.ts";
import { checkPendingReference } from "../work-item/assignment-checks.ts";
import { isCausedByGroup } from "./group.ts";

type RequestChange = Change<typeof request>;

/** RQ16, RQ21: a group copies its status to its members, but not the record that it waits for. */
export function checkPendingReferenceOfRequest(change: RequestChange): void {
  if (isCausedByGroup(change)) return;
  checkPendingReference(change, {
    reservation_pending: "reservation",
    workflow_pending: "workflow",
    project_pending: "project",
  });
}

/** RQ17 */
export function checkAddressed({ by, account, after, changed, problem }: RequestChange): void {
  if (after.addressed !== true || !changed.has("addressed")) return;
  const isDeskManager = by.me.roles.get(account)?.has("service_desk_manager");
  if (after.satisfaction !== "dissatisfied" || !isDeskManager) problem("addressed", "is not valid");
}

export function checkInternalNote({ by, after, problem }: RequestChange): void {
  if (after.internal_note != null && !mayWriteInternalNotes(by)) problem("internal_note", "is not valid");
}

export function checkSupportDomain({ account, after, problem }: RequestChange): void {
  if (after.support_domain != null && after.support_domain !== account) problem("support_domain", "is not valid");
}
