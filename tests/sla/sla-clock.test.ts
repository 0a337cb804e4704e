import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { type Reply, world } from "../support/world.ts";

// The SLA clock over HTTP, with the numbers of the worked examples in the clock's own tests.

const { as, clock, sql, service, databaseUrl } = await world();
const admin = as("administrator");
const { make, agreed, request, affected, named, calendar } = serviceAgreements(admin);
const amsterdam = (text: string) => `2025-06-${text}+02:00`;
const change = async (made: { id: number }, members: Record<string, unknown>) => {
  const reply: Reply = await admin.patch(`/requests/${made.id}`, members);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
/** Emails that timers send, without the request's name. */
const loadEmails = async () => {
  await service.notificationDispatcher.runDue();
  const rows = await sql<{ recipient: string; subject: string }>(
    "SELECT recipient, subject FROM mails WHERE trigger ~ 'wfc|upcoming|desired' ORDER BY created_at, recipient, id",
  );
  return rows.map(({ recipient, subject }) => [recipient, subject.split(" – ")[0]]);
};
const jobs = (kind: string) => sql("SELECT key FROM jobs WHERE kind = $1", [kind]);

afterEach(async () => {
  await sql("DELETE FROM jobs");
  await sql("DELETE FROM mails");
  await sql("DELETE FROM notification_outbox");
});

describe("targets", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["1",   "OFFICE", "Amsterdam",                  "2025-06-03T09:15:00+02:00", 60, 240,   "2025-06-03T10:15:00+02:00", "2025-06-03T13:15:00+02:00"],
    ["2",   "OFFICE", "Amsterdam",                  "2025-06-03T16:20:11+02:00", 30, 480,   "2025-06-03T16:50:11+02:00", "2025-06-04T15:50:11+02:00"],
    ["3",   "OFFICE", "Amsterdam",                  "2025-06-06T16:00:00+02:00", 60, 240,   "2025-06-06T17:00:00+02:00", "2025-06-09T11:30:00+02:00"],
    ["4c",  "OFFICE", "Amsterdam",                  "2025-06-10T17:00:00+02:00", 60, 510,   "2025-06-11T09:30:00+02:00", "2025-06-11T17:00:00+02:00"],
    ["7",   "SPLIT",  "Central Time (US & Canada)", "2025-09-17T11:30:00-05:00", 60, 480,   "2025-09-17T13:30:00-05:00", "2025-09-18T11:30:00-05:00"],
    ["8",   "ALL",    "Amsterdam",                  "2025-03-29T20:00:00+01:00", null, 1440, null,                       "2025-03-30T21:00:00+02:00"],
    ["9",   "ALL",    "Amsterdam",                  "2025-10-25T20:00:00+02:00", null, 1440, null,                       "2025-10-26T19:00:00+01:00"],
    ["10c", "OFFICE", "Amsterdam",                  "2025-03-28T16:00:00+01:00", null, 120, null,                        "2025-03-31T09:30:00+02:00"],
    ["18",  "INDIA",  "Kolkata",                    "2025-06-03T11:40:00Z",      null, 120, null,                        "2025-06-04T10:10:00+05:30"],
    ["19",  "ALL",    "Sydney",                     "2025-10-04T23:30:00+10:00", null, 360, null,                        "2025-10-05T06:30:00+11:00"],
    ["20",  "EXT",    "Amsterdam",                  "2025-06-07T20:00:00+02:00", null, 180, null,                        "2025-06-09T07:00:00+02:00"],
  ] as const)("example %s", async (_example, hours, time_zone, start, response, resolution, responseAt, resolutionAt) => {
    const { instance } = await agreed({
      time_zone,
      support_hours_low_id: (await named(hours)).id,
      response_target_low: response,
      resolution_target_low: resolution,
    });
    await clock.moveTo(start);
    const [row] = await affected(await request(instance));
    const moment = (text: string | null) => (text === null ? null : Date.parse(text));
    expect([moment(row.response_target_at), moment(row.resolution_target_at)]).toEqual([moment(responseAt), moment(resolutionAt)]);
  });

  test("SLA3, SLA9: examples 5 and 14e: holidays, and business days across them", async () => {
    const holiday: [string, string] = ["2025-12-25T00:00:00", "2025-12-27T00:00:00"];
    const hours = await calendar(["mon-fri 08:30-17:00"], [holiday]);
    const offered = {
      support_hours_low_id: hours.id,
      response_target_low: 60,
      resolution_target_low: 300,
      support_hours_high_id: hours.id,
      resolution_target_high_in_days: 2,
    };
    const { instance } = await agreed(offered);
    await clock.moveTo("2025-12-24T15:00:00+01:00");
    expect(await request(instance)).toMatchObject({
      response_target_at: "2025-12-24T16:00:00+01:00",
      resolution_target_at: "2025-12-29T11:30:00+01:00",
    });
    await clock.moveTo("2025-12-23T16:00:00+01:00");
    expect(await request(instance, { impact: "high" })).toMatchObject({
      resolution_target_at: "2025-12-29T17:00:00+01:00",
    });
    // Another holiday takes effect immediately.
    const closed = await make("/holidays", {
      name: "H",
      start_at: "2025-12-29T00:00:00",
      end_at: "2025-12-30T00:00:00",
    });
    await admin.post(`/calendars/${hours.id}/holidays/${closed.id}`);
    expect((await request(instance, { impact: "high" })).resolution_target_at).toBe("2025-12-30T17:00:00+01:00");
  });

  test("SLA22: without a calendar support hours are 24x7; without minutes and days, or with an empty calendar, there is no target", async () => {
    const { instance } = await agreed({
      resolution_target_low: 90,
      resolution_target_high: 90,
      support_hours_high_id: (await calendar([])).id,
    });
    await clock.moveTo(amsterdam("03T23:00:00"));
    expect(await request(instance)).toMatchObject({ resolution_target_at: amsterdam("04T00:30:00") });
    for (const impact of ["medium", "high"])
      expect(await affected(await request(instance, { impact }))).toMatchObject([
        { response_target_at: null, resolution_target_at: null, next_target_at: "best_effort" },
      ]);
  });

  test("SLA28: example 21: downtime is counted in service hours, only for top impact", async () => {
    const { instance } = await agreed({
      time_zone: "Central Time (US & Canada)",
      service_hours_id: (await named("SVC")).id,
      resolution_target_top: 60,
    });
    const downtime = { downtime_start_at: "2025-06-07T22:15:00-05:00", downtime_end_at: "2025-06-08T13:40:00-05:00" };
    await clock.moveTo("2025-06-09T08:00:00Z");
    const made = await request(instance, { impact: "top" });
    expect((await affected(made))[0].downtime_duration).toBe(null);
    await change(made, downtime);
    expect((await affected(made))[0]).toMatchObject({ downtime_duration: 505 });
    await change(made, { impact: "high" });
    expect((await affected(made))[0]).toMatchObject({ downtime_duration: null, service_hours: null });
  });
});

