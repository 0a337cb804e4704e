import { beforeAll, describe, expect, test } from "vitest";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { type Reply, world } from "../support/world.ts";

// Time entries, allocations, timesheets and out-of-office periods: TE1 to TE7.

const { as, sql } = await world();
const admin = as("administrator");
const listInvalidFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;
type Members = Record<string, unknown>;

async function create(path: string, members: Members) {
  const { status, body, text } = await admin.post(path, members);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}
let people = 0;
const createOrganization = async () => create("/organizations", { name: `Works ${++people}` });
const createPerson = async (organization_id: number, members: Members = {}) =>
  create("/people", { name: `P${++people}`, primary_email: `t${people}@widget.example`, organization_id, ...members });

const createTeam = () => create("/teams", { name: "Helpers" });

let service: { id: number };
beforeAll(async () => {
  service = await create("/services", { name: "Help", provider_id: 6 });
});
const postEntry = (members: Members) =>
  admin.post("/time_entries", {
    date: "2025-03-03",
    time_spent: 60,
    service_id: service.id,
    customer_id: 6,
    ...members,
  });

describe("time entries", () => {
  test("person, date and time_spent are required, and so are service and customer unless they are derived", async () => {
    expect(listInvalidFields(await admin.post("/time_entries", {}))).toEqual(["date", "time_spent", "person"]);
    expect(
      listInvalidFields(await admin.post("/time_entries", { person_id: 1, date: "2025-03-03", time_spent: 5 })),
    ).toEqual(["service", "customer"]);
  });

  test("the organization is the person's, whatever the call sends, and doesn't change later", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const { body } = await postEntry({ person_id, organization_id: 6 });
    expect(body.organization.id).toBe(home);
    await admin.patch(`/people/${person_id}`, { organization_id: 6 });
    expect((await admin.patch(`/time_entries/${body.id}`, { time_spent: 30 })).body.organization.id).toBe(home);
  });

  test("TE1: cost is the time at the rate of the person and the effort class", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home, { cost_per_hour: 80, cost_per_hour_currency: "usd" });
    const double = await create("/effort_classes", { name: "Night", cost_multiplier: 2 });
    const { body } = await postEntry({ person_id, time_spent: 90 });
    expect(body).toMatchObject({ cost: 120, cost_currency: "usd", effort_class: null });
    const changed = await admin.patch(`/time_entries/${body.id}`, { effort_class_id: double.id });
    expect(changed.body.cost).toBe(240);
    expect((await as("specialist").get(`/time_entries/${body.id}`)).body.cost).toBeNull();
  });

  test("TE1: the record it was spent on determines service and customer, and there is at most one", async () => {
    const instance = await create("/service_instances", { name: "Help desk", service_id: service.id });
    const request = await create("/requests", {
      category: "incident",
      subject: "Help",
      requested_for_id: 5,
      service_instance_id: instance.id,
    });
    const problem = await create("/problems", {
      subject: "Again",
      service_id: service.id,
      team_id: (await createTeam()).id,
    });
    const spent = { person_id: 1, date: "2025-03-03", time_spent: 15 };
    expect(await create("/time_entries", { ...spent, request_id: request.id })).toMatchObject({
      request: { id: request.id },
      service: { id: service.id },
      customer: { id: 3 },
      service_instance: { id: instance.id },
    });
    expect(await create("/time_entries", { ...spent, problem_id: problem.id })).toMatchObject({
      problem: { id: problem.id },
      service: { id: service.id },
      customer: { id: 1 },
    });
    expect(listInvalidFields(await postEntry({ ...spent, request_id: request.id, problem_id: problem.id }))).toEqual([
      "problem",
    ]);
  });

  test("TE2: negative time is a correction", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    expect(listInvalidFields(await postEntry({ person_id, time_spent: -5 }))).toEqual(["time_spent"]);
    expect((await postEntry({ person_id, time_spent: -5, correction: true })).status).toBe(201);
  });

  test("TE2: a deleted entry is kept and marked as deleted", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const { body } = await postEntry({ person_id });
    expect((await admin.delete(`/time_entries/${body.id}`)).status).toBe(204);
    expect((await admin.get(`/time_entries/${body.id}`)).body.deleted).toBe(true);
    expect((await admin.get(`/time_entries?person_id=${person_id}&deleted=true`)).body).toHaveLength(1);
  });
});

