import { describe, expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

const { as, service, clock } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const createItem = async () =>
  (await bodies.make(types.get("ci"), { support_team_id: await bodies.reference("team") })).id as number;
const createOffering = async (members: Record<string, unknown>) =>
  (await bodies.make(types.get("reservation_offering"), members)).id as number;
const at = (time: string) => `2031-03-03T${time}:00Z`;
const reserve = (ci: number, from: string, until: string, more: Record<string, unknown> = {}) =>
  admin.post("/reservations", {
    name: "Room",
    ci_id: ci,
    person_id: 3,
    start_at: at(from),
    end_at: at(until),
    ...more,
  });
const overlap = ["start_at: Start overlaps with another reservation"];

describe("reservations", () => {
  test("missing required fields are named, and a reservation is confirmed by default", async () => {
    expect(describeErrors(await admin.post("/reservations", {}))).toEqual(
      ["name", "ci", "person", "start_at", "end_at"].map((name) => expect.stringMatching(`^${name}: .*can't be blank`)),
    );
    const { status, body } = await reserve(await createItem(), "10:00", "11:00");
    expect([status, body.status, body.preparation_start_at]).toEqual([201, "confirmed", null]);
    expect(body).not.toHaveProperty("recurrence");
    expect(body).not.toHaveProperty("only_this_occurrence");
  });

  test.each(["prototype", "conflicting"])("the status %s is not accepted", async (status) => {
    expect(describeErrors(await reserve(await createItem(), "10:00", "11:00", { status }))).toEqual([
      "status: Status is not included in the list",
    ]);
  });

  test("a reservation must end after it begins", async () => {
    const ci = await createItem();
    for (const until of ["09:00", "10:00"])
      expect(describeErrors(await reserve(ci, "10:00", until))).toEqual([expect.stringMatching(/^end_at: /)]);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["09:00", "10:00", true],
    ["09:00", "10:01", false],
    ["10:15", "10:45", false],
    ["09:00", "12:00", false],
    ["10:59", "12:00", false],
    ["11:00", "12:00", true],
  ])("with a reservation from 10:00 until 11:00, the time from %s until %s is free: %j", async (from, until, free) => {
    const ci = await createItem();
    await reserve(ci, "10:00", "11:00");
    expect(describeErrors(await reserve(ci, from, until))).toEqual(free ? 201 : overlap);
    expect((await reserve(await createItem(), from, until)).status).toBe(201);
  });

  test("the preparation of both the existing and the new reservation counts", async () => {
    const [ci, prepared] = [await createItem(), await createOffering({ preparation_duration: 30 })];
    const made = await reserve(ci, "10:00", "11:00", { reservation_offering_id: prepared });
    expect(Date.parse(made.body.preparation_start_at)).toBe(Date.parse(at("09:30")));
    expect(describeErrors(await reserve(ci, "09:00", "09:31"))).toEqual(overlap);
    expect((await reserve(ci, "09:00", "09:30")).status).toBe(201);
    expect(describeErrors(await reserve(ci, "11:29", "12:00", { reservation_offering_id: prepared }))).toEqual(overlap);
    const later = await reserve(ci, "11:30", "12:00", { reservation_offering_id: prepared });
    expect(later.status).toBe(201);
    const moved = await admin.patch(`/reservations/${later.body.id}`, { start_at: at("11:45") });
    expect(Date.parse(moved.body.preparation_start_at)).toBe(Date.parse(at("11:15")));
  });

  test("a canceled reservation blocks no time, until it is restored", async () => {
    const ci = await createItem();
    const { body } = await reserve(ci, "10:00", "11:00");
    const path = `/reservations/${body.id}`;
    expect((await admin.patch(path, { status: "canceled" })).status).toBe(200);
    expect((await reserve(ci, "10:30", "11:30")).status).toBe(201);
    expect(describeErrors(await admin.patch(path, { status: "confirmed" }))).toEqual(overlap);
    expect((await admin.patch(path, { name: "Renamed" })).status).toBe(200);
  });

  test("of concurrent reservations for the same time one succeeds", async () => {
    const ci = await createItem();
    const replies = await Promise.all([1, 2, 3].map(() => reserve(ci, "10:00", "11:00")));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  test("a reservation begins in its offering's initial status", async () => {
    const pending = await createOffering({ initial_status: "pending" });
    const made = await reserve(await createItem(), "10:00", "11:00", { reservation_offering_id: pending });
    expect(made.body.status).toBe("pending");
    const members = { reservation_offering_id: pending, status: "provisional" };
    expect((await reserve(await createItem(), "10:00", "11:00", members)).body.status).toBe("provisional");
  });

  test("open reservations are neither ended nor canceled", async () => {
    const ci = await createItem();
    const open = (await reserve(ci, "10:00", "11:00")).body.id;
    const done = (await reserve(ci, "11:00", "12:00", { status: "ended" })).body.id;
    const ids = async (view: string) =>
      (await admin.get(`/reservations/${view}?id=${open},${done}`)).body.map(({ id }: { id: number }) => id);
    expect([await ids("open"), await ids("completed")]).toEqual([[open], [done]]);
  });
});

describe("time and the waiting request", () => {
  const request = async (reservation_id: number) =>
    (
      await admin.post("/requests", {
        category: "reservation",
        reservation_id,
        status: "reservation_pending",
        team_id: 1,
      })
    ).body;
  const loadStatus = async (path: string) => (await admin.get(path)).body.status;

  test("confirmed -> being_prepared at preparation_start_at -> active at start_at -> ended at end_at; then the request is completed", async () => {
    const prepared = await createOffering({ preparation_duration: 30 });
    const { body } = await reserve(await createItem(), "10:00", "11:00", {
      reservation_offering_id: prepared,
      status: "confirmed",
    });
    const path = `/reservations/${body.id}`;
    const waiting = await request(body.id);
    expect(waiting.status).toBe("reservation_pending");
    const steps = [
      ["09:29", "confirmed", "reservation_pending"],
      ["09:30", "being_prepared", "reservation_pending"],
      ["10:00", "active", "reservation_pending"],
      ["11:00", "ended", "completed"],
    ] as const;
    for (const [time, reserved, asked] of steps) {
      await clock.moveTo(at(time));
      expect([await loadStatus(path), await loadStatus(`/requests/${waiting.id}`)], time).toEqual([reserved, asked]);
    }
  });

  test("canceling a reservation assigns its request", async () => {
    const { body } = await reserve(await createItem(), "15:00", "16:00");
    const { id } = await request(body.id);
    await admin.patch(`/reservations/${body.id}`, { status: "canceled" });
    expect(await loadStatus(`/requests/${id}`)).toBe("assigned");
  });
});

test("an offering can be linked to items and request templates", async () => {
  const [id, ci] = [await createOffering({}), await createItem()];
  expect((await admin.post(`/reservation_offerings/${id}/cis/${ci}`)).status).toBe(200);
  expect((await admin.get(`/reservation_offerings/${id}/cis`)).body).toMatchObject([{ id: ci }]);
  expect((await admin.get(`/reservation_offerings/${id}/request_templates`)).body).toEqual([]);
});
