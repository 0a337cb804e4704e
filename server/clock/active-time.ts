import { type ActiveYear, activeBefore, activeIn, activeYear, lastAtOrBelow, pointAfter } from "./active-year.ts";
import { type Calendar, type DayHours, holidaysOf, type Spans, weekOf } from "./calendar.ts";
import { dayNumber, lastYear, type Moment, minute, yearOfDay } from "./moment.ts";
import { likeYear, type Zone, zoneNamed } from "./zone.ts";

// Counting time in a calendar. Reference: sla-clock.md section 2, records/calendars.md "Counting time in a calendar".

type Year = { number: number; origin: Moment; end: Moment; active: ActiveYear };
/** What is worth knowing of a year that one only passes through. */
type Size = { active: number; businessDays: number };

const mostYears = 8;
const mostCalendars = 200;

export class ActiveTime {
  readonly zone: Zone;
  private readonly week: readonly DayHours[];
  private readonly holidays: Spans;
  private readonly hasHours: boolean;
  private readonly tables = new Map<number, ActiveYear>();
  private readonly sizes = new Map<number, Size>();
  private latest: Year | null = null;

  /** Null is 24x7. Zones go by their IANA name. */
  constructor(calendar: Calendar | null, zoneName: string) {
    this.zone = zoneNamed(zoneName);
    this.week = weekOf(calendar);
    this.holidays = holidaysOf(calendar, zoneName);
    this.hasHours = this.week.some(({ spans }) => spans.length > 0);
  }

  /** Whole minutes of active time from one moment to another; 0 when the second is not later. */
  minutesBetween(start: Moment, end: Moment): number {
    if (end <= start || !this.hasHours) return 0;
    const first = this.yearAt(start);
    let active = -activeBefore(first.active, start - first.origin);
    const last = this.yearAt(end);
    for (let number = first.number; number < last.number; number++) active += this.sizeOf(number).active;
    active += activeBefore(last.active, end - last.origin);
    return Math.floor(active / minute);
  }

  /** The same for each local date that has any, by the number of the date; of so many dates at most. */
  minutesByDay(start: Moment, end: Moment, mostDays: number): Map<number, number> {
    const found = new Map<number, number>();
    const first = this.zone.dayAt(start);
    for (let date = first; date < first + mostDays; date++) {
      const from = Math.max(start, this.zone.startOf(date));
      if (from >= end) break;
      const minutes = this.minutesBetween(from, Math.min(end, this.zone.startOf(date + 1)));
      if (minutes > 0) found.set(date, minutes);
    }
    return found;
  }

  /**
   * The moment at which so many minutes of active time have passed. When they end together with the hours, it is that
   * end. Null when there is no such moment.
   */
  addMinutes(start: Moment, minutes: number): Moment | null {
    if (minutes <= 0) return this.nextActive(start);
    if (!this.hasHours) return null;
    let { number, active, origin } = this.yearAt(start);
    let wanted = activeBefore(active, start - origin) + minutes * minute;
    if (wanted > activeIn(active)) {
      for (let size = activeIn(active); wanted > size; size = this.sizeOf(number).active) {
        wanted -= size;
        if (++number > lastYear) return null;
      }
      ({ active, origin } = this.year(number));
    }
    return origin + pointAfter(active, wanted);
  }

  /** When the hours of the nth business day after the local date of a moment end; a business day has an active minute. */
  addBusinessDays(start: Moment, days: number): Moment | null {
    if (days < 1 || !this.hasHours) return null;
    const today = this.zone.dayAt(start);
    let number = yearOfDay(today);
    let index = lastAtOrBelow(this.year(number).active.businessDays, today - dayNumber(number, 1, 1)) + days;
    for (let size = this.sizeOf(number).businessDays; index >= size; size = this.sizeOf(number).businessDays) {
      index -= size;
      if (++number > lastYear) return null;
    }
    const { active, origin } = this.year(number);
    return origin + (active.closings[index] as number);
  }

