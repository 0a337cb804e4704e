import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors, listErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// States of requests, rule by rule: R1 to R34, RQ1 to RQ24.

const here = await world();
const { as, sql, clock } = here;
const { admin, create, request, team, load, texts, loadEvents, mails, changeByRule } = requestHelpers(here);
const [specialist, requester] = [as("specialist"), as("requester", { language: "en-US" })];
const later = "2025-04-01T08:00:00Z";
const sam = 3; // in the Service Desk, team 1
const desk = 1;

/** Creates a template with everything that a workflow needs. */
const createWorkflowTemplate = async (members: Record<string, unknown> = {}) =>
  create("workflow_template", {
    category: "standard",
    justification: "maintenance",
    workflow_type: (await create("workflow_type")).reference,
    service_id: 1,
    ...members,
  });

describe("created", () => {
  test("R1: a request without a status is assigned, as the first and a new assignment", async () => {
    expect(await request({ team_id: desk })).toMatchObject({
      status: "assigned",
      new_assignment: true,
      assignment_count: 1,
    });
  });

  test("R2: a status in the call is kept", async () => {
    expect(await request({ status: "in_progress", team_id: desk }, specialist)).toMatchObject({
      status: "in_progress",
      member: { id: sam },
      new_assignment: false,
    });
  });

  test("EV1: a created record publishes only the create event, even with a note and a status", async () => {
    const { id } = await request({ status: "accepted", note: "Hello", team_id: desk });
    expect(await loadEvents("request", id)).toEqual(["request.create"]);
  });
});

describe("worked on", () => {
  test.each(["accepted", "in_progress", "waiting_for"])(
    "R3, R4, R5, R20: %s without a member makes the acting person the member if they are in the team",
    async (status) => {
      const { path } = await request({ team_id: desk });
      const body = { status, ...(status === "waiting_for" ? { waiting_until: later } : {}) };
      expect((await specialist.patch(path, body)).body).toMatchObject({ status, member: { id: sam } });
    },
  );

  test("R20, R21: otherwise the request moves to the acting person's first team", async () => {
    const other = await team();
    const { path } = await request({ team_id: other });
    expect((await specialist.patch(path, { status: "accepted" })).body).toMatchObject({
      team: { id: desk },
      member: { id: sam },
      assignment_count: 2,
    });
    const { path: kept } = await request({ team_id: other });
    expect((await admin.patch(kept, { status: "accepted" })).body).toMatchObject({ team: { id: other }, member: null });
  });

  test.each(["completed", "waiting_for_customer"])("R21: %s keeps an existing member", async (status) => {
    const { path } = await request({ team_id: desk, member_id: 9 });
    expect((await specialist.patch(path, { status })).body).toMatchObject({ status, member: { id: 9 } });
  });

  test("RQ20: the service desk team comes first, then first line, support, and by name", async () => {
    const [first, support, named] = [await team(9), await team(9), await team(9)];
    await admin.patch(`/teams/${named}`, { name: "AAA" });
    const instance = await create("service_instance", { first_line_team_id: first, support_team_id: support });
    const manager = as("manager");
    const completeAndLoadTeam = async (members: Record<string, unknown>) => {
      const { path } = await request({ team_id: await team(), ...members });
      return (await manager.patch(path, { status: "completed" })).body.team.id;
    };
    expect(await completeAndLoadTeam({ service_instance_id: instance.id })).toBe(first);
    await admin.patch(`/service_instances/${instance.id}`, { first_line_team_id: null });
    expect(await completeAndLoadTeam({ service_instance_id: instance.id })).toBe(support);
    expect(await completeAndLoadTeam({})).toBe(named);
    const agreement = await create("flsa", { service_desk_team_id: desk });
    await sql("UPDATE flsas SET status = 'active' WHERE id = $1", [agreement.id]);
    expect(await completeAndLoadTeam({ service_instance_id: instance.id })).toBe(desk);
    await sql("UPDATE flsas SET status = 'expired' WHERE id = $1", [agreement.id]);
  });

  test("R6, C6: at waiting_until the request is assigned again with its member, by no actor", async () => {
    const { path, id } = await request({ team_id: desk, member_id: sam });
    await admin.patch(path, { status: "waiting_for", waiting_until: new Date(+clock.now() + 60_000).toISOString() });
    await clock.pass(61);
    expect(await load(path)).toMatchObject({
      status: "assigned",
      waiting_until: null,
      new_assignment: true,
      member: { id: sam },
    });
    const [event] = await sql("SELECT person_id FROM events WHERE record_id = $1 ORDER BY id DESC LIMIT 1", [id]);
    expect(event?.person_id).toBeNull();
  });

  test("R7: a new waiting_until moves the timer", async () => {
    const { path } = await request({ team_id: desk });
    const at = (seconds: number) => new Date(+clock.now() + seconds * 1000).toISOString();
    const second = at(600);
    await admin.patch(path, { status: "waiting_for", waiting_until: at(60) });
    await admin.patch(path, { waiting_until: second });
    await clock.pass(120);
    expect((await load(path)).status).toBe("waiting_for");
    await clock.moveTo(second);
    expect((await load(path)).status).toBe("assigned");
  });

  test("R8: waiting for the customer notifies the requester", async () => {
    const { path, id, subject } = await request({ requested_by_id: 5, team_id: desk });
    expect((await specialist.patch(path, { status: "waiting_for_customer" })).body.member.id).toBe(sam);
    expect((await mails()).at(-1)).toMatchObject({
      recipient: "rita@widget.example",
      subject: `Aanvraag ${id}: uw antwoord is nodig – ${subject}`,
    });
  });

  test("R9: the requester's note ends it, as a note or in a change; the specialist's doesn't", async () => {
    const { path } = await request({ requested_by_id: 5, team_id: desk });
    const wait = () => specialist.patch(path, { status: "waiting_for_customer" });
    await wait();
    await specialist.post(`${path}/notes`, { text: "Still there?" });
    expect((await load(path)).status).toBe("waiting_for_customer");
    await requester.post(`${path}/notes`, { text: "Yes" });
    expect(await load(path)).toMatchObject({ status: "assigned", new_assignment: true });
    await wait();
    expect((await requester.patch(path, { note: "Really" })).body.status).toBe("assigned");
    expect(await texts(path)).toEqual(["Still there?", "Yes", "Really"]);
  });

  test("R10: a specialist can set another status", async () => {
    const { path } = await request({ team_id: desk, status: "waiting_for_customer" });
    expect((await specialist.patch(path, { status: "in_progress" })).body.status).toBe("in_progress");
  });

  test("R13: declining clears the member unless the call sets one, and keeps the team", async () => {
    const { path } = await request({ team_id: desk, member_id: sam, status: "accepted" });
    expect((await specialist.patch(path, { status: "declined" })).body).toMatchObject({
      member: null,
      team: { id: desk },
      new_assignment: true,
    });
    expect((await admin.patch(path, { status: "accepted", member_id: 9 })).body.member.id).toBe(9);
    expect((await admin.patch(path, { status: "declined", member_id: sam })).body.member.id).toBe(sam);
  });
});

