import { currentLocale } from "../../languages/index.ts";
import { toDay } from "../dashboards/range.ts";
import { addDays, getWeekday } from "./days/calendar-day.ts";

// Weeks from Monday to Sunday, and the names of their days.

export { addDays, toDay };

export const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

/** The seven days of the week that contains a day. */
export const listWeek = (day: string): string[] => {
  const monday = addDays(day, -getWeekday(day));
  return Array.from({ length: 7 }, (_, at) => addDays(monday, at));
};

export const isWeekend = (day: string): boolean => getWeekday(day) > 4;

const format = (day: string, style: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
/** "Mon 16" in every language, because the columns of a week are read from their weekday. */
export const nameDay = (day: string): string =>
  `${format(day, { weekday: "short" })} ${format(day, { day: "numeric" })}`;
export const nameWeekday = (day: string): string => format(day, { weekday: "long" });
export const nameShortWeekday = (day: string): string => format(day, { weekday: "short" });
export const nameMonth = (day: string): string => format(day, { month: "long", year: "numeric" });
export const nameFullDay = (day: string): string => format(day, { weekday: "long", day: "numeric", month: "long" });

/** "16 – 22 Nov" */
export const nameWeek = (days: readonly string[]): string =>
  new Intl.DateTimeFormat(currentLocale(), { day: "numeric", month: "short", timeZone: "UTC" }).formatRange(
    new Date(`${days[0]}T00:00:00Z`),
    new Date(`${days[6]}T00:00:00Z`),
  );

/** The weeks of a month, each with seven days. */
export function listMonth(day: string): string[][] {
  const weeks: string[][] = [];
  for (let first = `${day.slice(0, 8)}01`; first.slice(0, 7) <= day.slice(0, 7); ) {
    const week = listWeek(first);
    weeks.push(week);
    first = addDays(week[0] ?? first, 7);
  }
  return weeks;
}
