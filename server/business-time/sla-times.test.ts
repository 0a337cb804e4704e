import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { type ActiveTime, getActiveTime } from "./active-time.ts";
import type { Calendar, Holiday, Hours } from "./calendar.ts";
import { parseMoment } from "./moment.ts";
import {
  compareTargets,
  computeCompletionTarget,
  computeFollowUps,
  computeRequestTargets,
  getTargetColour,
  pickFollowUpSla,
  pickNextRequestTarget,
} from "./request-targets.ts";
import { computeNotificationMoment, computeResponseMoment, computeSlaTimes, type SlaFacts } from "./sla-times.ts";
import {
  closeStoppedPeriods,
  isStopped,
  mergePeriods,
  reopenStoppedPeriods,
  type StoppedPeriod,
  updateStoppedPeriods,
} from "./stopped-periods.ts";

// Every worked example of the SLA clock, under its number.

const amsterdam = "Europe/Amsterdam";
const weekdays = ["mon", "tue", "wed", "thu", "fri"] as const;
const everyDay = [...weekdays, "sat", "sun"] as const;
type Weekday = Hours["weekday"];
const rows = (days: readonly Weekday[], time_from: string, time_until: string): Hours[] =>
  days.map((weekday) => ({ weekday, time_from, time_until }));
const calendar = (hours: Hours[], ...holidays: [start_at: string, end_at: string][]): Calendar => ({
  hours,
  holidays: holidays.map(([start_at, end_at]): Holiday => ({ start_at, end_at })),
});

const officeHours = rows(weekdays, "08:30", "17:00");
const OFFICE = calendar(officeHours);
const SPLIT = calendar([...rows(weekdays, "08:00", "12:00"), ...rows(weekdays, "13:00", "17:00")]);
const ALL = calendar(rows(everyDay, "00:00", "24:00"));
const EXT = calendar(rows([...weekdays, "sat"], "06:00", "22:00"));
const NIGHT = calendar([
  ...rows(["sun"], "00:00", "06:00"),
  ...rows(["sun"], "22:00", "24:00"),
  ...rows(weekdays, "00:00", "06:00"),
  ...rows(["mon", "tue", "wed", "thu"], "22:00", "24:00"),
]);
const INDIA = calendar(rows(weekdays, "09:30", "18:30"));
const SVC = calendar([
  ...rows([...weekdays, "sat"], "00:00", "24:00"),
  ...rows(["sun"], "00:00", "05:00"),
  ...rows(["sun"], "12:00", "00:00"),
]);
const CHRISTMAS = calendar(officeHours, ["2025-12-25T00:00:00", "2025-12-27T00:00:00"]);
const NEW_YEAR = calendar(officeHours, ["2025-12-31T12:00:00", "2026-01-02T00:00:00"]);

const shown = (moment: number | null | string, zone = amsterdam): string | null =>
  typeof moment !== "number"
    ? moment
    : Temporal.Instant.fromEpochMilliseconds(moment)
        .toZonedDateTimeISO(zone)
        .toString({ timeZoneName: "never", smallestUnit: "second" });

const facts = (hours: ActiveTime, started_at: string, more: Partial<SlaFacts> = {}): SlaFacts => ({
  accountability: "provider",
  started_at: parseMoment(started_at),
  support_hours: hours,
  service_hours: null,
  maximum_response_duration: null,
  maximum_response_duration_in_days: null,
  maximum_resolution_duration: null,
  maximum_resolution_duration_in_days: null,
  stopped_periods: [],
  actual_response_at: null,
  actual_resolution_at: null,
  desired_completion_at: null,
  downtime_start_at: null,
  downtime_end_at: null,
  ...more,
});
const stop = (from: string, to: string | null): StoppedPeriod => ({
  from: parseMoment(from),
  to: to === null ? null : parseMoment(to),
  provider_not_accountable: false,
});

