import { inactiveStatuses } from "../../../records/configuration/ci.ts";
import { toTimestamp } from "../../base/clock.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { type ActiveTime, getActiveTime } from "../../business-time/active-time.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { findMissedOccurrence, findNextOccurrence, type Recurrence } from "../../business-time/recurrence.ts";
import { type Statement, statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Recurrence as StoredRecurrence } from "../../engine/kinds/recurrence-rule.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { lockActiveValues } from "../../engine/write/lock.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { parseCalendar, selectCalendar } from "./calendar.ts";

// When a workflow template or configuration item with a recurrence creates its next workflow: RC11 to RC14. The time is
// stored in the recurrence itself, as `next_occurrence_at`; one job per owner runs then.

export const occurrenceJob = "occurrence";
export type RecurrenceOwner = { type: string; id: number; account: string };

/** The types whose recurrences create workflows. A record that is not in use creates none. */
const isOwnerInUse: Readonly<Record<string, (values: Values) => boolean>> = {
  workflow_template: ({ disabled }) => disabled !== true,
  ci: ({ status }) => typeof status !== "string" || !inactiveStatuses.includes(status),
};
/** the fields that decide whether an owner is in use */
const ownerFields = ["disabled", "status"];

export const getRecurrence = (values: Values | null): StoredRecurrence | null =>
  (values?.recurrence ?? null) as StoredRecurrence | null; // only the field kind writes the column, in this shape
const parseMomentOrNull = (stamp: unknown): Moment | null => (typeof stamp === "string" ? parseMoment(stamp) : null);
const formatMomentOrNull = (moment: Moment | null): string | null =>
  moment === null ? null : toTimestamp(new Date(moment));

// A transaction that reads the hours holds this lock until its commit; the job that runs when they change waits for it.
const shareLockCalendar = statement("SELECT 1 FROM calendars WHERE id = $1 FOR KEY SHARE");

/** Null when the recurrence has no next occurrence, because it is disabled or its owner is not in use. */
async function loadActiveRecurrence(tx: Transaction, type: string, values: Values): Promise<Recurrence | null> {
  const stored = getRecurrence(values);
  if (stored === null || stored.disabled || !stored.start_date || !stored.time_of_day) return null;
  if (!isOwnerInUse[type]?.(values)) return null;
  const zone = toIanaZone(stored.time_zone);
  const calendar = stored.calendar_id === null ? null : await loadActiveTime(tx, stored.calendar_id, zone);
  return { ...stored, zone, calendar } as unknown as Recurrence; // the field kind checked frequency and weekday index
}

async function loadActiveTime(tx: Transaction, calendar: number, zone: string): Promise<ActiveTime> {
  tx.send(shareLockCalendar, [calendar]);
  const [row] = await tx.query(selectCalendar, [calendar]);
  return getActiveTime(parseCalendar(row), zone);
}

/**
 * `scheduled` is the stored next occurrence. `latest` is the last occurrence up to now when that one is due: of several
 * missed occurrences only the last one creates a workflow.
 */
async function loadDueOccurrence(tx: Transaction, type: string, values: Values, now: Moment) {
  const scheduled = parseMomentOrNull(getRecurrence(values)?.next_occurrence_at);
  const recurrence = await loadActiveRecurrence(tx, type, values);
  const isDue = scheduled !== null && scheduled <= now && recurrence !== null;
  return { scheduled, recurrence, latest: isDue ? findMissedOccurrence(recurrence, scheduled - 1, now) : null };
}

async function calculateNextOccurrence(
  tx: Transaction,
  type: string,
  values: Values,
  now: Moment,
): Promise<Moment | null> {
  const { scheduled, recurrence, latest } = await loadDueOccurrence(tx, type, values, now);
  if (latest !== null) return scheduled; // the job of a due occurrence has yet to run
  if (recurrence === null) return null;
  return findNextOccurrence(recurrence, now, parseMomentOrNull(getRecurrence(values)?.last_occurrence_at));
}

/** In `beforeSave` of an owner. */
export async function settleNextOccurrence({ tx, by, type, before, after, changed }: Change): Promise<void> {
  const stored = getRecurrence(after);
  if (stored === null) return;
  const isAffected = changed.has("recurrence") || ownerFields.some((name) => before?.[name] !== after[name]);
  if (before !== null && !isAffected) return;
  const next = await calculateNextOccurrence(tx, type, after, by.now.getTime());
  after.recurrence = { ...stored, next_occurrence_at: formatMomentOrNull(next) };
}

function scheduleOccurrence(tx: Transaction, owner: RecurrenceOwner, nextOccurrenceAt: unknown): void {
  const key = `${owner.type} ${owner.id}`;
  const next = parseMomentOrNull(nextOccurrenceAt);
  if (next === null) deleteJob(tx, occurrenceJob, key);
  else addJob(tx, { kind: occurrenceJob, key, account: owner.account, payload: owner, runAt: new Date(next) });
}

