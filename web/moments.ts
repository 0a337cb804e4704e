import { timeZones } from "../records/enumerations/time-zones.ts";
import { currentLocale, t } from "./languages/index.ts";

// Moments in the zone of the reader, short where they are near: "12 min ago", "10:42", "Tue 10:42", "17 Nov".

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const zoneNames: Readonly<Record<string, string>> = timeZones;

let zone = "UTC";
let hour12 = false;

/** The zone and the clock of the person, as their record has them. */
export function setReaderTime(zoneOfPerson: string, hours24: boolean): void {
  zone = zoneNames[zoneOfPerson] ?? "UTC";
  hour12 = !hours24;
}
export const readerZone = (): string => zone;
/** The zone of a record ("Amsterdam") as browsers know it. */
export const browserZone = (name: string): string => zoneNames[name] ?? "UTC";

const formatters = new Map<string, Intl.DateTimeFormat>();
function format(at: number, style: Intl.DateTimeFormatOptions, timeZone = zone, locale = currentLocale()): string {
  const key = `${locale} ${timeZone} ${hour12} ${JSON.stringify(style)}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    const clock = style.hour === undefined && style.timeStyle === undefined ? {} : { hour12 };
    formatter = new Intl.DateTimeFormat(locale, { ...style, ...clock, timeZone });
    formatters.set(key, formatter);
  }
  return formatter.format(at);
}

/** The calendar day of a moment in the zone of the reader, as a number of days: for comparing. */
function dayNumber(at: number): number {
  const parts = format(at, { dateStyle: "short" }, zone, "en-CA");
  return Date.parse(`${parts}T00:00:00Z`) / day;
}
const yearOf = (at: number): string => format(at, { year: "numeric" });

const clockStyle = { hour: "2-digit", minute: "2-digit" } as const;

export const formatClock = (at: number): string => format(at, clockStyle);
/** Calendar days from now: 0 today, 1 tomorrow, -1 yesterday. */
export const daysAway = (at: number, now: number): number => dayNumber(at) - dayNumber(now);

/** A moment as it is read in lists and timelines. */
export function formatNear(at: number, now: number): string {
  const away = at - now;
  if (Math.abs(away) < minute) return t("time.now");
  if (Math.abs(away) < hour)
    return t(away < 0 ? "time.minutesAgo" : "time.inMinutes", { minutes: Math.floor(Math.abs(away) / minute) });
  const days = daysAway(at, now);
  if (days === 0) return formatClock(at);
  if (Math.abs(days) < 7) return format(at, { weekday: "short", ...clockStyle });
  if (yearOf(at) === yearOf(now)) return format(at, { day: "numeric", month: "short" });
  return format(at, { day: "numeric", month: "short", year: "numeric" });
}

/** A day and a time without "ago": "Today 16:30", "Tomorrow 09:10", "Thu 12:00", "24 Nov". */
export function formatAhead(at: number, now: number): string {
  const days = daysAway(at, now);
  if (days === 0) return t("time.today", { time: formatClock(at) });
  if (days === 1) return t("time.tomorrow", { time: formatClock(at) });
  if (Math.abs(days) < 7) return format(at, { weekday: "short", ...clockStyle });
  if (yearOf(at) === yearOf(now)) return format(at, { day: "numeric", month: "short" });
  return format(at, { day: "numeric", month: "short", year: "numeric" });
}

/** The day in words and the time: "Tuesday 17 November 2026, 10:42". */
export const formatFullDate = (at: number): string =>
  format(at, { weekday: "long", day: "numeric", month: "long", year: "numeric", ...clockStyle });
/** The name of the weekday of a day that is counted in UTC. */
export const formatWeekday = (at: number): string => format(at, { weekday: "long" }, "UTC");

/** The same within a sentence, where "tomorrow" is no beginning. */
export function formatWithin(at: number, now: number): string {
  const text = formatAhead(at, now);
  return daysAway(at, now) === 1 ? text.charAt(0).toLocaleLowerCase(currentLocale()) + text.slice(1) : text;
}

/** Date, seconds and zone: what stands behind every short form. */
export const formatExact = (at: number, timeZone = zone): string =>
  format(
    at,
    {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric", // biome-ignore format: one line
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "short", // biome-ignore format: one line
    },
    timeZone,
  );

/** 85 minutes are "1 h 25 min"; days of 24 hours from two days on. */
export function formatMinutes(minutes: number): string {
  const whole = Math.floor(Math.abs(minutes));
  const sign = minutes < 0 ? "−" : "";
  if (whole < 60) return sign + t("time.min", { minutes: whole });
  if (whole >= 48 * 60) return sign + t("time.days", { days: Math.floor(whole / (24 * 60)) });
  const rest = whole % 60;
  const hours = Math.floor(whole / 60);
  if (rest === 0) return sign + t("time.h", { hours });
  return sign + t("time.hmin", { hours, minutes: String(rest).padStart(2, "0") });
}
