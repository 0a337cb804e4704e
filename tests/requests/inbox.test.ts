import { describe, expect, test } from "vitest";
import { createScopedClient } from "../support/clients/scoped-client.ts";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import type { Role } from "../support/seed.ts";
import { loggedErrors, type Reply, world } from "../support/world.ts";

// The inbox: a person's work in one list.

const the = await world();
const { as, sql } = the;
const [sam, mia] = [3, 9];
const admin = as("administrator");
const make = workflowHelpers(admin);

type Item = { type: string; id: number; subject: string; [member: string]: unknown };
const inbox = (tab: string, role: Role = "specialist", more = "", account = "widget-it"): Promise<Reply> =>
  as(role, { account }).get(`/inbox?tab=${tab}${more}`);
const subjects = async (tab: string, role: Role = "specialist"): Promise<string[]> =>
  (await inbox(tab, role)).body.items.map(({ subject }: Item) => subject);

const request = async (subject: string, members: Record<string, unknown> = {}, target: string | null = null) => {
  const { body, status, text } = await admin.post("/requests", {
    subject,
    category: "rfi",
    team_id: serviceDeskTeam,
    ...members,
  });
  if (status !== 201) throw new Error(text);
  await sql("UPDATE requests SET next_target_at = $2 WHERE id = $1", [body.id, target]);
  return body.id as number;
};

