import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { ActiveTime, getActiveTime } from "./active-time.ts";
import { type Calendar, type Hours, weekdays } from "./calendar.ts";
import { type Moment, minute, parseMoment } from "./moment.ts";
import { computeSlaTimes } from "./sla-times.ts";
import { mergePeriods } from "./stopped-periods.ts";

// Compares the fast calculation with a slow one that shares only the types: every row of every date is converted
// by Temporal, and then every minute (or second) is marked and counted one by one.

const horizon = 9; // days the slow way looks ahead

/** Temporal is what takes the time here; many cases ask it the same. */
function remembered<Arguments extends (string | number)[], Answer>(ask: (...given: Arguments) => Answer) {
  const answers = new Map<string, Answer>();
  return (...given: Arguments): Answer => {
    const key = given.join(" ");
    if (!answers.has(key)) answers.set(key, ask(...given));
    return answers.get(key) as Answer;
  };
}

const momentOn = remembered(
  (zone: string, wall: string): Moment =>
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds,
);

const dateOf = remembered((zone: string, start: string, days: number) => {
  const date = Temporal.PlainDate.from(start).add({ days });
  const tomorrow = date.add({ days: 1 });
  return {
    date: date.toString(),
    tomorrow: tomorrow.toString(),
    weekday: weekdays[date.dayOfWeek % 7],
    from: date.toZonedDateTime(zone).epochMilliseconds,
    until: tomorrow.toZonedDateTime(zone).epochMilliseconds,
  };
});

class Slowly {
  private readonly active: Uint8Array;
  private readonly dates: { from: Moment; until: Moment }[] = [];
  private readonly begin: Moment;
  private readonly step: number;

  constructor(calendar: Calendar | null, zone: string, near: Moment, step: number) {
    this.step = step;
    this.begin = near - step * 2;
    const today = Temporal.Instant.fromEpochMilliseconds(near).toZonedDateTimeISO(zone).toPlainDate().toString();
    const spans: [Moment, Moment][] = [];
    for (let offset = -2; offset <= horizon; offset++) {
      const { date, tomorrow, weekday, ...bounds } = dateOf(zone, today, offset);
      for (const row of calendar?.hours ?? [{ weekday, time_from: "00:00", time_until: "24:00" }])
        if (row.weekday === weekday)
          spans.push([
            momentOn(zone, `${date}T${row.time_from}`),
            momentOn(zone, /^(00|24):00$/.test(row.time_until) ? `${tomorrow}T00:00` : `${date}T${row.time_until}`),
          ]);
      if (offset > 0) this.dates.push(bounds);
    }
    const holidays = (calendar?.holidays ?? []).map(({ start_at, end_at }): [Moment, Moment] => [
      momentOn(zone, start_at),
      momentOn(zone, end_at),
    ]);
    const end = (this.dates.at(-1) as { until: Moment }).until;
    this.active = new Uint8Array((end - this.begin) / step);
    const mark = (list: [Moment, Moment][], value: 0 | 1) => {
      for (const [from, until] of list)
        for (let at = Math.max(from, this.begin); at < until && at < end; at += step)
          this.active[Math.ceil(this.index(at))] = value;
    };
    mark(spans, 1);
    mark(holidays, 0);
  }

  private index(at: Moment): number {
    return (at - this.begin) / this.step;
  }

  isActive(at: Moment): boolean {
    return this.active[this.index(at)] === 1;
  }

  minutesBetween(start: Moment, end: Moment): number {
    let steps = 0;
    for (let at = start; at < end; at += this.step) if (this.isActive(at)) steps++;
    return Math.floor((steps * this.step) / minute);
  }

  /** Undefined when it lies beyond what was looked at. */
  addMinutes(start: Moment, minutes: number): Moment | undefined {
    let left = (minutes * minute) / this.step;
    for (let index = this.index(start); index < this.active.length; index++) {
      if (this.active[index] && left-- === 0) return this.begin + index * this.step;
      if (this.active[index] && left === 0) return this.begin + (index + 1) * this.step;
    }
    return undefined;
  }