describe("time allocations", () => {
  test("the categories have defaults, and localized names fall back", async () => {
    expect(await create("/time_allocations", { name: "Training", group: "Inside" })).toMatchObject({
      customer_category: "none",
      service_category: "none",
      description_category: "hidden",
      localized_name: "Training",
      localized_group: "Inside",
    });
  });

  test("an entry follows its allocation: organization, customer, service, description, effort class", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const effort = await create("/effort_classes", { name: "Course" });
    const { id } = await create("/time_allocations", {
      name: "Sales support",
      group: "Outside",
      customer_category: "selected",
      service_category: "any",
      description_category: "required",
      effort_class_id: effort.id,
    });
    const spend = (members: Members) =>
      admin.post("/time_entries", {
        person_id,
        date: "2025-03-03",
        time_spent: 60,
        time_allocation_id: id,
        ...members,
      });
    const full = { service_id: service.id, customer_id: 6, description: "Demo" };
    expect(listInvalidFields(await spend(full))).toEqual(["time_allocation", "customer"]);
    await admin.post(`/time_allocations/${id}/organizations/${home}`);
    await admin.post(`/time_allocations/${id}/customers/6`);
    expect((await admin.get(`/organizations/${home}/time_allocations/enabled`)).body).toMatchObject([{ id }]);
    expect(listInvalidFields(await spend({}))).toEqual(["service", "customer", "description"]);
    const { status, body } = await spend(full);
    expect([status, body.effort_class.id]).toEqual([201, effort.id]);
    expect(body.time_allocation).toMatchObject({
      id,
      name: "Sales support",
      group: "Outside",
      localized_name: "Sales support",
      localized_group: "Outside",
    });
    await admin.patch(`/time_allocations/${id}`, { customer_category: "none" });
    expect(listInvalidFields(await spend(full))).toEqual(["customer"]);
  });
});

describe("timesheet settings", () => {
  const createSettings = (members: Members = {}) => create("/timesheet_settings", { name: `T${++people}`, ...members });

  test("the unit selects the increment, and the other increment is empty", async () => {
    expect(await createSettings()).toMatchObject({
      unit: "hours_and_minutes",
      time_increment: 60,
      percentage_increment: null,
      workday: 480,
      workweek: 2400,
      allow_workday_overtime: true,
      require_note: false,
    });
    const { id, ...rest } = await createSettings({ unit: "percentage_of_workday", time_increment: 15 });
    expect(rest).toMatchObject({ time_increment: null, percentage_increment: "12.5" });
    expect((await admin.patch(`/timesheet_settings/${id}`, { unit: "hours_and_minutes" })).body).toMatchObject({
      time_increment: 60,
      percentage_increment: null,
    });
    expect(listInvalidFields(await admin.post("/timesheet_settings", { name: "x", time_increment: 7 }))).toEqual([
      "time_increment",
    ]);
    expect(listInvalidFields(await admin.post("/timesheet_settings", {}))).toEqual(["name"]);
  });

  test("an organization has at most one", async () => {
    const { id: home } = await createOrganization();
    const [one, other] = [await createSettings(), await createSettings()];
    expect((await admin.post(`/timesheet_settings/${one.id}/organizations/${home}`)).status).toBe(200);
    expect((await admin.post(`/timesheet_settings/${one.id}/organizations/${home}`)).status).toBe(200);
    expect((await admin.post(`/timesheet_settings/${other.id}/organizations/${home}`)).status).toBe(422);
    expect((await admin.get(`/timesheet_settings/${other.id}/organizations`)).body).toEqual([]);
    await admin.delete(`/timesheet_settings/${one.id}/organizations/${home}`);
    expect((await admin.post(`/timesheet_settings/${other.id}/organizations/${home}`)).status).toBe(200);
  });

  test("TE4: entries are multiples of the increment, within the day and the week", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const effort = await create("/effort_classes", { name: "Desk" });
    const { id } = await createSettings({
      time_increment: 30,
      workweek: 900,
      allow_workday_overtime: false,
      allow_workweek_overtime: false,
      time_allocation_effort_class_id: effort.id,
    });
    await admin.post(`/timesheet_settings/${id}/organizations/${home}`);
    expect(listInvalidFields(await postEntry({ person_id, time_spent: 45 }))).toEqual(["time_spent"]);
    const first = await postEntry({ person_id, time_spent: 450 });
    expect(first.status).toBe(201);
    expect(listInvalidFields(await postEntry({ person_id, time_spent: 60 }))).toEqual(["time_spent"]); // more than a workday
    expect((await postEntry({ person_id, time_spent: 450, date: "2025-03-09" })).status).toBe(201); // Sunday
    expect(listInvalidFields(await postEntry({ person_id, time_spent: 30, date: "2025-03-05" }))).toEqual([
      "time_spent",
    ]); // the week is full
    expect((await postEntry({ person_id, time_spent: 30, date: "2025-03-10" })).status).toBe(201);
    await admin.delete(`/time_entries/${first.body.id}`);
    expect((await postEntry({ person_id, time_spent: 30, date: "2025-03-05" })).status).toBe(201);
    const allocation = await create("/time_allocations", { name: "Meetings" });
    await admin.post(`/time_allocations/${allocation.id}/organizations/${home}`);
    const met = await postEntry({
      person_id,
      date: "2025-03-11",
      time_allocation_id: allocation.id,
      service_id: null,
      customer_id: null,
    });
    expect(met.body.effort_class).toMatchObject({ id: effort.id });
  });

  test("percentages are of the workday", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const { id } = await createSettings({ unit: "percentage_of_workday", percentage_increment: "25", workday: 400 });
    await admin.post(`/timesheet_settings/${id}/organizations/${home}`);
    expect((await postEntry({ person_id, time_spent: 100 })).status).toBe(201);
    expect(listInvalidFields(await postEntry({ person_id, time_spent: 60 }))).toEqual(["time_spent"]);
  });
});

