import { inactive } from "../../records/configuration/ci.ts";
import { stampOf } from "../base/clock.ts";
import { ianaOf } from "../base/time-zones.ts";
import { activeTime } from "../clock/active-time.ts";
import { type Moment, momentOf } from "../clock/moment.ts";
import { missedOccurrence, nextOccurrence, type Recurrence } from "../clock/recurrence.ts";
import type { Announcement } from "../engine/announcement.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Recurrence as Kept } from "../engine/kinds/recurrence.ts";
import type { Change, Values } from "../engine/rules.ts";
import { lockWithin } from "../engine/within.ts";
import { addJob, dropJob } from "../queue/jobs.ts";
import { type Database, type Statement, statement, type Transaction } from "../storage/database.ts";
import { calendarById, calendarIn } from "./calendar.ts";

// When the owner of a recurrence makes its next workflow. Reference: recurrence.md section 3. The moment is kept in the
// recurrence itself; a job with the name of the owner waits for it.

export const occurrence = "occurrence";
/** the owner whose moment has come */
export type Due = { type: string; id: number; account: string };

/** The types whose recurrence makes workflows, and when one of their records is in use. */
const owners: Readonly<Record<string, (values: Values) => boolean>> = {
  workflow_template: ({ disabled }) => disabled !== true,
  ci: ({ status }) => !inactive.includes(status as string),
};
/** what decides beside the recurrence */
const concerns = ["disabled", "status"];

export const recurrenceOf = (values: Values | null): Kept | null => (values?.recurrence ?? null) as Kept | null;
const moment = (stamp: unknown): Moment | null => (typeof stamp === "string" ? momentOf(stamp) : null);
const stamp = (moment: Moment | null): string | null => (moment === null ? null : stampOf(new Date(moment)));

// Whoever reads the hours holds the calendar until the commit: what is done when they change waits for that.
const holdCalendar = statement("SELECT 1 FROM calendars WHERE id = $1 FOR KEY SHARE");

/** A recurrence ready for reckoning; null when no moment can come of it, because it is paused or its owner out of use. */
async function reckonable(tx: Transaction, type: string, values: Values): Promise<Recurrence | null> {
  const kept = recurrenceOf(values);
  if (kept === null || kept.disabled || !kept.start_date || !kept.time_of_day || !owners[type]?.(values)) return null;
  const zone = ianaOf(kept.time_zone);
  if (kept.calendar_id === null) return { ...kept, zone, calendar: null } as unknown as Recurrence;
  tx.send(holdCalendar, [kept.calendar_id]);
  const [row] = await tx.query(calendarById, [kept.calendar_id]);
  return { ...kept, zone, calendar: activeTime(calendarIn(row), zone) } as unknown as Recurrence;
}

/** The moment that waits for its run already, and the latest one up to now: of several only that one is made up. */
async function dueOf(tx: Transaction, type: string, values: Values, now: Moment) {
  const waiting = moment(recurrenceOf(values)?.next_occurrence_at);
  const recurrence = await reckonable(tx, type, values);
  const isDue = waiting !== null && waiting <= now && recurrence !== null;
  return { waiting, recurrence, latest: isDue ? missedOccurrence(recurrence, waiting - 1, now) : null };
}

async function nextOf(tx: Transaction, type: string, values: Values, now: Moment): Promise<Moment | null> {
  const { waiting, recurrence, latest } = await dueOf(tx, type, values, now);
  if (latest !== null) return waiting; // a change does not overtake a run that is due
  if (recurrence === null) return null;
  return nextOccurrence(recurrence, now, moment(recurrenceOf(values)?.last_occurrence_at));
}

/** Before a save of an owner: next_occurrence_at as it is from now on. */
export async function settleNext({ tx, by, type, before, after, changed }: Change): Promise<void> {
  const kept = recurrenceOf(after);
  if (kept === null) return;
  const isConcerned = changed.has("recurrence") || concerns.some((name) => before?.[name] !== after[name]);
  if (before !== null && !isConcerned) return;
  const next = await nextOf(tx, type, after, by.now.getTime());
  after.recurrence = { ...kept, next_occurrence_at: stamp(next) };
}

function plan(tx: Transaction, due: Due, next: unknown): void {
  const key = `${due.type} ${due.id}`;
  const at = moment(next);
  if (at === null) dropJob(tx, occurrence, key);
  else addJob(tx, { kind: occurrence, key, account: due.account, payload: due, runAt: new Date(at) });
}

const stop = (table: string) =>
  statement(`UPDATE ${table} SET recurrence = recurrence || '{"next_occurrence_at": null}' WHERE id = $1`);
const write = (table: string) => statement(`UPDATE ${table} SET recurrence = $3 WHERE id = $1 AND account_id = $2`);

