import { inactiveStatuses } from "../../../records/configuration/ci.ts";
import { toTimestamp } from "../../base/clock.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { getActiveTime } from "../../business-time/active-time.ts";
import { type Moment, parseMoment } from "../../business-time/moment.ts";
import { findMissedOccurrence, findNextOccurrence, type Recurrence } from "../../business-time/recurrence.ts";
import type { Caller } from "../../engine/caller.ts";
import { lockActiveValues } from "../../engine/change.ts";
import type { ChangeEvent } from "../../engine/change-event.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Recurrence as Kept } from "../../engine/kinds/recurrence.ts";
import type { Change, Values } from "../../engine/rules.ts";
import { addJob, deleteJob } from "../../queue/jobs.ts";
import { type Database, type Statement, statement, type Transaction } from "../../storage/database.ts";
import { parseCalendar, selectCalendar } from "./calendar.ts";

// When the owner of a recurrence makes its next workflow. RC11 to RC14. The moment is kept in the recurrence itself; a
// job with the name of the owner waits for it.

export const occurrenceJob = "occurrence";
/** the owner whose moment has come */
export type RecurrenceOwner = { type: string; id: number; account: string };

/** The types whose recurrence makes workflows, and when one of their records is in use. */
const isOwnerInUse: Readonly<Record<string, (values: Values) => boolean>> = {
  workflow_template: ({ disabled }) => disabled !== true,
  ci: ({ status }) => !inactiveStatuses.includes(status as string),
};
/** what decides beside the recurrence */
const ownerFields = ["disabled", "status"];

export const getRecurrence = (values: Values | null): Kept | null => (values?.recurrence ?? null) as Kept | null;
const parseMomentOrNull = (stamp: unknown): Moment | null => (typeof stamp === "string" ? parseMoment(stamp) : null);
const formatMomentOrNull = (moment: Moment | null): string | null =>
  moment === null ? null : toTimestamp(new Date(moment));

// Whoever reads the hours holds the calendar until the commit: what is done when they change waits for that.
const shareLockCalendar = statement("SELECT 1 FROM calendars WHERE id = $1 FOR KEY SHARE");

/** A recurrence ready for reckoning; null when no moment can come of it, because it is paused or its owner out of use. */
async function prepareRecurrence(tx: Transaction, type: string, values: Values): Promise<Recurrence | null> {
  const kept = getRecurrence(values);
  if (kept === null || kept.disabled || !kept.start_date || !kept.time_of_day || !isOwnerInUse[type]?.(values))
    return null;
  const zone = toIanaZone(kept.time_zone);
  if (kept.calendar_id === null) return { ...kept, zone, calendar: null } as unknown as Recurrence;
  tx.send(shareLockCalendar, [kept.calendar_id]);
  const [row] = await tx.query(selectCalendar, [kept.calendar_id]);
  return { ...kept, zone, calendar: getActiveTime(parseCalendar(row), zone) } as unknown as Recurrence;
}

/** The moment that waits for its run already, and the latest one up to now: of several only that one is made up. */
async function loadDueOccurrence(tx: Transaction, type: string, values: Values, now: Moment) {
  const waiting = parseMomentOrNull(getRecurrence(values)?.next_occurrence_at);
  const recurrence = await prepareRecurrence(tx, type, values);
  const isDue = waiting !== null && waiting <= now && recurrence !== null;
  return { waiting, recurrence, latest: isDue ? findMissedOccurrence(recurrence, waiting - 1, now) : null };
}

async function calculateNextOccurrence(
  tx: Transaction,
  type: string,
  values: Values,
  now: Moment,
): Promise<Moment | null> {
  const { waiting, recurrence, latest } = await loadDueOccurrence(tx, type, values, now);
  if (latest !== null) return waiting; // a change does not overtake a run that is due
  if (recurrence === null) return null;
  return findNextOccurrence(recurrence, now, parseMomentOrNull(getRecurrence(values)?.last_occurrence_at));
}

/** Before a save of an owner: next_occurrence_at as it is from now on. */
export async function settleNextOccurrence({ tx, by, type, before, after, changed }: Change): Promise<void> {
  const kept = getRecurrence(after);
  if (kept === null) return;
  const isConcerned = changed.has("recurrence") || ownerFields.some((name) => before?.[name] !== after[name]);
  if (before !== null && !isConcerned) return;
  const next = await calculateNextOccurrence(tx, type, after, by.now.getTime());
  after.recurrence = { ...kept, next_occurrence_at: formatMomentOrNull(next) };
}

function scheduleOccurrence(tx: Transaction, due: RecurrenceOwner, next: unknown): void {
  const key = `${due.type} ${due.id}`;
  const at = parseMomentOrNull(next);
  if (at === null) deleteJob(tx, occurrenceJob, key);
  else addJob(tx, { kind: occurrenceJob, key, account: due.account, payload: due, runAt: new Date(at) });
}

const buildClearNextOccurrence = (table: string) =>
  statement(`UPDATE ${table} SET recurrence = recurrence || '{"next_occurrence_at": null}' WHERE id = $1`);
const buildUpdateRecurrence = (table: string) =>
  statement(`UPDATE ${table} SET recurrence = $3 WHERE id = $1 AND account_id = $2`);

export const calendarRecalculationJob = "recurrences of calendars";
const calendarTypes = ["calendar", "calendar_hour", "holiday"];