describe("pending requests", () => {
  test("R14: a backlog puts the request on_backlog, in last position; removing the backlog assigns it", async () => {
    const backlog = await create("product_backlog");
    const one = await request({ product_backlog_id: backlog.id });
    const { path, id } = await request();
    expect((await admin.patch(path, { product_backlog_id: backlog.id })).body).toMatchObject({
      status: "on_backlog",
      product_backlog_position: 2,
    });
    expect((await admin.patch(path, { product_backlog_position: 1 })).body.product_backlog_position).toBe(1);
    const loadItems = async () =>
      (await load(`/product_backlogs/${backlog.id}/product_backlog_items`)).map(
        (item: { position: number; request?: { id: number }; problem?: { id: number } }) => [
          item.position,
          item.request?.id ?? item.problem?.id,
        ],
      );
    expect(await loadItems()).toEqual([
      [1, id],
      [2, one.id],
    ]);
    const problem = await create("problem", { product_backlog_id: backlog.id, product_backlog_position: 2 });
    expect(problem).toMatchObject({ status: "on_backlog", product_backlog_position: 2 });
    expect((await admin.patch(path, { product_backlog_id: null })).body).toMatchObject({
      status: "assigned",
      product_backlog_position: null,
    });
    expect(await loadItems()).toEqual([
      [1, problem.id],
      [2, one.id],
    ]);
    expect((await admin.patch(one.path, { status: "completed" })).body.product_backlog).toBeNull();
    expect(await loadItems()).toEqual([[1, problem.id]]);
    expect((await admin.patch(path, { status: "on_backlog" })).body.status).toBe("on_backlog");
  });

  test("R15: a linked workflow makes the request pending, with the workflow's manager as its member if the template says so", async () => {
    for (const flag of [true, false]) {
      const template = await create("workflow_template", { assign_relations_to_workflow_manager: flag });
      const workflow = await create("workflow", { template_id: template.id });
      await sql("UPDATE workflows SET manager_id = 3 WHERE id = $1", [workflow.id]);
      const { path } = await request({ team_id: 2 });
      expect((await admin.patch(path, { workflow_id: workflow.id })).body).toMatchObject({
        status: "workflow_pending",
        team: { id: flag ? desk : 2 },
        member: flag ? { id: sam } : null,
      });
    }
    const done = await create("workflow", { status: "completed" });
    const { path } = await request();
    expect((await admin.patch(path, { workflow_id: done.id })).body.status).toBe("assigned");
  });

  test("R16: a template with a workflow template starts a workflow under the manager that the template names", async () => {
    const own = await createWorkflowTemplate();
    const template = await create("request_template", {
      workflow_template_id: own.id,
      workflow_manager_id: 9,
    });
    const first = await request({ template_id: template.id });
    expect(first).toMatchObject({
      status: "workflow_pending",
      member: { id: 9 },
      workflow: { id: expect.any(Number) },
    });
    expect(await load(`/workflows/${first.workflow.id}`)).toMatchObject({
      manager: { id: 9 },
      template: { id: own.id },
    });
    const { path } = await request();
    expect((await admin.patch(path, { template_id: template.id })).body).toMatchObject({
      status: "workflow_pending",
      workflow: { id: expect.any(Number) },
    });
    expect(await request({ template_id: template.id, status: "accepted" })).toMatchObject({
      status: "accepted",
      workflow: null,
    });
  });

  test("R16: otherwise the manager is the workflow template's, then the service's", async () => {
    const service = await create("service", { change_manager_id: 9 });
    const own = await createWorkflowTemplate({ service_id: service.id });
    const template = await create("request_template", { workflow_template_id: own.id, service_id: service.id });
    expect((await request({ template_id: template.id })).member.id).toBe(9);
    await admin.patch(`/workflow_templates/${own.id}`, { workflow_manager_id: sam });
    expect((await request({ template_id: template.id })).member.id).toBe(sam);
  });

  test("R17: with assign_after_workflow_completion, the request is assigned to the template's team when the workflow is completed", async () => {
    const other = await team(9);
    const template = await create("request_template", {
      workflow_template_id: (await createWorkflowTemplate()).id,
      workflow_manager_id: sam,
      assign_after_workflow_completion: true,
      team_id: other,
      member_id: 9,
    });
    const { path, workflow } = await request({ template_id: template.id });
    await admin.patch(`/workflows/${workflow.id}`, { status: "completed", completion_reason: "complete" });
    expect(await load(path)).toMatchObject({
      status: "assigned",
      team: { id: other },
      member: { id: 9 },
      new_assignment: true,
    });
  });

  test.each([
    ["complete", "solved"],
    ["disruptive", "solved"],
    ["partial", "workaround"],
    ["rejected", "rejected"],
    ["withdrawn", "withdrawn"],
    ["failed", "unsolvable"],
    ["rolled_back", "unsolvable"],
  ])("R18, R22, R33: a workflow completed as %s completes it as %s, by the manager", async (reason, mapped) => {
    const workflow = await create("workflow");
    await sql("UPDATE workflows SET manager_id = 9 WHERE id = $1", [workflow.id]);
    const { path } = await request({ workflow_id: workflow.id, team_id: 2 });
    await changeByRule("workflow", workflow.id, { status: "completed", completion_reason: reason });
    expect(await load(path)).toMatchObject({
      status: "completed",
      completion_reason: mapped,
      member: { id: 9 },
    });
  });

  test("R19: a halted workflow doesn't change it", async () => {
    const workflow = await create("workflow");
    const { path } = await request({ workflow_id: workflow.id });
    await changeByRule("workflow", workflow.id, { status: "progress_halted" });
    expect((await load(path)).status).toBe("workflow_pending");
  });

  test("RQ24: a workflow can prevent the manual completion of its requests", async () => {
    const workflow = await create("workflow", { prevent_request_completion: true });
    const { path } = await request({ workflow_id: workflow.id });
    expect(describeErrors(await admin.patch(path, { status: "completed" }))).toEqual(["status: Status is not valid"]);
    await changeByRule("workflow", workflow.id, { status: "completed", completion_reason: "complete" });
    expect((await load(path)).status).toBe("completed");
  });

  test("R23: removing the link assigns the request", async () => {
    const [workflow, project] = [await create("workflow"), await create("project")];
    for (const link of [{ workflow_id: workflow.id }, { project_id: project.id }]) {
      const { path } = await request(link);
      const [name] = Object.keys(link) as [string];
      expect((await admin.patch(path, { [name]: null })).body).toMatchObject({ status: "assigned" });
    }
  });

  test.each([
    ["complete", "solved"],
    ["partial", "workaround"],
    ["rejected", "rejected"],
    ["withdrawn", "withdrawn"],
    ["abandoned", "unsolvable"],
  ])(
    "R24, R25: a project makes the request pending; completed as %s it completes the request as %s",
    async (reason, mapped) => {
      const project = await create("project");
      const { path } = await request();
      expect((await admin.patch(path, { project_id: project.id })).body.status).toBe("project_pending");
      await changeByRule("project", project.id, { status: "completed", completion_reason: reason });
      expect(await load(path)).toMatchObject({ status: "completed", completion_reason: mapped });
    },
  );
});

