import type { CalendarEvent } from "../calendar-events.ts";
import { addDays } from "../week.ts";

// Where the events of a day stand: those with hours between two lines of the day, beside others of the same time; all
// others in the row above.

export const dayMinutes = 24 * 60;
/** What has a moment and no length is drawn as long as this. */
const shortest = 30;

export type PlacedEvent = {
  event: CalendarEvent;
  /** minutes of the day */
  start: number;
  end: number;
  /** the how manieth of how many that stand side by side */
  lane: number;
  lanes: number;
};

const minutesOf = (text: string): number => Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16));

/** Whether it fills the whole day: it begins before or at midnight and ends after it. */
export function isWholeDay({ begin, end, from, until }: CalendarEvent, day: string): boolean {
  if (begin === null) return true;
  if (from === until) return false;
  const beginsBefore = from < day || (from === day && minutesOf(begin) === 0);
  const endsAfter = until > day || end === null || end.slice(0, 10) > day;
  return beginsBefore && endsAfter;
}

function findSpan({ begin, end }: CalendarEvent, day: string): { start: number; end: number } {
  const start = begin === null || begin.slice(0, 10) < day ? 0 : minutesOf(begin);
  const last = end === null ? start : end.slice(0, 10) > day ? dayMinutes : minutesOf(end);
  const until = Math.min(dayMinutes, Math.max(last, start + shortest));
  return { start: Math.min(start, until - shortest), end: until };
}

export const isOn = ({ from, until }: CalendarEvent, day: string): boolean => from <= day && until >= day;

/** The events of a day that have hours, side by side where they overlap. */
export function placeEvents(events: readonly CalendarEvent[], day: string): PlacedEvent[] {
  const spans = events
    .filter((event) => isOn(event, day) && !isWholeDay(event, day))
    .map((event) => ({ event, ...findSpan(event, day) }))
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const placed: PlacedEvent[] = [];
  let group: PlacedEvent[] = [];
  const close = () => {
    const lanes = Math.max(0, ...group.map(({ lane }) => lane + 1));
    placed.push(...group.map((each) => ({ ...each, lanes })));
    group = [];
  };
  for (const span of spans) {
    if (group.length > 0 && group.every(({ end }) => end <= span.start)) close();
    const taken = new Set(group.filter(({ end }) => end > span.start).map(({ lane }) => lane));
    let lane = 0;
    while (taken.has(lane)) lane++;
    group.push({ ...span, lane, lanes: 0 });
  }
  close();
  return placed;
}

/** "2026-11-17T09:30"; midnight at the end of a day is the beginning of the next. */
export const writeMinute = (day: string, minute: number): string =>
  minute >= dayMinutes
    ? `${addDays(day, 1)}T00:00`
    : `${day}T${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
