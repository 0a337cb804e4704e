import { stampOf } from "../base/clock.ts";
import type { SlaClock } from "../clock/affected-sla.ts";
import { clockOf } from "../clock/affected-sla.ts";
import { type Moment, momentOf } from "../clock/moment.ts";
import { hoursOfFollowUp } from "../clock/request-targets.ts";
import type { Engine } from "../engine/engine.ts";
import type { Change } from "../engine/rules.ts";
import { theService } from "../engine/system.ts";
import { createWithin, lockWithin, updateWithin } from "../engine/within.ts";
import { tell } from "../mail/notices.ts";
import { addJob, dropJob } from "../queue/jobs.ts";
import type { Transaction } from "../storage/database.ts";
import { factsOf, type Row, rowsOf } from "./affected-sla-rows.ts";
import { type Agreements, agreementsOf, type FollowUp } from "./agreements.ts";

// Requests that wait for the customer: reminders after so many business days, and an end after the last one. Reference:
// lifecycles.md R11 and R12, sla-clock.md O1.

export const followUpOfWaiting = "waiting-for-customer follow-up";
/** `days`: the rule that is due; `since`: when the request began to wait */
type DueFollowUp = { account: string; request: number; since: string; days: number };

type Reckoned = { row: Row; clock: SlaClock };

/** The follow-up that counts, and the hours its days are counted in. */
function followUpOf(agreements: Agreements, rows: readonly Reckoned[]) {
  const found = hoursOfFollowUp(
    rows.map(({ row, clock }) => ({
      row,
      accountability: row.accountability,
      resolution_target_at: clock.resolution_target_at,
    })),
  );
  const offering = agreements.offerings.get(agreements.slas.get(found?.row.sla_id ?? 0)?.service_offering ?? 0);
  const followUp = agreements.followUps.get(offering?.waiting_for_customer_follow_up ?? 0);
  if (found === null || followUp === undefined) return null;
  return { followUp, hours: agreements.hours(found.row.support_hours_id, found.row.time_zone) };
}

type Counted = NonNullable<ReturnType<typeof followUpOf>>;

/** Plans the first rule with more days than that. */
function plan(tx: Transaction, due: Omit<DueFollowUp, "days">, { followUp, hours }: Counted, after: number): void {
  const days = followUp.days.find((days) => days > after);
  const at: Moment | null = days === undefined ? null : hours.addBusinessDays(momentOf(due.since), days);
  if (days === undefined || at === null) return;
  const payload: DueFollowUp = { ...due, days };
  addJob(tx, { kind: followUpOfWaiting, key: String(due.request), account: due.account, payload, runAt: new Date(at) });
}

/** The status of a request changed: waiting begins or ends. */
export function followUpWaiting(
  { tx, id, account, before, after, by }: Change,
  agreements: Agreements,
  rows: readonly Reckoned[],
): void {
  if (after.status === "waiting_for_customer") {
    const found = followUpOf(agreements, rows);
    if (found !== null) plan(tx, { account, request: id, since: stampOf(by.now) }, found, 0);
  } else if (before?.status === "waiting_for_customer") dropJob(tx, followUpOfWaiting, String(id));
}

/** The job: a reminder, and the end when it was the last one. */
export async function fireFollowUp(engine: Engine, due: DueFollowUp): Promise<void> {
  const { account, request, since, days } = due;
  const type = engine.types.named("request");
  await engine.database.transaction(async (tx) => {
    const values = await lockWithin(engine, tx, type, request, account);
    if (values?.status !== "waiting_for_customer") return;
    const agreements = await agreementsOf(tx, account);
    const rows = (await rowsOf(tx, account, request)).map((row) => ({ row, clock: clockOf(factsOf(agreements, row)) }));
    const found = followUpOf(agreements, rows);
    if (found === null) return;
    const now = engine.clock.now();
    const isOver = isLast(found.followUp, days) && found.followUp.auto_complete;
    if (!isOver) tell(tx, "request/wfc_reminder", { type: "request", id: request, account, by: null, values }, now);
    if (!isLast(found.followUp, days)) return plan(tx, { account, request, since }, found, days);
    dropJob(tx, followUpOfWaiting, String(request)); // with the mail, so that a crash does not send it twice
    if (!isOver) return;
    const by = await theService(tx, account, now);
    const note = { request, text: "Completed because no reply was received.", medium: "system" };
    await createWithin(engine, tx, by, engine.types.named("note"), note, { account });
    const end = { status: "completed", completion_reason: "no_reply" };
    await updateWithin(engine, tx, by, type, request, end, { account });
  });
}

const isLast = (followUp: FollowUp, days: number): boolean => followUp.days.every((other) => other <= days);
