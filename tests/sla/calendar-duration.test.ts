import { expect, test } from "vitest";
import { tokenFor } from "../support/seed.ts";
import { world } from "../support/world.ts";

// CV33: GET /calendars/:id/duration. Tests next to the calendars' code cover the calculation.

const { as, base } = await world();
const admin = as("administrator");

const { body: calendar } = await admin.post("/calendars", { name: "Office" });
for (const weekday of ["mon", "tue", "wed", "thu", "fri"])
  await admin.post(`/calendars/${calendar.id}/calendar_hours`, { weekday, time_from: "08:30", time_until: "17:00" });
await admin.post(`/calendars/${calendar.id}/calendar_hours`, {
  weekday: "sun",
  time_from: "22:00",
  time_until: "24:00",
});
const { body: holiday } = await admin.post("/holidays", {
  name: "Half a day",
  start_at: "2025-06-04T12:00:00",
  end_at: "2025-06-05T00:00:00",
});
await admin.post(`/calendars/${calendar.id}/holidays/${holiday.id}`);

const path = `/calendars/${calendar.id}/duration`;
const getDuration = (query: Record<string, string>) => admin.get(`${path}?${new URLSearchParams(query)}`);
/** Sends the call without fetch, which doesn't allow a GET with a body. */
async function sendWithBody(
  body: string,
  query = "",
  type = "application/json",
): Promise<{ status: number; text: string }> {
  const { request } = await import("node:http");
  const headers = {
    Authorization: `Bearer ${tokenFor("administrator")}`,
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${base}${path}${query}`, { method: "GET", headers }, async (answer) => {
      let text = "";
      for await (const part of answer) text += part;
      resolve({ status: answer.statusCode ?? 0, text });
    });
    sent.on("error", reject).end(body);
  });
}
const week = { start: "2025-06-02T00:00:00+02:00", end: "2025-06-09T00:00:00+02:00" };

test("CV33: counts the calendar's minutes in the given time zone, without its holidays", async () => {
  const { status, text } = await getDuration({ ...week, time_zone: "Amsterdam" });
  expect([status, text]).toEqual([200, String(5 * 510 - 300 + 120)]);
  expect((await getDuration({ ...week, time_zone: "Europe/Amsterdam" })).body).toBe(2370);
  expect((await getDuration({ start: week.end, end: week.start })).body).toBe(0);
});

test("the default time zone is UTC", async () => {
  const evening = { start: "2025-06-02T16:00:00Z", end: "2025-06-02T18:00:00Z" };
  expect((await getDuration(evening)).body).toBe(60);
  expect((await getDuration({ ...evening, time_zone: "UTC" })).body).toBe(60);
  expect((await getDuration({ ...evening, time_zone: "Amsterdam" })).body).toBe(0);
});

test("a JSON body is accepted as well, and the body wins", async () => {
  const body = JSON.stringify({ ...week, time_zone: "Amsterdam" });
  expect(await sendWithBody(body)).toEqual({ status: 200, text: "2370" });
  expect(await sendWithBody(body, "?start=nonsense&time_zone=UTC")).toEqual({ status: 200, text: "2370" });
});

test("invalid query parameters return 400, and an invalid body returns 422 with all errors", async () => {
  for (const [query, name] of [
    [{ start: week.start }, "end"],
    [{ ...week, start: "yesterday" }, "start"],
    [{ ...week, time_zone: "Atlantis" }, "time_zone"],
  ] as const) {
    const { status, body } = await getDuration(query);
    expect([status, body.message]).toEqual([400, expect.stringContaining(`'${name}'`)]);
  }
  expect((await admin.get(path)).status).toBe(400);
  const { status, text } = await sendWithBody(JSON.stringify({ start: ["x"], time_zone: "Atlantis" }));
  expect([status, JSON.parse(text).errors.map(([field]: [string]) => field)]).toEqual([
    422,
    ["start", "end", "time_zone"],
  ]);
  expect((await sendWithBody("{")).status).toBe(400);
  expect((await sendWithBody("x".repeat(1_100_000))).status).toBe(413);
  expect((await sendWithBody("start=1", "", "text/plain")).status).toBe(415);
});

test("a missing calendar returns 404, whatever else is wrong", async () => {
  expect((await admin.get("/calendars/999999/duration?start=x")).status).toBe(404);
});
