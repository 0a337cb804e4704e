import { describe, expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors, listErrors } from "../support/replies.ts";
import { type Client, world } from "../support/world.ts";

// Requests and request templates.

const { as, sql, service, clock } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);

async function request(members: Record<string, unknown> = {}, by: Client = admin) {
  const { status, body, text } = await by.post("/requests", { category: "other", ...members });
  if (status !== 201) throw new Error(text);
  return { ...body, path: `/requests/${body.id}` };
}
async function create(type: string, members: Record<string, unknown> = {}) {
  return bodies.make(types.get(type), members);
}
async function createTeam(...members: number[]) {
  const { id } = await create("team");
  for (const member of members) await admin.post(`/teams/${id}/members/${member}`);
  return id as number;
}
const listIds = async (path: string, by = admin) =>
  (await by.get(`${path}${path.includes("?") ? "&" : "?"}per_page=100`)).body.map((row: { id: number }) => row.id);

describe("registering", () => {
  test("CO18: a create requires only category; everything else has a default", async () => {
    expect(describeErrors(await admin.post("/requests", {}))).toEqual(["category: Category can't be blank"]);
    expect(await request({ category: "incident" })).toMatchObject({
      subject: "Incident - Request for Incident Resolution",
      status: "assigned",
      impact: "low",
      created_by: { id: 1 },
      requested_by: { id: 1 },
      requested_for: { id: 1 },
      organization: { id: 1 },
      grouping: "none",
      new_assignment: true,
      assignment_count: 0,
      reopen_count: 0,
      next_target_at: "best_effort",
      urgent: false,
      reviewed: true,
      completed_at: null,
      team: null,
      member: null,
    });
  });

  test("requested_by defaults to requested_for, and the organization is that of requested_for", async () => {
    expect(await request({ requested_for_id: 5 })).toMatchObject({
      requested_by: { id: 5 },
      requested_for: { id: 5 },
      organization: { id: 3 },
    });
    expect(await request({ requested_by_id: 6 })).toMatchObject({ requested_by: { id: 6 }, requested_for: { id: 6 } });
    const { path } = await request({ requested_for_id: 5 });
    await admin.patch(path, { requested_for_id: 3 });
    expect((await admin.get(path)).body).toMatchObject({ requested_for: { id: 3 }, organization: { id: 3 } });
  });

  test("only an administrator can set created_by", async () => {
    expect(await request({ created_by_id: 5 })).toMatchObject({ created_by: { id: 5 } });
    expect(await request({ created_by_id: 5 }, as("specialist"))).toMatchObject({ created_by: { id: 3 } });
  });

  test("only the service desk registers requests for other people", async () => {
    expect((await as("requester").post("/requests", { category: "rfi" })).status).toBe(201);
    expect(describeErrors(await as("specialist").post("/requests", { category: "rfi", requested_for_id: 5 }))).toEqual([
      "requested_for: Requested for is not valid",
    ]);
    expect(
      (await as("specialist").post("/requests", { category: "rfi", requested_by_id: 3, requested_for_id: 5 })).status,
    ).toBe(201);
    await admin.post("/people/9/permissions/widget-it?roles=service_desk_analyst");
    expect((await as("manager").post("/requests", { category: "rfi", requested_for_id: 5 })).status).toBe(201);
  });

  test("the subject is the template's, otherwise the start of the note, otherwise the category", async () => {
    const template = await create("request_template", { subject: "New laptop" });
    expect(await request({ template_id: template.id, note: "Mine is old" })).toMatchObject({ subject: "New laptop" });
    const silent = await create("request_template", { subject: "Hidden", copy_subject_to_requests: false });
    expect(await request({ template_id: silent.id, note: `${"😀".repeat(80)}x` })).toMatchObject({
      subject: "😀".repeat(80),
    });
    expect(await request({ category: "rfi" })).toMatchObject({ subject: "RFI - Request for Information" });
  });

  test("RQ23: the call overrides the template's values", async () => {
    const [first, second] = [await createTeam(3), await createTeam(3)];
    const template = await create("request_template", {
      category: "incident",
      impact: "high",
      status: "accepted",
      team_id: first,
      member_id: 3,
      urgent: true,
      planned_effort: 30,
    });
    const { status, body } = await admin.post("/requests", { template_id: template.id });
    expect([status, body]).toMatchObject([
      201,
      {
        category: "incident",
        impact: "high",
        status: "accepted",
        team: { id: first },
        member: { id: 3 },
        urgent: true,
        planned_effort: 30,
        template: { id: template.id },
      },
    ]);
    expect(
      await request({ template_id: template.id, category: "rfc", impact: "low", team_id: second, urgent: false }),
    ).toMatchObject({ category: "rfc", impact: "low", team: { id: second }, urgent: false, status: "accepted" });
    expect((await admin.get(`/request_templates/${template.id}`)).body.times_applied).toBe(2);
    await admin.patch(`/request_templates/${template.id}`, { disabled: true });
    expect(describeErrors(await admin.post("/requests", { category: "rfc", template_id: template.id }))).toEqual([
      "template: Template is not valid",
    ]);
  });
});