describe("the tabs", () => {
  test("list work of all types by next target", async () => {
    await request("without target", { member_id: sam });
    await request("best effort", { member_id: sam }, "best_effort");
    await request("stopped", { member_id: sam, status: "waiting_for_customer" }, "clock_stopped");
    await request("third", { member_id: sam }, "2025-03-03T11:00:00Z");
    await request("overdue", { member_id: sam }, "2025-03-03T07:00:00Z");
    const workflow = await make.workflow();
    const task = await make.task(workflow, { subject: "second, a task", member_id: sam, status: "assigned" });
    await sql("UPDATE tasks SET completion_target_at = '2025-03-03T10:00:00Z' WHERE id = $1", [task.id]);
    await make.task(workflow, { subject: "not assigned yet", member_id: sam });
    const problem = await admin.post("/problems", {
      ...{ subject: "fourth, a problem", service_id: 1, team_id: serviceDeskTeam, member_id: sam },
      analysis_target_at: "2025-03-03T12:00:00Z",
    });
    expect(problem.status).toBe(201);
    const project = await make.project();
    const projectTask = await make.projectTask(project, { subject: "fifth, a project task", team_id: serviceDeskTeam });
    expect((await admin.post(`/project_tasks/${projectTask.id}/assignments`, { assignee_id: sam })).status).toBe(201);
    await admin.patch(`/project_tasks/${projectTask.id}`, { status: "assigned" });
    await sql("UPDATE project_tasks SET completion_target_at = '2025-03-04T12:00:00Z' WHERE id = $1", [projectTask.id]);
    await request("of somebody else", { member_id: mia }, "2025-03-03T06:00:00Z");
    await request("done", { member_id: sam, status: "completed" }, "2025-03-03T06:00:00Z");
    expect(await subjects("mine")).toEqual([
      "overdue",
      "second, a task",
      "third",
      "fourth, a problem",
      "fifth, a project task",
      "stopped",
      "best effort",
      "without target",
    ]);
    const { items, counts, next } = (await inbox("mine")).body;
    expect([counts.mine, next]).toEqual([8, null]);
    expect(items[0]).toEqual({
      ...{ type: "request", id: expect.any(Number), subject: "overdue", category: "rfi", status: "assigned" },
      ...{ impact: null, urgent: false, next_target_at: "2025-03-03T12:30:00+05:30", kind_of_target: "resolution" },
      team: { id: serviceDeskTeam, name: "Service Desk" },
      member: { id: sam, name: "Sam Specialist" },
      requested_for: { id: 1, name: "Ada Admin" },
      ...{ service_instance: null, major_incident_status: null, notes: 0, unread: true, revision: expect.any(Number) },
    });
    expect(items[1]).toMatchObject({ type: "task", kind_of_target: "completion" });
    expect(items[3]).toMatchObject({ type: "problem", kind_of_target: "analysis" });
    expect(items[4]).toMatchObject({ type: "project_task", member: { id: sam } });
    expect(items[5]).toMatchObject({ next_target_at: "clock_stopped", kind_of_target: null });
  });

  test("a team's unassigned work is shown to its coordinator, or to all members if it has none", async () => {
    await request("nobody's", {}, "2025-03-02T06:00:00Z");
    await request("of another team", { team_id: networksTeam }, "2025-03-02T06:00:00Z");
    expect(await subjects("unassigned")).toEqual(["nobody's"]);
    expect((await subjects("my_teams"))[0]).toBe("nobody's");
    expect(await subjects("my_teams")).toContain("of somebody else");
    await admin.patch(`/teams/${serviceDeskTeam}`, { coordinator_id: mia });
    expect(await subjects("unassigned")).toEqual([]);
    expect(await subjects("my_teams")).not.toContain("nobody's");
    expect(await subjects("unassigned", "manager")).toEqual(["nobody's"]);
    expect((await inbox("mine", "manager")).body.counts.unassigned).toBe(1);
    await admin.patch(`/teams/${serviceDeskTeam}`, { coordinator_id: null });
  });

  test("list approvals requested from the caller, directly or as a delegate", async () => {
    const workflow = await make.workflow();
    const approval = await make.taskTemplate({ category: "approval", subject: "Approve it" });
    const task = await make.task(workflow, { template_id: approval.id, member_id: mia, status: "assigned" });
    expect(await subjects("approvals", "manager")).toEqual(["Approve it"]);
    expect((await inbox("approvals", "manager")).body.items[0]).toMatchObject({
      type: "task",
      id: task.id,
      category: "approval",
    });
    expect(await subjects("approvals")).toEqual([]);
    expect(
      (
        await admin.post("/out_of_office_periods", {
          ...{ person_id: mia, approval_delegate_id: sam },
          ...{ start_at: "2025-03-01T00:00:00Z", end_at: "2025-03-09T00:00:00Z" },
        })
      ).status,
    ).toBe(201);
    expect(await subjects("approvals")).toEqual(["Approve it"]);
    expect((await as("manager").patch(`/tasks/${task.id}`, { status: "approved" })).status).toBe(200);
    expect(await subjects("approvals", "manager")).toEqual([]);
  });

  test("list watched requests, but not the members of a group", async () => {
    const watched = await request("watched", { team_id: networksTeam });
    expect((await admin.post(`/requests/${watched}/watches`, { person_id: sam })).status).toBe(201);
    expect(await subjects("watching")).toEqual(["watched"]);
    await sql("UPDATE requests SET grouped_into_id = $1 WHERE id = $1", [watched]);
    expect(await subjects("watching")).toEqual([]);
  });

  test("people see only their own work", async () => {
    expect((await inbox("my_teams", "requester")).body.items).toEqual([]);
    expect((await inbox("mine", "requester")).body.counts).toEqual({
      ...{ mine: 0, my_teams: 0, unassigned: 0, approvals: 0, watching: 0, unread: 0 },
    });
    expect((await inbox("mine", "stranger")).status).toBe(403);
    expect((await inbox("my_teams", "stranger", "", "stranger")).body.items).toEqual([]);
  });

  test("a request passed on by another account is in the inbox of the team there, with that account's values", async () => {
    const { body: team } = await as("provider").post("/teams", { name: "Provider Desk" });
    expect((await as("provider").post(`/teams/${team.id}/members/10`)).status).toBe(200);
    const id = await request("passed on", {}, "2025-03-03T09:00:00Z");
    expect((await admin.patch(`/requests/${id}`, { team_id: team.id })).status).toBe(200);
    const { body } = await inbox("my_teams", "providerSpecialist", "", "provider");
    expect(body.items).toMatchObject([{ id, subject: "passed on", team: { id: team.id } }]);
    expect(body.counts.my_teams).toBe(1);
  });
});