describe("timesheets", () => {
  async function createDepartment() {
    const { id: home } = await createOrganization();
    const [ann, bob] = [await createPerson(home), await createPerson(home)];
    await postEntry({ person_id: ann.id, time_spent: 480 });
    await postEntry({ person_id: ann.id, time_spent: 240, date: "2025-03-04" });
    await postEntry({ person_id: ann.id, time_spent: 60, date: "2025-04-01" });
    return { home, ann, bob };
  }

  test("TE5: a timesheet covers an organization or one person for a month", async () => {
    const { home, ann, bob } = await createDepartment();
    const { body } = await admin.get(`/timesheets?organization_id=${home}&month_of=2025-03-15`);
    expect(body).toEqual([
      {
        person: { id: ann.id, name: ann.name, nodeID: ann.nodeID },
        workday: 480,
        sum_time_spent: 720,
        workdays: 1.5,
        locked: false,
        locked_days: "0".repeat(31),
      },
      expect.objectContaining({
        person: expect.objectContaining({ id: bob.id }),
        sum_time_spent: 0,
        workdays: 0,
      }),
    ]);
    expect((await admin.get(`/timesheets?person_id=${ann.id}&month_of=2025-04-30`)).body).toMatchObject({
      sum_time_spent: 60,
      locked_days: "0".repeat(30),
    });
  });

  test("day totals are the minutes of each day, as strings", async () => {
    const { ann } = await createDepartment();
    const days = (query: string) => admin.get(`/timesheets/day_totals?person_id=${ann.id}&${query}`);
    expect((await days("week_of=2025-03-09")).body).toEqual({ "2025-03-03": "480", "2025-03-04": "240" });
    expect((await days("date=2025-03-04")).body).toEqual({ "2025-03-04": "240" });
    expect((await days("month_of=2025-05-04")).body).toEqual({});
  });

  test("lists people whose week is incomplete", async () => {
    const { home, ann, bob } = await createDepartment();
    const { id } = await create("/timesheet_settings", { name: "Weeks", workweek: 1000 });
    const ask = () => admin.get(`/timesheets/incomplete?week_of=2025-03-05&organization_id=${home}`);
    expect((await ask()).body).toEqual([]);
    await admin.post(`/timesheet_settings/${id}/organizations/${home}`);
    expect((await ask()).body).toEqual([
      { id: ann.id, name: ann.name, primary_email: ann.primary_email, completeness: 1, remaining_time: 280 },
      { id: bob.id, name: bob.name, primary_email: bob.primary_email, completeness: 0, remaining_time: 1000 },
    ]);
  });

  test("TE4: locked entries can be corrected, not changed", async () => {
    const { home, ann } = await createDepartment();
    const [first] = (await admin.get(`/time_entries?person_id=${ann.id}&date=2025-03-03`)).body;
    expect((await admin.post("/timesheets/lock", { organization_id: home, week_of: "2025-03-05" })).status).toBe(204);
    expect((await admin.post("/timesheets/lock", { person_id: ann.id, date: "2025-03-05" })).status).toBe(204);
    const month = async () => (await admin.get(`/timesheets?person_id=${ann.id}&month_of=2025-03-01`)).body;
    expect(await month()).toMatchObject({ locked: false, locked_days: `0011111110${"0".repeat(21)}` });
    expect(listInvalidFields(await postEntry({ person_id: ann.id }))).toEqual(["date"]);
    expect(listInvalidFields(await admin.patch(`/time_entries/${first.id}`, { time_spent: 10 }))).toEqual(["date"]);
    expect(listInvalidFields(await admin.patch(`/time_entries/${first.id}`, { date: "2025-03-20" }))).toEqual(["date"]);
    expect(listInvalidFields(await admin.delete(`/time_entries/${first.id}`))).toEqual(["date"]);
    expect((await postEntry({ person_id: ann.id, correction: true, time_spent: -60 })).status).toBe(201);
    expect((await postEntry({ person_id: ann.id, date: "2025-03-10" })).status).toBe(201);
    await admin.post(`/timesheets/lock?person_id=${ann.id}&month_of=2025-03-31`);
    expect(await month()).toMatchObject({ locked: true });
    expect((await admin.delete(`/timesheets/lock?person_id=${ann.id}&month_of=2025-03-31`)).status).toBe(204);
    expect(await month()).toMatchObject({ locked_days: "0".repeat(31) });
    expect((await admin.delete(`/time_entries/${first.id}`)).status).toBe(204);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["administrator", "GET",    "/timesheets?month_of=2025-03-01",                                400],
    ["administrator", "GET",    "/timesheets?person_id=5",                                        400],
    ["administrator", "GET",    "/timesheets?person_id=5&week_of=2025-03-01",                     400],
    ["administrator", "GET",    "/timesheets?person_id=5&month_of=2025-02-30",                    400],
    ["administrator", "GET",    "/timesheets?person_id=x&month_of=2025-03-01",                    400],
    ["administrator", "GET",    "/timesheets?person_id=5&month_of=2025-03-01&bogus=1",            400],
    ["administrator", "GET",    "/timesheets?person_id=7&month_of=2025-03-01",                    404],
    ["administrator", "GET",    "/timesheets?organization_id=5&month_of=2025-03-01",              404],
    ["administrator", "GET",    "/timesheets/day_totals?date=2025-03-01",                         400],
    ["administrator", "POST",   "/timesheets/lock?person_id=5",                                   400],
    ["administrator", "POST",   "/timesheets/lock?date=2025-03-01",                               400],
    ["auditor",       "GET",    "/timesheets?person_id=5&month_of=2025-03-01",                    200],
    ["auditor",       "POST",   "/timesheets/lock?person_id=5&date=2025-03-01",                   403],
    ["requester",     "GET",    "/timesheets?person_id=5&month_of=2025-03-01",                    200],
    ["requester",     "GET",    "/timesheets?person_id=3&month_of=2025-03-01",                    403],
    ["requester",     "GET",    "/timesheets?organization_id=3&month_of=2025-03-01",              403],
    ["requester",     "POST",   "/timesheets/lock?person_id=5&date=2025-03-01",                   204],
    ["requester",     "DELETE", "/timesheets/lock?person_id=5&date=2025-03-01",                   403],
    ["requester",     "GET",    "/timesheets/incomplete?week_of=2025-03-01",                      200],
    ["requester",     "GET",    "/timesheets/incomplete?week_of=2025-03-01&organization_id=3",    403],
  ] as const)("%s: %s %s gives %i", async (role, method, path, status) => {
    expect((await as(role).send(method, path)).status).toBe(status);
  });

  test("TE5: an organization's manager and substitute see and lock its timesheets", async () => {
    await sql("UPDATE organizations SET manager_id = 9 WHERE id = 3");
    const manager = as("manager");
    expect((await manager.get("/timesheets?organization_id=3&month_of=2025-03-01")).status).toBe(200);
    expect((await manager.delete("/timesheets/lock?person_id=5&date=2025-03-01")).status).toBe(204);
    expect((await manager.get("/timesheets?organization_id=2&month_of=2025-03-01")).status).toBe(403);
  });
});

