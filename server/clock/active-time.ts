import { type ActiveYear, activeBefore, activeIn, activeYear, lastAtOrBelow, pointAfter } from "./active-year.ts";
import { type Calendar, type DayHours, holidaysOf, type Spans, weekOf } from "./calendar.ts";
import { dayNumber, lastYear, type Moment, minute, yearOfDay } from "./moment.ts";
import { likeYear, type Zone, zoneNamed } from "./zone.ts";

// Counting time in a calendar. Reference: sla-clock.md section 2, records/calendars.md "Counting time in a calendar".

type Found = { year: number; origin: Moment; end: Moment; active: ActiveYear };

export class ActiveTime {
  readonly zone: Zone;
  private readonly week: readonly DayHours[];
  private readonly holidays: Spans;
  private readonly plain = new Map<number, ActiveYear>();
  private readonly withHolidays = new Map<number, ActiveYear>();
  private readonly hasHours: boolean;
  private latest: Found | null = null;

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
    const from = this.yearAt(start);
    let active = -activeBefore(from.active, start - from.origin);
    let year = from;
    for (; end >= year.end; year = this.found(year.year + 1)) active += activeIn(year.active);
    active += activeBefore(year.active, end - year.origin);
    return Math.floor(active / minute);
  }

  /**
   * The moment at which so many minutes of active time have passed. When they end together with the hours, it is that
   * end. Null when there is no such moment.
   */
  addMinutes(start: Moment, minutes: number): Moment | null {
    if (minutes <= 0) return this.nextActive(start);
    if (!this.hasHours) return null;
    let year = this.yearAt(start);
    let wanted = activeBefore(year.active, start - year.origin) + minutes * minute;
    while (wanted > activeIn(year.active)) {
      if (year.year >= lastYear) return null;
      wanted -= activeIn(year.active);
      year = this.found(year.year + 1);
    }
    return year.origin + pointAfter(year.active, wanted);
  }

  /** When the hours of the nth business day after the local date of a moment end; a business day has an active minute. */
  addBusinessDays(start: Moment, days: number): Moment | null {
    if (days < 1 || !this.hasHours) return null;
    const today = this.zone.dayAt(start);
    let year = this.found(yearOfDay(today));
    let index = lastAtOrBelow(year.active.businessDays, today - dayNumber(year.year, 1, 1)) + days;
    while (index >= year.active.businessDays.length) {
      if (year.year >= lastYear) return null;
      index -= year.active.businessDays.length;
      year = this.found(year.year + 1);
    }
    return year.origin + (year.active.closings[index] as number);
  }

  isActive(at: Moment): boolean {
    const { active, origin } = this.yearAt(at);
    const index = lastAtOrBelow(active.starts, at - origin);
    return index >= 0 && at - origin < (active.ends[index] as number);
  }

  /** The moment itself when it is active, else the next start of the hours. Null when there is none. */
  nextActive(at: Moment): Moment | null {
    if (!this.hasHours) return null;
    for (let year = this.yearAt(at); ; year = this.found(year.year + 1)) {
      const index = lastAtOrBelow(year.active.ends, at - year.origin) + 1;
      if (index < year.active.starts.length) return Math.max(at, year.origin + (year.active.starts[index] as number));
      if (year.year >= lastYear) return null;
    }
  }

  private yearAt(moment: Moment): Found {
    if (this.latest !== null && moment >= this.latest.origin && moment < this.latest.end) return this.latest;
    return this.found(yearOfDay(this.zone.dayAt(moment)));
  }

  private found(year: number): Found {
    if (this.latest?.year === year) return this.latest;
    const origin = this.zone.startOf(dayNumber(year, 1, 1));
    const end = this.zone.startOf(dayNumber(year + 1, 1, 1));
    this.latest = { year, origin, end, active: this.tableOf(year, origin, end) };
    return this.latest;
  }

  private tableOf(year: number, origin: Moment, end: Moment): ActiveYear {
    const last = lastAtOrBelow(this.holidays, origin);
    const begunBefore = last % 2 === 0;
    if (begunBefore && (this.holidays[last + 1] as number) >= end) return nothing;
    if (begunBefore || (this.holidays[last + 1] ?? end) < end) return this.kept(this.withHolidays, year, this.holidays);
    return this.kept(this.plain, likeYear(year), []); // years far ahead share what is the same in them
  }

  private kept(years: Map<number, ActiveYear>, year: number, holidays: Spans): ActiveYear {
    let table = years.get(year);
    if (table === undefined) {
      table = activeYear(this.zone, year, this.week, holidays);
      years.set(year, table);
    }
    return table;
  }
}

const nothing: ActiveYear = {
  starts: new Float64Array(),
  ends: new Float64Array(),
  sums: new Float64Array(1),
  businessDays: new Int32Array(),
  closings: new Float64Array(),
};

const known = new Map<string, ActiveTime>();
const most = 500;

/** Calendars that say the same share what was counted for them, whoever read them from where. */
export function activeTime(calendar: Calendar | null, zoneName: string): ActiveTime {
  const key = JSON.stringify([zoneName, calendar?.hours, calendar?.holidays]);
  let time = known.get(key);
  if (time === undefined) {
    time = new ActiveTime(calendar, zoneName);
    if (known.size >= most) known.delete(known.keys().next().value as string);
    known.set(key, time);
  }
  return time;
}