const office = async (members: Record<string, unknown> = {}) => {
  const hours = (await named("OFFICE")).id;
  return agreed({ support_hours_low_id: hours, response_target_low: 60, resolution_target_low: 240, ...members });
};
const waits = { status: "waiting_for_customer", member_id: 3 };
const goesOn = { status: "in_progress" };

describe("stops", () => {
  test("SLA26: example 11: waiting for the customer within a day", async () => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    await clock.moveTo(amsterdam("03T10:00:00"));
    expect((await change(made, waits)).next_target_at).toBe("clock_stopped");
    expect(await affected(made)).toMatchObject([
      {
        next_target_at: "clock_stopped",
        stopped_clock_at: amsterdam("03T10:00:00"),
        actual_response_at: amsterdam("03T10:00:00"),
        actual_response_duration: 60,
        resolution_target_at: amsterdam("03T13:00:00"),
      },
    ]);
    await clock.moveTo(amsterdam("03T11:30:00"));
    expect((await change(made, goesOn)).next_target_at).toBe(amsterdam("03T14:30:00"));
    expect(await affected(made)).toMatchObject([
      { stopped_clock_at: null, stopped_clock_duration: 90, resolution_target_at: amsterdam("03T14:30:00") },
    ]);
  });

  test("SLA31: example 12: over the weekend, and a second time", async () => {
    const { instance } = await office({ resolution_target_low: 480 });
    await clock.moveTo(amsterdam("06T14:00:00"));
    const made = await request(instance);
    const target = async () => (await affected(made))[0].resolution_target_at;
    expect(await target()).toBe(amsterdam("09T13:30:00"));
    for (const [stop, start, then, stopped] of [
      ["06T15:30:00", "09T10:00:00", "09T16:30:00", 180],
      ["09T13:00:00", "09T13:45:00", "10T08:45:00", 225],
    ] as const) {
      await clock.moveTo(amsterdam(stop));
      await change(made, waits);
      await clock.moveTo(amsterdam(start));
      await change(made, goesOn);
      expect(await target()).toBe(amsterdam(then));
      expect((await affected(made))[0].stopped_clock_duration).toBe(stopped);
    }
  });

  test("SLA41: example 13: a new impact recounts the stops, in its own support hours", async () => {
    const { instance } = await agreed({
      support_hours_top_id: (await named("ALL")).id,
      resolution_target_top: 240,
      support_hours_high_id: (await named("OFFICE")).id,
      resolution_target_high: 480,
    });
    await clock.moveTo(amsterdam("02T08:45:00"));
    const made = await request(instance, { impact: "top" });
    await clock.moveTo(amsterdam("02T09:00:00"));
    await change(made, waits);
    await clock.moveTo(amsterdam("09T09:00:00"));
    await change(made, goesOn);
    expect(await affected(made)).toMatchObject([
      { stopped_clock_duration: 10080, resolution_target_at: amsterdam("09T12:45:00") },
    ]);
    await change(made, { impact: "high" });
    expect(await affected(made)).toMatchObject([
      { stopped_clock_duration: 2550, resolution_target_at: amsterdam("09T16:45:00") },
    ]);
  });

  test("example 16: the stopped time is added after the business days", async () => {
    const { instance } = await office({ resolution_target_low: null, resolution_target_low_in_days: 2 });
    await clock.moveTo(amsterdam("03T11:00:00"));
    const made = await request(instance);
    expect(made.resolution_target_at).toBe(amsterdam("05T17:00:00"));
    await clock.moveTo(amsterdam("04T09:00:00"));
    await change(made, waits);
    await clock.moveTo(amsterdam("04T15:00:00"));
    expect((await change(made, goesOn)).resolution_target_at).toBe(amsterdam("06T14:30:00"));
  });

  test("SLA35: example 17: completed, reopened, completed", async () => {
    const { instance } = await office({ resolution_target_low: 960 });
    await clock.moveTo(amsterdam("02T10:00:00"));
    const made = await request(instance);
    expect(made.resolution_target_at).toBe(amsterdam("04T09:00:00"));
    await clock.moveTo(amsterdam("03T12:00:00"));
    expect(await change(made, { status: "completed", member_id: 3 })).toMatchObject({ next_target_at: null });
    expect(await affected(made)).toMatchObject([
      { actual_resolution_at: amsterdam("03T12:00:00"), actual_resolution_duration: 630, next_target_at: null },
    ]);
    await clock.moveTo(amsterdam("04T14:00:00"));
    expect((await change(made, goesOn)).next_target_at).toBe(amsterdam("05T11:00:00"));
    expect(await affected(made)).toMatchObject([
      { actual_resolution_at: null, actual_resolution_duration: null, stopped_clock_duration: 630 },
    ]);
    await clock.moveTo(amsterdam("05T09:30:00"));
    await change(made, { status: "completed" });
    expect(await affected(made)).toMatchObject([
      { actual_resolution_duration: 870, stopped_clock_duration: 630, resolution_target_at: amsterdam("05T11:00:00") },
    ]);
  });

  test("SLA38: while the clock is stopped the targets keep their last value, even if one stop follows another", async () => {
    const { instance } = await office({ resolution_target_low: 240 });
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    const loadStop = async () => {
      const [row] = await affected(made);
      return [row.stopped_clock_at, row.stopped_clock_duration, row.resolution_target_at];
    };
    await change(made, { status: "waiting_for_customer", member_id: 3 });
    await clock.moveTo(amsterdam("03T10:00:00"));
    await change(made, goesOn);
    await change(made, { provider_not_accountable: true });
    expect(await loadStop()).toEqual([amsterdam("03T10:00:00"), 60, amsterdam("03T14:00:00")]);
    await clock.moveTo(amsterdam("03T11:00:00"));
    await change(made, { status: "completed", provider_not_accountable: false });
    await clock.moveTo(amsterdam("03T11:30:00"));
    await change(made, { status: "waiting_for_customer" });
    expect(await loadStop()).toEqual([amsterdam("03T11:30:00"), 150, amsterdam("03T15:30:00")]);
    await clock.moveTo(amsterdam("03T12:00:00"));
    await change(made, goesOn);
    expect(await loadStop()).toEqual([null, 180, amsterdam("03T16:00:00")]);
  });

  test("SLA32, SLA42: provider_not_accountable stops the clock, is recorded and added as notes; several reasons are one stop", async () => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    await clock.moveTo(amsterdam("03T10:00:00"));
    await change(made, { provider_not_accountable: true, status: "in_progress", member_id: 3 });
    expect(await affected(made)).toMatchObject([{ next_target_at: "clock_stopped", provider_not_accountable: true }]);
    await clock.moveTo(amsterdam("03T10:30:00"));
    await change(made, waits);
    await clock.moveTo(amsterdam("03T11:00:00"));
    expect(await change(made, { provider_not_accountable: false })).toMatchObject({
      provider_not_accountable: false,
      provider_was_not_accountable: true,
      next_target_at: "clock_stopped",
    });
    await clock.moveTo(amsterdam("03T11:30:00"));
    await change(made, goesOn);
    expect(await affected(made)).toMatchObject([
      {
        provider_not_accountable: false,
        provider_was_not_accountable: true,
        stopped_clock_duration: 90,
        resolution_target_at: amsterdam("03T14:30:00"),
      },
    ]);
    const notes = (await admin.get(`/requests/${made.id}/notes?sort=id`)).body;
    expect(notes.map((note: { medium: string; text: string }) => [note.medium, note.text])).toEqual([
      ["system", "The provider is not accountable."],
      ["system", "The provider is accountable again."],
    ]);
  });

  test("SLA33: an active task for which the provider isn't accountable stops the clock of the workflow's request", async () => {
    const { workflow, task, taskTemplate } = workflowHelpers(admin);
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const flow = await workflow();
    const template = await taskTemplate({ provider_not_accountable: true });
    const step = await task(flow, { template_id: template.id, status: "registered" });
    expect(step.provider_not_accountable).toBe(true);
    await task(flow, { status: "registered" }); // keeps the workflow and the request open
    const made = await request(instance, { workflow_id: flow.id, status: "workflow_pending", member_id: 3 });
    expect(await affected(made)).toMatchObject([{ stopped_clock_at: null, next_target_at: amsterdam("03T13:00:00") }]);
    await clock.moveTo(amsterdam("03T10:00:00"));
    await admin.patch(`/tasks/${step.id}`, { status: "assigned" });
    expect(await affected(made)).toMatchObject([{ next_target_at: "clock_stopped", provider_not_accountable: true }]);
    await clock.moveTo(amsterdam("03T10:45:00"));
    await admin.patch(`/tasks/${step.id}`, { status: "completed" });
    expect(await affected(made)).toMatchObject([
      { stopped_clock_duration: 45, provider_not_accountable: false, provider_was_not_accountable: true },
    ]);
    expect((await admin.get(`/requests/${made.id}`)).body).toMatchObject({
      resolution_target_at: amsterdam("03T13:45:00"),
      next_target_at: amsterdam("03T13:45:00"),
      provider_was_not_accountable: true,
    });
    expect((await admin.get(`/requests/${made.id}/notes`)).body).toHaveLength(2);
  });

  test("a change by another process takes effect with its notification", async () => {
    const { instance, offering } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    expect((await request(instance)).resolution_target_at).toBe(amsterdam("03T13:00:00"));
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    await other.query("UPDATE service_offerings SET resolution_target_low = 300 WHERE id = $1", [offering.id]);
    expect((await request(instance)).resolution_target_at).toBe(amsterdam("03T13:00:00"));
    await other.query("NOTIFY agreements_changed");
    await other.end();
    await expect.poll(async () => (await request(instance)).resolution_target_at).toBe(amsterdam("03T14:00:00"));
  });

  test.each(["waiting_for", "declined", "on_backlog"])("SLA40: %s doesn't stop it", async (status) => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    const wait = status === "waiting_for" ? { waiting_until: amsterdam("04T09:00:00"), member_id: 3 } : {};
    await change(made, { status, ...wait });
    expect(await affected(made)).toMatchObject([{ stopped_clock_at: null }]);
  });

  test("SLA43: a stop outside support hours counts nothing", async () => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    await clock.moveTo(amsterdam("03T18:00:00"));
    await change(made, waits);
    await clock.moveTo(amsterdam("03T23:00:00"));
    await change(made, goesOn);
    expect(await affected(made)).toMatchObject([
      { stopped_clock_duration: 0, resolution_target_at: amsterdam("03T13:00:00") },
    ]);
  });
});

