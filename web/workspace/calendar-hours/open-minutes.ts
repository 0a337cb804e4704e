import { t } from "../../languages/index.ts";

// The opening time of a calendar on a day in a time zone. Minutes are wall-clock minutes, so on a day with a time
// change some minutes don't exist, or exist twice.

export type Span = { from: number; until: number };
/** `missing`: the clock skips the span; otherwise it passes the span twice. */
export type ClockChange = Span & { missing: boolean };

export const minutesOfDay = 24 * 60;
const minute = 60_000;

/** 00:00 as an end is the midnight at the end of the day. */
export function parseMinute(text: string, isEnd = false): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  const total = hours * 60 + minutes;
  return isEnd && total === 0 ? minutesOfDay : total;
}

export const writeMinute = (at: number): string =>
  `${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}`;

/** The UTC offset of the zone, in minutes. */
function findOffset(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-CA", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit" },
  }).formatToParts(at);
  const read = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value);
  const local = Date.UTC(read("year"), read("month") - 1, read("day"), read("hour"), read("minute"));
  return Math.round((local - at) / minute);
}

/** The time change on a day ("2027-03-28"), if there is one. */
export function findClockChange(day: string, zone: string): ClockChange | null {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const near = findOffset(midnight, zone);
  // Zones that change at midnight do so at the first moment of the day: the minute before still has the old offset.
  let before = midnight - (near + 1) * minute;
  let after = midnight + (minutesOfDay - 1 - near) * minute;
  const [first, last] = [findOffset(before, zone), findOffset(after, zone)];
  if (first === last) return null;
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute;
    if (findOffset(middle, zone) === first) before = middle;
    else after = middle;
  }
  const clock = (after - midnight) / minute + first; // the wall-clock time without the change
  const moved = last - first;
  return moved > 0
    ? { from: clock, until: clock + moved, missing: true }
    : { from: clock + moved, until: clock, missing: false };
}

/** Merges spans that touch or overlap: an hour in two rows is open only once. */
function merge(spans: readonly Span[]): Span[] {
  const merged: { from: number; until: number }[] = [];
  for (const { from, until } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else merged.push({ from, until });
  }
  return merged;
}

const subtract = (spans: readonly Span[], closed: Span): Span[] =>
  spans.flatMap(({ from, until }) =>
    [
      { from, until: Math.min(until, closed.from) },
      { from: Math.max(from, closed.until), until },
    ].filter((rest) => rest.until > rest.from),
  );

const overlap = (one: Span, other: Span): number =>
  Math.max(0, Math.min(one.until, other.until) - Math.max(one.from, other.from));

/** Real minutes: without holidays; an hour that the clock passes twice counts twice. */
export function countOpenMinutes(
  hours: readonly Span[],
  holidays: readonly Span[],
  change: ClockChange | null,
): number {
  const open = holidays.reduce(subtract, merge(hours));
  return open.reduce((sum, span) => {
    const moved = change === null ? 0 : overlap(span, change);
    return sum + (span.until - span.from) + (change?.missing === true ? -moved : moved);
  }, 0);
}

/** Formats as hours even beyond two days: 57 opening hours are not days of 24 hours. */
export function formatOpen(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (rest === 0) return t("time.h", { hours });
  return hours === 0
    ? t("time.min", { minutes: rest })
    : t("time.hmin", { hours, minutes: String(rest).padStart(2, "0") });
}