// biome-ignore format: the table of the reference
const minuteTargets: [name: string, Calendar, zone: string, started: string, number | null, number, string | null, string][] = [
  ["1 inside one day",             OFFICE,    amsterdam, "2025-06-03T09:15:00+02:00", 60, 240, "2025-06-03T10:15:00+02:00", "2025-06-03T13:15:00+02:00"],
  ["2 overnight, seconds kept",    OFFICE,    amsterdam, "2025-06-03T16:20:11+02:00", 30, 480, "2025-06-03T16:50:11+02:00", "2025-06-04T15:50:11+02:00"],
  ["3 weekend, closing time",      OFFICE,    amsterdam, "2025-06-06T16:00:00+02:00", 60, 240, "2025-06-06T17:00:00+02:00", "2025-06-09T11:30:00+02:00"],
  ["4a started on Saturday",       OFFICE,    amsterdam, "2025-06-07T11:00:00+02:00", 60, 510, "2025-06-09T09:30:00+02:00", "2025-06-09T17:00:00+02:00"],
  ["4b before opening",            OFFICE,    amsterdam, "2025-06-10T06:10:00+02:00", 60, 510, "2025-06-10T09:30:00+02:00", "2025-06-10T17:00:00+02:00"],
  ["4c exactly at closing",        OFFICE,    amsterdam, "2025-06-10T17:00:00+02:00", 60, 510, "2025-06-11T09:30:00+02:00", "2025-06-11T17:00:00+02:00"],
  ["5 two-day holiday",            CHRISTMAS, amsterdam, "2025-12-24T15:00:00+01:00", 60, 300, "2025-12-24T16:00:00+01:00", "2025-12-29T11:30:00+01:00"],
  ["6 part-day holiday",           NEW_YEAR,  amsterdam, "2025-12-31T10:30:00+01:00", 60, 240, "2025-12-31T11:30:00+01:00", "2026-01-02T11:00:00+01:00"],
  ["7 lunch break",                SPLIT,     "America/Chicago",  "2025-09-17T11:30:00-05:00", 60, 480, "2025-09-17T13:30:00-05:00", "2025-09-18T11:30:00-05:00"],
  ["8 clocks forward",             ALL,       amsterdam,          "2025-03-29T20:00:00+01:00", null, 1440, null, "2025-03-30T21:00:00+02:00"],
  ["9 clocks back",                ALL,       amsterdam,          "2025-10-25T20:00:00+02:00", null, 1440, null, "2025-10-26T19:00:00+01:00"],
  ["10a clocks back in a shift",   NIGHT,     "America/New_York", "2025-11-01T23:00:00-04:00", null, 420,  null, "2025-11-02T06:00:00-05:00"],
  ["10b clocks forward in a shift", NIGHT,    "America/New_York", "2025-03-09T00:00:00-05:00", null, 360,  null, "2025-03-09T23:00:00-04:00"],
  ["10c weekend with the change",  OFFICE,    amsterdam,          "2025-03-28T16:00:00+01:00", null, 120,  null, "2025-03-31T09:30:00+02:00"],
  ["18 half-hour zone",            INDIA,     "Asia/Kolkata",     "2025-06-03T11:40:00Z",      null, 120,  null, "2025-06-04T10:10:00+05:30"],
  ["19 southern hemisphere",       ALL,       "Australia/Sydney", "2025-10-04T23:30:00+10:00", null, 360,  null, "2025-10-05T06:30:00+11:00"],
  ["20 Saturday hours",            EXT,       amsterdam,          "2025-06-07T20:00:00+02:00", null, 180,  null, "2025-06-09T07:00:00+02:00"],
];

test.each(minuteTargets)(
  "%s",
  (_name, hours, zone, started, response, resolution, responseTarget, resolutionTarget) => {
    const durations = { maximum_response_duration: response, maximum_resolution_duration: resolution };
    const clock = computeSlaTimes(facts(getActiveTime(hours, zone), started, durations));
    expect([shown(clock.response_target_at, zone), shown(clock.resolution_target_at, zone)]).toEqual([
      responseTarget,
      resolutionTarget,
    ]);
  },
);