describe("completing and reopening", () => {
  test("R26, RQ11: completion sets completed_at, clears the next target, and sets the reason solved unless the call sets one", async () => {
    const { path } = await request();
    expect((await admin.patch(path, { status: "completed" })).body).toMatchObject({
      completed_at: expect.any(String),
      next_target_at: null,
      completion_reason: "solved",
      feedback: { requested_for: expect.any(Object) },
    });
  });

  test("R27: reopening is counted, and clears date, reason and satisfaction", async () => {
    const { path } = await request({ status: "completed" });
    await admin.post(`${path}/satisfied`);
    expect((await load(path)).satisfaction).toBe("satisfied");
    expect((await admin.patch(path, { status: "assigned" })).body).toMatchObject({
      reopen_count: 1,
      completed_at: null,
      completion_reason: null,
      satisfaction: null,
      feedback: null,
    });
  });

  test("R28: a requester can only withdraw the request, with a note", async () => {
    const { path } = await request({ requested_by_id: 5 });
    expect(describeErrors(await requester.patch(path, { status: "completed" }))).toEqual(["note: Note can't be blank"]);
    expect(describeErrors(await requester.patch(path, { status: "accepted", note: "x" }))).toEqual([
      "status: Status is not valid",
    ]);
    expect(
      describeErrors(await requester.patch(path, { status: "completed", completion_reason: "gone", note: "x" })),
    ).toEqual(["completion_reason: Completion reason is not valid"]);
    expect((await requester.patch(path, { subject: "Mine" })).status).toBe(403);
    expect((await requester.patch(path, { status: "completed", note: "Never mind" })).body).toMatchObject({
      status: "completed",
      completion_reason: "withdrawn",
      member: null,
    });
    expect(describeErrors(await requester.patch(path, { completion_reason: "solved" }))).toEqual([
      "completion_reason: Completion reason is not valid",
    ]);
  });

  test("R29: the requester reopens a withdrawn request with a note, and its team stays", async () => {
    const { path } = await request({ requested_by_id: 5, team_id: desk });
    await requester.patch(path, { status: "completed", note: "Never mind" });
    expect(describeErrors(await requester.patch(path, { status: "assigned" }))).toEqual(["note: Note can't be blank"]);
    expect((await requester.patch(path, { status: "in_progress", note: "After all" })).body).toMatchObject({
      status: "assigned",
      reopen_count: 1,
      team: { id: desk },
    });
    await admin.patch(path, { status: "completed" });
    expect(describeErrors(await requester.patch(path, { status: "assigned", note: "No" }))).toEqual([
      "status: Status is not valid",
    ]);
  });
});