describe("teams and members", () => {
  test("the default team is the member's, the template's, first line or support, in this order", async () => {
    const [own, support, firstLine, ofTemplate] = [
      await createTeam(9),
      await createTeam(),
      await createTeam(),
      await createTeam(),
    ];
    const instance = await create("service_instance", { support_team_id: support });
    const attended = await create("service_instance", { support_team_id: support, first_line_team_id: firstLine });
    const template = await create("request_template", { team_id: ofTemplate });
    expect(await request({ service_instance_id: instance.id })).toMatchObject({ team: { id: support } });
    expect(await request({ service_instance_id: attended.id })).toMatchObject({ team: { id: firstLine } });
    expect(await request({ service_instance_id: attended.id, template_id: template.id })).toMatchObject({
      team: { id: ofTemplate },
    });
    expect(await request({ template_id: template.id, member_id: 9 })).toMatchObject({ team: { id: own } });
    expect(await request({ service_instance_id: instance.id, team_id: own })).toMatchObject({
      team: { id: own },
    });
  });

  test("the member must be in the team, and is cleared when the team changes", async () => {
    const [one, other] = [await createTeam(3), await createTeam()];
    expect(describeErrors(await admin.post("/requests", { category: "rfi", team_id: other, member_id: 3 }))).toEqual([
      "member: Assignee is not valid",
    ]);
    const { path } = await request({ team_id: one, member_id: 3 });
    const { body } = await admin.patch(path, { team_id: other });
    expect(body).toMatchObject({ team: { id: other }, member: null, assignment_count: 2 });
    expect((await admin.patch(path, { team_id: other })).body.assignment_count).toBe(2);
  });
});

describe("states", () => {
  test("a completed request has a reason and a date, and reopening removes both", async () => {
    const { path } = await request();
    await clock.pass(150);
    expect((await admin.patch(path, { status: "completed" })).body).toMatchObject({
      completion_reason: "solved",
      completed_at: expect.any(String),
      resolution_duration: 2,
      next_target_at: null,
      new_assignment: false,
    });
    expect((await admin.patch(path, { status: "in_progress", completion_reason: "gone" })).body).toMatchObject({
      completion_reason: null,
      completed_at: null,
      resolution_duration: null,
      reopen_count: 1,
      next_target_at: "best_effort",
    });
    expect((await admin.patch(path, { status: "completed", completion_reason: "gone" })).body.completion_reason).toBe(
      "gone",
    );
  });

  test("waiting_until belongs to waiting_for, must be in the future, and ends it", async () => {
    const { path } = await request();
    expect(describeErrors(await admin.patch(path, { status: "waiting_for" }))).toEqual([
      "waiting_until: Waiting until can't be blank",
    ]);
    expect(
      describeErrors(await admin.patch(path, { status: "waiting_for", waiting_until: "2001-01-01T00:00:00Z" })),
    ).toEqual(["waiting_until: Waiting until must be in the future"]);
    const until = "2031-01-01T00:00:00+01:00";
    expect((await admin.patch(path, { status: "waiting_for", waiting_until: until })).body.waiting_until).toBe(until);
    expect((await admin.patch(path, { status: "accepted" })).body.waiting_until).toBeNull();
  });

  test("RQ21: a pending state requires the record that the request waits for", async () => {
    const { path } = await request();
    for (const name of ["workflow", "project", "reservation"])
      expect(listErrors(await admin.patch(path, { status: `${name}_pending` }))[0]).toMatch(`${name}: `);
    expect(
      describeErrors(
        await admin.patch(path, { downtime_start_at: "2025-03-02T00:00:00Z", downtime_end_at: "2025-03-01T00:00:00Z" }),
      ),
    ).toEqual(["downtime_end_at: Downtime end is not valid"]);
    expect(describeErrors(await admin.patch(path, { addressed: true }))).toEqual(["addressed: Addressed is not valid"]);
  });

  test("SLA53: the desired completion is the next target unless an earlier one exists", async () => {
    const desired = "2031-02-01T09:00:00+01:00";
    const { path, next_target_at } = await request({ desired_completion_at: desired });
    expect(next_target_at).toBe(desired);
    expect(
      (await admin.patch(path, { desired_completion_at: null, status: "waiting_for_customer" })).body.next_target_at,
    ).toBe("best_effort");
  });

  test("only a completed request can be archived", async () => {
    const { path } = await request();
    expect(describeErrors(await admin.post(`${path}/archive`))).toEqual(["status: Status is not valid"]);
    await admin.patch(path, { status: "completed" });
    expect((await admin.post(`${path}/archive`)).body.archived).toBe(true);
  });
});