// biome-ignore format: the table of the reference
const dayTargets: [name: string, Calendar, zone: string, started: string, days: number, string][] = [
  ["14a Friday morning, 1 day",    OFFICE,    amsterdam, "2025-06-06T10:00:00+02:00", 1, "2025-06-09T17:00:00+02:00"],
  ["14a Friday morning, 3 days",   OFFICE,    amsterdam, "2025-06-06T10:00:00+02:00", 3, "2025-06-11T17:00:00+02:00"],
  ["14b Friday late, 1 day",       OFFICE,    amsterdam, "2025-06-06T16:45:00+02:00", 1, "2025-06-09T17:00:00+02:00"],
  ["14b Friday late, 3 days",      OFFICE,    amsterdam, "2025-06-06T16:45:00+02:00", 3, "2025-06-11T17:00:00+02:00"],
  ["14c Sunday night, 1 day",      OFFICE,    amsterdam, "2025-06-08T23:00:00+02:00", 1, "2025-06-09T17:00:00+02:00"],
  ["14c Sunday night, 3 days",     OFFICE,    amsterdam, "2025-06-08T23:00:00+02:00", 3, "2025-06-11T17:00:00+02:00"],
  ["14d Monday 01:00, 1 day",      OFFICE,    amsterdam, "2025-06-09T01:00:00+02:00", 1, "2025-06-10T17:00:00+02:00"],
  ["14d Monday 01:00, 3 days",     OFFICE,    amsterdam, "2025-06-09T01:00:00+02:00", 3, "2025-06-12T17:00:00+02:00"],
  ["14e over the holiday",         CHRISTMAS, amsterdam, "2025-12-23T16:00:00+01:00", 2, "2025-12-29T17:00:00+01:00"],
  ["14f half a holiday",           NEW_YEAR,  amsterdam, "2025-12-30T11:00:00+01:00", 1, "2025-12-31T12:00:00+01:00"],
  ["15a the local date decides",   ALL,       amsterdam, "2025-06-03T22:30:00Z",      1, "2025-06-06T00:00:00+02:00"],
  ["15b the same in New York",     ALL, "America/New_York", "2025-06-03T22:30:00Z",   1, "2025-06-05T00:00:00-04:00"],
];

test.each(dayTargets)("%s", (_name, hours, zone, started, days, target) => {
  const durations = { maximum_response_duration_in_days: days, maximum_resolution_duration_in_days: days };
  const clock = computeSlaTimes(facts(getActiveTime(hours, zone), started, durations));
  expect([shown(clock.response_target_at, zone), shown(clock.resolution_target_at, zone)]).toEqual([target, target]);
});