test("a key contact can reopen a request of the organization, but not complete one", async () => {
  const contact = as("keyContact");
  const { path } = await request({ requested_for_id: sam });
  expect(describeErrors(await contact.patch(path, { status: "completed", note: "Done" }))).toEqual([
    "status: Status is not valid",
  ]);
  await admin.patch(path, { status: "completed" });
  expect((await contact.patch(path, { status: "accepted", note: "Not yet" })).body).toMatchObject({
    status: "assigned",
    reopen_count: 1,
  });
});

describe("reassigning", () => {
  test("R30: another team is a new assignment, without a member unless the call sets one", async () => {
    const other = await team(9);
    const { path } = await request({ team_id: desk, member_id: sam, status: "in_progress" });
    expect((await admin.patch(path, { team_id: other })).body).toMatchObject({
      status: "assigned",
      member: null,
      assignment_count: 2,
    });
    expect((await admin.patch(path, { team_id: desk, member_id: sam, status: "assigned" })).body).toMatchObject({
      status: "assigned",
      member: { id: sam },
      assignment_count: 3,
    });
    await admin.patch(path, { status: "accepted" });
    expect((await admin.patch(path, { team_id: other, status: "accepted" })).body.status).toBe("accepted");
  });

  test("R31: another member is a new assignment", async () => {
    for (const status of ["accepted", "in_progress", "waiting_for_customer"]) {
      const { path } = await request({ team_id: desk, member_id: sam, status });
      expect((await admin.patch(path, { member_id: 9 })).body.status).toBe(
        status === "waiting_for_customer" ? status : "assigned",
      );
    }
  });

  test("R32: another service instance sets its team and supplier, and keeps the status", async () => {
    const [one, other] = [await team(), await team()];
    const provider = await create("service", { provider_id: 6 });
    const first = await create("service_instance", { support_team_id: one });
    const second = await create("service_instance", { support_team_id: other, service_id: provider.id });
    const { path } = await request({ service_instance_id: first.id, status: "on_backlog" });
    expect((await admin.patch(path, { service_instance_id: second.id })).body).toMatchObject({
      status: "on_backlog",
      team: { id: other },
      supplier: { id: 6 },
    });
  });
});