export const recalculating = "recurrences of calendars";
const ofCalendars = ["calendar", "calendar_hour", "holiday"];

/** Listens to every change: of owners, and of what their moments depend on. */
export function watchRecurrences(tx: Transaction, by: Caller | null, told: Announcement): void {
  const { type, id, account, changes, before, after } = told;
  if (ofCalendars.includes(type.name) && by !== null)
    addJob(tx, { kind: recalculating, key: account, account, payload: { account }, runAt: by.now });
  if (owners[type.name] === undefined) return;
  const due: Due = { type: type.name, id, account };
  const isGone = "life_cycle" in changes && changes.life_cycle?.[1] !== "active";
  const [old, now] = [before, after].map((values) => recurrenceOf(values)?.next_occurrence_at ?? null);
  if (isGone && now !== null) tx.send(stop(type.table), [id]);
  if (old !== now || isGone) plan(tx, due, isGone ? null : now);
}

/** Writes down what became of an owner's recurrence. Nobody changed the owner: no audit line, no event. */
function keep(engine: Engine, tx: Transaction, due: Due, kept: Kept): void {
  tx.send(write(engine.types.named(due.type).table), [due.id, due.account, JSON.stringify(kept)]);
  plan(tx, due, kept.next_occurrence_at);
}

type Outcome = { last_occurrence_object_id: number | null; last_occurrence_errors: string | null };

/**
 * Locks an owner whose moment has come, lets something happen, and writes down what became of it and what comes next.
 * All of it is one transaction: a moment is used once, however often its job runs.
 */
export async function atOccurrence(
  engine: Engine,
  tx: Transaction,
  due: Due,
  happen: (owner: Values) => Promise<Outcome>,
): Promise<void> {
  const now = engine.clock.now().getTime();
  const owner = await lockWithin(engine, tx, engine.types.named(due.type), due.id, due.account);
  const kept = recurrenceOf(owner);
  if (owner === null || kept === null) return;
  const { waiting, recurrence, latest } = await dueOf(tx, due.type, owner, now);
  if (waiting === null || waiting > now) return;
  const last = latest ?? moment(kept.last_occurrence_at);
  const outcome = latest === null ? {} : { ...(await happen(owner)), last_occurrence_at: stamp(latest) };
  const next = recurrence === null ? null : nextOccurrence(recurrence, now, last);
  keep(engine, tx, due, { ...kept, ...outcome, next_occurrence_at: stamp(next) });
}

// Those who read the old hours have committed once this is granted.
const waitForReaders = statement("SELECT id FROM calendars WHERE account_id = $1 FOR UPDATE");
const ownersUsing = (table: string) =>
  statement(
    `SELECT id, account_id FROM ${table} WHERE recurrence IS NOT NULL AND (recurrence->>'calendar_id')::integer IN (
  SELECT id FROM calendars WHERE account_id = $1
  UNION SELECT l.calendar_id FROM calendar_holidays l JOIN holidays h ON h.id = l.holiday_id WHERE h.account_id = $1)`,
  );

/** Reckons the moment of every owner that the statement finds in the table of its type. */
async function reckonAnew(engine: Engine, which: (table: string) => Statement, values: string[]): Promise<void> {
  const { database, clock } = engine;
  for (const name of Object.keys(owners)) {
    const type = engine.types.named(name);
    for (const [id, account] of await database.read(which(type.table), values)) {
      const owner: Due = { type: name, id: Number(id), account: account as string };
      await database.transaction(async (tx) => {
        const values = await lockWithin(engine, tx, type, owner.id, owner.account);
        const kept = recurrenceOf(values);
        if (values === null || kept === null) return;
        const next = stamp(await nextOf(tx, name, values, clock.now().getTime()));
        if (next !== kept.next_occurrence_at) keep(engine, tx, owner, { ...kept, next_occurrence_at: next });
      });
    }
  }
}

/** The job: a calendar of the account, or one of its holidays, has changed. */
export async function recalculate(engine: Engine, { account }: { account: string }): Promise<void> {
  await engine.database.transaction((tx) => tx.query(waitForReaders, [account]));
  await reckonAnew(engine, ownersUsing, [account]);
}

export const reckoning = "recurrences without a moment";
const withoutMoment = (table: string) =>
  statement(
    `SELECT id, account_id FROM ${table} WHERE recurrence->>'next_occurrence_at' IS NULL AND recurrence->>'disabled' = 'false' ORDER BY id`,
  );

/** At start: what was stored by a version that reckoned no moments gets one, by a job. */
export const planReckoning = (database: Database, now: Date): Promise<void> =>
  database.transaction(async (tx) =>
    addJob(tx, { kind: reckoning, key: "all", account: null, payload: {}, runAt: now }),
  );
export const reckonMissing = (engine: Engine): Promise<void> => reckonAnew(engine, withoutMoment, []);
