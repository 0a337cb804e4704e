import { readerZone } from "../../base/moments.ts";

// Suggested moments to wait until, in the reader's zone.

type WaitMoment = { key: "hour" | "afternoon" | "tomorrow" | "monday"; at: number };

const hour = 3_600_000;
const day = 24 * hour;

/** The offset of the reader's zone at a moment. */
function zoneOffset(at: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: readerZone(),
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  }).formatToParts(at);
  const get = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const wall = Date.UTC(get("year"), get("month") - 1, get("day"), get("hour"), get("minute"), get("second"));
  return wall - Math.floor(at / 1000) * 1000;
}

/** A time of day, `days` from today. */
function atTime(now: number, days: number, hours: number): number {
  const wall = now + zoneOffset(now);
  const wanted = Math.floor(wall / day) * day + days * day + hours * hour;
  return wanted - zoneOffset(wanted - zoneOffset(now));
}

export function buildWaitMoments(now: number): WaitMoment[] {
  const weekday = new Date(now + zoneOffset(now)).getUTCDay();
  const untilMonday = (8 - weekday) % 7 || 7;
  const moments: WaitMoment[] = [
    { key: "hour", at: now + hour },
    { key: "afternoon", at: atTime(now, 0, 15) },
    { key: "tomorrow", at: atTime(now, 1, 9) },
    { key: "monday", at: atTime(now, untilMonday, 9) },
  ];
  return moments.filter(({ key, at }) => at > now && !(key === "monday" && untilMonday === 1));
}