describe("out-of-office periods", () => {
  const postPeriod = (members: Members) =>
    admin.post("/out_of_office_periods", {
      start_at: "2025-03-10T08:00:00Z",
      end_at: "2025-03-14T17:00:00Z",
      ...members,
    });

  test("TE6: periods end after they start, and a person's periods don't overlap", async () => {
    const { id: person_id } = await createPerson((await createOrganization()).id);
    expect(listInvalidFields(await admin.post("/out_of_office_periods", {}))).toEqual(["person", "start_at", "end_at"]);
    expect(listInvalidFields(await postPeriod({ person_id, end_at: "2025-03-10T08:00:00Z" }))).toEqual(["end_at"]);
    const { status, body } = await postPeriod({ person_id });
    expect(status).toBe(201);
    expect(
      listInvalidFields(
        await postPeriod({ person_id, start_at: "2025-03-14T16:00:00Z", end_at: "2025-03-20T00:00:00Z" }),
      ),
    ).toEqual(["start_at"]);
    expect(
      (await postPeriod({ person_id, start_at: "2025-03-14T17:00:00Z", end_at: "2025-03-20T00:00:00Z" })).status,
    ).toBe(201);
    expect((await admin.patch(`/out_of_office_periods/${body.id}`, { reason: "Holiday" })).status).toBe(200);
    expect((await admin.delete(`/out_of_office_periods/${body.id}`)).status).toBe(204);
    expect((await admin.get(`/people/${person_id}/out_of_office_periods/open`)).body).toHaveLength(1);
  });

  test("open periods end in the future, completed ones in the past", async () => {
    const { id: person_id } = await createPerson((await createOrganization()).id);
    const past = await postPeriod({ person_id, start_at: "2025-02-01T00:00:00Z", end_at: "2025-02-02T00:00:00Z" });
    const future = await postPeriod({ person_id });
    const ids = async (view: string) =>
      (await admin.get(`/out_of_office_periods/${view}?person=${person_id}`)).body.map((row: { id: number }) => row.id);
    expect([await ids("open"), await ids("completed")]).toEqual([[future.body.id], [past.body.id]]);
  });

  test("an allocation without service and customer is required if the organization has one", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const leave = await create("/time_allocations", { name: "Leave", description_category: "required" });
    const other = await create("/time_allocations", { name: "Sales", customer_category: "any" });
    for (const { id } of [leave, other]) await admin.post(`/time_allocations/${id}/organizations/${home}`);
    expect(listInvalidFields(await postPeriod({ person_id }))).toEqual(["time_allocation"]);
    expect(listInvalidFields(await postPeriod({ person_id, time_allocation_id: other.id }))).toEqual([
      "time_allocation",
    ]);
    expect(listInvalidFields(await postPeriod({ person_id, time_allocation_id: leave.id }))).toEqual(["reason"]);
    expect((await postPeriod({ person_id, time_allocation_id: leave.id, reason: "Sick" })).status).toBe(201);
  });

  test("TE6: time entries are generated from the person's work hours during the period, and follow changes to it", async () => {
    const calendar = await serviceAgreements(admin).calendar(["mon-fri 09:00-12:00", "mon-thu 13:00-17:30"]);
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home, { work_hours_id: calendar.id, time_zone: "Amsterdam" });
    const effort = await create("/effort_classes", { name: "Absence" });
    const leave = await create("/time_allocations", { name: "Leave", effort_class_id: effort.id });
    await admin.post(`/time_allocations/${leave.id}/organizations/${home}`);
    const entries = async () =>
      (
        await admin.get(`/time_entries?person=${person_id}&deleted=false&sort=date&fields=date,time_spent,description`)
      ).body.map((row: { date: string; time_spent: number; description: string }) => [
        row.date,
        row.time_spent,
        row.description,
      ]);
    const { body } = await postPeriod({
      person_id,
      time_allocation_id: leave.id,
      reason: "Skiing",
      start_at: "2025-03-06T15:00:00+01:00",
      end_at: "2025-03-10T10:00:00+01:00",
    });
    expect(await entries()).toEqual([
      ["2025-03-06", 150, "Skiing"],
      ["2025-03-07", 180, "Skiing"],
      ["2025-03-10", 60, "Skiing"],
    ]);
    const [first] = (await admin.get(`/time_entries?person=${person_id}&fields=effort_class,time_allocation`)).body;
    expect(first).toMatchObject({ effort_class: { id: effort.id }, time_allocation: { id: leave.id } });
    const path = `/out_of_office_periods/${body.id}`;
    expect((await admin.post(`/timesheets/lock?person_id=${person_id}&date=2025-03-07`)).status).toBe(204);
    expect((await admin.patch(path, { end_at: "2025-03-07T11:00:00+01:00" })).status).toBe(200);
    expect(await entries()).toEqual([
      ["2025-03-06", 150, "Skiing"],
      ["2025-03-07", 180, "Skiing"],
    ]);
    expect((await admin.delete(path)).status).toBe(204);
    expect(await entries()).toEqual([["2025-03-07", 180, "Skiing"]]);
  });

  test("an effort class must be one of the timesheet settings", async () => {
    const { id: home } = await createOrganization();
    const { id: person_id } = await createPerson(home);
    const [one, other] = [
      await create("/effort_classes", { name: "A" }),
      await create("/effort_classes", { name: "B" }),
    ];
    const createSettings = await create("/timesheet_settings", { name: "With classes" });
    await admin.post(`/timesheet_settings/${createSettings.id}/organizations/${home}`);
    await admin.post(`/effort_classes/${one.id}/timesheet_settings/${createSettings.id}`);
    expect(listInvalidFields(await postPeriod({ person_id, effort_class_id: other.id }))).toEqual(["effort_class"]);
    expect((await postPeriod({ person_id, effort_class_id: one.id })).status).toBe(201);
  });
});

