import { beforeAll, expect, test } from "vitest";
import { calendarHours, serviceAgreements } from "../support/records/service-agreements.ts";
import { world } from "../support/world.ts";

// Runs the worked examples of the SLA clock through the call behind "Simulate a request". Examples that aren't about a
// request's targets are tested elsewhere: 21 (downtime), 24 and 25 (reminders) and 26 (tasks).

const { as, sql } = await world();
const admin = as("administrator");
const { agreed, calendar, named } = serviceAgreements(admin);

const zones = {
  Amsterdam: "Amsterdam",
  Chicago: "Central Time (US & Canada)",
  NewYork: "Eastern Time (US & Canada)",
  Kolkata: "Kolkata",
  Sydney: "Sydney",
} as const;
const calendars = {
  ...(Object.fromEntries(
    Object.keys(calendarHours).map((name) => [name, () => named(name as keyof typeof calendarHours)]),
  ) as Record<keyof typeof calendarHours, () => Promise<{ id: number }>>),
  HOLIDAYS: () => calendar(["mon-fri 08:30-17:00"], [["2025-12-25T00:00:00", "2025-12-27T00:00:00"]]),
  PART_DAY: () => calendar(["mon-fri 08:30-17:00"], [["2025-12-31T12:00:00", "2026-01-02T00:00:00"]]),
  GAP: () => calendar(["sun 02:30-06:00"]),
  TWICE: () => calendar(["sun 00:00-02:30"]),
};
type Hours = keyof typeof calendars;

/** In minutes or days. */
type Target = number | `${number} days` | null;
type Event = readonly [at: string, status: string, impact?: string];
type Outcome = { response?: string; resolution: string; stopped?: number };
type Case = {
  hours: Hours;
  zone?: keyof typeof zones;
  at: string;
  targets: readonly [response: Target, resolution: Target];
  /** The events, and the expected response if nothing followed them. */
  steps: readonly (readonly [events: readonly Event[], outcome: Outcome])[];
};

const [waits, goesOn] = ["waiting_for_customer", "in_progress"];
const june = (text: string) => `2025-06-${text}:00+02:00`;
const plain = (
  hours: Hours,
  at: string,
  targets: Case["targets"],
  response: string | null,
  resolution: string,
  zone: keyof typeof zones = "Amsterdam",
): Case => ({
  ...{ hours, zone, at, targets },
  steps: [[[], { resolution, ...(response === null ? {} : { response }) }]],
});
const [firstStop, secondStop]: [Event[], Event[]] = [
  [
    [june("06T15:30"), waits],
    [june("09T10:00"), goesOn],
  ],
  [
    [june("09T13:00"), waits],
    [june("09T13:45"), goesOn],
  ],
];

// biome-ignore format: a table keeps its columns
const examples: Readonly<Record<string, Case>> = {
  "1":   plain("OFFICE", june("03T09:15"), [60, 240], june("03T10:15"), june("03T13:15")),
  "2":   plain("OFFICE", "2025-06-03T16:20:11+02:00", [30, 480], "2025-06-03T16:50:11+02:00", "2025-06-04T15:50:11+02:00"),
  "3":   plain("OFFICE", june("06T16:00"), [60, 240], june("06T17:00"), june("09T11:30")),
  "4a":  plain("OFFICE", june("07T11:00"), [60, 510], june("09T09:30"), june("09T17:00")),
  "4b":  plain("OFFICE", june("10T06:10"), [60, 510], june("10T09:30"), june("10T17:00")),
  "4c":  plain("OFFICE", june("10T17:00"), [60, 510], june("11T09:30"), june("11T17:00")),
  "5":   plain("HOLIDAYS", "2025-12-24T15:00:00+01:00", [60, 300], "2025-12-24T16:00:00+01:00", "2025-12-29T11:30:00+01:00"),
  "6":   plain("PART_DAY", "2025-12-31T10:30:00+01:00", [60, 240], "2025-12-31T11:30:00+01:00", "2026-01-02T11:00:00+01:00"),
  "7":   plain("SPLIT", "2025-09-17T11:30:00-05:00", [60, 480], "2025-09-17T13:30:00-05:00", "2025-09-18T11:30:00-05:00", "Chicago"),
  "8":   plain("ALL", "2025-03-29T20:00:00+01:00", [null, 1440], null, "2025-03-30T21:00:00+02:00"),
  "9":   plain("ALL", "2025-10-25T20:00:00+02:00", [null, 1440], null, "2025-10-26T19:00:00+01:00"),
  "10a": plain("NIGHT", "2025-11-01T23:00:00-04:00", [null, 420], null, "2025-11-02T06:00:00-05:00", "NewYork"),
  "10b": plain("NIGHT", "2025-03-09T00:00:00-05:00", [null, 360], null, "2025-03-09T23:00:00-04:00", "NewYork"),
  "10c": plain("OFFICE", "2025-03-28T16:00:00+01:00", [null, 120], null, "2025-03-31T09:30:00+02:00"),
  "11":  { hours: "OFFICE", at: june("03T09:00"), targets: [null, 240], steps: [
    [[], { resolution: june("03T13:00") }],
    [[[june("03T10:00"), waits], [june("03T11:30"), goesOn]], { resolution: june("03T14:30"), stopped: 90 }],
  ] },
  "12":  { hours: "OFFICE", at: june("06T14:00"), targets: [null, 480], steps: [
    [[], { resolution: june("09T13:30") }],
    [firstStop, { resolution: june("09T16:30"), stopped: 180 }],
    [[...firstStop, ...secondStop], { resolution: june("10T08:45"), stopped: 225 }],
  ] },
  "14a": plain("OFFICE", june("06T10:00"), ["1 days", "3 days"], june("09T17:00"), june("11T17:00")),
  "14b": plain("OFFICE", june("06T16:45"), ["1 days", "3 days"], june("09T17:00"), june("11T17:00")),
  "14c": plain("OFFICE", june("08T23:00"), ["1 days", "3 days"], june("09T17:00"), june("11T17:00")),
  "14d": plain("OFFICE", june("09T01:00"), ["1 days", "3 days"], june("10T17:00"), june("12T17:00")),
  "14e": plain("HOLIDAYS", "2025-12-23T16:00:00+01:00", [null, "2 days"], null, "2025-12-29T17:00:00+01:00"),
  "14f": plain("PART_DAY", "2025-12-30T11:00:00+01:00", [null, "1 days"], null, "2025-12-31T12:00:00+01:00"),
  "15a": plain("ALL", "2025-06-03T22:30:00Z", [null, "1 days"], null, "2025-06-06T00:00:00+02:00"),
  "15b": plain("ALL", "2025-06-03T22:30:00Z", [null, "1 days"], null, "2025-06-05T00:00:00-04:00", "NewYork"),
  "16":  { hours: "OFFICE", at: june("03T11:00"), targets: [null, "2 days"], steps: [
    [[], { resolution: june("05T17:00") }],
    [[[june("04T09:00"), waits], [june("04T15:00"), goesOn]], { resolution: june("06T14:30"), stopped: 360 }],
  ] },
  "17":  { hours: "OFFICE", at: june("02T10:00"), targets: [null, 960], steps: [
    [[], { resolution: june("04T09:00") }],
    [[[june("03T12:00"), "completed"], [june("04T14:00"), goesOn]], { resolution: june("05T11:00"), stopped: 630 }],
  ] },
  "18":  plain("INDIA", "2025-06-03T11:40:00Z", [null, 120], null, "2025-06-04T10:10:00+05:30", "Kolkata"),
  "19":  plain("ALL", "2025-10-04T23:30:00+10:00", [null, 360], null, "2025-10-05T06:30:00+11:00", "Sydney"),
  "20":  plain("EXT", june("07T20:00"), [null, 180], null, june("09T07:00")),
  // All minutes of a day on which the clocks change, and no more.
  "22":  plain("GAP", "2025-03-30T00:00:00+01:00", [null, 150], null, "2025-03-30T06:00:00+02:00"),
  "23":  plain("TWICE", "2025-10-26T00:00:00+02:00", [null, 150], null, "2025-10-26T02:30:00+02:00"),
};

