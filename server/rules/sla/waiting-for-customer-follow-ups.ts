import type { request } from "../../../records/work/request.ts";
import { toTimestamp } from "../../base/clock.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { pickFollowUpSla } from "../../business-time/request-targets.ts";
import { computeSlaTimes } from "../../business-time/sla-times.ts";
import type { Transaction } from "../../database/database.ts";
import { createUnchecked, updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Change } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { triggerNotification } from "../../mail/notification-outbox.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { buildSlaFacts, loadAffectedSlaRows, type RowWithTimes } from "./affected-sla-rows.ts";
import { type Agreements, type FollowUp, loadAgreements } from "./agreement-cache.ts";

// Reminders for requests that wait for the customer, and their completion after the last one: R11, R12, FU1.

export const followUpJob = "waiting-for-customer follow-up";
/** `days`: the rule that is due; `since`: when the request began to wait */
type DueFollowUp = { account: string; request: number; since: string; days: number };

/** The follow-up that applies, and the hours that count its business days. */
function pickFollowUp(agreements: Agreements, rows: readonly RowWithTimes[]) {
  const sla = pickFollowUpSla(
    rows.map(({ row, times }) => ({
      row,
      accountability: row.accountability,
      resolution_target_at: times.resolution_target_at,
    })),
  );
  const offering = agreements.offerings.get(agreements.slas.get(sla?.row.sla_id ?? 0)?.service_offering ?? 0);
  const followUp = agreements.followUps.get(offering?.waiting_for_customer_follow_up ?? 0);
  if (sla === null || followUp === undefined) return null;
  return { followUp, hours: agreements.activeTimeFor(sla.row.support_hours_id, sla.row.time_zone) };
}

type FollowUpWithHours = NonNullable<ReturnType<typeof pickFollowUp>>;

/** Schedules the first rule with more days than the one that is done. */
function scheduleFollowUp(
  tx: Transaction,
  due: Omit<DueFollowUp, "days">,
  { followUp, hours }: FollowUpWithHours,
  daysDone: number,
): void {
  const days = followUp.days.find((days) => days > daysDone);
  const at: Moment | null = days === undefined ? null : hours.addBusinessDays(parseMoment(due.since), days);
  if (days === undefined || at === null) return;
  const payload: DueFollowUp = { ...due, days };
  addJob(tx, { kind: followUpJob, key: String(due.request), account: due.account, payload, runAt: new Date(at) });
}

/** Starts or ends the reminders when a request begins or ceases to wait. */
export function updateFollowUpSchedule(
  { tx, id, account, before, after, by }: Change<typeof request>,
  agreements: Agreements,
  rows: readonly RowWithTimes[],
): void {
  if (after.status === "waiting_for_customer") {
    const followUp = pickFollowUp(agreements, rows);
    if (followUp !== null) scheduleFollowUp(tx, { account, request: id, since: toTimestamp(by.now) }, followUp, 0);
  } else if (before?.status === "waiting_for_customer") deleteJob(tx, followUpJob, String(id));
}

/** The job: sends a reminder, or completes the request after the last one. */
export async function runFollowUp(engine: Engine, due: DueFollowUp): Promise<void> {
  const { account, request, since, days } = due;
  const type = engine.types.get("request");
  await engine.database.transaction(async (tx) => {
    const values = await lockActiveValues(engine, tx, type, request, account);
    if (values?.status !== "waiting_for_customer") return;
    const agreements = await loadAgreements(tx, account);
    const rows = (await loadAffectedSlaRows(tx, account, request)).map((row) => ({
      row,
      times: computeSlaTimes(buildSlaFacts(agreements, row)),
    }));
    const followUp = pickFollowUp(agreements, rows);
    if (followUp === null) return;
    const now = engine.clock.now();
    const isLast = isLastReminder(followUp.followUp, days);
    const completes = isLast && followUp.followUp.auto_complete;
    if (!completes)
      triggerNotification(tx, "request/wfc_reminder", { type: "request", id: request, account, by: null, values }, now);
    if (!isLast) return scheduleFollowUp(tx, { account, request, since }, followUp, days);
    deleteJob(tx, followUpJob, String(request)); // in the transaction of the reminder: a crash must not send it twice
    if (!completes) return;
    const by = await loadServiceCaller(tx, account, now);
    const note = { request, text: "Completed because no reply was received.", medium: "system" };
    await createUnchecked({ engine, tx, by, type: engine.types.get("note") }, note, { account });
    const completion = { status: "completed", completion_reason: "no_reply" };
    await updateUnchecked({ engine, tx, by, type }, request, completion, { account });
  });
}

const isLastReminder = (followUp: FollowUp, days: number): boolean => followUp.days.every((other) => other <= days);