  isActive(at: Moment): boolean {
    const { active, origin } = this.yearAt(at);
    const index = lastAtOrBelow(active.starts, at - origin);
    return index >= 0 && at - origin < (active.ends[index] as number);
  }

  /** The moment itself when it is active, else the next start of the hours. Null when there is none. */
  nextActive(at: Moment): Moment | null {
    if (!this.hasHours) return null;
    let { number, active, origin } = this.yearAt(at);
    let index = lastAtOrBelow(active.ends, at - origin) + 1;
    if (index === active.starts.length) {
      do if (++number > lastYear) return null;
      while (this.sizeOf(number).active === 0);
      index = 0;
      ({ active, origin } = this.year(number));
    }
    return Math.max(at, origin + (active.starts[index] as number));
  }

  private yearAt(moment: Moment): Year {
    if (this.latest !== null && moment >= this.latest.origin && moment < this.latest.end) return this.latest;
    return this.year(yearOfDay(this.zone.dayAt(moment)));
  }

  private year(number: number): Year {
    if (this.latest?.number === number) return this.latest;
    const origin = this.zone.startOf(dayNumber(number, 1, 1));
    const end = this.zone.startOf(dayNumber(number + 1, 1, 1));
    this.latest = { number, origin, end, active: this.tableOf(this.keyOf(number)) };
    return this.latest;
  }

  /** Years far ahead share what is the same in them; a year that a holiday touches is like no other. */
  private keyOf(number: number): Key {
    const origin = this.zone.startOf(dayNumber(number, 1, 1));
    const end = this.zone.startOf(dayNumber(number + 1, 1, 1));
    const last = lastAtOrBelow(this.holidays, origin);
    const hasBegun = last % 2 === 0;
    if (hasBegun && (this.holidays[last + 1] as number) >= end) return closed;
    if (hasBegun || (this.holidays[last + 1] ?? end) < end)
      return { id: number, year: number, holidays: this.holidays };
    const year = likeYear(number);
    return { id: -year, year, holidays: [] };
  }

  private tableOf(key: Key): ActiveYear {
    if (key === closed) return nothing;
    let table = this.tables.get(key.id);
    if (table === undefined) {
      table = activeYear(this.zone, key.year, this.week, key.holidays);
      keep(this.tables, mostYears, key.id, table);
      this.sizes.set(key.id, { active: activeIn(table), businessDays: table.businessDays.length });
    }
    return table;
  }

  private sizeOf(number: number): Size {
    const key = this.keyOf(number);
    if (key === closed) return empty;
    if (!this.sizes.has(key.id)) this.tableOf(key);
    return this.sizes.get(key.id) as Size;
  }
}

type Key = { id: number; year: number; holidays: Spans };
/** One holiday from the first to the last day. */
const closed: Key = { id: 0, year: 0, holidays: [] };
const empty: Size = { active: 0, businessDays: 0 };

const nothing: ActiveYear = {
  starts: new Float64Array(),
  ends: new Float64Array(),
  sums: new Float64Array(1),
  businessDays: new Int32Array(),
  closings: new Float64Array(),
};

/** The oldest goes when there are too many. */
function keep<Name, Value>(map: Map<Name, Value>, most: number, key: Name, value: Value): void {
  if (map.size >= most) map.delete(map.keys().next().value as Name);
  map.set(key, value);
}

const known = new Map<string, ActiveTime>();

/** Calendars that say the same share what was counted for them, whoever read them from where. */
export function activeTime(calendar: Calendar | null, zoneName: string): ActiveTime {
  const key = JSON.stringify([zoneName, calendar?.hours, calendar?.holidays]);
  let time = known.get(key);
  if (time === undefined) {
    time = new ActiveTime(calendar, zoneName);
    keep(known, mostCalendars, key, time);
  }
  return time;
}