describe("stops", () => {
  const office = getActiveTime(OFFICE, amsterdam);
  const counted = (started: string, maximum: Partial<SlaFacts>, ...stopped_periods: StoppedPeriod[]) => {
    const clock = computeSlaTimes(facts(office, started, { ...maximum, stopped_periods }));
    return [shown(clock.resolution_target_at), clock.stopped_clock_duration];
  };

  test("SLA31: 11 inside a day", () => {
    const target = (...stops: StoppedPeriod[]) =>
      counted("2025-06-03T09:00:00+02:00", { maximum_resolution_duration: 240 }, ...stops);
    expect(target()).toEqual(["2025-06-03T13:00:00+02:00", 0]);
    expect(target(stop("2025-06-03T10:00:00+02:00", "2025-06-03T11:30:00+02:00"))).toEqual([
      "2025-06-03T14:30:00+02:00",
      90,
    ]);
  });

  test("SLA38: while the clock is stopped the target is unchanged, and the next target is clock_stopped", () => {
    const clock = computeSlaTimes(
      facts(office, "2025-06-03T09:00:00+02:00", {
        maximum_resolution_duration: 240,
        stopped_periods: [stop("2025-06-03T10:00:00+02:00", null)],
      }),
    );
    expect(shown(clock.resolution_target_at)).toBe("2025-06-03T13:00:00+02:00");
    expect(clock.next_target_at).toBe("clock_stopped");
    expect(shown(clock.stopped_clock_at)).toBe("2025-06-03T10:00:00+02:00");
  });

  test("12 over the weekend, and a second one", () => {
    const target = (...stops: StoppedPeriod[]) =>
      counted("2025-06-06T14:00:00+02:00", { maximum_resolution_duration: 480 }, ...stops);
    const first = stop("2025-06-06T15:30:00+02:00", "2025-06-09T10:00:00+02:00");
    const second = stop("2025-06-09T13:00:00+02:00", "2025-06-09T13:45:00+02:00");
    expect(target()).toEqual(["2025-06-09T13:30:00+02:00", 0]);
    expect(target(first)).toEqual(["2025-06-09T16:30:00+02:00", 180]);
    expect(target(first, second)).toEqual(["2025-06-10T08:45:00+02:00", 225]);
  });

  test("SLA41: 13 an impact that changes after a stop recalculates the stop", () => {
    const week = stop("2025-06-02T09:00:00+02:00", "2025-06-09T09:00:00+02:00");
    const started = "2025-06-02T08:45:00+02:00";
    const top = (...stopped_periods: StoppedPeriod[]) =>
      computeSlaTimes(
        facts(getActiveTime(ALL, amsterdam), started, { maximum_resolution_duration: 240, stopped_periods }),
      );
    expect(shown(top().resolution_target_at)).toBe("2025-06-02T12:45:00+02:00");
    expect(shown(top(week).resolution_target_at)).toBe("2025-06-09T12:45:00+02:00");
    expect(top(week).stopped_clock_duration).toBe(10_080);
    expect(counted(started, { maximum_resolution_duration: 480 }, week)).toEqual(["2025-06-09T16:45:00+02:00", 2550]);
  });

  test("SLA26: 16 business days and a stop", () => {
    const target = (...stops: StoppedPeriod[]) =>
      counted("2025-06-03T11:00:00+02:00", { maximum_resolution_duration_in_days: 2 }, ...stops);
    expect(target()).toEqual(["2025-06-05T17:00:00+02:00", 0]);
    expect(target(stop("2025-06-04T09:00:00+02:00", "2025-06-04T15:00:00+02:00"))).toEqual([
      "2025-06-06T14:30:00+02:00",
      360,
    ]);
  });

  test("SLA27: 17 completed and reopened", () => {
    const begun = (more: Partial<SlaFacts>) =>
      computeSlaTimes(facts(office, "2025-06-02T10:00:00+02:00", { maximum_resolution_duration: 960, ...more }));
    const [done, again, finally_] = [
      "2025-06-03T12:00:00+02:00",
      "2025-06-04T14:00:00+02:00",
      "2025-06-05T09:30:00+02:00",
    ].map(parseMoment) as [number, number, number];
    expect(shown(begun({}).resolution_target_at)).toBe("2025-06-04T09:00:00+02:00");
    const first = begun({ actual_resolution_at: done, stopped_periods: closeStoppedPeriods([], done) });
    expect([first.actual_resolution_duration, first.stopped_clock_duration, first.next_target_at]).toEqual([
      630,
      0,
      null,
    ]);
    const stopped_periods = reopenStoppedPeriods([], done, again, false);
    const reopenedClock = begun({ stopped_periods });
    expect([reopenedClock.stopped_clock_duration, shown(reopenedClock.resolution_target_at)]).toEqual([
      630,
      "2025-06-05T11:00:00+02:00",
    ]);
    const last = begun({ stopped_periods, actual_resolution_at: finally_ });
    expect([last.actual_resolution_duration, last.resolution_met]).toEqual([870, true]);
  });

  test("SLA43: a stop outside support hours counts nothing", () => {
    expect(
      counted(
        "2025-06-06T14:00:00+02:00",
        { maximum_resolution_duration: 60 },
        stop("2025-06-07T10:00:00+02:00", "2025-06-08T10:00:00+02:00"),
      ),
    ).toEqual(["2025-06-06T15:00:00+02:00", 0]);
  });

  test("SLA37: several simultaneous reasons are one stop, which ends when the last of them does", () => {
    const reasons = {
      status: "in_progress",
      accountability: "provider" as const,
      provider_not_accountable: false,
      task_not_accountable: false,
      passed_on: false,
    };
    expect(isStopped(reasons)).toBe(false);
    for (const status of ["waiting_for", "declined", "on_backlog", "workflow_pending", "reservation_pending"])
      expect(isStopped({ ...reasons, status })).toBe(false);
    for (const reason of [
      { status: "waiting_for_customer" },
      { accountability: "sla_not_affected" as const },
      { provider_not_accountable: true },
      { task_not_accountable: true },
      { passed_on: true },
    ])
      expect(isStopped({ ...reasons, ...reason })).toBe(true);
    let periods = updateStoppedPeriods([], 100, true, false);
    periods = updateStoppedPeriods(periods, 200, true, true);
    periods = updateStoppedPeriods(periods, 300, false, false);
    periods = updateStoppedPeriods(periods, 400, false, false);
    expect(periods).toEqual([{ from: 100, to: 300, provider_not_accountable: true }]);
    // completed while it waited, and reopened while it still has a reason: adjoining stops become one when they are over
    periods = updateStoppedPeriods(periods, 500, true, false);
    periods = reopenStoppedPeriods(closeStoppedPeriods(periods, 600), 600, 700, true);
    expect(periods.slice(1)).toEqual([
      { from: 500, to: 700, provider_not_accountable: false },
      { from: 700, to: null, provider_not_accountable: false },
    ]);
    expect(updateStoppedPeriods(periods, 800, false, false).at(-1)).toEqual({
      from: 500,
      to: 800,
      provider_not_accountable: false,
    });
    expect(
      mergePeriods([
        { from: 5, to: 9, provider_not_accountable: false },
        { from: 1, to: 5, provider_not_accountable: true },
        { from: 20, to: null, provider_not_accountable: false },
        { from: 2, to: 3, provider_not_accountable: false },
      ]),
    ).toEqual([
      { from: 1, to: 9, provider_not_accountable: true },
      { from: 20, to: null, provider_not_accountable: false },
    ]);
  });
});

