import { getActiveTime } from "../business-time/active-time.ts";
import type { Moment } from "../business-time/moment.ts";
import type { Engine } from "../engine/engine.ts";
import { parseCalendar, selectCalendar } from "../rules/time/calendar.ts";

export type DurationQuery = { start: Moment; end: Moment; zone: string };

/** CV33: the minutes of a calendar between two moments. */
export async function loadCalendarMinutes(
  { database }: Engine,
  calendar: number,
  { start, end, zone }: DurationQuery,
): Promise<number> {
  const [row] = await database.read(selectCalendar, [calendar]);
  return getActiveTime(parseCalendar(row), zone).minutesBetween(start, end);
}
