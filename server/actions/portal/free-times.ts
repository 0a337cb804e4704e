import type { ActiveTime } from "../../business-time/active-time.ts";
import { type Moment, minute } from "../../business-time/moment.ts";

// When an item can be reserved: while the calendar of its offering is open and nobody else has it.

export type Period = { from: Moment; until: Moment };
export type Terms = {
  step_duration: number;
  min_duration: number;
  preparation_duration: number | null;
  min_advance_duration: number | null;
  max_advance_duration: number | null;
};

const maxSteps = 1440;

/** The free periods of a day (its number in the zone of the calendar), in steps of the offering. */
export function listFreePeriods(
  hours: ActiveTime,
  dayNumber: number,
  busy: readonly Period[],
  { now, terms }: { now: Moment; terms: Terms },
): Period[] {
  const step = Math.max(1, terms.step_duration) * minute;
  const preparation = (terms.preparation_duration ?? 0) * minute;
  const earliest = now + (terms.min_advance_duration ?? 0) * minute;
  const latest =
    terms.max_advance_duration === null ? Number.POSITIVE_INFINITY : now + terms.max_advance_duration * minute;
  const [start, end] = [hours.zone.startOfDay(dayNumber), hours.zone.startOfDay(dayNumber + 1)];
  // What is reserved is followed by the time to prepare the item for the next one.
  const isFree = (from: Moment, until: Moment) =>
    from >= earliest &&
    from <= latest &&
    hours.minutesBetween(from, until) * minute >= until - from &&
    !busy.some((taken) => taken.from < until && taken.until + preparation > from);
  const found: Period[] = [];
  for (let from = start, count = 0; from < end && count < maxSteps; from += step, count += 1) {
    if (!isFree(from, from + step)) continue;
    const last = found.at(-1);
    if (last?.until === from) last.until = from + step;
    else found.push({ from, until: from + step });
  }
  return found.filter(({ from, until }) => until - from >= terms.min_duration * minute);
}
