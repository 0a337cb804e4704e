import { type DayHours, mergeSpans, type Spans, subtractSpans } from "./calendar.ts";
import { day, getWeekday, type Moment, minute, toDayNumber } from "./moment.ts";
import type { Zone } from "./zone.ts";

// The active time of one local year as sorted lists of numbers. Moments are relative to the start of the year, so that
// equal years share one.

export type ActiveYear = {
  starts: Float64Array;
  ends: Float64Array;
  /** active milliseconds before each span; the last entry is the total of the year */
  sums: Float64Array;
  /** business days as days after 1 January, and the end of the last span of each */
  businessDays: Int32Array;
  closings: Float64Array;
};

export function buildActiveYear(zone: Zone, year: number, week: readonly DayHours[], holidays: Spans): ActiveYear {
  const [first, last] = [toDayNumber(year, 1, 1), toDayNumber(year + 1, 1, 1)];
  const origin = zone.startOfDay(first);
  const spans: number[] = [];
  const businessDays: number[] = [];
  const closings: number[] = [];
  let start = origin;
  for (let date = first; date < last; date++) {
    const end = zone.startOfDay(date + 1);
    const own = buildDaySpans(zone, date, start, end, week[getWeekday(date)] as DayHours, holidays);
    let active = 0;
    for (let i = 0; i < own.length; i += 2) {
      const [from, until] = [own[i] as number, own[i + 1] as number];
      spans.push(from - origin, until - origin);
      active += until - from;
    }
    if (active >= minute) {
      businessDays.push(date - first);
      closings.push((own.at(-1) as number) - origin);
    }
    start = end;
  }
  return { ...buildTable(spans), businessDays: Int32Array.from(businessDays), closings: Float64Array.from(closings) };
}

/** The active spans of a local date that begins and ends at these moments. */
function buildDaySpans(zone: Zone, date: number, start: Moment, end: Moment, hours: DayHours, holidays: Spans): Spans {
  if (hours.spans.length === 0) return hours.spans;
  const spans = zone.isPlain(start, end)
    ? hours.spans.map((time) => start + time)
    : buildTransitionDaySpans(zone, date, start, end, hours);
  return holidays.length === 0 ? spans : subtractSpans(spans, pickOverlapping(holidays, start, end));
}

/**
 * A date on which clocks change. Every local time is converted to its moment before rows are merged: a row that begins
 * at a skipped time may move behind one that begins right after it.
 */
function buildTransitionDaySpans(zone: Zone, date: number, start: Moment, end: Moment, { rows }: DayHours): Spans {
  const midnight = date * day;
  return mergeSpans(
    rows
      .filter(([from, until]) => from < until)
      .map(([from, until]) => [
        Math.max(start, zone.momentAt(midnight + from)),
        Math.min(end, zone.momentAt(midnight + until)),
      ]),
  );
}

function pickOverlapping(holidays: Spans, start: Moment, end: Moment): Spans {
  const first = findLastAtOrBelow(holidays, start) & ~1; // the holiday that contains the start, or the one before it
  const found: number[] = [];
  for (let i = Math.max(0, first); i < holidays.length && (holidays[i] as number) < end; i += 2)
    found.push(holidays[i] as number, holidays[i + 1] as number);
  return found;
}

function buildTable(spans: readonly number[]): Pick<ActiveYear, "starts" | "ends" | "sums"> {
  const count = spans.length / 2;
  const [starts, ends, sums] = [new Float64Array(count), new Float64Array(count), new Float64Array(count + 1)];
  for (let i = 0; i < count; i++) {
    starts[i] = spans[2 * i] as number;
    ends[i] = spans[2 * i + 1] as number;
    sums[i + 1] = (sums[i] as number) + (ends[i] as number) - (starts[i] as number);
  }
  return { starts, ends, sums };
}

/** The index of the last entry that is not above the value; -1: all are. */
export function findLastAtOrBelow(
  list: { readonly length: number; readonly [index: number]: number },
  value: number,
): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Active milliseconds from the start of the year to a point in it. */
export function countActiveBefore(year: ActiveYear, point: number): number {
  const index = findLastAtOrBelow(year.starts, point);
  if (index < 0) return 0;
  return (year.sums[index] as number) + Math.min(point, year.ends[index] as number) - (year.starts[index] as number);
}

export const getActiveTotal = (year: ActiveYear): number => year.sums[year.sums.length - 1] as number;

/** The earliest point with this much active time before it: the end of a span, not the start of the next. */
export function findPointAfter(year: ActiveYear, active: number): number {
  let low = 0;
  let high = year.starts.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((year.sums[middle + 1] as number) >= active) high = middle;
    else low = middle + 1;
  }
  return (year.starts[low] as number) + active - (year.sums[low] as number);
}