/** One agreement for all examples: each example changes its offering first. */
let covered: Awaited<ReturnType<typeof agreed>>;
beforeAll(async () => {
  covered = await agreed();
});

const offer = async (members: Record<string, unknown>) => {
  const { status, text } = await admin.patch(`/service_offerings/${covered.offering.id}`, members);
  expect(status, text).toBe(200);
};
const toMembers = (part: "response" | "resolution", target: Target) => ({
  [`${part}_target_low`]: typeof target === "number" ? target : null,
  [`${part}_target_low_in_days`]: typeof target === "string" ? Number.parseInt(target, 10) : null,
});

async function simulate(at: string, events: readonly Event[], impact = "low"): Promise<Outcome> {
  const { status, body, text } = await admin.post("/sla_simulations", {
    ...{ requested_for_id: 5, service_instance_id: covered.instance.id, category: "incident", impact, at },
    events: events.map(([moment, next, changed]) => ({
      ...{ at: moment, status: next, ...(changed === undefined ? {} : { impact: changed }) },
    })),
  });
  expect(status, text).toBe(200);
  const [{ response, resolution, stopped }] = body;
  const sum = stopped.reduce((minutes: number, stop: { minutes: number }) => minutes + stop.minutes, 0);
  return { response: response.target_at, resolution: resolution.target_at, stopped: sum };
}

const moment = (text: string | undefined) => (text === undefined ? null : new Date(text).toISOString());

test("a simulation returns the results of the worked examples of the SLA clock", async () => {
  const kept = new Map<Hours, number>();
  for (const [number, { hours, zone = "Amsterdam", at, targets, steps }] of Object.entries(examples)) {
    if (!kept.has(hours)) kept.set(hours, (await calendars[hours]()).id);
    await offer({
      ...{ time_zone: zones[zone], support_hours_low_id: kept.get(hours) },
      ...{ ...toMembers("response", targets[0]), ...toMembers("resolution", targets[1]) },
    });
    for (const [events, { response, resolution, stopped = 0 }] of steps) {
      const found = await simulate(at, events);
      expect([number, moment(found.resolution), found.stopped]).toEqual([number, moment(resolution), stopped]);
      if (response !== undefined) expect([number, moment(found.response)]).toEqual([number, moment(response)]);
    }
  }
  expect(await sql("SELECT 1 FROM requests WHERE subject = '-'")).toEqual([]);
});

test("example 13: a new impact recounts the stops, in its own support hours", async () => {
  await offer({
    ...{ time_zone: "Amsterdam", support_hours_top_id: (await named("ALL")).id, resolution_target_top: 240 },
    ...{ support_hours_high_id: (await named("OFFICE")).id, resolution_target_high: 480 },
  });
  const at = june("02T08:45");
  const stop: Event[] = [
    [june("02T09:00"), waits],
    [june("09T09:00"), goesOn],
  ];
  const answers = [
    await simulate(at, [], "top"),
    await simulate(at, stop, "top"),
    await simulate(at, [...stop, [june("09T09:00"), goesOn, "high"]], "top"),
  ];
  expect(answers.map(({ resolution, stopped }) => [moment(resolution), stopped])).toEqual([
    [moment(june("02T12:45")), 0],
    [moment(june("09T12:45")), 10_080],
    [moment(june("09T16:45")), 2550],
  ]);
});