  addBusinessDays(days: number): Moment | undefined {
    let left = days;
    for (const { from, until } of this.dates) {
      let [count, close] = [0, 0];
      for (let at = from; at < until; at += this.step)
        if (this.isActive(at)) [count, close] = [count + 1, at + this.step];
      if (count * this.step >= minute && --left === 0) return close;
    }
    return undefined;
  }
}

const zones = [
  "Europe/Amsterdam",
  "America/New_York",
  "Australia/Sydney",
  "Asia/Kolkata",
  "Australia/Lord_Howe", // half an hour
  "Etc/UTC",
  "America/Santiago", // at the end of a day
  "America/Havana", // at and after midnight
  "Africa/Cairo",
];
const changesOf = (zone: string): Moment[] => {
  const changes: Moment[] = [];
  let next = Temporal.ZonedDateTime.from(`2022-01-01T00:00[${zone}]`).getTimeZoneTransition("next");
  for (; next !== null && next.year < 2031; next = next.getTimeZoneTransition("next"))
    changes.push(next.epochMilliseconds);
  return changes;
};
const changes = new Map(zones.map((zone) => [zone, changesOf(zone)]));

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
// Rows that begin and end at all hours, often around the hours at which clocks change.
const time = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 1439 }), weight: 2 },
  { arbitrary: fc.integer({ min: 0, max: 16 }).map((quarter) => quarter * 15), weight: 2 },
  { arbitrary: fc.constantFrom(0, 480, 510, 720, 1020, 1380), weight: 1 },
);
const row: fc.Arbitrary<Hours> = fc
  .record({
    weekday: fc.constantFrom(...weekdays),
    from: time,
    until: fc.oneof(time, fc.constant(1440), fc.constant(0)),
  })
  .map(({ weekday, from, until }) => ({ weekday, time_from: clock(from), time_until: clock(until) }))
  .filter(({ time_from, time_until }) => time_until === "00:00" || time_until > time_from);
const week = (from: string, until: string): Hours[] =>
  weekdays.map((weekday) => ({ weekday, time_from: from, time_until: until }));
const hours = fc.oneof(
  fc.array(row, { maxLength: 14 }),
  fc.array(row, { maxLength: 4 }).map((rows) => [...week("01:30", "02:30"), ...rows]),
  fc.constantFrom(week("00:00", "24:00"), week("08:30", "17:00"), [
    ...week("00:00", "02:30"),
    ...week("23:00", "00:00"),
  ]),
);
const aCase = fc.record({
  zone: fc.constantFrom(...zones),
  change: fc.nat(),
  lead: fc.integer({ min: -1440, max: 4 * 1440 }),
  hours: fc.option(hours, { freq: 12 }),
  holidays: fc.array(
    fc.record({ start: fc.integer({ min: -2880, max: 9000 }), length: fc.integer({ min: 1, max: 4000 }) }),
    { maxLength: 3 },
  ),
  length: fc.integer({ min: -10, max: 6000 }),
  minutes: fc.oneof(
    fc.integer({ min: 0, max: 4000 }),
    fc.integer({ min: 0, max: 90 }),
    fc.constantFrom(0, 60, 510, 1440),
  ),
  days: fc.integer({ min: 1, max: 4 }),
  stops: fc.array(fc.record({ from: fc.integer({ min: 0, max: 3000 }), length: fc.integer({ min: 0, max: 1500 }) }), {
    maxLength: 3,
  }),
});

/** A start some time before a change of the clocks, if the zone has any. */
function setUp(
  { zone, change, lead, hours, holidays }: typeof aCase extends fc.Arbitrary<infer T> ? T : never,
  step: number,
) {
  const list = changes.get(zone) as Moment[];
  const at = list[change % list.length] ?? parseMoment("2025-03-03T00:00:00Z") + (change % 1_000_000) * minute;
  const start = at - lead * step;
  const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().round("minute");
  const calendar =
    hours === null
      ? null
      : {
          hours,
          holidays: holidays.map((holiday) => {
            const from = wall.add({ minutes: holiday.start });
            return { start_at: from.toString(), end_at: from.add({ minutes: holiday.length }).toString() };
          }),
        };
  return { calendar, start, fast: new ActiveTime(calendar, zone), slow: new Slowly(calendar, zone, start, step) };
}

const crossed = { forward: 0, back: 0 };