describe("reading", () => {
  test("pages have no gaps or repetitions", async () => {
    const all = await subjects("my_teams");
    const paged: string[] = [];
    let after = "";
    do {
      const { body } = await inbox("my_teams", "specialist", `&per_page=2${after}`);
      paged.push(...body.items.map(({ subject }: Item) => subject));
      after = body.next === null ? "" : `&after=${body.next}`;
    } while (after !== "");
    expect(paged).toEqual(all);
  });

  test("an item stays read until someone changes it; internal notes only count for people who may read them", async () => {
    const id = await request("marked", { member_id: sam }, "2025-03-01T06:00:00Z");
    const loadFirst = async () => (await inbox("mine")).body.items[0] as Item;
    expect(await loadFirst()).toMatchObject({ id, unread: true, notes: 0 });
    expect((await as("specialist").post("/inbox/seen", { type: "request", id })).status).toBe(204);
    expect(await loadFirst()).toMatchObject({ unread: false });
    const { counts } = (await inbox("mine")).body;
    expect(counts.unread).toBe(counts.mine - 1);
    await as("manager").post(`/requests/${id}/notes`, { text: "psst", internal: true });
    expect(await loadFirst()).toMatchObject({ unread: true, notes: 1 });
  });

  test.each([
    "&tab=nonsense",
    "&per_page=0",
    "&per_page=101",
    "&per_page=x",
    "&after=x",
    `&after=${Buffer.from('["2025", 1]').toString("base64url")}`,
    `&after=${Buffer.from('["\'; DROP", 0, 1]').toString("base64url")}`,
    `&after=${Buffer.from('["e", 0, 1e99]').toString("base64url")}`,
    `&after=${"A".repeat(5000)}`,
  ])("%s is rejected", async (parameters) => {
    const [tab, more] = parameters.startsWith("&tab") ? [parameters.slice(5), ""] : ["mine", parameters];
    expect((await inbox(tab, "specialist", more)).status).toBe(400);
  });

  test("marking as read requires a record that the person may read", async () => {
    const mark = (body: unknown, role: Role = "specialist", account = "widget-it") =>
      as(role, { account }).post("/inbox/seen", body);
    const id = await request("private");
    expect((await mark({ type: "request", id }, "requester")).status).toBe(403);
    expect((await mark({ type: "request", id }, "stranger", "stranger")).status).toBe(404);
    for (const body of [
      {},
      { type: "request" },
      { type: "nothing", id: 1 },
      { type: "request", id: -1 },
      { type: ["request"], id },
    ])
      expect((await mark(body)).status).toBe(400);
  });

  test("a token needs the inbox scope, and reads only the types that its other scopes allow", async () => {
    const types = async (...scopes: Parameters<typeof createScopedClient>[2]) => {
      const { status, body } = await (await createScopedClient(the, sam, scopes)).get("/inbox?tab=mine&per_page=100");
      return status === 200
        ? [body.counts.mine === body.items.length, [...new Set(body.items.map(({ type }: Item) => type))].sort()]
        : status;
    };
    expect(await types("request:Read")).toBe(403);
    expect(await types("me:All")).toBe(403);
    expect(await types("inbox:Read")).toEqual([true, []]);
    expect(await types("inbox:Read, task:Read, problem:Read")).toEqual([true, ["problem", "task"]]);
    expect(await types("*:*", { deny: "request:*" })).toEqual([true, ["problem", "project_task", "task"]]);
    const id = await request("of a token", { member_id: sam });
    const mark = async (scopes: string) =>
      (await (await createScopedClient(the, sam, [scopes])).post("/inbox/seen", { type: "request", id })).status;
    expect(await Promise.all(["inbox:Update", "request:Read", "inbox:Update, request:Read"].map(mark))).toEqual([
      ...[403, 403, 204],
    ]);
  });

  test("no call of these tests caused a server error", () => {
    expect(loggedErrors(the.log)).toEqual([]);
  });
});
