import { currentLocale, t } from "../languages/index.ts";

// Moments in the reader's zone, shorter the nearer they are: "12 min ago", "10:42", "Tue 10:42", "17 Nov".

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The range of a Date: Intl throws on everything else, and one row without a date must not break its page. */
const isMoment = (at: number): boolean => Math.abs(at) <= 8.64e15;

let zone = "UTC";
let hour12 = false;

/** The person's IANA zone and clock format. */
export function setReaderTime(zoneOfPerson: string, hours24: boolean): void {
  zone = zoneOfPerson;
  hour12 = !hours24;
  dayFormat = undefined;
  dayNumbers.clear();
}
export const readerZone = (): string => zone;

// Creating a formatter takes longer than rendering a list row, so formatters are cached by style.
export type Style = Intl.DateTimeFormatOptions;
const formatters = new Map<Style, Map<string, Intl.DateTimeFormat>>();
/** Returns an empty text for a number that isn't a moment. */
export function format(at: number, style: Style, timeZone = zone): string {
  if (!isMoment(at)) return "";
  const ofStyle = formatters.get(style) ?? new Map<string, Intl.DateTimeFormat>();
  formatters.set(style, ofStyle);
  const key = `${currentLocale()} ${timeZone} ${hour12}`;
  let formatter = ofStyle.get(key);
  if (formatter === undefined) {
    const hours = style.hour === undefined ? {} : { hour12 };
    formatter = new Intl.DateTimeFormat(currentLocale(), { ...style, ...hours, timeZone });
    ofStyle.set(key, formatter);
  }
  return formatter.format(at);
}

let dayFormat: Intl.DateTimeFormat | undefined;
/** Cached per quarter of an hour: no zone starts its day within one. */
const dayNumbers = new Map<number, number>();

/** The calendar day of a moment in the reader's zone, as a day number for comparisons. */
function dayNumber(at: number): number {
  if (!isMoment(at)) return Number.NaN;
  const quarter = Math.floor(at / (15 * minute));
  let number = dayNumbers.get(quarter);
  if (number === undefined) {
    dayFormat ??= new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    number = Date.parse(`${dayFormat.format(at)}T00:00:00Z`) / day;
    dayNumbers.set(quarter, number);
  }
  return number;
}

export const clock: Style = { hour: "2-digit", minute: "2-digit" };
const weekdayAndClock: Style = { weekday: "short", ...clock };
const year: Style = { year: "numeric" };
export const dayAndMonth: Style = { day: "numeric", month: "short" };
export const date: Style = { ...dayAndMonth, ...year };
const fullDate: Style = { weekday: "long", day: "numeric", month: "long", ...year, ...clock };
const weekday: Style = { weekday: "long" };
const exact: Style = { weekday: "short", ...date, ...clock, second: "2-digit", timeZoneName: "short" };

export const yearOf = (at: number): string => format(at, year);

export const formatClock = (at: number): string => format(at, clock);
/** Calendar days from now: 0 today, 1 tomorrow, -1 yesterday. */
export const daysAway = (at: number, now: number): number => dayNumber(at) - dayNumber(now);

/** Formats a moment for lists and timelines. */
export function formatNear(at: number, now: number): string {
  const away = at - now;
  if (Math.abs(away) < minute) return t("time.now");
  if (Math.abs(away) < hour)
    return t(away < 0 ? "time.minutesAgo" : "time.inMinutes", { minutes: Math.floor(Math.abs(away) / minute) });
  const days = daysAway(at, now);
  if (days === 0) return formatClock(at);
  if (Math.abs(days) < 7) return format(at, weekdayAndClock);
  if (yearOf(at) === yearOf(now)) return format(at, dayAndMonth);
  return format(at, date);
}

/** A day and a time without "ago": "Today 16:30", "Tomorrow 09:10", "Thu 12:00", "24 Nov". */
export function formatAhead(at: number, now: number): string {
  const days = daysAway(at, now);
  if (days === 0) return t("time.today", { time: formatClock(at) });
  if (days === 1) return t("time.tomorrow", { time: formatClock(at) });
  if (Math.abs(days) < 7) return format(at, weekdayAndClock);
  if (yearOf(at) === yearOf(now)) return format(at, dayAndMonth);
  return format(at, date);
}

/** The day in words and the time: "Tuesday 17 November 2026, 10:42". */
export const formatFullDate = (at: number): string => format(at, fullDate);
/** The name of the weekday of a day that is counted in UTC. */
export const formatWeekday = (at: number): string => format(at, weekday, "UTC");

/** The same within a sentence, where "tomorrow" isn't capitalized. */
export function formatWithin(at: number, now: number): string {
  const text = formatAhead(at, now);
  return daysAway(at, now) === 1 ? text.charAt(0).toLocaleLowerCase(currentLocale()) + text.slice(1) : text;
}

/** Date, seconds and zone: the long form behind every short one. */
export const formatExact = (at: number, timeZone = zone): string => format(at, exact, timeZone);

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