test("SLA28: 21 downtime in service hours", () => {
  const hours = getActiveTime(SVC, "America/Chicago");
  const down = {
    downtime_start_at: parseMoment("2025-06-07T22:15:00-05:00"),
    downtime_end_at: parseMoment("2025-06-08T13:40:00-05:00"),
  };
  const clock = (more: Partial<SlaFacts>) =>
    computeSlaTimes(facts(hours, "2025-06-07T22:15:00-05:00", more)).downtime_duration;
  expect(clock({ ...down, service_hours: hours })).toBe(505);
  expect(clock(down)).toBe(null);
  expect(clock({ ...down, downtime_end_at: null, service_hours: hours })).toBe(null);
});

test("SLA5: 22 a time that does not exist, 23 a time that exists twice", () => {
  const minutesOf = (hours: Hours[], from: string, to: string) =>
    getActiveTime(calendar(hours), amsterdam).minutesBetween(parseMoment(from), parseMoment(to));
  const gap = rows(["sun"], "02:30", "06:00");
  expect(minutesOf(gap, "2025-03-30T00:00:00+01:00", "2025-03-31T00:00:00+02:00")).toBe(150);
  expect(shown(getActiveTime(calendar(gap), amsterdam).nextActive(parseMoment("2025-03-30T00:00:00+01:00")))).toBe(
    "2025-03-30T03:30:00+02:00",
  );
  const twice = rows(["sun"], "00:00", "02:30");
  expect(minutesOf(twice, "2025-10-26T00:00:00+02:00", "2025-10-27T00:00:00+01:00")).toBe(150);
  expect(minutesOf(twice, "2025-10-26T02:30:00+02:00", "2025-10-27T00:00:00+01:00")).toBe(0);
});

