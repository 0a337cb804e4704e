import {
  type ActiveYear,
  buildActiveYear,
  countActiveBefore,
  findLastAtOrBelow,
  findPointAfter,
  getActiveTotal,
} from "./active-year.ts";
import { buildHolidaySpans, buildWeek, type Calendar, type DayHours, type Spans } from "./calendar.ts";
import { getYear, lastYear, type Moment, minute, toDayNumber } from "./moment.ts";
import { getEquivalentYear, getZone, type Zone } from "./zone.ts";

// Counts active time in a calendar. SLA1 to SLA9.

type YearTable = { number: number; origin: Moment; end: Moment; active: ActiveYear };
export type Period = { from: Moment; until: Moment };
/** The summary of a year that a calculation only passes through. */
type YearTotals = { active: number; businessDays: number };

const maxYears = 8;
const maxCalendars = 200;

export class ActiveTime {
  readonly zone: Zone;
  private readonly week: readonly DayHours[];
  private readonly holidays: Spans;
  private readonly hasHours: boolean;
  private readonly tables = new Map<number, ActiveYear>();
  private readonly totals = new Map<number, YearTotals>();
  private latestYear: YearTable | null = null;

  /** Null is 24x7. Zones are IANA names. */
  constructor(calendar: Calendar | null, zoneName: string) {
    this.zone = getZone(zoneName);
    this.week = buildWeek(calendar);
    this.holidays = buildHolidaySpans(calendar, zoneName);
    this.hasHours = this.week.some(({ spans }) => spans.length > 0);
  }

  /** Whole minutes of active time between two moments; 0 if the second is not later. */
  minutesBetween(start: Moment, end: Moment): number {
    if (end <= start || !this.hasHours) return 0;
    const first = this.yearAt(start);
    let active = -countActiveBefore(first.active, start - first.origin);
    const last = this.yearAt(end);
    for (let number = first.number; number < last.number; number++) active += this.getTotals(number).active;
    active += countActiveBefore(last.active, end - last.origin);
    return Math.floor(active / minute);
  }

  /** The same per local date with active time, by day number; at most `maxDays` dates. */
  minutesByDay(start: Moment, end: Moment, maxDays: number): Map<number, number> {
    const found = new Map<number, number>();
    const first = this.zone.dayAt(start);
    for (let date = first; date < first + maxDays; date++) {
      const from = Math.max(start, this.zone.startOfDay(date));
      if (from >= end) break;
      const minutes = this.minutesBetween(from, Math.min(end, this.zone.startOfDay(date + 1)));
      if (minutes > 0) found.set(date, minutes);
    }
    return found;
  }

  /**
   * The moment at which this many minutes of active time have passed. If they end together with the hours, it is that
   * end. Null: there is no such moment.
   */
  addMinutes(start: Moment, minutes: number): Moment | null {
    if (minutes <= 0) return this.nextActive(start);
    if (!this.hasHours) return null;
    let { number, active, origin } = this.yearAt(start);
    let wanted = countActiveBefore(active, start - origin) + minutes * minute;
    if (wanted > getActiveTotal(active)) {
      for (let size = getActiveTotal(active); wanted > size; size = this.getTotals(number).active) {
        wanted -= size;
        if (++number > lastYear) return null;
      }
      ({ active, origin } = this.getYear(number));
    }
    return origin + findPointAfter(active, wanted);
  }

  /** The end of the hours of the nth business day after the local date of a moment; such a day has an active minute. */
  addBusinessDays(start: Moment, days: number): Moment | null {
    if (days < 1 || !this.hasHours) return null;
    const today = this.zone.dayAt(start);
    let number = getYear(today);
    let index = findLastAtOrBelow(this.getYear(number).active.businessDays, today - toDayNumber(number, 1, 1)) + days;
    for (let size = this.getTotals(number).businessDays; index >= size; size = this.getTotals(number).businessDays) {
      index -= size;
      if (++number > lastYear) return null;
    }
    const { active, origin } = this.getYear(number);
    return origin + (active.closings[index] as number);
  }

  isActive(at: Moment): boolean {
    const { active, origin } = this.yearAt(at);
    const index = findLastAtOrBelow(active.starts, at - origin);
    return index >= 0 && at - origin < (active.ends[index] as number);
  }