describe("response", () => {
  const respondBy = async (members: Record<string, unknown>) => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    await clock.moveTo(amsterdam("03T09:20:00"));
    await change(made, members);
    return (await affected(made))[0].actual_response_at;
  };
  test.each([
    ["in_progress", true],
    ["waiting_for_customer", true],
    ["completed", true],
    ["accepted", false],
    ["declined", false],
    ["on_backlog", false],
  ])("SLA44: status %s: %s", async (status, expected) => {
    expect(await respondBy({ status, member_id: 3 })).toBe(expected ? amsterdam("03T09:20:00") : null);
  });
  test("SLA45: assigning a team other than the service instance's counts as a response", async () => {
    expect(await respondBy({ team_id: 2 })).toBe(amsterdam("03T09:20:00"));
  });
});

describe("next_target_at", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["assigned, no response",             {},                                     null,           "03T10:15:00",  "03T10:15:00"],
    ["assigned, desired earlier",         {},                                     "03T10:00:00",  "03T10:00:00",  "03T10:15:00"],
    ["in progress",                       { status: "in_progress", member_id: 3 }, null,          "03T13:15:00",  "03T13:15:00"],
    ["in progress, desired later",        { status: "in_progress", member_id: 3 }, "05T17:00:00", "05T17:00:00",  "05T17:00:00"],
    ["in progress, desired earlier",      { status: "in_progress", member_id: 3 }, "03T12:00:00", "03T12:00:00",  "03T13:15:00"],
    ["waiting for customer",              waits,                                  null,           "clock_stopped", "clock_stopped"],
    ["completed",                         { status: "completed", member_id: 3 },  "05T17:00:00",  null,           null],
  ])("%s", async (_state, members, desired, ofRequest, ofSla) => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:15:00"));
    const made = await request(instance);
    const format = (text: string | null) => (text?.includes("T") ? amsterdam(text) : text);
    await change(made, { ...members, desired_completion_at: format(desired) });
    expect((await admin.get(`/requests/${made.id}`)).body.next_target_at).toBe(format(ofRequest));
    expect((await affected(made))[0].next_target_at).toBe(format(ofSla));
  });

  test("SLA55: without an affected SLA, waiting for the customer is best effort, and only the responsible team's target is shown", async () => {
    const alone = await request(null, { team_id: 1 });
    expect((await change(alone, waits)).next_target_at).toBe("best_effort");
    const { instance } = await office();
    const made = await request(instance);
    expect(await change(made, { team_id: 2 })).toMatchObject({
      resolution_target_at: null,
      next_target_at: "best_effort",
    });
    expect((await admin.get(`/requests/${made.id}`)).body.requester_resolution_target_at).not.toBe(null);
  });
});