describe("templates", () => {
  test("RQ23: a template applied to an existing request sets the fields that the call doesn't", async () => {
    const item = await create("ci");
    const template = await create("request_template", {
      category: "incident",
      impact: "high",
      status: "in_progress",
      team_id: desk,
      member_id: sam,
      urgent: true,
      planned_effort: 30,
      ci_id: item.id,
      note: "Have you tried again?",
    });
    const { path } = await request({ category: "rfi" });
    expect((await admin.patch(path, { template_id: template.id, planned_effort: 5 })).body).toMatchObject({
      category: "incident",
      impact: "high",
      status: "in_progress",
      team: { id: desk },
      member: { id: sam },
      urgent: true,
      planned_effort: 5,
      template: { id: template.id },
    });
    expect((await load(`${path}/cis`)).map(({ id }: { id: number }) => id)).toEqual([item.id]);
    expect(await texts(path)).toEqual(["Have you tried again?"]);
    expect((await load(`/request_templates/${template.id}`)).times_applied).toBe(0);
  });

  test("assign_to_self makes the registering person the member", async () => {
    const template = await create("request_template", { assign_to_self: true });
    expect(await request({ template_id: template.id }, specialist)).toMatchObject({
      team: { id: desk },
      member: { id: sam },
    });
  });

  test("R34: the desired completion is counted in the template's support hours", async () => {
    const calendar = await create("calendar");
    for (const weekday of ["mon", "tue", "wed", "thu", "fri"])
      await admin.post(`/calendars/${calendar.id}/calendar_hours`, {
        weekday,
        time_from: "09:00",
        time_until: "17:00",
      });
    const template = await create("request_template", {
      desired_completion: 480,
      support_hours_id: calendar.id,
      time_zone: "UTC",
    });
    await clock.moveTo("2025-03-14T13:00:00Z"); // a Friday
    const { desired_completion_at } = await request({ template_id: template.id });
    expect(new Date(desired_completion_at).toISOString()).toBe("2025-03-17T13:00:00.000Z");
    const plain = await create("request_template", { desired_completion: 60 });
    const { desired_completion_at: soon } = await request({ template_id: plain.id });
    expect(new Date(soon).toISOString()).toBe("2025-03-14T14:00:00.000Z");
    const given = "2025-05-01T08:00:00+02:00";
    expect((await request({ template_id: template.id, desired_completion_at: given })).desired_completion_at).toMatch(
      "2025-05-01T",
    );
  });

  test("RQ19: only items of the checklist can be checked", async () => {
    const template = await create("request_template", { instructions: "Do this:\n- [ ] Call back\n- [ ] Order it" });
    const { path } = await request({ template_id: template.id, checked_items: ["Call back", "Dance"] });
    expect((await load(path)).checked_items).toEqual(["Call back"]);
    expect((await admin.patch(path, { checked_items: ["Order it", "Sing"] })).body.checked_items).toEqual(["Order it"]);
  });

  test("RQ23: an end user can't use a template that isn't for end users", async () => {
    const template = await create("request_template", { end_users: false });
    expect(describeErrors(await requester.post("/requests", { category: "rfi", template_id: template.id }))).toEqual([
      "template: Template is not valid",
    ]);
  });
});

