import { clock, date, dayAndMonth, daysAway, format, type Style, yearOf } from "../base/moments.ts";

// Formats for the moments of logs and plans, loaded only by the pages that have them.

const toTheSecond: Style = { ...clock, second: "2-digit" };
const weekdayToTheSecond: Style = { weekday: "short", ...toTheSecond };
const dayToTheSecond: Style = { ...dayAndMonth, ...toTheSecond };
const dayAndClock: Style = { weekday: "short", ...dayAndMonth, ...clock };
const dateAndClock: Style = { ...date, ...clock };

/** A moment in a log: "10:41:52", "Mon 10:41:52", "9 Nov, 10:41:52". */
export function formatSecond(at: number, now: number): string {
  const days = Math.abs(daysAway(at, now));
  return format(at, days === 0 ? toTheSecond : days < 7 ? weekdayToTheSecond : dayToTheSecond);
}

/** The day and the time, for moments that may be past: "Fri 27 Nov, 12:00". */
export const formatDayAndClock = (at: number, now: number): string =>
  format(at, yearOf(at) === yearOf(now) ? dayAndClock : dateAndClock);
