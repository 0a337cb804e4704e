import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { getActiveTime } from "./active-time.ts";
import { parseMoment } from "./moment.ts";
import {
  findMissedOccurrence,
  findNextOccurrence,
  generateOccurrences,
  type Recurrence,
  weekdayNames,
} from "./recurrence.ts";

// Every test vector of recurrences: V1 to V12 are their names, not rules.

const amsterdam = "Europe/Amsterdam";
const newYork = "America/New_York";
const recurrence = (given: Partial<Recurrence>): Recurrence => ({
  frequency: "no_repeat",
  interval: 1,
  start_date: "2025-01-01",
  end_date: null,
  time_of_day: "09:00",
  zone: amsterdam,
  day: null,
  day_of_month: null,
  day_of_week: false,
  day_of_week_index: null,
  day_of_week_day: null,
  month_of_year: null,
  disabled: false,
  calendar: null,
  ...given,
});
const office = {
  hours: (["mon", "tue", "wed", "thu", "fri"] as const).map((weekday) => ({
    weekday,
    time_from: "08:30",
    time_until: "17:00",
  })),
  holidays: [{ start_at: "2025-04-21T00:00:00", end_at: "2025-04-22T00:00:00" }],
};

// biome-ignore format: the table of the reference
const V: Record<string, Recurrence> = {
  V1: recurrence({ frequency: "yearly", day_of_week: true, day_of_week_index: "first", day_of_week_day: "monday", month_of_year: "1,4,7,10", start_date: "2025-01-15" }),
  V2: recurrence({ frequency: "daily", day: "1,2,3,4,5", time_of_day: "07:30", zone: newYork, start_date: "2025-03-03" }),
  V3: recurrence({ frequency: "daily", interval: 3, day: "1,2,3,4,5", time_of_day: "07:30", zone: newYork, start_date: "2025-03-03" }),
  V4: recurrence({ frequency: "weekly", interval: 2, time_of_day: "22:15", start_date: "2025-02-26" }),
  V5: recurrence({ frequency: "monthly", day_of_month: "31", time_of_day: "06:00", start_date: "2025-01-31" }),
  V6: recurrence({ frequency: "monthly", day_of_month: "15,-1", time_of_day: "18:00", start_date: "2025-01-01" }),
  V7: recurrence({ frequency: "monthly", interval: 3, day_of_week: true, day_of_week_index: "last", day_of_week_day: "friday", time_of_day: "23:30", zone: newYork, start_date: "2025-01-10" }),
  V8: recurrence({ frequency: "yearly", month_of_year: "2,8", time_of_day: "12:00", start_date: "2024-02-29" }),
  V9: recurrence({ frequency: "weekly", end_date: "2025-04-07", time_of_day: "02:30", start_date: "2025-03-24" }),
  V10: recurrence({ time_of_day: "02:30", start_date: "2025-03-30" }),
  V11: recurrence({ time_of_day: "02:30", start_date: "2025-10-26" }),
  V12: recurrence({ frequency: "weekly", start_date: "2025-04-14", calendar: getActiveTime(office, amsterdam) }),
};

const shown = (moment: number | null, zone: string): string | null =>
  moment === null
    ? null
    : Temporal.Instant.fromEpochMilliseconds(moment)
        .toZonedDateTimeISO(zone)
        .toString({ timeZoneName: "never", smallestUnit: "second" });