test("FU1: 24 follow-ups while waiting for the customer", () => {
  const entered = parseMoment("2025-06-04T15:20:00+02:00");
  expect(computeFollowUps(getActiveTime(OFFICE, amsterdam), entered, [5, 2]).map((moment) => shown(moment))).toEqual([
    "2025-06-06T17:00:00+02:00",
    "2025-06-11T17:00:00+02:00",
  ]);
  const sla = (resolution_target_at: number | null, accountability: "provider" | "sla_not_affected" = "provider") => ({
    resolution_target_at,
    accountability,
  });
  expect(pickFollowUpSla([sla(null), sla(30), sla(20), sla(10, "sla_not_affected")])).toEqual(sla(20));
  expect(pickFollowUpSla([sla(10, "sla_not_affected")])).toBe(null);
});

test("FU2: 25 a notification at 75 percent", () => {
  const office = getActiveTime(OFFICE, amsterdam);
  const sla = facts(office, "2025-06-03T09:15:00+02:00", { maximum_resolution_duration: 480 });
  expect(shown(computeNotificationMoment(sla, "resolution", 75))).toBe("2025-06-03T15:15:00+02:00");
  expect(shown(computeSlaTimes(sla).resolution_target_at)).toBe("2025-06-04T08:45:00+02:00");
  expect(computeNotificationMoment(sla, "resolution", 100)).toBe(computeSlaTimes(sla).resolution_target_at);
  expect(computeNotificationMoment(sla, "response", 75)).toBe(null);
  const stopped = { ...sla, stopped_periods: [stop("2025-06-03T10:00:00+02:00", null)] };
  expect(computeNotificationMoment(stopped, "resolution", 75)).toBe(null);
  const restarted = { ...sla, stopped_periods: [stop("2025-06-03T10:00:00+02:00", "2025-06-03T10:30:00+02:00")] };
  expect(shown(computeNotificationMoment(restarted, "resolution", 75))).toBe("2025-06-03T15:45:00+02:00");
});

test("a notification of a target in business days: all of it is the target, with a stop too", () => {
  const office = getActiveTime(OFFICE, amsterdam);
  const sla = facts(office, "2025-06-03T11:00:00+02:00", { maximum_resolution_duration_in_days: 2 });
  expect(shown(computeNotificationMoment(sla, "resolution", 100))).toBe("2025-06-05T17:00:00+02:00");
  expect(shown(computeNotificationMoment(sla, "resolution", 50))).toBe("2025-06-04T14:00:00+02:00"); // 1380 minutes in all: 690
  const stopped = { ...sla, stopped_periods: [stop("2025-06-04T09:00:00+02:00", "2025-06-04T15:00:00+02:00")] };
  expect(computeNotificationMoment(stopped, "resolution", 100)).toBe(computeSlaTimes(stopped).resolution_target_at);
});

test("26 when a task should be done", () => {
  const office = getActiveTime(OFFICE, amsterdam);
  const task = { assigned_at: parseMoment("2025-06-05T15:00:00+02:00"), start_at: null, planned_duration: 600 };
  const later = { ...task, start_at: parseMoment("2025-06-09T10:00:00+02:00") };
  expect(shown(computeCompletionTarget(office, task))).toBe("2025-06-06T16:30:00+02:00");
  expect(shown(computeCompletionTarget(office, later))).toBe("2025-06-10T11:30:00+02:00");
  expect(shown(computeCompletionTarget(getActiveTime(null, amsterdam), task))).toBe("2025-06-06T01:00:00+02:00");
  expect(computeCompletionTarget(office, { ...task, assigned_at: null })).toBe(null);
});

