import { day, dayOfDate } from "./moment.ts";
import { numbers, type Recurrence, weekdaysNamed } from "./recurrence.ts";

// A recurrence as iCalendar writes it, without the time of day. Reference: recurrence.md section 4.

const codes = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const positions = { first: 1, second: 2, third: 3, fourth: 4, last: -1 };

const compact = (date: string): string => date.replaceAll("-", "");

export function icalOf(recurrence: Recurrence): string {
  const start = `DTSTART;TZID=${recurrence.zone}:${compact(recurrence.start_date)}T000000`;
  if (recurrence.frequency === "no_repeat") return start;
  const { frequency, interval, end_date } = recurrence;
  const parts = [
    `FREQ=${frequency.toUpperCase()}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...part("BYMONTH", frequency === "yearly" ? numbers(recurrence.month_of_year) : []),
    ...part("BYMONTHDAY", monthDays(recurrence)),
    ...part("BYDAY", weekdayCodes(recurrence)),
    ...(end_date === null ? [] : [`UNTIL=${compact(end_date)}T235959`]),
  ];
  return `${start}\nRRULE:${parts.join(";")}`;
}

const part = (name: string, values: readonly (number | string)[]): string[] =>
  values.length === 0 ? [] : [`${name}=${values.join(",")}`];

function monthDays({ frequency, day_of_week, day_of_month, start_date }: Recurrence): number[] {
  if (day_of_week) return [];
  if (frequency === "monthly") return numbers(day_of_month);
  return frequency === "yearly" ? [new Date(dayOfDate(start_date) * day).getUTCDate()] : [];
}

function weekdayCodes({ frequency, day: days, day_of_week, day_of_week_index, day_of_week_day }: Recurrence): string[] {
  if (frequency === "daily" || frequency === "weekly") return numbers(days).map((weekday) => codes[weekday] as string);
  if (!day_of_week) return [];
  return weekdaysNamed(day_of_week_day).map((weekday) => `${positions[day_of_week_index ?? "first"]}${codes[weekday]}`);
}
