import type { ActiveTime, Period } from "../../business-time/active-time.ts";
import { type Moment, minute } from "../../business-time/moment.ts";

// The times when an item can be reserved: while the calendar of its offering is open and it has no other reservation.

export type Terms = {
  step_duration: number;
  min_duration: number;
  preparation_duration: number | null;
  min_advance_duration: number | null;
  max_advance_duration: number | null;
};

const maxSteps = 1440;

type FreeOptions = { now: Moment; terms: Terms; isMultiDay?: boolean };

/** Begins early and late enough, and no other reservation, including its preparation, overlaps. */
function isAvailable({ from, until }: Period, busy: readonly Period[], { now, terms }: FreeOptions): boolean {
  const preparation = (terms.preparation_duration ?? 0) * minute;
  const earliest = now + (terms.min_advance_duration ?? 0) * minute;
  const latest =
    terms.max_advance_duration === null ? Number.POSITIVE_INFINITY : now + terms.max_advance_duration * minute;
  return (
    from >= earliest && from <= latest && !busy.some((taken) => taken.from < until && taken.until + preparation > from)
  );
}

const isOpen = (hours: ActiveTime, from: Moment, until: Moment): boolean =>
  hours.minutesBetween(from, until) * minute >= until - from;

/** The free periods of a day (its number in the zone of the calendar), in steps of the offering. */
export function listFreePeriods(
  hours: ActiveTime,
  dayNumber: number,
  busy: readonly Period[],
  options: FreeOptions,
): Period[] {
  const { terms, isMultiDay } = options;
  const step = Math.max(1, terms.step_duration) * minute;
  const [start, end] = [hours.zone.startOfDay(dayNumber), hours.zone.startOfDay(dayNumber + 1)];
  const found: Period[] = [];
  for (let from = start, count = 0; from < end && count < maxSteps; from += step, count += 1) {
    const period = { from, until: from + step };
    if (!isOpen(hours, period.from, period.until) || !isAvailable(period, busy, options)) continue;
    const last = found.at(-1);
    if (last?.until === from) last.until = period.until;
    else found.push(period);
  }
  // A period that may end on another day need not fit into this one.
  return isMultiDay ? found : found.filter(({ from, until }) => until - from >= terms.min_duration * minute);
}

/** Whether a period can be reserved: of several days the hours must be open when it begins and when it ends. */
export function isPeriodFree(
  hours: ActiveTime,
  period: Period,
  busy: readonly Period[],
  options: FreeOptions,
): boolean {
  if (!isAvailable(period, busy, options)) return false;
  const { from, until } = period;
  if (!options.isMultiDay) return isOpen(hours, from, until);
  return isOpen(hours, from, from + minute) && isOpen(hours, until - minute, until);
}
