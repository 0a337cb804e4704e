import type { GanttScale } from "./item.ts";

// The time axis above the chart, in the reader's zone: days, weeks or months, and the position of moments.

const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** pixels per day */
const dayWidths: Readonly<Record<GanttScale, number>> = { days: 48, weeks: 8, months: 4.5 };
/** the step to which a drag is rounded */
const steps: Readonly<Record<GanttScale, number>> = { days: hour, weeks: 12 * hour, months: day };

export type AxisCell = { at: number; x: number; width: number; label: string; isRest: boolean; isToday: boolean };
export type TimeAxis = {
  from: number;
  until: number;
  width: number;
  step: number;
  /** the cells of the header */
  cells: readonly AxisCell[];
  /** days off, if single days are visible */
  rests: readonly { x: number; width: number }[];
  place(at: number): number;
  /** converts milliseconds to pixels, and back */
  toPixels(length: number): number;
  toTime(pixels: number): number;
};

const zoneFormats = new Map<string, Intl.DateTimeFormat>();
function formatIn(zone: string): Intl.DateTimeFormat {
  let format = zoneFormats.get(zone);
  if (format === undefined) {
    const style = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-CA", { ...style, hourCycle: "h23", timeZone: zone });
    zoneFormats.set(zone, format);
  }
  return format;
}

/** The wall-clock time in the zone, as if it were UTC. */
function toWall(at: number, zone: string): number {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute: minutes = 0 } = parts;
  return Date.UTC(year, month - 1, date, hours, minutes);
}

/** The moment of a wall-clock time in the zone. */
export function fromWall(wall: number, zone: string): number {
  const guess = wall - (toWall(wall, zone) - wall);
  return guess - (toWall(guess, zone) - wall);
}

export const startOfDay = (at: number, zone: string): number =>
  fromWall(Math.floor(toWall(at, zone) / day) * day, zone);

type AxisOptions = {
  moments: readonly number[];
  now: number;
  scale: GanttScale;
  zone: string;
  locale: string;
  /** the width to fill, in pixels */
  room: number;
};

export function buildAxis({ moments, now, scale, zone, locale, room }: AxisOptions): TimeAxis {
  const all = [...moments, now];
  const width = dayWidths[scale];
  const margin = scale === "days" ? day : scale === "weeks" ? 7 * day : 31 * day;
  const from = startOfDay(Math.min(...all) - margin, zone);
  const wanted = Math.max(Math.max(...all) + margin * 2, from + Math.ceil(room / width) * day);
  const until = startOfDay(wanted + day, zone);
  const place = (at: number) => ((at - from) / day) * width;
  const toPixels = (length: number) => (length / day) * width;
  const days = listDays(from, until, zone);
  const cells = listCells({ days, until, scale, zone, locale, now, place });
  const rests = scale === "days" ? listRests(days, place) : [];
  const toTime = (pixels: number) => (pixels / width) * day;
  return { from, until, width: place(until), step: steps[scale], cells, rests, place, toPixels, toTime };
}

/** The cells to render: all of them, or those in view (in pixels of the sheet, which begins with the name column). */
export function pickCells(
  { cells, rests }: Pick<TimeAxis, "cells" | "rests">,
  view: { left: number; right: number } | null,
): Pick<TimeAxis, "cells" | "rests"> {
  if (view === null) return { cells, rests };
  const widestNames = 400; // pixels
  const isSeen = ({ x, width }: { x: number; width: number }) =>
    x + width >= view.left - widestNames && x <= view.right;
  return { cells: cells.filter(isSeen), rests: rests.filter(isSeen) };
}

type Day = { at: number; wall: number };

/** The beginnings of days. Most days have the UTC offset of the day before, which a single check confirms. */
function listDays(from: number, until: number, zone: string): Day[] {
  const days: Day[] = [];
  let wall = toWall(from, zone);
  let ahead = wall - from;
  for (; ; wall += day) {
    let at = wall - ahead;
    if (toWall(at, zone) !== wall) {
      at = fromWall(wall, zone);
      ahead = wall - at;
    }
    if (at >= until) return days;
    days.push({ at, wall });
  }
}

const isWeekend = (wall: number): boolean => [0, 6].includes(new Date(wall).getUTCDay());

function listRests(days: readonly Day[], place: (at: number) => number) {
  return days
    .filter(({ wall }) => isWeekend(wall))
    .map(({ at }) => ({ x: place(at), width: place(at + day) - place(at) }));
}

type CellOptions = Omit<AxisOptions, "moments" | "room"> & {
  days: readonly Day[];
  until: number;
  place(at: number): number;
};

function listCells({ days, until, scale, zone, locale, now, place }: CellOptions): AxisCell[] {
  const format = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...style, timeZone: zone });
  const short = format(scale === "days" ? { weekday: "short", day: "numeric" } : { day: "numeric", month: "short" });
  const name = scale === "months" ? format({ month: "short", year: "numeric" }) : short;
  const date = format({ day: "numeric" });
  const today = startOfDay(now, zone);
  const starts = days.filter(({ wall }, at) => {
    if (scale === "days") return true;
    const date = new Date(wall);
    return at === 0 || (scale === "weeks" ? date.getUTCDay() === 1 : date.getUTCDate() === 1);
  });
  return starts.map(({ at, wall }, index) => {
    const next = starts[index + 1]?.at ?? until;
    const before = starts[index - 1];
    // The first week of a month shows its name; the others only the day.
    const isBare =
      scale === "weeks" && before !== undefined && new Date(before.wall).getUTCMonth() === new Date(wall).getUTCMonth();
    return {
      at,
      x: place(at),
      width: place(next) - place(at),
      label: (isBare ? date : name).format(at + hour),
      isRest: scale === "days" && isWeekend(wall),
      isToday: today >= at && today < next,
    };
  });
}
