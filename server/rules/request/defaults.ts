import { choiceLabel } from "../../../records/languages/index.ts";
import type { request } from "../../../records/work/request.ts";
import { parseNumberOrNull } from "../../database/rows.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Change } from "../../engine/rules.ts";
import { selectOrganizationOfPerson } from "../people/organization-ancestors.ts";

// Values that a request gets when the call gives none: RQ2 to RQ7, RQ11.

type RequestChange = Change<typeof request>;

/** RQ2: only an administrator names another person as the one who registered the request. */
export function keepCreator({ by, account, before, after, changed }: RequestChange): void {
  if (changed.has("created_by") && !isAdministrator(by, account)) after.created_by = before?.created_by ?? by.person;
}

/** RQ3 to RQ6 */
export async function registerNewRequest(change: RequestChange): Promise<void> {
  const { tx, before, after } = change;
  if (before !== null) return;
  setRequesters(change);
  checkRequesters(change);
  if (after.requested_for !== null) {
    const [row] = await tx.query(selectOrganizationOfPerson, [after.requested_for]);
    after.organization = parseNumberOrNull(row?.[0]);
  }
  after.urgent ??= false;
  after.subject ??= buildSubject(change);
}

/** RQ3, RQ4 */
function setRequesters({ by, after }: RequestChange): void {
  after.requested_by ??= after.requested_for ?? by.person;
  after.requested_for ??= after.requested_by;
}

/** Only the service desk and administrators register requests of other people. */
function checkRequesters({ by, account, after, changed, cause, problem }: RequestChange): void {
  const isRequester = [after.requested_by, after.requested_for].includes(by.person);
  const mayActForOthers = by.roles.has("service_desk_analyst") || isAdministrator(by, account);
  if (cause === null && !isRequester && !mayActForOthers)
    problem(changed.has("requested_for") ? "requested_for" : "requested_by", "is not valid");
}

/** A default value comes back when a call clears the field. */
export function restoreDefaults(change: RequestChange): void {
  const { before, after, changed } = change;
  if (before === null) return;
  if (changed.has("requested_by") || changed.has("requested_for")) setRequesters(change);
  if (changed.has("urgent")) after.urgent ??= false;
  if (changed.has("subject")) after.subject ??= buildSubject(change);
}

/** RQ6 */
function buildSubject({ after }: RequestChange): string | null {
  const note = after.note?.trim() ?? "";
  // Characters, not UTF-16 units: half an emoji cannot be stored.
  if (note !== "") return [...note].slice(0, 80).join("");
  return after.category === null ? null : choiceLabel("en", "request.category", after.category);
}

/** RQ7 */
export function setDefaultImpact({ before, after, changed }: RequestChange): void {
  if (after.category === "incident" && (before === null || changed.has("category") || changed.has("impact")))
    after.impact ??= "low";
}

/** R1: earlier than the state table does it, because the steps that follow look at the status. */
export function setInitialStatus({ before, after }: RequestChange): void {
  if (before === null) after.status ??= "assigned";
}

/** RQ11 */
export function settleCompletionReason({ after }: RequestChange): void {
  after.completion_reason = after.status === "completed" ? (after.completion_reason ?? "solved") : null;
}
