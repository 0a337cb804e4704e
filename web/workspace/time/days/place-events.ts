import type { CalendarEvent } from "../calendar-event.ts";
import { addDays } from "./calendar-day.ts";

// Positions the events of a day: timed events between two lines of the day, beside others at the same time; all others
// in the row above.

export const dayMinutes = 24 * 60;
/** The displayed length of an event that has a moment but no duration. */
const shortest = 30;

export type PlacedEvent = {
  event: CalendarEvent;
  /** minutes of the day */
  start: number;
  end: number;
  /** the lane among the events side by side */
  lane: number;
  lanes: number;
};

const parseMinutes = (text: string): number => Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16));

/** Whether it fills the whole day: it begins before or at midnight and ends after it. */
export function isWholeDay({ begin, end, from, until }: CalendarEvent, day: string): boolean {
  if (begin === null) return true;
  if (from === until) return false;
  const beginsBefore = from < day || (from === day && parseMinutes(begin) === 0);
  const endsAfter = until > day || end === null || end.slice(0, 10) > day;
  return beginsBefore && endsAfter;
}

function findSpan({ begin, end }: CalendarEvent, day: string): { start: number; end: number } {
  const start = begin === null || begin.slice(0, 10) < day ? 0 : parseMinutes(begin);
  const last = end === null ? start : end.slice(0, 10) > day ? dayMinutes : parseMinutes(end);
  const until = Math.min(dayMinutes, Math.max(last, start + shortest));
  return { start: Math.min(start, until - shortest), end: until };
}

export const isOn = ({ from, until }: CalendarEvent, day: string): boolean => from <= day && until >= day;

/** The timed events of a day, side by side if they overlap. */
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

/** An event in the row of a day: rendered over its days where they begin, and as a gap below it on the others. */
export type Slot = { event: CalendarEvent; days: number; beginsBefore: boolean; endsAfter: boolean } | { gap: string };
export type DaySlots = { slots: readonly Slot[]; hidden: number };

/**
 * The events of adjacent days, each over all its days in the same row. `most`: rows of a day; if there are more events,
 * the last row shows how many.
 */
export function placeOverDays(
  events: readonly CalendarEvent[],
  days: readonly string[],
  isShown: (event: CalendarEvent, day: string) => boolean,
  most = Number.POSITIVE_INFINITY,
): DaySlots[] {
  const runs = events.flatMap((event) => {
    const on = days.flatMap((day, at) => (isShown(event, day) ? [at] : []));
    const [first, last] = [on[0], on.at(-1)];
    return first === undefined || last === undefined ? [] : [{ event, first, last, row: 0 }];
  });
  const rows: boolean[][] = [];
  const isFree = (row: number, first: number, last: number) =>
    !(rows[row] ?? []).slice(first, last + 1).some((taken) => taken);
  // Long events come first, so that short ones fill the gaps.
  const length = ({ first, last }: { first: number; last: number }) => last - first;
  const sorted = [
    ...runs
      .filter((run) => length(run) > 0)
      .sort((one, other) => one.first - other.first || length(other) - length(one)),
    ...runs.filter((run) => length(run) === 0),
  ];
  for (const run of sorted) {
    while (!isFree(run.row, run.first, run.last)) run.row++;
    rows[run.row] ??= days.map(() => false);
    rows[run.row]?.fill(true, run.first, run.last + 1);
  }
  const limits = days.map((_, at) => (rows.findLastIndex((row) => row[at]) >= most ? most - 1 : most));
  const hasRoom = ({ row, first, last }: (typeof runs)[number]) =>
    limits.slice(first, last + 1).every((limit) => row < limit);
  return days.map((day, at) => {
    const here = sorted.filter(({ first, last }) => first <= at && last >= at);
    const shown = here.filter(hasRoom).sort((one, other) => one.row - other.row);
    const slots: Slot[] = [];
    for (const { event, first, last, row } of shown) {
      while (slots.length < row) slots.push({ gap: "" });
      slots.push(
        first === at
          ? {
              event,
              days: last - first + 1,
              beginsBefore: event.from < day,
              endsAfter: event.until > (days[last] ?? ""),
            }
          : { gap: event.label },
      );
    }
    return { slots, hidden: here.length - shown.length };
  });
}

/** "2026-11-17T09:30"; midnight at the end of a day is the beginning of the next. */
export const writeMinute = (day: string, minute: number): string =>
  minute >= dayMinutes
    ? `${addDays(day, 1)}T00:00`
    : `${day}T${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
