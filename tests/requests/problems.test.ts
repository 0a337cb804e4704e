import { describe, expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Problems, releases and risks.

const { as, sql, service, clock } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const create = (type: string, members: Record<string, unknown> = {}) => bodies.make(types.get(type), members);
const listIds = async (path: string, by = admin) => (await by.get(path)).body.map((row: { id: number }) => row.id);

describe("problems", () => {
  test("subject and service are required; impact, manager and team have defaults", async () => {
    expect(describeErrors(await admin.post("/problems", {}))).toEqual([
      "subject: Subject can't be blank",
      "service: Service can't be blank",
      "team: Team can't be blank",
    ]);
    const team = await create("team");
    const supported = await create("service", { support_team_id: team.id });
    const { status, body } = await admin.post("/problems", { subject: "Slow", service_id: supported.id });
    expect([status, body]).toMatchObject([
      201,
      {
        category: "reactive",
        impact: "none",
        status: "assigned",
        manager: { id: 1 },
        team: { id: team.id },
        known_error: false,
        new_assignment: true,
        solved_at: null,
      },
    ]);
  });

  test("a problem is solved and reopened", async () => {
    const { id } = await create("problem");
    await clock.pass(90);
    expect((await admin.patch(`/problems/${id}`, { status: "solved" })).body).toMatchObject({
      solved_at: expect.any(String),
      resolution_duration: 1,
      new_assignment: false,
    });
    expect((await admin.patch(`/problems/${id}`, { status: "analyzed" })).body).toMatchObject({
      solved_at: null,
      resolution_duration: null,
    });
    expect(describeErrors(await admin.post(`/problems/${id}/archive`))).toEqual(["status: Status is not valid"]);
  });

  test("waiting, pending and known error require their fields", async () => {
    const { id } = await create("problem");
    const change = async (members: Record<string, unknown>) =>
      describeErrors(await admin.patch(`/problems/${id}`, members));
    expect(await change({ status: "waiting_for" })).toEqual(["waiting_until: Waiting until can't be blank"]);
    expect(await change({ status: "workflow_pending" })).toEqual(["workflow: Workflow can't be blank"]);
    expect(await change({ known_error: true })).toEqual(["known_error: Known error is not valid"]);
    expect(await change({ known_error: true, workaround: "Restart" })).toBe(200);
    expect(await change({ status: "waiting_for", waiting_until: "2025-03-04T08:00:00Z" })).toBe(200);
    await clock.moveTo("2025-03-04T08:00:00Z");
    expect((await admin.get(`/problems/${id}`)).body).toMatchObject({ status: "assigned", waiting_until: null });
  });

  test("linking a request sets its problem and marks it as reviewed", async () => {
    const { id } = await create("problem");
    const instance = await create("service_instance");
    const request = await create("request", { service_instance_id: instance.id });
    expect(request.reviewed).toBe(false);
    expect((await admin.post(`/problems/${id}/requests/${request.id}`)).status).toBe(200);
    expect((await admin.get(`/requests/${request.id}`)).body).toMatchObject({ problem: { id }, reviewed: true });
    expect(await listIds(`/problems/${id}/requests/open`)).toEqual([request.id]);
    expect(await listIds(`/problems/${id}/requests/completed`)).toEqual([]);
    expect((await admin.delete(`/problems/${id}/requests/${request.id}`)).status).toBe(204);
    expect((await admin.get(`/requests/${request.id}`)).body.problem).toBeNull();
  });

  test("the predefined filters select the matching problems", async () => {
    const team = await create("team");
    await admin.post(`/teams/${team.id}/members/3`);
    const known = await create("problem", { known_error: true, workaround: "Restart", team_id: team.id, member_id: 3 });
    const halted = await create("problem", { status: "progress_halted", manager_id: 9 });
    const solved = await create("problem", { status: "solved", known_error: true, workaround: "x" });
    const ids = `?id=${[known.id, halted.id, solved.id]}&sort=id`;
    expect(await listIds(`/problems/active${ids}`)).toEqual([known.id]);
    expect(await listIds(`/problems/known_errors${ids}`)).toEqual([known.id]);
    expect(await listIds(`/problems/progress_halted${ids}`)).toEqual([halted.id]);
    expect(await listIds(`/problems/solved${ids}`)).toEqual([solved.id]);
    expect(await listIds(`/problems/managed_by_me${ids}`)).toEqual([known.id, solved.id]);
    expect(await listIds(`/problems/assigned_to_my_team${ids}`, as("specialist"))).toEqual([known.id]);
    expect(await listIds(`/problems/assigned_to_me${ids}`, as("specialist"))).toEqual([known.id]);
  });

  test("specialists edit problems, problem managers add them", async () => {
    const { id } = await create("problem");
    expect((await as("specialist").patch(`/problems/${id}`, { urgent: true })).status).toBe(200);
    expect((await as("specialist").post("/problems", { subject: "x" })).status).toBe(403);
    await admin.post("/people/9/permissions/widget-it?roles=problem_manager");
    expect((await as("manager").post("/problems", { subject: "x" })).status).toBe(422);
  });
});

describe("releases", () => {
  test("the manager is the caller, or a person with the release manager role", async () => {
    expect(await create("release")).toMatchObject({ status: "registered", impact: "none", manager: { id: 1 } });
    const given = { subject: "R", manager_id: 9 };
    expect(describeErrors(await admin.post("/releases", given))).toEqual(["manager: Manager is not valid"]);
    await admin.post("/people/9/permissions/widget-it?roles=release_manager");
    expect(describeErrors(await admin.post("/releases", given))).toBe(201);
  });

  test("RL1: fields derived from the workflows can't be written, and deprecated values mean in_progress", async () => {
    const { id } = await create("release");
    const { status, headers } = await admin.patch(`/releases/${id}`, { status: "completed", completed_at: null });
    expect([status, headers.get("X-Ignored-Fields")]).toEqual([200, "status, completed_at"]);
    await sql("UPDATE releases SET status = 'in_progress' WHERE id = $1", [id]);
    expect(await listIds(`/releases?id=${id}&status=approval`)).toEqual([id]);
    expect(await listIds(`/releases/open?id=${id}`)).toEqual([id]);
    expect(await listIds(`/releases/completed?id=${id}`)).toEqual([]);
    expect(await listIds(`/releases/managed_by_me?id=${id}`)).toEqual([id]);
  });
});

describe("risks", () => {
  test("closing requires a reason, and reopening removes it", async () => {
    const { id, status } = await create("risk");
    expect(status).toBe("anticipated");
    expect(describeErrors(await admin.patch(`/risks/${id}`, { status: "closed" }))).toEqual([
      "closure_reason: Closure reason can't be blank",
    ]);
    expect((await admin.patch(`/risks/${id}`, { status: "closed", closure_reason: "mitigated" })).body).toMatchObject({
      closure_reason: "mitigated",
      closed_at: expect.any(String),
      resolution_duration: expect.any(Number),
    });
    expect(await listIds(`/risks/closed?id=${id}`)).toEqual([id]);
    expect((await admin.patch(`/risks/${id}`, { status: "materialized" })).body).toMatchObject({
      closure_reason: null,
      closed_at: null,
      resolution_duration: null,
    });
    expect(await listIds(`/risks/open?id=${id}`)).toEqual([id]);
  });
});