// biome-ignore format: the table of the reference
test.each([
  ["V1",  "2025-01-15T00:00Z",    "2025-04-07T09:00:00+02:00"],
  ["V1",  "2025-04-07T07:00Z",    "2025-07-07T09:00:00+02:00"],
  ["V1",  "2025-10-06T06:59:59Z", "2025-10-06T09:00:00+02:00"],
  ["V2",  "2025-03-07T12:30Z",    "2025-03-10T07:30:00-04:00"],
  ["V3",  "2025-03-06T12:30Z",    "2025-03-12T07:30:00-04:00"],
  ["V4",  "2025-02-27T00:00Z",    "2025-03-12T22:15:00+01:00"],
  ["V5",  "2025-01-31T05:00Z",    "2025-03-31T06:00:00+02:00"],
  ["V5",  "2025-03-31T04:00Z",    "2025-05-31T06:00:00+02:00"],
  ["V6",  "2025-02-15T17:00Z",    "2025-02-28T18:00:00+01:00"],
  ["V7",  "2025-01-10T00:00Z",    "2025-01-31T23:30:00-05:00"],
  ["V7",  "2025-02-01T05:00Z",    "2025-04-25T23:30:00-04:00"],
  ["V8",  "2024-08-29T10:00Z",    "2025-08-29T12:00:00+02:00"],
  ["V9",  "2025-04-01T00:00Z",    "2025-04-07T02:30:00+02:00"],
  ["V9",  "2025-04-07T00:30Z",    null],
  ["V10", "2025-03-01T00:00Z",    "2025-03-30T03:30:00+02:00"],
  ["V11", "2025-10-01T00:00Z",    "2025-10-26T02:30:00+02:00"],
  ["V12", "2025-04-14T07:00Z",    "2025-04-28T09:00:00+02:00"],
])("%s after %s", (name, after, expected) => {
  const given = V[name] as Recurrence;
  expect(shown(findNextOccurrence(given, parseMoment(after), null), given.zone)).toBe(expected);
  // "after" is the later of now and the last run
  expect(shown(findNextOccurrence(given, parseMoment("2020-01-01T00:00Z"), parseMoment(after)), given.zone)).toBe(expected);
});

describe("occurrences", () => {
  const first = (given: Partial<Recurrence>, after: string, count: number) => {
    const found = [];
    for (const moment of generateOccurrences(recurrence(given), parseMoment(after)))
      if (found.push(shown(moment, amsterdam)?.slice(0, 16)) === count) break;
    return found;
  };

  test("RC4: weekly with weekdays: weeks begin on Monday, and dates before the start are omitted", () => {
    const given = { frequency: "weekly", interval: 2, day: "0,1,3", start_date: "2025-06-04" } as const;
    expect(first(given, "2025-06-01T00:00Z", 5)).toEqual([
      "2025-06-04T09:00",
      "2025-06-08T09:00",
      "2025-06-16T09:00",
      "2025-06-18T09:00",
      "2025-06-22T09:00",
    ]);
  });

  test("the end of the day is midnight of the next", () => {
    expect(first({ frequency: "daily", time_of_day: "24:00", end_date: "2025-01-02" }, "2024-12-31T00:00Z", 9)).toEqual(
      ["2025-01-02T00:00", "2025-01-03T00:00"],
    );
  });

  test("RC6: several weekdays of a month, each on its own", () => {
    const given = {
      frequency: "monthly",
      day_of_week: true,
      day_of_week_index: "second",
      day_of_week_day: "friday,monday",
    } as const;
    expect(first(given, "2025-06-01T00:00Z", 3)).toEqual(["2025-06-09T09:00", "2025-06-13T09:00", "2025-07-11T09:00"]);
  });

  test("a paused recurrence has no occurrence, and neither has one that no date or hour fits", () => {
    const now = parseMoment("2025-06-01T00:00Z");
    expect(findNextOccurrence({ ...(V.V2 as Recurrence), disabled: true }, now, null)).toBe(null);
    // every seventh day from a Wednesday on never is a Sunday
    expect(findNextOccurrence(recurrence({ frequency: "daily", interval: 7, day: "0" }), now, null)).toBe(null);
    expect(
      findNextOccurrence(
        recurrence({ frequency: "monthly", interval: 12, day_of_month: "30", start_date: "2025-02-01" }),
        now,
        null,
      ),
    ).toBe(null);
    const closed = { frequency: "daily", time_of_day: "03:00", calendar: getActiveTime(office, amsterdam) } as const;
    expect(findNextOccurrence(recurrence(closed), now, null)).toBe(null);
  });

  test("only the latest missed occurrence is made up", () => {
    const weekly = recurrence({ frequency: "weekly", start_date: "2025-06-02" });
    const [since, now] = [parseMoment("2025-06-02T07:00Z"), parseMoment("2025-06-25T00:00Z")];
    expect(shown(findMissedOccurrence(weekly, since, now), amsterdam)).toBe("2025-06-23T09:00:00+02:00");
    expect(findMissedOccurrence(weekly, since, parseMoment("2025-06-05T00:00Z"))).toBe(null);
  });

  test("RC1 to RC3, RC5, RC7, RC8: the result equals a check of every single date", () => {
    const list = (min: number, max: number, more: number[] = []) =>
      fc
        .uniqueArray(fc.oneof(fc.integer({ min, max }), fc.constantFrom(...more, max)), { minLength: 1, maxLength: 4 })
        .map(String);
    const drawn = fc.record({
      frequency: fc.constantFrom("no_repeat", "daily", "weekly", "monthly", "yearly"),
      interval: fc.integer({ min: 1, max: 5 }),
      start: fc.integer({ min: 0, max: 1500 }),
      day: fc.option(list(0, 6)),
      day_of_month: list(1, 31, [-1]),
      day_of_week: fc.boolean(),
      day_of_week_index: fc.constantFrom("first", "second", "third", "fourth", "last"),
      day_of_week_day: fc.uniqueArray(fc.constantFrom(...weekdayNames), { minLength: 1, maxLength: 3 }).map(String),
      month_of_year: list(1, 12),
      days: fc.option(fc.integer({ min: 0, max: 2000 })),
      after: fc.integer({ min: -100, max: 1200 }),
    });
    fc.assert(
      fc.property(drawn, ({ start, days, after, ...rest }) => {
        const begin = Temporal.PlainDate.from("2023-01-01").add({ days: start });
        const given = recurrence({
          ...(rest as Partial<Recurrence>),
          start_date: begin.toString(),
          end_date: days === null ? null : begin.add({ days }).toString(),
          day_of_week: rest.day_of_week && ["monthly", "yearly"].includes(rest.frequency),
          zone: "Etc/UTC",
          time_of_day: "00:00",
        });
        const from = begin.add({ days: after });
        const asked: number[] = [];
        for (let n = 1; n <= 500; n++) {
          const date = new Date(parseMoment(`${from}T00:00Z`) + n * 86_400_000);
          if (isOne(given, date)) asked.push(date.getTime());
        }
        const last = parseMoment(`${from}T00:00Z`) + 500 * 86_400_000;
        const found = [];
        for (const moment of generateOccurrences(given, parseMoment(`${from}T00:00Z`))) {
          if (moment > last) break;
          found.push(moment);
        }
        expect(found).toEqual(asked);
      }),
      { seed: 20_250_303, numRuns: 600 },
    );
  });
});