const buildClearNextOccurrence = (table: string) =>
  statement(
    `UPDATE ${table} SET recurrence = recurrence || '{"next_occurrence_at": null}', revision = revision + 1 WHERE id = $1`,
  );
const buildUpdateRecurrence = (table: string) =>
  statement(`UPDATE ${table} SET recurrence = $3, revision = revision + 1 WHERE id = $1 AND account_id = $2`);

export const calendarRecalculationJob = "recurrences of calendars";
const calendarTypes = ["calendar", "calendar_hour", "holiday"];

/** A listener of every change event: of the owners, and of the calendars that their occurrences depend on. */
export function scheduleRecurrencesOnChange(tx: Transaction, by: Caller | null, event: ChangeEvent): void {
  const { type, id, account, changes, before, after } = event;
  if (calendarTypes.includes(type.name) && by !== null)
    addJob(tx, { kind: calendarRecalculationJob, key: account, account, payload: { account }, runAt: by.now });
  if (isOwnerInUse[type.name] === undefined) return;
  const isGone = "life_cycle" in changes && changes.life_cycle?.[1] !== "active";
  const [old, next] = [before, after].map((values) => getRecurrence(values)?.next_occurrence_at ?? null);
  if (isGone && next !== null) tx.send(buildClearNextOccurrence(type.table), [id]);
  if (old !== next || isGone) scheduleOccurrence(tx, { type: type.name, id, account }, isGone ? null : next);
}

/** Writes the column directly: no caller changed the owner, so there is no audit line and no event. */
function storeRecurrence(engine: Engine, tx: Transaction, owner: RecurrenceOwner, recurrence: StoredRecurrence): void {
  const update = buildUpdateRecurrence(engine.types.get(owner.type).table);
  tx.send(update, [owner.id, owner.account, JSON.stringify(recurrence)]);
  scheduleOccurrence(tx, owner, recurrence.next_occurrence_at);
}

type OccurrenceResult = { last_occurrence_object_id: number | null; last_occurrence_errors: string | null };

/**
 * Locks an owner that is due, calls `run` for it, and stores the result and the next occurrence. All of it is one
 * transaction: an occurrence is processed once, however often its job runs.
 */
export async function processOccurrence(
  engine: Engine,
  tx: Transaction,
  owner: RecurrenceOwner,
  run: (values: Values) => Promise<OccurrenceResult>,
): Promise<void> {
  const now = engine.clock.now().getTime();
  const values = await lockActiveValues(engine, tx, engine.types.get(owner.type), owner.id, owner.account);
  const stored = getRecurrence(values);
  if (values === null || stored === null) return;
  const { scheduled, recurrence, latest } = await loadDueOccurrence(tx, owner.type, values, now);
  if (scheduled === null || scheduled > now) return;
  const last = latest ?? parseMomentOrNull(stored.last_occurrence_at);
  const result = latest === null ? {} : { ...(await run(values)), last_occurrence_at: formatMomentOrNull(latest) };
  const next = recurrence === null ? null : findNextOccurrence(recurrence, now, last);
  storeRecurrence(engine, tx, owner, { ...stored, ...result, next_occurrence_at: formatMomentOrNull(next) });
}

// Waits for the transactions that read the old hours: they hold the share lock until their commit.
const lockCalendarsOfAccount = statement("SELECT id FROM calendars WHERE account_id = $1 FOR UPDATE");
const buildSelectOwnersUsingCalendars = (table: string) =>
  statement(
    `SELECT id, account_id FROM ${table} WHERE recurrence IS NOT NULL AND (recurrence->>'calendar_id')::integer IN (
  SELECT id FROM calendars WHERE account_id = $1
  UNION SELECT l.calendar_id FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE h.account_id = $1)`,
  );

/** Calculates the next occurrence of every owner that the statement selects from the table of its type. */
async function recalculateOccurrences(
  engine: Engine,
  buildSelect: (table: string) => Statement,
  parameters: string[],
): Promise<void> {
  const { database, clock } = engine;
  for (const name of Object.keys(isOwnerInUse)) {
    const type = engine.types.get(name);
    for (const [id, account] of await database.read(buildSelect(type.table), parameters)) {
      const owner: RecurrenceOwner = { type: name, id: Number(id), account: String(account) };
      await database.transaction(async (tx) => {
        const values = await lockActiveValues(engine, tx, type, owner.id, owner.account);
        const stored = getRecurrence(values);
        if (values === null || stored === null) return;
        const next = formatMomentOrNull(await calculateNextOccurrence(tx, name, values, clock.now().getTime()));
        if (next !== stored.next_occurrence_at)
          storeRecurrence(engine, tx, owner, { ...stored, next_occurrence_at: next });
      });
    }
  }
}

/** The job: a calendar of the account, or one of its holidays, has changed. */
export async function runCalendarRecalculation(engine: Engine, { account }: { account: string }): Promise<void> {
  await engine.database.transaction((tx) => tx.query(lockCalendarsOfAccount, [account]));
  await recalculateOccurrences(engine, buildSelectOwnersUsingCalendars, [account]);
}