describe("lists by next_target_at", () => {
  test("SLA59: sorting: timestamps, stopped clocks, best effort, none; filters accept timestamps and words", async () => {
    const { instance } = await office();
    await clock.moveTo(amsterdam("03T09:15:00"));
    const subject = `Sorted ${Math.random()}`;
    const create = async (members: Record<string, unknown>, then?: Record<string, unknown>) => {
      const one = await request(members.none === true ? null : instance, { subject, ...members });
      if (then !== undefined) await change(one, then);
      return one.id as number;
    };
    const none = await create({}, { status: "completed", member_id: 3 });
    const effort = await create({ none: true });
    const stopped = await create({}, waits);
    const late = await create({}, { status: "in_progress", member_id: 3 });
    const soon = await create({});
    const order = [soon, late, stopped, effort, none];
    const listIds = async (query: string) =>
      (await admin.get(`/requests?subject=${encodeURIComponent(subject)}&${query}`)).body.map(
        (row: { id: number }) => row.id,
      );
    expect(await listIds("sort=next_target_at")).toEqual(order);
    expect(await listIds("sort=-next_target_at")).toEqual(order.toReversed());
    expect(await listIds("sort=next_target_at&per_page=2&page=2")).toEqual([stopped, effort]);
    expect(await listIds("next_target_at=clock_stopped")).toEqual([stopped]);
    expect(await listIds("next_target_at=best_effort")).toEqual([effort]);
    expect(await listIds("next_target_at=no_target")).toEqual([none]);
    expect(await listIds(`next_target_at=${encodeURIComponent("<2025-06-03T12:00:00+02:00")}`)).toEqual([soon]);
    expect(await listIds(`next_target_at=${encodeURIComponent(">2025-06-03T12:00:00+02:00")}`)).toEqual([late]);
  });
});