/** RC1 to RC8, read date by date. */
function isOne(given: Recurrence, date: Date): boolean {
  const start = new Date(`${given.start_date}T00:00:00Z`);
  const has = (text: string | null, value: number | string) => (text ?? "").split(",").includes(String(value));
  if (date < start || (given.end_date !== null && date > new Date(`${given.end_date}T00:00:00Z`))) return false;
  const days = (date.getTime() - start.getTime()) / 86_400_000;
  const [year, month, number, weekday] = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCDay(),
  ];
  const months = (year - start.getUTCFullYear()) * 12 + month - start.getUTCMonth();
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const mondayOf = (some: Date) => Math.floor((some.getTime() / 86_400_000 + 3) / 7);
  const index =
    given.day_of_week_index === "last"
      ? number > lastDay - 7
      : Math.ceil(number / 7) === ["first", "second", "third", "fourth"].indexOf(given.day_of_week_index ?? "") + 1;
  const byWeekday = index && has(given.day_of_week_day, weekdayNames[weekday] as string);
  if (given.frequency === "no_repeat") return days === 0;
  if (given.frequency === "daily")
    return days % given.interval === 0 && (given.day === null || has(given.day, weekday));
  if (given.frequency === "weekly")
    return given.day === null
      ? days % (7 * given.interval) === 0
      : (mondayOf(date) - mondayOf(start)) % given.interval === 0 && has(given.day, weekday);
  if (given.frequency === "monthly")
    return (
      months % given.interval === 0 &&
      (given.day_of_week
        ? byWeekday
        : has(given.day_of_month, number) || (number === lastDay && has(given.day_of_month, -1)))
    );
  if ((year - start.getUTCFullYear()) % given.interval !== 0 || !has(given.month_of_year, month + 1)) return false;
  return given.day_of_week ? byWeekday : number === start.getUTCDate();
}
