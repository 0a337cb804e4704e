import { Temporal } from "temporal-polyfill";
import { day, getWeekday, type Moment, toDayNumber } from "./moment.ts";

// Offsets of a time zone. Temporal is called once per zone and year; everything else is arithmetic on numbers. Local
// times ("wall") are numbers, too: the local time as if it were UTC.

type YearOffsets = { start: Moment; offset: number; changes: readonly { at: Moment; offset: number }[] };

// After all announced changes, the rules of a zone ("last Sunday of March") depend only on the weekday of 1 January and
// on whether the year is a leap year: 28 years contain every combination.
const firstRegularYear = 2101;
const cycle = 28;

/** The weekday with which a year begins, and whether it is a leap year. */
const getYearKind = (year: number): number =>
  getWeekday(toDayNumber(year, 1, 1)) * 2 + (toDayNumber(year + 1, 1, 1) - toDayNumber(year, 1, 1) - 365);
const yearByKind = new Map(
  Array.from({ length: cycle }, (_, index) => [getYearKind(firstRegularYear + index), firstRegularYear + index]),
);

/** For a distant year the one from 2101 to 2128 with the same dates on the same weekdays; others stay the same. */
export const getEquivalentYear = (year: number): number =>
  year < firstRegularYear + cycle ? year : (yearByKind.get(getYearKind(year)) as number);

export class Zone {
  readonly name: string;
  private readonly years = new Map<number, YearOffsets>();
  // The interval of the last lookup, because the next one is usually in it, too.
  private from: Moment = 0;
  private until: Moment = 0;
  private offset = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Local time minus UTC at a moment. */
  offsetAt(moment: Moment): number {
    if (moment >= this.from && moment < this.until) return this.offset;
    const number = new Date(moment).getUTCFullYear();
    const year = this.year(number);
    this.from = year.start;
    this.offset = year.offset;
    for (const { at, offset } of year.changes) {
      this.until = at;
      if (moment < at) return this.offset;
      this.from = at;
      this.offset = offset;
    }
    this.until = Date.UTC(number + 1, 0, 1);
    return this.offset;
  }

  wallAt(moment: Moment): number {
    return moment + this.offsetAt(moment);
  }

  /** The day number of the local date at a moment. */
  dayAt(moment: Moment): number {
    return Math.floor(this.wallAt(moment) / day);
  }

  /**
   * The moment of a local time. A time that occurs twice is the first one; a skipped time is moved forward by the
   * length of the gap.
   */
  momentAt(wall: number): Moment {
    const before = this.offsetAt(wall - day);
    const after = this.offsetAt(wall + day);
    const early = wall - before;
    if (before === after || this.offsetAt(early) === before) return early;
    return this.offsetAt(wall - after) === after ? wall - after : early;
  }

  /** The first moment of a local date; for a date that a zone skipped, that of the next one. */
  startOfDay(date: number): Moment {
    const midnight = date * day;
    const moment = this.momentAt(midnight);
    return this.wallAt(moment) === midnight ? moment : this.changeBefore(moment);
  }

  /** Whether the whole local date has one offset. */
  isPlain(start: Moment, end: Moment): boolean {
    return end - start === day && this.offsetAt(start) === this.offsetAt(end) && this.changeBefore(end) < start;
  }

  /** The latest change of the offset within a day or two before a moment; earlier ones do not matter here. */
  private changeBefore(moment: Moment): Moment {
    this.offsetAt(moment);
    return this.from;
  }

  private year(number: number): YearOffsets {
    const like = getEquivalentYear(number);
    let year = this.years.get(like);
    if (year === undefined) {
      year = this.loadYear(like);
      this.years.set(like, year);
    }
    return like === number ? year : shiftYear(year, Date.UTC(number, 0, 1));
  }

  private loadYear(number: number): YearOffsets {
    const [start, end] = [Date.UTC(number, 0, 1), Date.UTC(number + 1, 0, 1)];
    const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(this.name);
    const changes: { at: Moment; offset: number }[] = [];
    for (let next = first.getTimeZoneTransition("next"); next !== null; next = next.getTimeZoneTransition("next")) {
      if (next.epochMilliseconds >= end) break;
      changes.push({ at: next.epochMilliseconds, offset: getOffset(next) });
    }
    return { start, offset: getOffset(first), changes };
  }
}

const getOffset = (moment: Temporal.ZonedDateTime): number => moment.offsetNanoseconds / 1_000_000;

const shiftYear = (year: YearOffsets, start: Moment): YearOffsets => ({
  start,
  offset: year.offset,
  changes: year.changes.map(({ at, offset }) => ({ at: at - year.start + start, offset })),
});

const zones = new Map<string, Zone>();

/** By IANA name. There are few zones, so the cache has no limit. */
export function getZone(name: string): Zone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new Zone(name);
    zones.set(name, zone);
  }
  return zone;
}