describe("desired completion", () => {
  test("R34: the template sets it, in its support hours; the requester is notified of it, and of every change", async () => {
    const template = await make("/request_templates", {
      subject: "New laptop",
      category: "rfc",
      service_id: 1,
      desired_completion: 600,
      support_hours_id: (await named("OFFICE")).id,
      time_zone: "Amsterdam",
    });
    await clock.moveTo(amsterdam("03T15:00:00"));
    const made = await request(null, { category: "rfc", template_id: template.id, requested_by_id: 5 });
    expect(made).toMatchObject({
      desired_completion_at: amsterdam("04T16:30:00"),
      next_target_at: amsterdam("04T16:30:00"),
    });
    await change(made, { desired_completion_at: null });
    await service.notificationDispatcher.runDue();
    const past = await admin.patch(`/requests/${made.id}`, { desired_completion_at: amsterdam("02T09:00:00") });
    expect(past.body.errors).toEqual([["desired_completion_at", "Desired completion must be in the future"]]);
    expect(
      (await sql("SELECT html FROM mails WHERE recipient LIKE 'rita%' AND record_id = $1 ORDER BY id", [made.id])).map(
        ({ html }) => html,
      ),
    ).toEqual([
      expect.stringContaining("uiterlijk 4 juni 2025 om 16:30 zijn afgerond"),
      expect.stringContaining("heeft geen gewenste afronding meer"),
    ]);
  });
});