describe("requesters and permissions", () => {
  test("a person in a directory account registers a request in one of its support domains", async () => {
    const rita = as("requester", { account: "widget", language: "en-US" });
    const { status, body } = await rita.post("/requests", { category: "rfi", support_domain: "widget-it" });
    expect([status, body]).toMatchObject([201, { account: { id: "widget-it" }, requested_for: { id: 5 } }]);
    expect((await requester.get(`/requests/${body.id}`)).status).toBe(200);
    for (const wrong of ["stranger", "provider", "nowhere"])
      expect(describeErrors(await rita.post("/requests", { category: "rfi", support_domain: wrong })), wrong).toEqual([
        "support_domain: Support domain is not valid",
      ]);
  });

  test("an end user can describe a request, but not assign it or set its status", async () => {
    const own = { category: "incident", impact: "top", subject: "Down", note: "Help", desired_completion_at: later };
    expect((await requester.post("/requests", own)).status).toBe(201);
    for (const more of [{ team_id: desk }, { status: "completed" }, { urgent: true }, { internal_note: "x" }])
      expect((await requester.post("/requests", { category: "rfi", ...more })).status, JSON.stringify(more)).toBe(403);
  });

  test("referencing a record reveals nothing about it", async () => {
    const instance = await create("service_instance");
    for (const hidden of [{ requested_for_id: 3 }, { service_instance_id: instance.id }]) {
      const [name] = Object.keys(hidden).map((key) => key.slice(0, -3)) as [string];
      const problems = listErrors(await requester.post("/requests", { category: "rfi", ...hidden }));
      expect(problems.map((text) => text.split(":")[0])).toContain(name);
    }
    expect((await requester.post("/requests", { category: "rfi", requested_for_id: 5 })).status).toBe(201);
    const colleague = await as("keyContact").post("/requests", {
      category: "rfi",
      requested_by_id: 6,
      requested_for_id: 3,
    });
    expect(colleague.status).toBe(201);
  });

  test("a reaction requires a note that the person may read", async () => {
    const { path } = await request({ requested_by_id: 5, note: "Hello", internal_note: "Psst" });
    const [open, internal] = (await admin.get(`${path}/notes`)).body;
    const react = async (note_id: number, by = requester) =>
      describeErrors(await by.post("/note_reactions", { note_id, reaction: "👍" }));
    expect(await react(open.id)).toBe(201);
    expect(await react(internal.id)).toEqual(["note: Note is not valid"]);
    const foreign = await request({ note: "Not for Rita" });
    const [hidden] = (await admin.get(`${foreign.path}/notes`)).body;
    expect(await react(hidden.id)).toEqual(["note: Note is not valid"]);
    expect(await react(internal.id, specialist)).toBe(201);
  });

  test("AR1: only a completed request can be archived, and not by a specialist", async () => {
    const { path } = await request();
    expect(describeErrors(await admin.post(`${path}/archive`))).toEqual(["status: Status is not valid"]);
    expect((await specialist.post(`${path}/archive`)).status).toBe(403);
  });

  test("NT2: a requester reads public notes, and no internal notes", async () => {
    const { path } = await request({ requested_by_id: 5, note: "Hello", internal_note: "Psst" });
    expect(await texts(path, requester)).toEqual(["Hello"]);
    expect(await texts(path, specialist)).toEqual(["Hello", "Psst"]);
  });

  test("the article that was applied last counts its requests", async () => {
    const [one, other] = [await create("knowledge_article"), await create("knowledge_article")];
    const { path } = await request({ knowledge_article_id: one.id });
    const loadCounts = async () => [
      (await load(`/knowledge_articles/${one.id}`)).times_applied,
      (await load(`/knowledge_articles/${other.id}`)).times_applied,
    ];
    expect(await loadCounts()).toEqual([1, 0]);
    await admin.patch(path, { knowledge_article_id: other.id });
    expect(await loadCounts()).toEqual([0, 1]);
  });
});

test("EV2: a change publishes its specific events, then the update", async () => {
  const { path, id } = await request({ team_id: desk });
  await admin.patch(path, { status: "accepted", member_id: sam, note: "Mine" });
  expect(await loadEvents("request", id)).toEqual([
    "request.create",
    "request.note-added",
    "request.status-changed",
    "request.member-changed",
    "request.update",
  ]);
});
