import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { recurrence as declared, type Field, opt } from "../../../records/vocabulary/index.ts";
import { Refusal } from "./kind.ts";
import { recurrence } from "./recurrence.ts";
import { buildIcal, completeRecurrence, type Recurrence } from "./recurrence-rule.ts";

const field = opt(declared) as Extract<Field, { kind: "recurrence" }>;
const by = { zone: "Europe/Amsterdam", now: new Date("2025-03-03T08:00:00Z") };
const read = (input: unknown) => recurrence.read(input, field, by) as Record<string, unknown>;
const whole = (input: unknown) => completeRecurrence(field, read(input), "Amsterdam");

const listOf = (...entries: string[]) => fc.subarray(entries, { minLength: 1 }).map((list) => list.join(","));
const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Members that are right one by one; whether they go together is another matter. */
const members = fc.record({
  frequency: maybe(fc.constantFrom("no_repeat", "daily", "weekly", "monthly", "yearly")),
  interval: maybe(fc.integer({ min: 1, max: 999 })),
  disabled: maybe(fc.boolean()),
  time_of_day: maybe(fc.constantFrom("00:00", "09:30", "24:00")),
  time_zone: maybe(fc.constantFrom("Amsterdam", "America/New_York")),
  start_date: maybe(fc.constantFrom("2024-02-29", "2031-02-03")),
  end_date: maybe(fc.constantFrom("2024-02-28", "2031-12-31")),
  day: maybe(listOf("0", "1", "5", "6")),
  day_of_month: maybe(listOf("1", "15", "31", "-1")),
  day_of_week: maybe(fc.boolean()),
  day_of_week_index: maybe(fc.constantFrom("first", "last")),
  day_of_week_day: maybe(listOf(...days)),
  month_of_year: maybe(listOf("1", "2", "12")),
});

describe("a recurrence", () => {
  test("accepts any JSON, or reports its problems", () => {
    const noise = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom("frequency", "interval", "calendar", "calendar_id", "day", "day_of_month", "time_zone"),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(noise, (input) => {
        try {
          whole(input);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("that is complete doesn't change when it is written again", () => {
    fc.assert(
      fc.property(members, (input) => {
        const { value, problems } = whole(input);
        const again = completeRecurrence(field, { ...value, ...read(value) }, "UTC");
        expect(again.value).toEqual(value);
        expect(again.problems.map(({ message }) => message)).toEqual(problems.map(({ message }) => message));
      }),
      { numRuns: 1000 },
    );
  });

  test("RC9: has exactly the members that its frequency uses", () => {
    fc.assert(
      fc.property(members, (input) => {
        const { value, problems } = whole(input);
        const { frequency, day_of_week: byWeekday } = value;
        if (frequency !== "daily" && frequency !== "weekly") expect(value.day).toBeNull();
        if (frequency !== "monthly" || byWeekday) expect(value.day_of_month).toBeNull();
        if (frequency !== "yearly") expect(value.month_of_year).toBeNull();
        if (!byWeekday) expect([value.day_of_week_index, value.day_of_week_day]).toEqual([null, null]);
        if (problems.length > 0) return;
        expect(value.time_of_day).toMatch(/^\d\d:\d\d$/);
        expect(value.start_date).not.toBeNull();
        if (frequency === "monthly") expect(value.day_of_month ?? value.day_of_week_day).not.toBeNull();
        if (frequency === "yearly") expect(value.month_of_year).not.toBeNull();
        expect(value.ical).toMatch(
          /^DTSTART;TZID=[A-Za-z_/]+:\d{8}T000000(\nRRULE:FREQ=[A-Z]+(;[A-Z]+=[A-Z\d,T-]+)*)?$/,
        );
        expect(String(value.ical).includes("RRULE")).toBe(frequency !== "no_repeat");
      }),
      { numRuns: 1000 },
    );
  });
});

// The vectors of recurrences, under their names.
// biome-ignore format: a table keeps its columns
const vectors: [string, Record<string, unknown>, string | null][] = [
  ["V1", { frequency: "yearly", day_of_week: true, day_of_week_day: "monday", month_of_year: "1,4,7,10", start_date: "2025-01-15" }, "FREQ=YEARLY;BYMONTH=1,4,7,10;BYDAY=1MO"],
  ["V3", { frequency: "daily", interval: 3, day: "1,2,3,4,5", start_date: "2025-03-03" },      "FREQ=DAILY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR"],
  ["V4", { frequency: "weekly", interval: 2, start_date: "2025-02-26" },                       "FREQ=WEEKLY;INTERVAL=2"],
  ["V6", { frequency: "monthly", day_of_month: "15,-1", start_date: "2025-01-01" },            "FREQ=MONTHLY;BYMONTHDAY=15,-1"],
  ["V7", { frequency: "monthly", interval: 3, day_of_week: true, day_of_week_index: "last", day_of_week_day: "friday", start_date: "2025-01-10" }, "FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR"],
  ["V8", { frequency: "yearly", month_of_year: "2,8", start_date: "2024-02-29" },              "FREQ=YEARLY;BYMONTH=2,8;BYMONTHDAY=29"],
  ["V9", { frequency: "weekly", start_date: "2025-03-24", end_date: "2025-04-07" },            "FREQ=WEEKLY;UNTIL=20250407T235959"],
  ["V10", { start_date: "2025-03-30" },                                                        null],
];

test.each(vectors)("RC15: %s is written as iCalendar writes it", (_name, input, rule) => {
  const { value, problems } = whole({ time_of_day: "09:00", time_zone: "Europe/Amsterdam", ...input });
  expect(problems).toEqual([]);
  const start = `DTSTART;TZID=Europe/Amsterdam:${String(input.start_date).replaceAll("-", "")}T000000`;
  expect(buildIcal(value as Recurrence)).toBe(rule === null ? start : `${start}\nRRULE:${rule}`);
});