describe("notification rules", () => {
  const createScheme = async (...rules: Record<string, unknown>[]) => {
    const made = await make("/sla_notification_schemes", { name: `Scheme ${Math.random()}` });
    for (const rule of rules) await make(`/sla_notification_schemes/${made.id}/sla_notification_rules`, rule);
    return made;
  };

  test("FU2: example 25: each rule notifies its recipients once at its percentage", async () => {
    await admin.patch("/teams/1", { manager_id: 9, coordinator_id: 3 });
    const resolution = await createScheme(
      { threshold_percentage: 75, notify_current_assignee: true, notify_support_team_manager: true },
      { threshold_percentage: 100, notify_first_line_team_coordinator: true },
    );
    const response = await createScheme({ threshold_percentage: 50, notify_support_team_manager: true });
    const { instance } = await office({
      resolution_target_low: 480,
      resolution_target_notification_scheme_low_id: resolution.id,
      response_target_notification_scheme_low_id: response.id,
    });
    await clock.moveTo(amsterdam("03T09:15:00"));
    const made = await request(instance, { member_id: 3 });
    const [, short] = [made, `Request ${made.id}`];
    await clock.moveTo(amsterdam("03T09:44:59"));
    expect(await loadEmails()).toEqual([]);
    await clock.moveTo(amsterdam("03T09:45:00"));
    expect(await loadEmails()).toEqual([["mia@widget.example", `${short}: 50% of response time used`]]);
    await change(made, goesOn);
    await clock.moveTo(amsterdam("03T15:14:59"));
    expect(await loadEmails()).toHaveLength(1);
    await clock.moveTo(amsterdam("03T15:15:00"));
    expect((await loadEmails()).slice(1)).toEqual([
      ["mia@widget.example", `${short}: 75% of resolution time used`],
      ["sam@widget.example", `${short}: 75% of resolution time used`],
    ]);
    await clock.moveTo(amsterdam("04T08:45:00"));
    expect((await loadEmails()).slice(3)).toEqual([["sam@widget.example", `${short}: 100% of resolution time used`]]);
    expect(await jobs("sla notification")).toEqual([]);
  });

  test("FU2: the notifications pause while the clock is stopped, move with the target, and end with the request", async () => {
    const resolution = await createScheme({ threshold_percentage: 50, notify_support_team_manager: true });
    const { instance } = await office({ resolution_target_notification_scheme_low_id: resolution.id });
    await clock.moveTo(amsterdam("03T09:00:00"));
    const made = await request(instance);
    expect(await jobs("sla notification")).toHaveLength(1);
    await clock.moveTo(amsterdam("03T10:00:00"));
    await change(made, waits);
    expect(await jobs("sla notification")).toEqual([]);
    await clock.moveTo(amsterdam("03T12:00:00"));
    expect(await loadEmails()).toEqual([]);
    await change(made, goesOn);
    await clock.moveTo(amsterdam("03T12:59:59"));
    expect(await loadEmails()).toEqual([]);
    await clock.moveTo(amsterdam("03T13:00:00"));
    expect(await loadEmails()).toHaveLength(1);
    // Only one notification is sent, even if the target moves away again.
    await change(made, waits);
    await clock.moveTo(amsterdam("04T13:00:00"));
    await change(made, goesOn);
    await clock.moveTo(amsterdam("06T13:00:00"));
    expect(await loadEmails()).toHaveLength(1);
    const other = await request(instance);
    await change(other, { status: "completed", member_id: 3 });
    expect(await jobs("sla notification")).toEqual([]);
  });
});