  /** The moment itself if it is active, otherwise the next start of the hours. Null: there is none. */
  nextActive(at: Moment): Moment | null {
    if (!this.hasHours) return null;
    let { number, active, origin } = this.yearAt(at);
    let index = findLastAtOrBelow(active.ends, at - origin) + 1;
    if (index === active.starts.length) {
      do if (++number > lastYear) return null;
      while (this.getTotals(number).active === 0);
      index = 0;
      ({ active, origin } = this.getYear(number));
    }
    return Math.max(at, origin + (active.starts[index] as number));
  }

  /** The active periods between two moments, at most so many. Hours that end and begin at the same moment are one period. */
  listPeriods(start: Moment, end: Moment, most: number): Period[] {
    const found: Period[] = [];
    for (let from = this.nextActive(start); from !== null && from < end; ) {
      const { active, origin } = this.yearAt(from);
      const index = findLastAtOrBelow(active.starts, from - origin);
      const until = Math.min(end, origin + (active.ends[index] as number));
      const last = found.at(-1);
      if (last?.until === from) last.until = until;
      else if (found.length === most) break;
      else found.push({ from, until });
      from = this.nextActive(until);
    }
    return found;
  }

  private yearAt(moment: Moment): YearTable {
    if (this.latestYear !== null && moment >= this.latestYear.origin && moment < this.latestYear.end)
      return this.latestYear;
    return this.getYear(getYear(this.zone.dayAt(moment)));
  }

  private getYear(number: number): YearTable {
    if (this.latestYear?.number === number) return this.latestYear;
    const origin = this.zone.startOfDay(toDayNumber(number, 1, 1));
    const end = this.zone.startOfDay(toDayNumber(number + 1, 1, 1));
    this.latestYear = { number, origin, end, active: this.getTable(this.buildYearKey(number)) };
    return this.latestYear;
  }

  /** Distant years without holidays share one entry, because they are equal. */
  private buildYearKey(number: number): YearKey {
    const origin = this.zone.startOfDay(toDayNumber(number, 1, 1));
    const end = this.zone.startOfDay(toDayNumber(number + 1, 1, 1));
    const last = findLastAtOrBelow(this.holidays, origin);
    const hasBegun = last % 2 === 0;
    if (hasBegun && (this.holidays[last + 1] as number) >= end) return closedYear;
    if (hasBegun || (this.holidays[last + 1] ?? end) < end)
      return { id: number, year: number, holidays: this.holidays };
    const year = getEquivalentYear(number);
    return { id: -year, year, holidays: [] };
  }

  private getTable(key: YearKey): ActiveYear {
    if (key === closedYear) return emptyYear;
    let table = this.tables.get(key.id);
    if (table === undefined) {
      table = buildActiveYear(this.zone, key.year, this.week, key.holidays);
      storeBounded(this.tables, maxYears, key.id, table);
      this.totals.set(key.id, { active: getActiveTotal(table), businessDays: table.businessDays.length });
    }
    return table;
  }

  private getTotals(number: number): YearTotals {
    const key = this.buildYearKey(number);
    if (key === closedYear) return zeroTotals;
    if (!this.totals.has(key.id)) this.getTable(key);
    return this.totals.get(key.id) as YearTotals;
  }
}

type YearKey = { id: number; year: number; holidays: Spans };
/** A holiday from its first to its last day. */
const closedYear: YearKey = { id: 0, year: 0, holidays: [] };
const zeroTotals: YearTotals = { active: 0, businessDays: 0 };

const emptyYear: ActiveYear = {
  starts: new Float64Array(),
  ends: new Float64Array(),
  sums: new Float64Array(1),
  businessDays: new Int32Array(),
  closings: new Float64Array(),
};

/** Removes the oldest entry when the cache is full. */
function storeBounded<Name, Value>(map: Map<Name, Value>, most: number, key: Name, value: Value): void {
  if (map.size >= most) map.delete(map.keys().next().value as Name);
  map.set(key, value);
}

const activeTimes = new Map<string, ActiveTime>();

/** Calendars with equal content share one cache entry. */
export function getActiveTime(calendar: Calendar | null, zoneName: string): ActiveTime {
  const key = JSON.stringify([zoneName, calendar?.hours, calendar?.holidays]);
  let time = activeTimes.get(key);
  if (time === undefined) {
    time = new ActiveTime(calendar, zoneName);
    storeBounded(activeTimes, maxCalendars, key, time);
  }
  return time;
}
