import { toTimestamp } from "../../base/clock.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { pickFollowUpSla } from "../../business-time/request-targets.ts";
import type { SlaTimes } from "../../business-time/sla-times.ts";
import { computeSlaTimes } from "../../business-time/sla-times.ts";
import { createUnchecked, updateUnchecked } from "../../engine/change.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Change } from "../../engine/rules.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { triggerNotification } from "../../mail/notification-outbox.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import type { Transaction } from "../../storage/database.ts";
import { type AffectedSlaRow, buildSlaFacts, loadAffectedSlaRows } from "./affected-sla-rows.ts";
import { type Agreements, type FollowUp, loadAgreements } from "./agreement-cache.ts";

// Requests that wait for the customer: reminders after so many business days, and an end after the last one. R11, R12,
// FU1.

export const followUpJob = "waiting-for-customer follow-up";
/** `days`: the rule that is due; `since`: when the request began to wait */
type DueFollowUp = { account: string; request: number; since: string; days: number };

type RowWithClock = { row: AffectedSlaRow; clock: SlaTimes };

/** The follow-up that counts, and the hours its days are counted in. */
function findFollowUp(agreements: Agreements, rows: readonly RowWithClock[]) {
  const found = pickFollowUpSla(
    rows.map(({ row, clock }) => ({
      row,
      accountability: row.accountability,
      resolution_target_at: clock.resolution_target_at,
    })),
  );
  const offering = agreements.offerings.get(agreements.slas.get(found?.row.sla_id ?? 0)?.service_offering ?? 0);
  const followUp = agreements.followUps.get(offering?.waiting_for_customer_follow_up ?? 0);
  if (found === null || followUp === undefined) return null;
  return { followUp, hours: agreements.activeTimeFor(found.row.support_hours_id, found.row.time_zone) };
}

type FollowUpWithHours = NonNullable<ReturnType<typeof findFollowUp>>;

/** Plans the first rule with more days than that. */
function scheduleFollowUp(
  tx: Transaction,
  due: Omit<DueFollowUp, "days">,
  { followUp, hours }: FollowUpWithHours,
  after: number,
): void {
  const days = followUp.days.find((days) => days > after);
  const at: Moment | null = days === undefined ? null : hours.addBusinessDays(parseMoment(due.since), days);
  if (days === undefined || at === null) return;
  const payload: DueFollowUp = { ...due, days };
  addJob(tx, { kind: followUpJob, key: String(due.request), account: due.account, payload, runAt: new Date(at) });
}

/** The status of a request changed: waiting begins or ends. */
export function updateFollowUpSchedule(
  { tx, id, account, before, after, by }: Change,
  agreements: Agreements,
  rows: readonly RowWithClock[],
): void {
  if (after.status === "waiting_for_customer") {
    const found = findFollowUp(agreements, rows);
    if (found !== null) scheduleFollowUp(tx, { account, request: id, since: toTimestamp(by.now) }, found, 0);
  } else if (before?.status === "waiting_for_customer") deleteJob(tx, followUpJob, String(id));
}

/** The job: a reminder, and the end when it was the last one. */
export async function runFollowUp(engine: Engine, due: DueFollowUp): Promise<void> {
  const { account, request, since, days } = due;
  const type = engine.types.get("request");
  await engine.database.transaction(async (tx) => {
    const values = await lockActiveValues(engine, tx, type, request, account);
    if (values?.status !== "waiting_for_customer") return;
    const agreements = await loadAgreements(tx, account);
    const rows = (await loadAffectedSlaRows(tx, account, request)).map((row) => ({
      row,
      clock: computeSlaTimes(buildSlaFacts(agreements, row)),
    }));
    const found = findFollowUp(agreements, rows);
    if (found === null) return;
    const now = engine.clock.now();
    const isOver = isLastReminder(found.followUp, days) && found.followUp.auto_complete;
    if (!isOver)
      triggerNotification(tx, "request/wfc_reminder", { type: "request", id: request, account, by: null, values }, now);
    if (!isLastReminder(found.followUp, days)) return scheduleFollowUp(tx, { account, request, since }, found, days);
    deleteJob(tx, followUpJob, String(request)); // with the mail, so that a crash does not send it twice
    if (!isOver) return;
    const by = await loadServiceCaller(tx, account, now);
    const note = { request, text: "Completed because no reply was received.", medium: "system" };
    await createUnchecked({ engine, tx, by, type: engine.types.get("note") }, note, { account });
    const end = { status: "completed", completion_reason: "no_reply" };
    await updateUnchecked({ engine, tx, by, type }, request, end, { account });
  });
}

const isLastReminder = (followUp: FollowUp, days: number): boolean => followUp.days.every((other) => other <= days);