describe("predefined filters", () => {
  test("open and completed, the caller's, waiting for the caller, assigned to the caller and the caller's team", async () => {
    const mine = await createTeam(3);
    const open = await request({ team_id: mine, member_id: 3, requested_for_id: 5 });
    const done = await request({ status: "completed" });
    const waiting = await request({ requested_by_id: 5, status: "waiting_for_customer" });
    const ids = `id=${[open.id, done.id, waiting.id]}&sort=id`;
    expect(await listIds(`/requests/open?${ids}`)).toEqual([open.id, waiting.id]);
    expect(await listIds(`/requests/completed?${ids}`)).toEqual([done.id]);
    expect(await listIds(`/requests/requested_by_or_for_me?${ids}`)).toEqual([done.id]);
    expect(await listIds(`/requests/requested_by_or_for_me?${ids}`, as("requester"))).toEqual([open.id, waiting.id]);
    expect(await listIds(`/requests/waiting_for_me?${ids}`, as("requester"))).toEqual([waiting.id]);
    expect(await listIds(`/requests/assigned_to_my_team?${ids}`, as("specialist"))).toEqual([open.id]);
    expect(await listIds(`/requests/assigned_to_me?${ids}`, as("specialist"))).toEqual([open.id]);
    expect(await listIds(`/requests/assigned_to_me?${ids}`)).toEqual([]);
  });

  test("problem management review: completed in the last six months, of a service whose problem manager is the caller", async () => {
    const managed = await create("service", { problem_manager_id: 3 });
    const instance = await create("service_instance", { service_id: managed.id });
    const recent = await request({ service_instance_id: instance.id, status: "completed" });
    const old = await request({ service_instance_id: instance.id, status: "completed" });
    const other = await request({ status: "completed" });
    await sql("UPDATE requests SET completed_at = completed_at - interval '7 months' WHERE id = $1", [old.id]);
    const ids = `id=${[recent.id, old.id, other.id]}`;
    expect(await listIds(`/requests/problem_management_review?${ids}`, as("specialist"))).toEqual([recent.id]);
    expect(await listIds(`/requests/problem_management_review?${ids}`)).toEqual([]);
  });

  test("SLA62: sla accountability: open, with an affected SLA that one of the caller's teams is accountable for", async () => {
    const mine = await createTeam(3);
    const [held, freed, done] = [await request(), await request(), await request({ status: "completed" })];
    for (const [id, accountability] of [
      [held.id, "provider"],
      [freed.id, "sla_not_affected"],
      [done.id, "provider"],
    ])
      await sql(
        `INSERT INTO affected_slas (account_id, request_id, accountability, support_team_id, created_at, updated_at)
         VALUES ('widget-it', $1, $2, $3, now(), now())`,
        [id, accountability, mine],
      );
    const ids = `id=${[held.id, freed.id, done.id]}`;
    expect(await listIds(`/requests/sla_accountability?${ids}`, as("specialist"))).toEqual([held.id]);
    expect(await listIds(`/requests/sla_accountability?${ids}`)).toEqual([]);
    expect((await admin.get(`${held.path}/affected_slas`)).body).toMatchObject([{ accountability: "provider" }]);
  });
});

