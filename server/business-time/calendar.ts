import { day, parseTimeOfDay, parseWallTime } from "./moment.ts";
import { getZone } from "./zone.ts";

// Prepares calendars for calculations. SLA1 to SLA9.

export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** time_until 00:00 and 24:00 both mean the end of the day. */
export type Hours = { weekday: (typeof weekdays)[number]; time_from: string; time_until: string };
/** Local times, read in the zone in which the calendar is used: "2025-12-25T00:00:00". The end is exclusive. */
export type Holiday = { start_at: string; end_at: string };
export type Calendar = { hours: readonly Hours[]; holidays: readonly Holiday[] };

/** From, until, from, until: ascending, neither overlapping nor touching. */
export type Spans = readonly number[];

/** Merges overlapping spans of an unordered list and drops empty ones. */
export function mergeSpans(list: readonly (readonly [from: number, until: number])[]): number[] {
  const spans: number[] = [];
  for (const [from, until] of list.filter(([from, until]) => from < until).sort(([one], [other]) => one - other)) {
    const end = spans.at(-1);
    if (end === undefined || from > end) spans.push(from, until);
    else if (until > end) spans[spans.length - 1] = until;
  }
  return spans;
}

/** The first spans without the second ones. */
export function subtractSpans(spans: Spans, holes: Spans): number[] {
  const left: number[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    let from = spans[i] as number;
    const until = spans[i + 1] as number;
    for (let j = 0; j < holes.length && from < until; j += 2) {
      const [start, end] = [holes[j] as number, holes[j + 1] as number];
      if (end <= from || start >= until) continue;
      if (start > from) left.push(from, start);
      from = Math.max(from, end);
    }
    if (from < until) left.push(from, until);
  }
  return left;
}

/** The hours of a weekday in milliseconds after midnight: by row, and merged for a date without clock changes. */
export type DayHours = { rows: readonly (readonly [from: number, until: number])[]; spans: Spans };

const buildDayHours = (rows: DayHours["rows"]): DayHours => ({ rows, spans: mergeSpans(rows) });
const aroundTheClock = weekdays.map(() => buildDayHours([[0, day]]));

/** Sunday first. No calendar means around the clock. */
export function buildWeek(calendar: Calendar | null): readonly DayHours[] {
  if (calendar === null) return aroundTheClock;
  return weekdays.map((name) =>
    buildDayHours(
      calendar.hours
        .filter(({ weekday }) => weekday === name)
        .map(({ time_from, time_until }) => [parseTimeOfDay(time_from), parseTimeOfDay(time_until) || day]),
    ),
  );
}

export function buildHolidaySpans(calendar: Calendar | null, zoneName: string): Spans {
  const zone = getZone(zoneName);
  const list = calendar?.holidays ?? [];
  return mergeSpans(
    list.map(({ start_at, end_at }) => [zone.momentAt(parseWallTime(start_at)), zone.momentAt(parseWallTime(end_at))]),
  );
}
