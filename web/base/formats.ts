import { currentLocale } from "../languages/index.ts";

// The API writes moments in the reader's time zone, so the wall-clock time in the text is the one to show; the
// machine's zone is ignored.

const wallClock = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;

function formatWallClock(text: string, style: Intl.DateTimeFormatOptions): string {
  const [, year, month, day, hour = "0", minute = "0"] = wallClock.exec(text) ?? [];
  if (year === undefined) return text;
  const moment = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  return new Intl.DateTimeFormat(currentLocale(), { ...style, timeZone: "UTC" }).format(moment);
}

let twelveHours: boolean | undefined;

/** The person's choice overrides the convention of the language. */
export function setTimeFormat(hours24: boolean): void {
  twelveHours = !hours24;
}

export const formatDate = (text: string): string => formatWallClock(text, { dateStyle: "medium" });
export const formatDateTime = (text: string): string =>
  formatWallClock(text, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(twelveHours === undefined ? {} : { hour12: twelveHours }),
  });

/** Formats minutes since midnight as a time of day. */
export const formatTime = (minutes: number): string =>
  formatWallClock(
    `2000-01-01T${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`,
    {
      timeStyle: "short",
      ...(twelveHours === undefined ? {} : { hour12: twelveHours }),
    },
  );

export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 20 }).format(value);

/** Formats an approximate number. */
export const formatRounded = (value: number): string => formatNumber(Math.round(value / 100) * 100);

type WeekInfo = { firstDay: number };
type LocaleWithWeeks = Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };

/** 1 is Monday, 7 Sunday; null if the browser doesn't know. */
export function firstDayOfWeek(locale: string): number | null {
  const known: LocaleWithWeeks = new Intl.Locale(locale);
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? null;
}

const units = ["B", "KB", "MB", "GB"];
export function formatSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${formatNumber(Math.round((bytes / 1024 ** step) * 10) / 10)} ${units[step]}`;
}

/** 105 minutes are 1:45. */
export const formatDuration = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