describe("records linked to a request", () => {
  test("ci replaces all linked configuration items, and shows the one that was linked first", async () => {
    const [one, other] = [await create("ci"), await create("ci")];
    const { path, ci } = await request({ ci_id: one.id });
    expect(ci.id).toBe(one.id);
    expect(await listIds(`${path}/cis`)).toEqual([one.id]);
    await admin.post(`${path}/cis/${other.id}`);
    expect((await listIds(`${path}/cis`)).sort()).toEqual([one.id, other.id].sort());
    await admin.patch(path, { ci_id: other.id });
    expect(await listIds(`${path}/cis`)).toEqual([other.id]);
    expect((await admin.get(`${path}?fields=ci`)).status).toBe(400);
  });

  test("a tag is added by its name, and the same name is the same tag everywhere", async () => {
    const [one, other] = [await request(), await request()];
    const { status, body } = await admin.post(`${one.path}/tags`, { name: "vip" });
    expect([status, body]).toEqual([200, { id: expect.any(Number), nodeID: expect.any(String), name: "vip" }]);
    expect((await admin.post(`${other.path}/tags`, { name: "VIP" })).body.id).toBe(body.id);
    expect((await admin.get(`${other.path}/tags`)).body).toMatchObject([{ id: body.id, name: "vip" }]);
    expect(describeErrors(await admin.post(`${one.path}/tags`, {}))).toEqual(["name: Name can't be blank"]);
    expect((await admin.delete(`${one.path}/tags/${body.id}`)).status).toBe(204);
    expect(await listIds(`${one.path}/tags`)).toEqual([]);
    expect(await listIds(`${other.path}/tags`)).toEqual([body.id]);
    expect((await admin.get("/tags?text=VI")).body).toEqual(["vip"]);
    expect((await admin.post("/tags", { name: "other" })).status).toBe(404);
  });

  test("a watcher may read the request", async () => {
    const { path } = await request();
    expect((await as("requester").get(path)).status).toBe(403);
    const { status, body } = await admin.post(`${path}/watches`, { person_id: 5 });
    expect([status, body]).toMatchObject([
      201,
      { person: { id: 5 }, added_by: { id: 1 }, account: { id: "widget-it" } },
    ]);
    expect((await as("requester").get(path)).status).toBe(200);
    expect((await admin.delete(`${path}/watches/${body.id}`)).status).toBe(204);
    expect((await as("requester").get(path)).status).toBe(403);
  });

  test("the linked knowledge article and the requests of a group are listed", async () => {
    const article = await create("knowledge_article");
    const { path, id } = await request({ knowledge_article_id: article.id });
    expect(await listIds(`${path}/knowledge_articles`)).toEqual([article.id]);
    await sql("UPDATE requests SET grouped_into_id = $1 WHERE id = (SELECT max(id) FROM requests)", [id]);
    expect(await listIds(`${path}/grouped_requests`)).toHaveLength(1);
    for (const name of ["automation_rules", "sprint_backlog_items", "inbound_emails", "note_attachments"])
      expect((await admin.get(`${path}/${name}`)).body, name).toEqual([]);
  });
});

describe("request templates", () => {
  test("a template requires the fields that its settings need", async () => {
    expect(
      describeErrors(await admin.post("/request_templates", { subject: "t", status: "workflow_pending" })),
    ).toEqual(["workflow_template: Workflow template can't be blank"]);
    expect(
      describeErrors(await admin.post("/request_templates", { subject: "t", assign_after_workflow_completion: true })),
    ).toEqual(["team: Team can't be blank"]);
    const workflow = await create("workflow_template");
    expect(
      describeErrors(await admin.post("/request_templates", { subject: "t", workflow_template_id: workflow.id })),
    ).toEqual(["workflow_manager: Workflow manager can't be blank"]);
    const managed = await create("service", { change_manager_id: 3 });
    const members = { subject: "t", workflow_template_id: workflow.id, service_id: managed.id };
    expect(describeErrors(await admin.post("/request_templates", members))).toBe(201);
  });

  test("a template's requests are listIds, with their predefined filters", async () => {
    const template = await create("request_template");
    const [open, done] = [
      await request({ template_id: template.id }),
      await request({ template_id: template.id, status: "completed" }),
    ];
    expect(await listIds(`/request_templates/${template.id}/requests?sort=id`)).toEqual([open.id, done.id]);
    expect(await listIds(`/request_templates/${template.id}/requests/open`)).toEqual([open.id]);
    for (const name of ["automation_rules", "reservation_offerings"])
      expect((await admin.get(`/request_templates/${template.id}/${name}`)).body, name).toEqual([]);
  });
});