function agree(drawn: typeof aCase extends fc.Arbitrary<infer T> ? T : never, step: number): void {
  const { start, fast, slow } = setUp(drawn, step);
  const end = start + drawn.length * step;
  const offsets = fast.zone.offsetAt(end) - fast.zone.offsetAt(start);
  if (offsets > 0) crossed.forward++;
  if (offsets < 0) crossed.back++;
  expect(fast.isActive(start)).toBe(slow.isActive(start));
  expect(fast.minutesBetween(start, end)).toBe(slow.minutesBetween(start, end));
  if (drawn.change % 20 === 0) {
    const periods = fast.listPeriods(start, end, 1000);
    const total = periods.reduce((sum, { from, until }) => sum + until - from, 0);
    expect(Math.floor(total / minute)).toBe(slow.minutesBetween(start, end));
    const isWrong = ({ from, until }: (typeof periods)[number]) =>
      slow.minutesBetween(from, until) !== Math.floor((until - from) / minute) ||
      (from > start && slow.isActive(from - step)) ||
      (until < end && slow.isActive(until));
    expect(periods.filter(isWrong)).toEqual([]);
  }
  for (const minutes of [0, drawn.minutes]) {
    const expected = slow.addMinutes(start, minutes);
    if (expected !== undefined) expect(fast.addMinutes(start, minutes)).toBe(expected);
  }
  const closing = slow.addBusinessDays(drawn.days);
  if (closing !== undefined) expect(fast.addBusinessDays(start, drawn.days)).toBe(closing);
  const stopped_periods = mergePeriods(
    drawn.stops.map(({ from, length }) => ({
      from: start + from * step,
      to: start + (from + length) * step,
      provider_not_accountable: false,
    })),
  );
  const stopped = stopped_periods.reduce((sum, { from, to }) => sum + slow.minutesBetween(from, to as Moment), 0);
  const sla = computeSlaTimes({
    accountability: "provider",
    started_at: start,
    support_hours: fast,
    service_hours: null,
    maximum_response_duration: null,
    maximum_response_duration_in_days: drawn.days,
    maximum_resolution_duration: drawn.minutes,
    maximum_resolution_duration_in_days: null,
    stopped_periods,
    actual_response_at: null,
    actual_resolution_at: null,
    desired_completion_at: null,
    downtime_start_at: null,
    downtime_end_at: null,
  });
  expect(sla.stopped_clock_duration).toBe(stopped);
  const target = slow.addMinutes(start, drawn.minutes + stopped);
  if (target !== undefined) expect(sla.resolution_target_at).toBe(target);
  const response = closing === undefined || stopped === 0 ? closing : slow.addMinutes(closing, stopped);
  if (response !== undefined) expect(sla.response_target_at).toBe(response);
}

describe("counting fast and minute by minute agree", () => {
  test("SLA4: over calendars, zones, holidays, stops and changes of the clocks", () => {
    fc.assert(
      fc.property(aCase, (drawn) => agree(drawn, minute)),
      { seed: 20_250_330, numRuns: 5000 },
    );
    expect(crossed.forward).toBeGreaterThan(300);
    expect(crossed.back).toBeGreaterThan(300);
  });

  test("SLA7, SLA8: second by second as well", () => {
    fc.assert(
      fc.property(aCase, (drawn) => agree(drawn, 1000)),
      { seed: 20_251_026, numRuns: 60 },
    );
  });
});

