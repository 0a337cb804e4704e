import { Temporal } from "temporal-polyfill";

// When a report is sent, and which days it is about: whole days that are over.

export const frequencies = ["daily", "weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

const hourOfSending = 7;

/** The next morning after a moment: of any day, of a Monday, of the first day of a month. */
export function findNextSending(frequency: Frequency, after: Date, zone: string): Date {
  const now = Temporal.Instant.fromEpochMilliseconds(after.getTime());
  let day = now.toZonedDateTimeISO(zone).toPlainDate();
  for (;;) {
    const at = day.toZonedDateTime({ timeZone: zone, plainTime: { hour: hourOfSending } });
    const isDay = frequency === "daily" || (frequency === "weekly" ? day.dayOfWeek === 1 : day.day === 1);
    if (isDay && at.epochMilliseconds > after.getTime()) return new Date(at.epochMilliseconds);
    day = day.add({ days: 1 });
  }
}

/** Days as "2026-11-17"; `today` follows the last of them. */
export type ReportDays = { from: string; until: string; today: string };

/** Yesterday, the seven days before today, or the month that ended last. */
export function findReportDays(frequency: Frequency, now: Date, zone: string): ReportDays {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  if (frequency !== "monthly") {
    const from = today.subtract({ days: frequency === "daily" ? 1 : 7 });
    return { from: from.toString(), until: today.subtract({ days: 1 }).toString(), today: today.toString() };
  }
  const first = today.with({ day: 1 });
  return {
    from: first.subtract({ months: 1 }).toString(),
    until: first.subtract({ days: 1 }).toString(),
    today: today.toString(),
  };
}