/** Listens to every change: of owners, and of what their moments depend on. */
export function scheduleRecurrencesOnChange(tx: Transaction, by: Caller | null, told: ChangeEvent): void {
  const { type, id, account, changes, before, after } = told;
  if (calendarTypes.includes(type.name) && by !== null)
    addJob(tx, { kind: calendarRecalculationJob, key: account, account, payload: { account }, runAt: by.now });
  if (isOwnerInUse[type.name] === undefined) return;
  const due: RecurrenceOwner = { type: type.name, id, account };
  const isGone = "life_cycle" in changes && changes.life_cycle?.[1] !== "active";
  const [old, now] = [before, after].map((values) => getRecurrence(values)?.next_occurrence_at ?? null);
  if (isGone && now !== null) tx.send(buildClearNextOccurrence(type.table), [id]);
  if (old !== now || isGone) scheduleOccurrence(tx, due, isGone ? null : now);
}

/** Writes down what became of an owner's recurrence. Nobody changed the owner: no audit line, no event. */
function storeRecurrence(engine: Engine, tx: Transaction, due: RecurrenceOwner, kept: Kept): void {
  tx.send(buildUpdateRecurrence(engine.types.get(due.type).table), [due.id, due.account, JSON.stringify(kept)]);
  scheduleOccurrence(tx, due, kept.next_occurrence_at);
}

type OccurrenceResult = { last_occurrence_object_id: number | null; last_occurrence_errors: string | null };

/**
 * Locks an owner whose moment has come, lets something happen, and writes down what became of it and what comes next.
 * All of it is one transaction: a moment is used once, however often its job runs.
 */
export async function processOccurrence(
  engine: Engine,
  tx: Transaction,
  due: RecurrenceOwner,
  happen: (owner: Values) => Promise<OccurrenceResult>,
): Promise<void> {
  const now = engine.clock.now().getTime();
  const owner = await lockActiveValues(engine, tx, engine.types.get(due.type), due.id, due.account);
  const kept = getRecurrence(owner);
  if (owner === null || kept === null) return;
  const { waiting, recurrence, latest } = await loadDueOccurrence(tx, due.type, owner, now);
  if (waiting === null || waiting > now) return;
  const last = latest ?? parseMomentOrNull(kept.last_occurrence_at);
  const outcome = latest === null ? {} : { ...(await happen(owner)), last_occurrence_at: formatMomentOrNull(latest) };
  const next = recurrence === null ? null : findNextOccurrence(recurrence, now, last);
  storeRecurrence(engine, tx, due, { ...kept, ...outcome, next_occurrence_at: formatMomentOrNull(next) });
}

// Those who read the old hours have committed once this is granted.
const lockCalendarsOfAccount = statement("SELECT id FROM calendars WHERE account_id = $1 FOR UPDATE");
const buildSelectOwnersUsingCalendars = (table: string) =>
  statement(
    `SELECT id, account_id FROM ${table} WHERE recurrence IS NOT NULL AND (recurrence->>'calendar_id')::integer IN (
  SELECT id FROM calendars WHERE account_id = $1
  UNION SELECT l.calendar_id FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE h.account_id = $1)`,
  );

/** Reckons the moment of every owner that the statement finds in the table of its type. */
async function recalculateOccurrences(
  engine: Engine,
  which: (table: string) => Statement,
  values: string[],
): Promise<void> {
  const { database, clock } = engine;
  for (const name of Object.keys(isOwnerInUse)) {
    const type = engine.types.get(name);
    for (const [id, account] of await database.read(which(type.table), values)) {
      const owner: RecurrenceOwner = { type: name, id: Number(id), account: account as string };
      await database.transaction(async (tx) => {
        const values = await lockActiveValues(engine, tx, type, owner.id, owner.account);
        const kept = getRecurrence(values);
        if (values === null || kept === null) return;
        const next = formatMomentOrNull(await calculateNextOccurrence(tx, name, values, clock.now().getTime()));
        if (next !== kept.next_occurrence_at) storeRecurrence(engine, tx, owner, { ...kept, next_occurrence_at: next });
      });
    }
  }
}

/** The job: a calendar of the account, or one of its holidays, has changed. */
export async function runCalendarRecalculation(engine: Engine, { account }: { account: string }): Promise<void> {
  await engine.database.transaction((tx) => tx.query(lockCalendarsOfAccount, [account]));
  await recalculateOccurrences(engine, buildSelectOwnersUsingCalendars, [account]);
}

export const missingOccurrencesJob = "recurrences without a moment";
const buildSelectOwnersWithoutOccurrence = (table: string) =>
  statement(
    `SELECT id, account_id FROM ${table} WHERE recurrence->>'next_occurrence_at' IS NULL AND recurrence->>'disabled' = 'false' ORDER BY id`,
  );

/** At start: what was stored by a version that reckoned no moments gets one, by a job. */
export const scheduleMissingOccurrences = (database: Database, now: Date): Promise<void> =>
  database.transaction(async (tx) =>
    addJob(tx, { kind: missingOccurrencesJob, key: "all", account: null, payload: {}, runAt: now }),
  );
export const runMissingOccurrences = (engine: Engine): Promise<void> =>
  recalculateOccurrences(engine, buildSelectOwnersWithoutOccurrence, []);