describe("at the edges", () => {
  const amsterdam = "Europe/Amsterdam";
  const office = { hours: week("08:30", "17:00").slice(1, 6), holidays: [] };
  const at = (text: string) => parseMoment(text);

  test("SLA6: no calendar is around the clock, a calendar without hours is never", () => {
    const always = new ActiveTime(null, amsterdam);
    const never = new ActiveTime({ hours: [], holidays: [] }, amsterdam);
    const start = at("2025-06-07T23:00:00Z");
    expect(always.minutesBetween(start, start + 90 * minute + 59_999)).toBe(90);
    expect([always.isActive(start), always.nextActive(start), always.addMinutes(start, 0)]).toEqual([
      true,
      start,
      start,
    ]);
    expect([never.isActive(start), never.nextActive(start), never.minutesBetween(start, start * 2)]).toEqual([
      false,
      null,
      0,
    ]);
    expect([never.addMinutes(start, 0), never.addMinutes(start, 1), never.addBusinessDays(start, 1)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test("a holiday without an end in sight leaves no target", () => {
    const closed = new ActiveTime(
      { ...office, holidays: [{ start_at: "2025-06-02T00:00:00", end_at: "9999-12-31T23:59:59" }] },
      amsterdam,
    );
    expect(closed.addMinutes(at("2025-06-01T00:00:00Z"), 1)).toBe(null);
    expect(closed.minutesBetween(at("2025-05-26T00:00:00Z"), at("2930-06-01T00:00:00Z"))).toBe(5 * 510);
  });

  test("SLA9: a date with less than a minute left is not a business day", () => {
    const holidays = [{ start_at: "2025-06-03T08:30:59", end_at: "2025-06-04T00:00:00" }];
    const time = new ActiveTime({ ...office, holidays }, amsterdam);
    expect(time.addBusinessDays(at("2025-06-02T10:00:00+02:00"), 1)).toBe(at("2025-06-04T17:00:00+02:00"));
    expect(time.addMinutes(at("2025-06-03T08:30:00+02:00"), 1)).toBe(at("2025-06-04T08:30:01+02:00"));
  });

  test("SLA2: rows are converted one by one, and then merged", () => {
    // In Santiago 00:00 to 01:00 is skipped: 00:01 becomes 01:01, a minute after the other row has begun.
    const hours = [
      { weekday: "sun", time_from: "01:00", time_until: "24:00" },
      { weekday: "sun", time_from: "00:01", time_until: "24:00" },
    ] as const;
    const santiago = new ActiveTime({ hours, holidays: [] }, "America/Santiago");
    expect(santiago.nextActive(at("2025-09-06T12:00:00Z"))).toBe(at("2025-09-07T01:00:00-03:00"));
  });

  test("a date that a time zone skipped has no hours", () => {
    const samoa = new ActiveTime({ hours: week("09:00", "17:00"), holidays: [] }, "Pacific/Apia");
    const [thursday, saturday] = [at("2011-12-29T09:00:00-10:00"), at("2011-12-31T17:00:00+14:00")];
    expect(samoa.minutesBetween(thursday, saturday)).toBe(2 * 480);
    expect(samoa.addBusinessDays(thursday, 1)).toBe(saturday);
  });

  test("SLA3: years far ahead are counted like those before them, and holidays in them count", () => {
    for (const zone of [amsterdam, "Australia/Sydney", "Asia/Kolkata"])
      for (const year of [2128, 2200, 9000]) {
        const [from, until] = [`${year}-02-15T12:00`, `${year}-11-20T12:00`].map((wall) => momentOn(zone, wall)) as [
          Moment,
          Moment,
        ];
        for (const holidays of [[], [{ start_at: `${year}-03-30T10:00`, end_at: `${year}-04-02T10:00` }]]) {
          const fast = new ActiveTime({ hours: week("01:00", "09:30"), holidays }, zone);
          let minutes = 0;
          for (let days = 0; days < 290; days++) {
            const { date } = dateOf(zone, `${year}-02-14`, days);
            const [open, close] = [momentOn(zone, `${date}T01:00`), momentOn(zone, `${date}T09:30`)];
            const [away, back] = holidays.map(({ start_at, end_at }) => [
              momentOn(zone, start_at),
              momentOn(zone, end_at),
            ])[0] ?? [0, 0];
            for (let now = open; now < close; now += minute)
              if (now >= from && now < until && !(now >= (away as Moment) && now < (back as Moment))) minutes++;
          }
          expect(fast.minutesBetween(from, until), `${zone} ${year}`).toBe(minutes);
        }
      }
  });

  test("equal calendars are computed once", () => {
    expect(getActiveTime(office, amsterdam)).toBe(getActiveTime(structuredClone(office), amsterdam));
    expect(getActiveTime(office, amsterdam)).not.toBe(getActiveTime(office, "Etc/UTC"));
    expect(getActiveTime(null, amsterdam)).not.toBe(getActiveTime({ hours: [], holidays: [] }, amsterdam));
  });
});
