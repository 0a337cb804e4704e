import { describe, expect, test } from "vitest";
import { type Reply, world } from "../support/world.ts";

// Calendars, their hours and holidays.

const { as } = await world();
const admin = as("administrator");
const listInvalidFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;

async function createCalendar(name = "Office") {
  const { body } = await admin.post("/calendars", { name });
  return { ...body, path: `/calendars/${body.id}` };
}

describe("calendar hours", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["09:00", "17:30", 201],
    ["00:00", "00:00", 201],
    ["22:00", "24:00", 201],
    ["17:30", "09:00", ["time_until"]],
    ["09:00", "09:00", ["time_until"]],
    ["24:00", "24:00", ["time_from"]],
    ["9:00",  "17:30", ["time_from"]],
  ])("SLA2: hours from %s until %s", async (time_from, time_until, expected) => {
    const { path } = await createCalendar();
    expect(listInvalidFields(await admin.post(`${path}/calendar_hours`, { weekday: "mon", time_from, time_until }))).toEqual(expected);
  });

  test("weekday, time_from and time_until are required", async () => {
    const { path } = await createCalendar();
    expect(listInvalidFields(await admin.post(`${path}/calendar_hours`, {}))).toEqual([
      "weekday",
      "time_from",
      "time_until",
    ]);
    expect(
      listInvalidFields(
        await admin.post(`${path}/calendar_hours`, { weekday: "noday", time_from: "09:00", time_until: "10:00" }),
      ),
    ).toEqual(["weekday"]);
  });

  test("the calendar shows its hours without ids, and midnight at the end of the day as 00:00", async () => {
    const { path } = await createCalendar();
    const { body } = await admin.post(`${path}/calendar_hours`, {
      weekday: "mon",
      time_from: "09:00",
      time_until: "24:00",
    });
    expect(body).toEqual({
      id: body.id,
      nodeID: expect.any(String),
      weekday: "mon",
      time_from: "09:00",
      time_until: "00:00",
    });
    const hours = [{ weekday: "mon", time_from: "09:00", time_until: "00:00" }];
    expect((await admin.get(path)).body.calendar_hours).toEqual(hours);
    const [row] = (await admin.get(`/calendars?id=${path.split("/").at(-1)}`)).body;
    expect(row.calendar_hours).toEqual(hours);
  });
});

describe("holidays", () => {
  const holiday = (members: Record<string, unknown> = {}) =>
    admin.post("/holidays", {
      name: "New Year",
      start_at: "2026-01-01T00:00:00",
      end_at: "2026-01-02T00:00:00",
      ...members,
    });

  test("times are local times: an offset in the call is dropped, and none is shown", async () => {
    const { status, body } = await holiday({ start_at: "2026-01-01T00:00:00+05:00", end_at: "2026-01-02T00:00:00Z" });
    expect([status, body.start_at, body.end_at]).toEqual([201, "2026-01-01T00:00:00", "2026-01-02T00:00:00"]);
    expect(body.created_at).toMatch(/[+-]\d\d:\d\d$|Z$/);
  });

  test("a holiday must end after it starts", async () => {
    expect(listInvalidFields(await holiday({ end_at: "2026-01-01T00:00:00" }))).toEqual(["end_at"]);
    expect(listInvalidFields(await holiday({ end_at: "2025-12-31T00:00:00" }))).toEqual(["end_at"]);
    expect(listInvalidFields(await holiday({ start_at: null, end_at: null }))).toEqual(["start_at", "end_at"]);
  });

  test("a holiday and a calendar can be linked from both ends", async () => {
    const { body: day } = await holiday();
    const { id, path } = await createCalendar("Linked");
    expect((await admin.post(`${path}/holidays/${day.id}`)).body).toEqual({});
    expect((await admin.get(`/holidays/${day.id}/calendars/enabled`)).body).toMatchObject([{ id, name: "Linked" }]);
    expect((await admin.get(`/holidays/${day.id}/calendars/disabled`)).body).toEqual([]);
    expect((await admin.delete(`/holidays/${day.id}/calendars/${id}`)).status).toBe(204);
    expect((await admin.get(`${path}/holidays`)).body).toEqual([]);
  });
});

test("a calendar lists the teams that use it", async () => {
  const { id, path } = await createCalendar("Team hours");
  const { body: team } = await admin.post("/teams", { name: "Early birds", work_hours_id: id, time_zone: "Amsterdam" });
  expect(team.work_hours).toMatchObject({ id, name: "Team hours" });
  expect((await admin.get(`${path}/teams`)).body).toMatchObject([{ id: team.id }]);
});
