import type { RowOf } from "../../../records/vocabulary/index.ts";
import type { request } from "../../../records/work/request.ts";
import type { task } from "../../../records/work/task.ts";
import { isFinished } from "../../../records/work/task-states.ts";
import { toTimestamp } from "../../base/clock.ts";
import { computeRequestTargets, pickNextRequestTarget } from "../../business-time/request-targets.ts";
import { computeSlaTimes } from "../../business-time/sla-times.ts";
import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";
import {
  type AffectedSlaRow,
  buildSlaFacts,
  formatMomentOrNull,
  formatTarget,
  loadAffectedSlaRows,
  type RowWithTimes,
  writeAffectedSlaRows,
} from "./affected-sla-rows.ts";
import { type Agreements, loadAgreements } from "./agreement-cache.ts";
import { calculateRows } from "./calculate-rows.ts";
import { addCustomerViewers } from "./customer-viewers.ts";
import {
  fieldsDecidingClock,
  fieldsDecidingSlas,
  hasChanged,
  loadRequestFacts,
  type RequestFacts,
} from "./request-facts.ts";
import { getNextNotificationAt, scheduleSlaNotification } from "./sla-notifications.ts";
import { updateFollowUpSchedule } from "./waiting-for-customer-follow-ups.ts";

// The affected SLAs of a request that is saved: SLA11 to SLA46. They are calculated before the request is stored, because
// the request shows their targets, and written after it.

type RequestChange = Change<typeof request>;

/** The last step before a request is stored. */
export async function updateAffectedSlas(change: RequestChange): Promise<void> {
  const { tx, id, account, before, by, cause } = change;
  if (!hasChanged(change, fieldsDecidingSlas) && !hasChanged(change, fieldsDecidingClock) && cause?.type !== "task")
    return;
  const [agreements, request, existing] = await Promise.all([
    loadAgreements(tx, account),
    loadRequestFacts(change),
    before === null ? [] : loadAffectedSlaRows(tx, account, id),
  ]);
  const rows = (await calculateRows(change, request, agreements, existing)).map((row): RowWithTimes => {
    const facts = buildSlaFacts(agreements, row);
    const notify_at = getNextNotificationAt(agreements, request.category, row, facts);
    return { row: { ...row, notify_at }, times: computeSlaTimes(facts) };
  });
  copyTargetsToRequest(change, request, agreements, rows);

  const existingById = new Map(existing.map((row) => [row.id, row]));
  change.runAfterSave(async () => {
    for (const { row } of rows)
      scheduleSlaNotification(tx, account, id, row, existingById.get(row.id)?.notify_at ?? null);
    writeAffectedSlaRows(tx, { account, request: id, now: toTimestamp(by.now) }, rows);
    const newSlas = rows.flatMap(({ row }) => (row.id === null ? [row.sla_id] : []));
    addCustomerViewers(change, agreements, newSlas);
    if (request.oldStatus !== request.status) updateFollowUpSchedule(change, agreements, rows);
    await addAccountabilityNote(change, existing, rows);
  });
}

function copyTargetsToRequest(
  { after }: RequestChange,
  request: RequestFacts,
  agreements: Agreements,
  rows: readonly RowWithTimes[],
): void {
  const slas = rows.map(({ row, times }) => ({
    accountability: row.accountability,
    actual_response_at: row.actual_response_at,
    first_line_team: row.first_line_team_id,
    support_team: row.support_team_id,
    covers_requested_for: row.covers_requester,
    response_target_at: times.response_target_at,
    resolution_target_at: times.resolution_target_at,
  }));
  const team_of_template =
    request.template === null ? null : (agreements.templates.get(request.template)?.team ?? null);
  const targets = computeRequestTargets({ team: request.team, team_of_template }, slas);
  after.response_target_at = formatMomentOrNull(targets.response_target_at);
  after.resolution_target_at = formatMomentOrNull(targets.resolution_target_at);
  after.requester_resolution_target_at = formatMomentOrNull(targets.requester_resolution_target_at);
  after.next_target_at = formatTarget(pickNextRequestTarget(request, targets, slas));
  if (request.notAccountable || rows.some(({ times }) => times.provider_was_not_accountable))
    after.provider_was_not_accountable = true;
}

/** SLA42 */
async function addAccountabilityNote(
  { id, before, after, create }: RequestChange,
  existing: readonly AffectedSlaRow[],
  rows: readonly RowWithTimes[],
): Promise<void> {
  if (before === null) return;
  const was = before.provider_not_accountable === true || existing.some((row) => row.provider_not_accountable);
  const is = after.provider_not_accountable === true || rows.some(({ row }) => row.provider_not_accountable);
  if (was === is) return;
  const text = is ? "The provider is not accountable." : "The provider is accountable again.";
  await create("note", { request: id, text, medium: "system" });
}

const selectOpenRequestsOfWorkflow = statement(
  "SELECT id FROM requests WHERE workflow_id = $1 AND account_id = $2 AND status <> 'completed' ORDER BY id",
);

/** An active task for which the provider is not accountable stops the clock. */
function stopsClock({ status, provider_not_accountable }: RowOf<typeof task>): boolean {
  return provider_not_accountable === true && status !== "registered" && !isFinished(status);
}

/** SLA33: a task began or ceased to stop the clock, so the requests of its workflow calculate their SLAs again. */
export async function updateRequestsOfTask({ tx, account, before, after, update }: Change<typeof task>): Promise<void> {
  const stopped = before !== null && stopsClock(before);
  if (stopped === stopsClock(after) || after.workflow === null) return;
  for (const [request] of await tx.query(selectOpenRequestsOfWorkflow, [after.workflow, account]))
    await update("request", Number(request), {});
}
