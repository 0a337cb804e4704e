import { Temporal } from "temporal-polyfill";
import { Failure } from "./errors.ts";
import { add, divide, multiply, type Numeric, negate, toFloat } from "./number.ts";
import { Day, Duration, Moment } from "./values.ts";

// AL5. A day of a duration has 24 hours; months and years keep the day of the month.

// biome-ignore format: a table keeps its columns
const units = new Map<string, (amount: Numeric) => Duration>(Object.entries({
  minute:       (n: Numeric) => new Duration(n),
  hour:         (n: Numeric) => new Duration(multiply(n, 60)),
  day:          (n: Numeric) => new Duration(multiply(n, 1440)),
  week:         (n: Numeric) => new Duration(multiply(n, 10_080)),
  month:        (n: Numeric) => new Duration(0, n),
  year:         (n: Numeric) => new Duration(0, multiply(n, 12)),
  business_day: (n: Numeric) => new Duration(0, 0, n),
}));

/** 2.hours; null: the member is no unit of time. */
export const createDuration = (amount: Numeric, unit: string): Duration | null =>
  (units.get(unit) ?? units.get(unit.replace(/s$/, "")))?.(amount) ?? null;

/** For comparisons: a month counts as 30 days, a business day as 8 hours. */
export const toMinutes = ({ minutes, months, businessDays }: Duration): Numeric =>
  add(minutes, add(multiply(months, 43_200), multiply(businessDays, 480)));

export const multiplyDuration = ({ minutes, months, businessDays }: Duration, factor: Numeric): Duration =>
  new Duration(multiply(minutes, factor), multiply(months, factor), multiply(businessDays, factor));
export const divideDuration = ({ minutes, months, businessDays }: Duration, by: Numeric): Duration =>
  new Duration(divide(minutes, by), divide(months, by), divide(businessDays, by));
export const addDurations = (one: Duration, other: Duration): Duration =>
  new Duration(
    add(one.minutes, other.minutes),
    add(one.months, other.months),
    add(one.businessDays, other.businessDays),
  );
export const negateDuration = (duration: Duration): Duration => multiplyDuration(duration, negate(1));

const [earliest, latest] = [Date.UTC(1900, 0, 1), Date.UTC(9999, 11, 31)];
const checkRange = (milliseconds: number): number => {
  if (!(milliseconds >= earliest && milliseconds <= latest))
    throw new Failure("evaluation", "the date is out of range");
  return milliseconds;
};

function toWholeMonths({ months }: Duration): number {
  const whole = toFloat(months);
  if (!Number.isInteger(whole) || Math.abs(whole) > 120_000) throw new Failure("evaluation", "months must be whole");
  return whole;
}

function refuseBusinessDays({ businessDays }: Duration): void {
  if (businessDays !== 0) throw new Failure("evaluation", "business days need a calendar: use target_at");
}

export function shiftMoment(moment: Moment, by: Duration, zone: string): Moment {
  refuseBusinessDays(by);
  let { milliseconds } = moment;
  const months = toWholeMonths(by);
  if (months !== 0)
    milliseconds = Temporal.Instant.fromEpochMilliseconds(checkRange(milliseconds))
      .toZonedDateTimeISO(zone)
      .add({ months }).epochMilliseconds;
  return new Moment(checkRange(Math.round(milliseconds + toFloat(by.minutes) * 60_000)));
}

/** A date moved by hours becomes a moment. */
export function shiftDay(day: Day, by: Duration, zone: string): Day | Moment {
  refuseBusinessDays(by);
  const days = toFloat(by.minutes) / 1440;
  if (!Number.isInteger(days)) return shiftMoment(startOfDay(day, zone), by, zone);
  if (Math.abs(days) > 4_000_000) throw new Failure("evaluation", "the date is out of range");
  const moved = Temporal.PlainDate.from(day.text)
    .add({ months: toWholeMonths(by) })
    .add({ days });
  checkRange(Date.UTC(moved.year, moved.month - 1, moved.day));
  return new Day(moved.toString());
}

export const startOfDay = (day: Day, zone: string): Moment =>
  new Moment(Temporal.PlainDate.from(day.text).toZonedDateTime(zone).epochMilliseconds);

export const toZonedDateTime = (moment: Moment, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(moment.milliseconds).toZonedDateTimeISO(zone);

export const toDay = (moment: Moment, zone: string): Day =>
  new Day(toZonedDateTime(moment, zone).toPlainDate().toString());

/** No date is longer. */
const maxDateLength = 100;

/** Null: the text is no date. */
export function parseDay(text: string): Day | null {
  if (text.length > maxDateLength) return null;
  const match = /^\s*(\d{4})-(\d\d)-(\d\d)/.exec(text);
  if (match === null) return null;
  const date = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])));
  const isDay = date.getUTCMonth() === Number(match[2]) - 1 && date.getUTCDate() === Number(match[3]);
  return isDay && Number(match[1]) >= 1900 ? new Day(match[0].trim()) : null;
}

/** ISO 8601; without an offset it is a local time of the zone. A date alone is its beginning. */
export function parseMoment(text: string, zone: string): Moment | null {
  if (text.length > maxDateLength) return null;
  const match = /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?)?\s*$/i.exec(
    text,
  );
  const day = match === null ? null : parseDay(match[1] as string);
  if (match === null || day === null) return null;
  const [hour, minute, second] = [match[2], match[3], match[4]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) return null;
  const offset = match[5];
  if (offset === undefined) {
    const wall = Temporal.PlainDate.from(day.text).toPlainDateTime({ hour, minute, second });
    return new Moment(wall.toZonedDateTime(zone).epochMilliseconds);
  }
  const shift = /^z$/i.test(offset)
    ? 0
    : (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
  const [year, month, date] = day.text.split("-").map(Number) as [number, number, number];
  return new Moment(Date.UTC(year, month - 1, date, hour, minute, second) - shift * 60_000);
}

/** 2025-03-03T09:00:00+01:00 */
export function formatIso(moment: Moment, zone: string): string {
  const local = toZonedDateTime(moment, zone);
  return `${local.toPlainDateTime().toString({ smallestUnit: "second" })}${local.offset}`;
}

const padTwo = (value: number): string => String(value).padStart(2, "0");

export function formatMoment(moment: Moment, pattern: string, zone: string): string {
  const local = toZonedDateTime(moment, zone);
  // biome-ignore format: a table keeps its columns
  const parts: Record<string, string> = {
    YYYY: String(local.year).padStart(4, "0"), MM: padTwo(local.month),  DD: padTwo(local.day),
    hh:   padTwo(local.hour),                     mm: padTwo(local.minute), ss: padTwo(local.second),
  };
  return pattern.replace(/YYYY|MM|DD|hh|mm|ss/g, (part) => parts[part] as string);
}
