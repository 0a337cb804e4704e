import { beforeEach, describe, expect, test } from "vitest";
import { world } from "../support/world.ts";

// State moves that wait for a moment: C6.

const { as, clock, service, sql } = await world();
const admin = as("administrator");
const hour = 3600;
const later = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString().replace(/\.\d+/, "");
const loadTimers = () => sql<{ key: string; run_at: Date }>("SELECT key, run_at FROM jobs WHERE kind = 'timer'");
const read = async (id: number) => (await admin.get(`/specimens/${id}`)).body;

async function createWaiting(members: Record<string, unknown>) {
  const { body } = await admin.post("/specimens", { subject: "s", status: "assigned" });
  const { status, text } = await admin.patch(`/specimens/${body.id}`, { status: "waiting_for", ...members });
  expect(status, text).toBe(200);
  return body.id as number;
}

beforeEach(() => sql("DELETE FROM jobs"));

describe("timers", () => {
  test("a waiting state ends when the moment is reached, without an actor, with all effects of the move", async () => {
    const id = await createWaiting({ moment: later(2 * hour) });
    await clock.pass(hour);
    expect(await read(id)).toMatchObject({ status: "waiting_for" });
    await clock.pass(hour);
    expect(await read(id)).toMatchObject({ status: "assigned", moment: null, assignment_count: 2 });
    const [last] = (await admin.get(`/specimens/${id}/audit`)).body;
    expect(last).toMatchObject({
      action: "update",
      created_by: null,
      changes: { status: ["waiting_for", "assigned"] },
    });
    const [event] = await sql(
      "SELECT event, person_id FROM events WHERE record_type = 'specimen' AND record_id = $1 AND event = 'specimen.status-changed' ORDER BY id DESC",
      [id],
    );
    expect(event).toEqual({ event: "specimen.status-changed", person_id: null });
    expect(await loadTimers()).toEqual([]);
  });

  test("changing the moment reschedules its timer", async () => {
    const id = await createWaiting({ moment: later(2 * hour) });
    await admin.patch(`/specimens/${id}`, { moment: later(5 * hour) });
    expect(await loadTimers()).toHaveLength(1);
    await clock.pass(3 * hour);
    expect(await read(id)).toMatchObject({ status: "waiting_for" });
    await clock.pass(2 * hour);
    expect(await read(id)).toMatchObject({ status: "assigned" });
  });

  test("leaving the state, or clearing the moment, drops the timer", async () => {
    const [one, other] = [await createWaiting({ moment: later(hour) }), await createWaiting({ moment: later(hour) })];
    await admin.patch(`/specimens/${one}`, { status: "assigned" });
    await admin.patch(`/specimens/${other}`, { moment: null });
    expect(await loadTimers()).toEqual([]);
  });

  test("a day ends at midnight in its own time zone, or in the account's", async () => {
    // A day that has not ended in any time zone; otherwise the worker may have run its timer already.
    const day = later(24 * hour).slice(0, 10);
    const [tokyo, own] = [await createWaiting({ day, zone: "Tokyo" }), await createWaiting({ day })];
    const moments = Object.fromEntries((await loadTimers()).map(({ key, run_at }) => [key, run_at.toISOString()]));
    const midnight = (offset: string) =>
      new Date(Date.parse(`${day}T00:00:00${offset}`) + 24 * hour * 1000).toISOString();
    expect(moments[`specimen ${tokyo} day`]).toBe(midnight("+09:00"));
    expect(moments[`specimen ${own} day`]).toBeDefined();
    expect(moments[`specimen ${own} day`]).not.toBe(midnight("+09:00"));
  });

  test("a timer that runs late or twice fires once", async () => {
    const id = await createWaiting({ moment: later(hour) });
    const [job] = await sql<{ payload: string }>("SELECT payload FROM jobs WHERE kind = 'timer'");
    await clock.pass(100 * hour);
    expect(await read(id)).toMatchObject({ status: "assigned", assignment_count: 2 });
    await sql(
      "INSERT INTO jobs (account_id, kind, key, payload, run_at) VALUES ('widget-it', 'timer', 'again', $1, now())",
      [job?.payload],
    );
    await service.worker.runDue();
    expect(await read(id)).toMatchObject({ status: "assigned", assignment_count: 2 });
  });
});
