import { Temporal } from "temporal-polyfill";

// Work is spread evenly over the weekdays between its begin and its end.

export type PlannedWork = { start_at: string; end_at: string | null; minutes: number };
export type Absence = { start_at: string; end_at: string };
export type WeekLoad = { planned: number; other: number; available: number };

type Load = {
  /** Mondays */
  weeks: readonly Temporal.PlainDate[];
  zone: string;
  minutesPerDay: number;
  work: readonly (PlannedWork & { isOwn: boolean })[];
  absences: readonly Absence[];
};

export function spreadWork({ weeks, zone, minutesPerDay, work, absences }: Load): WeekLoad[] {
  const toDay = (moment: string) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDate();
  const parts = work.map(({ start_at, end_at, minutes, isOwn }) => {
    const first = toDay(start_at);
    const last = end_at === null ? first : toDay(end_at);
    const until = Temporal.PlainDate.compare(last, first) < 0 ? first : last;
    // Work that lies on a weekend alone is done on the weekdays of that week.
    const days = countWeekdays(first, until);
    return days === 0
      ? { first: first.subtract({ days: first.dayOfWeek - 1 }), until, perDay: minutes / 5, isOwn }
      : { first, until, perDay: minutes / days, isOwn };
  });
  const away = absences.map(({ start_at, end_at }) => ({ first: toDay(start_at), until: toDay(end_at) }));
  return weeks.map((monday) => {
    const friday = monday.add({ days: 4 });
    const overlap = ({ first, until }: { first: Temporal.PlainDate; until: Temporal.PlainDate }) =>
      countWeekdays(later(first, monday), earlier(until, friday));
    const sum = (isOwn: boolean) =>
      Math.round(parts.reduce((total, part) => total + (part.isOwn === isOwn ? part.perDay * overlap(part) : 0), 0));
    const daysAway = away.reduce((total, each) => total + overlap(each), 0);
    return { planned: sum(true), other: sum(false), available: Math.max(5 - daysAway, 0) * minutesPerDay };
  });
}

const later = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) > 0 ? one : other;
const earlier = (one: Temporal.PlainDate, other: Temporal.PlainDate) =>
  Temporal.PlainDate.compare(one, other) < 0 ? one : other;

/** Both days included. */
function countWeekdays(first: Temporal.PlainDate, last: Temporal.PlainDate): number {
  const days = first.until(last).days + 1;
  if (days <= 0) return 0;
  const whole = Math.floor(days / 7);
  let count = whole * 5;
  for (let rest = 0; rest < days % 7; rest++) if ((first.dayOfWeek - 1 + rest) % 7 < 5) count++;
  return count;
}