describe("next_target_at", () => {
  const office = getActiveTime(OFFICE, amsterdam);
  const desired = (text: string | null) => (text === null ? null : parseMoment(text));
  const example = (more: Partial<SlaFacts> = {}) =>
    facts(office, "2025-06-03T09:15:00+02:00", {
      maximum_response_duration: 60,
      maximum_resolution_duration: 240,
      ...more,
    });
  const answered = parseMoment("2025-06-03T09:30:00+02:00");
  const ofRequest = (status: string, wanted: string | null, slas: readonly SlaFacts[]) => {
    const seen = slas.map((sla) => ({
      ...sla,
      ...computeSlaTimes(sla),
      first_line_team: 1,
      support_team: 2,
      covers_requested_for: true,
    }));
    const targets = computeRequestTargets({ team: 2, team_of_template: null }, seen);
    return shown(pickNextRequestTarget({ status, desired_completion_at: desired(wanted) }, targets, seen));
  };
  const given = example({ actual_response_at: answered });

  // biome-ignore format: the table of the reference
  test.each([
    ["assigned",             null,                        [example()], "2025-06-03T10:15:00+02:00"],
    ["assigned",             "2025-06-03T10:00:00+02:00", [example()], "2025-06-03T10:00:00+02:00"],
    ["in_progress",          null,                        [given],     "2025-06-03T13:15:00+02:00"],
    ["in_progress",          "2025-06-05T17:00:00+02:00", [given],     "2025-06-05T17:00:00+02:00"],
    ["in_progress",          "2025-06-03T12:00:00+02:00", [given],     "2025-06-03T12:00:00+02:00"],
    ["waiting_for_customer", null,                        [{ ...given, stopped_periods: [stop("2025-06-03T10:00:00+02:00", null)] }], "clock_stopped"],
    ["waiting_for_customer", null,                        [example({ accountability: "sla_not_affected" })], "best_effort"],
    ["in_progress",          null,                        [],          "best_effort"],
    ["completed",            "2025-06-05T17:00:00+02:00", [given],     null],
    ["completed",            null,                        [example()], null],
  ])("SLA51 to SLA54, SLA56, SLA57: of a request that is %s, desired %s", (status, wanted, slas, expected) => {
    expect(ofRequest(status, wanted, slas)).toBe(expected);
  });

  test("SLA58: of an affected SLA", () => {
    const next = (more: Partial<SlaFacts>) => shown(computeSlaTimes(example(more)).next_target_at);
    const actual_response_at = answered;
    expect(next({})).toBe("2025-06-03T10:15:00+02:00");
    expect(next({ actual_response_at })).toBe("2025-06-03T13:15:00+02:00");
    expect(next({ actual_response_at, desired_completion_at: desired("2025-06-03T12:00:00+02:00") })).toBe(
      "2025-06-03T13:15:00+02:00",
    );
    expect(next({ actual_response_at, desired_completion_at: desired("2025-06-05T17:00:00+02:00") })).toBe(
      "2025-06-05T17:00:00+02:00",
    );
    expect(next({ stopped_periods: [stop("2025-06-03T10:00:00+02:00", null)] })).toBe("clock_stopped");
    expect(next({ accountability: "sla_not_affected" })).toBe(null);
    expect(next({ actual_resolution_at: answered })).toBe(null);
    expect(next({ actual_response_at, maximum_resolution_duration: null })).toBe("best_effort");
    expect(
      shown(
        computeSlaTimes(
          facts(getActiveTime(calendar([]), amsterdam), "2025-06-03T09:15:00Z", { maximum_resolution_duration: 5 }),
        ).next_target_at,
      ),
    ).toBe("best_effort");
  });

  test("SLA59: sorted: moments, stopped, best effort, none", () => {
    expect([null, "best_effort" as const, 20, "clock_stopped" as const, 10].sort(compareTargets)).toEqual([
      10,
      20,
      "clock_stopped",
      "best_effort",
      null,
    ]);
  });

  test("SLA61: colors", () => {
    const minutes = (n: number) => n * 60_000;
    const colours = [-1, 0, 19, 20, 59, 60].map((n) => getTargetColour(minutes(n), 0));
    expect(colours).toEqual(["red", "orange", "orange", "yellow", "yellow", "green"]);
    expect([getTargetColour(null, 0), getTargetColour("clock_stopped", 0)]).toEqual(["green", "green"]);
  });
});