describe("waiting-for-customer follow-ups", () => {
  const createFollowedAgreement = async (members: Record<string, unknown>, ...days: number[]) => {
    const made = await make("/waiting_for_customer_follow_ups", { name: `Follow-up ${Math.random()}`, ...members });
    for (const nr_of_business_days of days)
      await make(`/waiting_for_customer_follow_ups/${made.id}/waiting_for_customer_rules`, { nr_of_business_days });
    const agreement = await office({ waiting_for_customer_follow_up_id: made.id });
    await clock.moveTo(amsterdam("04T15:20:00"));
    return { ...agreement, followUp: made };
  };
  const remind = (made: { id: number }) => [
    "rita@widget.example",
    `Aanvraag ${made.id}: herinnering: uw antwoord is nodig`,
  ];
  const end = (made: { id: number }) => ["rita@widget.example", `Aanvraag ${made.id}: gesloten zonder antwoord`];
  const asked = { requested_by_id: 5 };

  test("example 24, R11 and R12: reminders after 2 and 5 business days, then completion", async () => {
    const { instance } = await createFollowedAgreement({ auto_complete: true }, 5, 2);
    const made = await request(instance, asked);
    await change(made, waits);
    await clock.moveTo(amsterdam("06T16:59:59"));
    expect(await loadEmails()).toEqual([]);
    await clock.moveTo(amsterdam("06T17:00:00"));
    expect(await loadEmails()).toEqual([remind(made)]);
    await clock.moveTo(amsterdam("11T16:59:59"));
    expect((await admin.get(`/requests/${made.id}`)).body.status).toBe("waiting_for_customer");
    await clock.moveTo(amsterdam("11T17:00:00"));
    expect(await loadEmails()).toEqual([remind(made), end(made)]);
    expect((await admin.get(`/requests/${made.id}`)).body).toMatchObject({
      status: "completed",
      completion_reason: "no_reply",
      completed_at: amsterdam("11T17:00:00"),
    });
    const [note] = (await admin.get(`/requests/${made.id}/notes`)).body;
    expect(note).toMatchObject({ medium: "system", text: "Completed because no reply was received." });
    expect(note.person).toBeUndefined();
    expect(await affected(made)).toMatchObject([
      { actual_resolution_at: amsterdam("11T17:00:00"), stopped_clock_at: null },
    ]);
  });

  test("without auto_complete it keeps waiting", async () => {
    const { instance } = await createFollowedAgreement({}, 1);
    const made = await request(instance, asked);
    await change(made, waits);
    await clock.moveTo(amsterdam("20T17:00:00"));
    expect(await loadEmails()).toEqual([remind(made)]);
    expect((await admin.get(`/requests/${made.id}`)).body.status).toBe("waiting_for_customer");
  });

  test("a reply ends it, and the next wait counts the days from the start", async () => {
    const { instance } = await createFollowedAgreement({ auto_complete: true }, 2);
    const made = await request(instance, asked);
    await change(made, waits);
    await change(made, goesOn);
    expect(await jobs("waiting-for-customer follow-up")).toEqual([]);
    await clock.moveTo(amsterdam("06T10:00:00"));
    await change(made, waits);
    await clock.moveTo(amsterdam("06T17:00:00"));
    expect(await loadEmails()).toEqual([]);
    await clock.moveTo(amsterdam("10T17:00:00"));
    expect((await admin.get(`/requests/${made.id}`)).body.status).toBe("completed");
  });

  test("R9: only a note by the customer ends the waiting", async () => {
    const { instance } = await createFollowedAgreement({ auto_complete: true }, 2);
    const [rita, sam] = [as("requester"), as("specialist")];
    const made = await request(instance, asked);
    const loadStatus = async () => (await admin.get(`/requests/${made.id}`)).body.status;
    await change(made, waits);
    await sam.post(`/requests/${made.id}/notes`, { text: "Any news?" });
    expect(await loadStatus()).toBe("waiting_for_customer");
    expect((await rita.post(`/requests/${made.id}/notes`, { text: "It is the blue one." })).status).toBe(201);
    expect(await loadStatus()).toBe("assigned");
    expect(await affected(made)).toMatchObject([{ stopped_clock_at: null }]);
    expect(await jobs("waiting-for-customer follow-up")).toEqual([]);
  });

  test("FU1: a disabled follow-up does nothing, and neither does a request without an affected SLA", async () => {
    const { instance, followUp } = await createFollowedAgreement({ auto_complete: true }, 1);
    const [made, alone] = [await request(instance, asked), await request(null, { team_id: 1 })];
    await change(made, waits);
    await change(alone, waits);
    await admin.patch(`/waiting_for_customer_follow_ups/${followUp.id}`, { disabled: true });
    await clock.moveTo(amsterdam("20T17:00:00"));
    expect(await loadEmails()).toEqual([]);
    expect((await admin.get(`/requests/${made.id}`)).body.status).toBe("waiting_for_customer");
  });
});
