import type { ActiveTime } from "./active-time.ts";
import { day, getWeekday, lastYear, type Moment, parseDayNumber, parseTimeOfDay, toDayNumber } from "./moment.ts";
import { getZone } from "./zone.ts";

// Computes recurrences: RC1 to RC17. Dates are day numbers, expanded without a zone; only then does each become a
// moment. No library does this right: D-011.

export type Recurrence = {
  frequency: "no_repeat" | "daily" | "weekly" | "monthly" | "yearly";
  interval: number;
  /** "2031-02-01" */
  start_date: string;
  end_date: string | null;
  /** "09:00"; 24:00 is midnight of the next day */
  time_of_day: string;
  /** the IANA zone behind time_zone */
  zone: string;
  /** comma list, 0 is Sunday */
  day: string | null;
  /** comma list, -1 is the last day */
  day_of_month: string | null;
  day_of_week: boolean;
  day_of_week_index: "first" | "second" | "third" | "fourth" | "last" | null;
  /** comma list of names */
  day_of_week_day: string | null;
  /** comma list, 1 is January */
  month_of_year: string | null;
  disabled: boolean;
  /** the hours of the calendar, in the same zone; null: no date is skipped */
  calendar: ActiveTime | null;
};

const weekdayIndexes = ["first", "second", "third", "fourth"];
export const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const splitEntries = (list: string | null): string[] =>
  (list ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== "");
/** Ascending and distinct; -1 means the last one and comes last. */
const parseNumbers = (list: string | null): number[] =>
  [...new Set(splitEntries(list).map(Number))].sort((one, other) => (one < 0 ? 99 : one) - (other < 0 ? 99 : other));
const parseWeekdays = (list: string | null): number[] =>
  [...new Set(splitEntries(list).map((name) => weekdayNames.indexOf(name)))]
    .filter((weekday) => weekday >= 0)
    .sort((one, other) => one - other);

/** The dates of the nth period after that of the start, ascending; some may be before the start. */
type Expand = (recurrence: Recurrence, start: number, n: number) => number[];

const expandByFrequency: Record<Recurrence["frequency"], Expand> = {
  no_repeat: (_recurrence, start, n) => (n === 0 ? [start] : []),
  daily({ interval, day: days }, start, n) {
    const date = start + n * interval;
    return splitEntries(days).length === 0 || parseNumbers(days).includes(getWeekday(date)) ? [date] : [];
  },
  weekly({ interval, day: days }, start, n) {
    if (splitEntries(days).length === 0) return [start + n * interval * 7];
    const monday = start - ((getWeekday(start) + 6) % 7) + n * interval * 7;
    return parseNumbers(days)
      .map((weekday) => monday + ((weekday + 6) % 7))
      .sort((one, other) => one - other);
  },
  monthly(recurrence, start, n) {
    const first = new Date(start * day);
    return listDatesOfMonth(
      recurrence,
      first.getUTCFullYear(),
      first.getUTCMonth() + 1 + n * recurrence.interval,
      parseNumbers(recurrence.day_of_month),
    );
  },
  yearly(recurrence, start, n) {
    const first = new Date(start * day);
    return parseNumbers(recurrence.month_of_year).flatMap((month) =>
      listDatesOfMonth(recurrence, first.getUTCFullYear() + n * recurrence.interval, month, [first.getUTCDate()]),
    );
  },
};

/** The maximum number of days in a period, which gives a lower bound for the number of periods that have passed. */
const maxPeriodDays: Record<Recurrence["frequency"], number> = {
  no_repeat: 1,
  daily: 1,
  weekly: 7,
  monthly: 31,
  yearly: 366,
};
/** After this many periods without a date none follows: one week covers all weekdays, 400 years all months. */
const maxEmptyPeriods: Record<Recurrence["frequency"], number> = {
  no_repeat: 1,
  daily: 7,
  weekly: 1,
  monthly: 4800,
  yearly: 400,
};

/** The days of a month by number, or by weekday where the recurrence uses weekdays. Month 13 is in the next year. */
function listDatesOfMonth(recurrence: Recurrence, year: number, month: number, days: readonly number[]): number[] {
  const [first, next] = [toDayNumber(year, month, 1), toDayNumber(year, month + 1, 1)];
  const dates = recurrence.day_of_week
    ? parseWeekdays(recurrence.day_of_week_day).map((weekday) => findNthWeekday(recurrence, first, next, weekday))
    : days.map((number) => (number < 0 ? next - 1 : first + number - 1)).filter((date) => date >= first && date < next);
  return [...new Set(dates)].sort((one, other) => one - other);
}

function findNthWeekday({ day_of_week_index }: Recurrence, first: number, next: number, weekday: number): number {
  if (day_of_week_index === "last") return next - 1 - ((getWeekday(next - 1) - weekday + 7) % 7);
  const earliest = first + ((weekday - getWeekday(first) + 7) % 7);
  return earliest + 7 * Math.max(0, weekdayIndexes.indexOf(day_of_week_index ?? "first"));
}

/** The dates from a given one on, ascending, between start_date and end_date. */
function* generateDates(recurrence: Recurrence, from: number): Generator<number> {
  const { frequency } = recurrence;
  const start = parseDayNumber(recurrence.start_date);
  const end = recurrence.end_date === null ? toDayNumber(lastYear, 12, 31) : parseDayNumber(recurrence.end_date);
  let n = Math.max(0, Math.floor((from - start) / (maxPeriodDays[frequency] * recurrence.interval)) - 1);
  for (let empty = 0; empty < maxEmptyPeriods[frequency]; n++) {
    const found = expandByFrequency[frequency](recurrence, start, n);
    empty = found.length === 0 ? empty + 1 : 0;
    for (const date of found) {
      if (date > end) return;
      if (date >= start && date >= from) yield date;
    }
  }
}

// Without a limit, a calendar that is always closed at that time of day would be searched for ever.
const maxSkipped = 5000;

/** The moments after a given one, ascending. Moments outside the hours of the calendar are skipped. */
export function* generateOccurrences(recurrence: Recurrence, after: Moment): Generator<Moment> {
  const zone = getZone(recurrence.zone);
  const time = parseTimeOfDay(recurrence.time_of_day);
  let previous = after;
  let skipped = 0;
  for (const date of generateDates(recurrence, zone.dayAt(after) - 2)) {
    const moment = zone.momentAt(date * day + time);
    if (moment <= previous) continue;
    if (recurrence.calendar === null || recurrence.calendar.isActive(moment)) {
      yield moment;
      previous = moment;
      skipped = 0;
    } else if (++skipped > maxSkipped) return;
  }
}

/**
 * next_occurrence_at: the first moment that is neither past nor used already. Null: the recurrence is paused or has
 * ended. The caller checks whether its owner is still in use.
 */
export function findNextOccurrence(
  recurrence: Recurrence,
  now: Moment,
  last_occurrence_at: Moment | null,
): Moment | null {
  if (recurrence.disabled) return null;
  const { value } = generateOccurrences(recurrence, Math.max(now, last_occurrence_at ?? now)).next();
  return value ?? null;
}

/** The latest moment that was due after the last run and up to now; earlier missed ones are not caught up. */
export function findMissedOccurrence(recurrence: Recurrence, since: Moment, now: Moment): Moment | null {
  if (recurrence.disabled) return null;
  let latest: Moment | null = null;
  for (const moment of generateOccurrences(recurrence, since)) {
    if (moment > now) break;
    latest = moment;
  }
  return latest;
}
