import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Problems and risks: PB1 to PB12, RK1.

const here = await world();
const { as, clock } = here;
const { admin, create, load, team, loadEvents, changeByRule } = requestHelpers(here);
const specialist = as("specialist");
const [desk, sam] = [1, 3];

async function problem(members: Record<string, unknown> = {}) {
  const record = await create("problem", members);
  return { ...record, path: `/problems/${record.id}` };
}

describe("problems", () => {
  test("PB1: a new problem is assigned, managed by the caller, with the service's support team and no impact", async () => {
    const support = await team();
    const service = await create("service", { support_team_id: support });
    const { status, body } = await admin.post("/problems", { subject: "Slow", service_id: service.id });
    expect([status, body]).toMatchObject([
      201,
      { status: "assigned", manager: { id: 1 }, team: { id: support }, impact: "none", new_assignment: true },
    ]);
  });

  test("PB2: any open status is possible; accepted and in_progress make the acting person the member", async () => {
    for (const status of [
      "declined",
      "on_backlog",
      "assigned",
      "accepted",
      "in_progress",
      "analyzed",
      "change_requested",
    ]) {
      const { path } = await problem({ team_id: desk });
      expect((await specialist.patch(path, { status })).body, status).toMatchObject({
        status,
        member: ["accepted", "in_progress"].includes(status) ? { id: sam } : null,
      });
    }
  });

  test("PB3: waiting_for requires a time in the future, and ends at that time", async () => {
    const { path } = await problem();
    expect(describeErrors(await admin.patch(path, { status: "waiting_for" }))).toEqual([
      "waiting_until: Waiting until can't be blank",
    ]);
    const until = new Date(+clock.now() + 60_000).toISOString();
    await admin.patch(path, { status: "waiting_for", waiting_until: until });
    await clock.moveTo(until);
    expect(await load(path)).toMatchObject({ status: "assigned", waiting_until: null });
  });

  describe.each(["workflow", "project"] as const)("with a %s", (container) => {
    const createPending = async () => {
      const { id } = await create(container);
      const one = await problem();
      const { body } = await admin.patch(one.path, { [`${container}_id`]: id });
      return { id, path: one.path, status: body.status };
    };
    const becomes = async (values: Record<string, unknown>) => {
      const { id, path } = await createPending();
      await changeByRule(container, id, values);
      return load(path);
    };

    test("PB4: the problem waits for it, and can't wait for the other type", async () => {
      const { status, path } = await createPending();
      expect(status).toBe(`${container}_pending`);
      const other = container === "workflow" ? "project" : "workflow";
      const { id } = await create(other);
      expect(describeErrors(await admin.patch(path, { [`${other}_id`]: id }))).toEqual([
        "project: Project is not valid",
      ]);
      expect((await admin.patch(path, { [`${container}_id`]: null })).body.status).toBe("assigned");
    });

    test("PB5, PB6: the problem is halted with it, and waits again when it continues", async () => {
      const { id, path } = await createPending();
      await changeByRule(container, id, { status: "progress_halted" });
      expect((await load(path)).status).toBe("progress_halted");
      await changeByRule(container, id, { status: "in_progress" });
      expect((await load(path)).status).toBe(`${container}_pending`);
    });

    test("PB7: its completion solves the problem", async () => {
      expect(await becomes({ status: "completed", completion_reason: "complete" })).toMatchObject({
        status: "solved",
        solved_at: expect.any(String),
      });
    });

    test("PB8: completion for another reason makes the problem analyzed", async () => {
      expect(await becomes({ status: "completed", completion_reason: "withdrawn" })).toMatchObject({
        status: "analyzed",
        solved_at: null,
      });
    });
  });

  test("PB10: a solved problem has a date and a duration in minutes", async () => {
    const { path } = await problem();
    await clock.pass(150);
    expect((await admin.patch(path, { status: "solved" })).body).toMatchObject({
      solved_at: expect.any(String),
      resolution_duration: 2,
    });
  });

  test("PB11: any other status removes the date", async () => {
    const { path } = await problem({ status: "solved" });
    expect((await admin.patch(path, { status: "analyzed" })).body).toMatchObject({
      solved_at: null,
      resolution_duration: null,
    });
  });

  test("PB12: a known error requires a workaround or an article", async () => {
    const { path } = await problem();
    expect(describeErrors(await admin.patch(path, { known_error: true }))).toEqual([
      "known_error: Known error is not valid",
    ]);
    expect((await admin.patch(path, { known_error: true, workaround: "Restart" })).status).toBe(200);
  });
});

describe("risks", () => {
  test("RK1: any status can follow any other; closed requires a reason and sets a date, which any other status removes", async () => {
    const { id } = await create("risk");
    const path = `/risks/${id}`;
    expect((await load(path)).status).toBe("anticipated");
    expect((await admin.patch(path, { status: "materialized" })).status).toBe(200);
    expect(describeErrors(await admin.patch(path, { status: "closed" }))).toEqual([
      "closure_reason: Closure reason can't be blank",
    ]);
    expect((await admin.patch(path, { status: "closed", closure_reason: "mitigated" })).body.closed_at).not.toBeNull();
    expect((await admin.patch(path, { status: "anticipated" })).body).toMatchObject({
      closed_at: null,
      closure_reason: null,
    });
    await admin.patch(path, { manager_id: 9 });
    expect(await loadEvents("risk", id)).toEqual([
      "risk.create",
      ...["risk.status-changed", "risk.update"],
      ...["risk.status-changed", "risk.update"],
      ...["risk.status-changed", "risk.update"],
      ...["risk.manager-changed", "risk.update"],
    ]);
  });
});