test("skill pools, effort classes and people can be linked from both ends", async () => {
  const pool = await create("/skill_pools", { name: "Linux" });
  const effort = await create("/effort_classes", { name: "Standby" });
  await admin.post(`/people/3/skill_pools/${pool.id}`);
  await admin.post(`/effort_classes/${effort.id}/skill_pools/${pool.id}`);
  expect((await admin.get(`/skill_pools/${pool.id}/members/enabled`)).body).toMatchObject([{ id: 3 }]);
  expect((await admin.get(`/skill_pools/${pool.id}/effort_classes`)).body).toMatchObject([{ id: effort.id }]);
  expect((await admin.get(`/skill_pools?id=${pool.id}`)).body).toMatchObject([{ disabled: false }]);
});

describe("charges to the customer", () => {
  const agree = serviceAgreements(admin);
  const bill = async (offered: Members, request: Members, entered: Members = {}) => {
    const { instance, offering, sla } = await agree.agreed(offered, {
      agreementID: "A-1",
      activityID_low: "ACT-LOW",
      activityID_rfc: "ACT-RFC",
    });
    const effort = await create("/effort_classes", { name: "Engineer" });
    await create(`/service_offerings/${offering.id}/effort_class_rates`, {
      effort_class_id: effort.id,
      rate: 96,
      rate_currency: "usd",
    });
    await admin.post("/people/1/permissions/widget-it?roles=specialist,financial_manager");
    await create(`/slas/${sla.id}/effort_class_rateIDs`, { effort_class_id: effort.id, rateID: "R-1" });
    const asked = await agree.request(instance, request);
    const loadNewestId = async () => (await admin.get(`/time_entries?sort=-id&per_page=1`)).body[0].id;
    const given = { time_spent: 50, time_spent_effort_class_id: effort.id, ...entered };
    expect((await admin.patch(`/requests/${asked.id}`, given)).status).toBe(200);
    const path = `/time_entries/${await loadNewestId()}`;
    return { path, effort, body: (await admin.get(path)).body };
  };

  test("time_material: the time at the effort class's rate, recalculated when the time changes", async () => {
    const { path, body } = await bill({ charge_type_low: "time_material" }, {});
    expect(body).toMatchObject({
      charge_type: "time_material",
      charge_rate: 96,
      charge: 80,
      charge_currency: "usd",
      agreementID: "A-1",
      activityID: "ACT-LOW",
      rateID: "R-1",
    });
    expect((await admin.patch(path, { time_spent: 75 })).body.charge).toBe(120);
  });

  test("TE3: fixed_price: the offering's price for the kind of request", async () => {
    const offered = { charge_type_rfc: "fixed_price", rate_rfc: 250, rate_rfc_currency: "eur" };
    const { body } = await bill(offered, { category: "rfc", impact: null });
    expect(body).toMatchObject({
      charge_type: "fixed_price",
      charge_rate: null,
      charge: 250,
      charge_currency: "eur",
      activityID: "ACT-RFC",
    });
  });

  test("TE3: without a price nothing is charged, but the identifiers are still the SLA's", async () => {
    const { body } = await bill({}, {});
    expect(body).toMatchObject({ charge_type: null, charge: null, charge_currency: null, agreementID: "A-1" });
  });
});