test("SLA50: targets of a request: of its team, not yet answered, and those the requester may expect", () => {
  const sla = (more: object) => ({
    accountability: "provider" as const,
    actual_response_at: null,
    first_line_team: 1,
    support_team: 2,
    covers_requested_for: false,
    response_target_at: 50,
    resolution_target_at: 100,
    ...more,
  });
  const slas = [
    sla({}),
    sla({ response_target_at: 10, actual_response_at: 5, resolution_target_at: 90 }),
    sla({
      first_line_team: 8,
      support_team: 9,
      response_target_at: 1,
      resolution_target_at: 2,
      covers_requested_for: true,
    }),
    sla({
      accountability: "sla_not_affected",
      response_target_at: 0,
      resolution_target_at: 0,
      covers_requested_for: true,
    }),
  ];
  expect(computeRequestTargets({ team: 1, team_of_template: null }, slas)).toEqual({
    response_target_at: 50,
    resolution_target_at: 90,
    requester_resolution_target_at: 2,
  });
  expect(computeRequestTargets({ team: 7, team_of_template: null }, slas).resolution_target_at).toBe(null);
  expect(computeRequestTargets({ team: 7, team_of_template: 7 }, slas).resolution_target_at).toBe(2);
});

describe("the response", () => {
  const sla = { first_line_team: 1, support_team: 2, service_instance: 5, started_at: 100, actual_response_at: null };
  const saved = (more: object) => ({ status: "assigned", team: 1, service_instance: 5, ...more });

  test("SLA44: is given by a status that shows work, another team or another service instance", () => {
    for (const status of ["assigned", "accepted", "declined", "on_backlog"])
      expect(computeResponseMoment(sla, saved({ status }), 200)).toBe(null);
    for (const status of [
      "in_progress",
      "waiting_for",
      "workflow_pending",
      "completed",
      "waiting_for_customer",
      "reservation_pending",
      "project_pending",
    ])
      expect(computeResponseMoment(sla, saved({ status }), 200)).toBe(200);
    expect(computeResponseMoment(sla, saved({ team: 2 }), 200)).toBe(null);
    expect(computeResponseMoment(sla, saved({ team: null }), 200)).toBe(null);
    expect(computeResponseMoment(sla, saved({ team: 3 }), 200)).toBe(200);
    expect(computeResponseMoment(sla, saved({ service_instance: 6 }), 50)).toBe(100);
    expect(computeResponseMoment({ ...sla, actual_response_at: 150 }, saved({ status: "completed" }), 200)).toBe(150);
  });

  test("counts without the stops before it, and stops after it do not move its target", () => {
    const office = getActiveTime(OFFICE, amsterdam);
    const clock = (actual: string | null, ...stopped_periods: StoppedPeriod[]) =>
      computeSlaTimes(
        facts(office, "2025-06-03T09:00:00+02:00", {
          maximum_response_duration: 60,
          actual_response_at: actual === null ? null : parseMoment(actual),
          stopped_periods,
        }),
      );
    const early = stop("2025-06-03T09:30:00+02:00", "2025-06-03T09:50:00+02:00");
    const late = stop("2025-06-03T10:10:00+02:00", "2025-06-03T12:00:00+02:00");
    expect(shown(clock(null, early).response_target_at)).toBe("2025-06-03T10:20:00+02:00");
    const both = clock("2025-06-03T10:20:00+02:00", early, late);
    // until 10:20 it was stopped from 9:30 to 9:50 and from 10:10 on
    expect([shown(both.response_target_at), both.actual_response_duration, both.response_met]).toEqual([
      "2025-06-03T10:30:00+02:00",
      50,
      true,
    ]);
    expect(clock("2025-06-03T10:21:00+02:00", early).response_met).toBe(false);
    const during = clock("2025-06-03T10:30:00+02:00", stop("2025-06-03T10:00:00+02:00", null));
    expect(during.actual_response_duration).toBe(60);
  });

  test("SLA46: a desired completion that is later is what counts", () => {
    const office = getActiveTime(OFFICE, amsterdam);
    const clock = (desired: string | null) =>
      computeSlaTimes(
        facts(office, "2025-06-03T09:15:00+02:00", {
          maximum_resolution_duration: 60,
          actual_resolution_at: parseMoment("2025-06-03T12:00:00+02:00"),
          desired_completion_at: desired === null ? null : parseMoment(desired),
        }),
      ).resolution_met;
    expect([clock(null), clock("2025-06-03T10:00:00+02:00"), clock("2025-06-04T10:00:00+02:00")]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
