import { describe, expect, test } from "vitest";
import { type Reply, world } from "../support/world.ts";

// Recurrence fields: RC9, RC10.

const { as, clock, sql } = await world();
const admin = as("administrator");
const readErrors = (reply: Reply) => [reply.status, reply.body.errors];

async function make(path: string, members: Record<string, unknown> = {}) {
  const { status, body, text } = await admin.post(path, { name: "n", ...members });
  if (status > 201) throw new Error(`${path}: ${status} ${text}`);
  return body;
}

describe("recurrence", () => {
  const weekly = { frequency: "weekly", interval: 2, start_date: "2031-02-03", time_of_day: "09:30", day: "1,3" };

  test("RC9: is omitted until it is set, shows its defaults and its rule, and is removed with null", async () => {
    const calendar = await make("/calendars");
    const { id, ...bare } = await make("/samples");
    expect(bare).not.toHaveProperty("recurrence");
    const { body } = await admin.patch(`/samples/${id}`, {
      recurrence: { ...weekly, calendar_id: calendar.id, ical: "x", nonsense: 1 },
    });
    expect(body.recurrence).toEqual({
      ...weekly,
      calendar: { id: calendar.id, name: calendar.name, nodeID: calendar.nodeID },
      disabled: false,
      time_zone: "Amsterdam",
      end_date: null,
      day_of_month: null,
      day_of_week: false,
      day_of_week_index: null,
      day_of_week_day: null,
      month_of_year: null,
      ical: "DTSTART;TZID=Europe/Amsterdam:20310203T000000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE",
      next_occurrence_at: null,
      last_occurrence_at: null,
      last_occurrence_object: null,
      last_occurrence_errors: null,
      next_occurrence_errors: null,
    });
    const removed = await admin.patch(`/samples/${id}`, { recurrence: null });
    expect(removed.body).not.toHaveProperty("recurrence");
  });

  test("a change sets the members it names and keeps those that the service maintains, shown in the reader's time zone", async () => {
    const { id } = await make("/samples", { recurrence: weekly });
    await sql(
      `UPDATE samples SET recurrence = recurrence || '{"next_occurrence_at": "2031-02-03T08:30:00Z"}' WHERE id = $1`,
      [id],
    );
    const { body } = await admin.patch(`/samples/${id}`, { recurrence: { interval: 3, next_occurrence_at: null } });
    expect(body.recurrence).toMatchObject({ ...weekly, interval: 3, next_occurrence_at: "2031-02-03T09:30:00+01:00" });
    expect((await as("specialist").get(`/samples/${id}`)).body.recurrence.next_occurrence_at).toBe(
      "2031-02-03T14:00:00+05:30",
    );
    const cleared = await admin.patch(`/samples/${id}`, { recurrence: { day: null } });
    expect(cleared.body.recurrence).toMatchObject({ day: null, interval: 3 });
    const before = cleared.body;
    await clock.pass(60);
    const again = await admin.patch(`/samples/${id}`, { recurrence: before.recurrence });
    expect(again.body).toEqual(before);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    [{ frequency: "hourly" },                            "frequency is not included in the list"],
    [{ interval: 0 },                                    "interval must be greater than or equal to 1"],
    [{ interval: 1000 },                                 "interval must be less than or equal to 999"],
    [{ start_date: null },                               "start_date can't be blank"],
    [{ time_of_day: null },                              "time_of_day can't be blank"],
    [{ time_of_day: "9 o'clock" },                       "time_of_day is not a valid time of day"],
    [{ time_zone: "Mars" },                              "time_zone is not a valid time zone"],
    [{ end_date: "2031-02-02" },                         "end_date must not be before start_date"],
    [{ end_date: "2031-02-30" },                         "end_date is not a valid date"],
    [{ day: "0,7" },                                     "day is not included in the list"],
    [{ frequency: "monthly" },                           "day_of_month can't be blank"],
    [{ frequency: "monthly", day_of_month: "0" },        "day_of_month is not included in the list"],
    [{ frequency: "monthly", day_of_month: "1,-2" },     "day_of_month is not included in the list"],
    [{ frequency: "monthly", day_of_week: true },        "day_of_week_day can't be blank"],
    [{ frequency: "monthly", day_of_week: true, day_of_week_day: "mon" },          "day_of_week_day is not included in the list"],
    [{ frequency: "monthly", day_of_week: true, day_of_week_index: "fifth" },      "day_of_week_index is not included in the list"],
    [{ day_of_week: true, day_of_week_day: "monday" },   "day_of_week may be true only when frequency is monthly or yearly"],
    [{ frequency: "yearly" },                            "month_of_year can't be blank"],
    [{ frequency: "yearly", month_of_year: "13" },       "month_of_year is not included in the list"],
    [{ calendar: 2_000_000_000 },                        "calendar is not valid"],
    [{ calendar_id: "x" },                               "calendar is not valid"],
  ])("RC10: %j is rejected: %s", async (members, text) => {
    const wanted = [422, [["recurrence", `Recurrence ${text}`]]];
    expect(readErrors(await admin.post("/samples", { name: "x", recurrence: { ...weekly, ...members } }))).toEqual(wanted);
    const { id } = await make("/samples", { recurrence: weekly });
    expect(readErrors(await admin.patch(`/samples/${id}`, { recurrence: members }))).toEqual(wanted);
  });

  test("a recurrence declared without some members neither reads nor shows them", async () => {
    const { rhythm } = await make("/samples", { rhythm: weekly });
    expect(rhythm).not.toHaveProperty("start_date");
    expect(Object.keys(rhythm)).toEqual([
      ...["frequency", "interval", "calendar", "disabled", "time_of_day", "time_zone", "day", "day_of_month"],
      ...["day_of_week", "day_of_week_index", "day_of_week_day", "month_of_year"],
    ]);
  });
});
