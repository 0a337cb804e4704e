import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceAgreements } from "../support/records/service-agreements.ts";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Required and derived fields, rule by rule. The titles name the rules. Rules tested elsewhere aren't repeated here.

const here = await world();
const { as, clock } = here;
const { admin, create, request, load, texts, loadEvents } = requestHelpers(here);
const make = workflowHelpers(admin);
const agree = serviceAgreements(admin);
const specialist = as("specialist");
const [ada, sam, rita, mia] = [1, 3, 5, 9];
const matching = (...texts: string[]) => texts.map((text) => expect.stringMatching(text));
const later = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
const moment = (text: string | null) => (text === null ? null : Date.parse(text));

describe("common rules", () => {
  test("C2, C3: a validation failure returns 422 with pairs of field and message, and stores nothing", async () => {
    const { path } = await request({ subject: "As it was" });
    const before = await load(path);
    const reply = await admin.patch(path, { subject: "Changed", impact: "huge", category: "case" });
    expect([reply.status, reply.body.message]).toEqual([422, "Validation Failed"]);
    expect(describeErrors(reply)).toEqual(
      matching("^category: .*is not included in the list", "^impact: .*is not included in the list"),
    );
    expect(await load(path)).toEqual(before);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    [{ category: null },                              "^category: .*can't be blank"],
    [{ team_id: 999_999 },                            "^team: .*is not valid"],
    [{ subject: "x".repeat(256) },                    "^subject: .*is too long \\(maximum is 255 characters\\)"],
    [{ planned_effort: 600_001 },                     "^planned_effort: .*must be less than or equal to 600000"],
    [{ planned_effort: -1 },                          "^planned_effort: .*must be greater than or equal to 0"],
    [{ desired_completion_at: "2020-01-01T00:00:00Z" }, "^desired_completion_at: .*must be in the future"],
  ])("C4: %j is rejected with the message in the table", async (members, text) => {
    expect(describeErrors(await admin.patch((await request()).path, members))).toEqual(matching(text));
  });

  test("C8, RQ14: durations are in whole minutes, truncated, and null while the request is open", async () => {
    const { path, resolution_duration } = await request({ team_id: serviceDeskTeam });
    expect(resolution_duration).toBeNull();
    await clock.pass(119);
    expect((await admin.patch(path, { status: "completed" })).body.resolution_duration).toBe(1);
    expect((await admin.patch(path, { status: "assigned" })).body.resolution_duration).toBeNull();
  });

  test("C9: status values rank by their position in the list, and lists are sorted by it", async () => {
    const ranked = ["declined", "on_backlog", "assigned", "accepted", "in_progress", "completed"];
    const ids = [];
    for (const status of ranked.toReversed()) ids.push((await request({ status, team_id: serviceDeskTeam })).id);
    const sorted = await load(`/requests?id=${ids.join(",")}&sort=status`);
    expect(sorted.map(({ status }: { status: string }) => status)).toEqual(ranked);
  });
});

describe("fields of a request", () => {
  test("RQ1: category is required on create", async () => {
    expect(describeErrors(await admin.post("/requests", {}))).toEqual(matching("^category: .*can't be blank"));
  });

  test("RQ2: created_by is the acting person; a supplied value is accepted only from an administrator", async () => {
    expect((await request({}, specialist)).created_by.id).toBe(sam);
    expect((await request({ created_by_id: mia })).created_by.id).toBe(mia);
    expect((await request({ created_by_id: mia }, specialist)).created_by.id).toBe(sam);
  });

  test("RQ3, RQ4, RQ5: requested_by and requested_for default to each other; the organization is set from requested_for on the first save", async () => {
    const { path, ...created } = await request({ requested_for_id: rita });
    expect(created).toMatchObject({ requested_by: { id: rita }, requested_for: { id: rita }, organization: { id: 3 } });
    expect(await request({ requested_by_id: rita })).toMatchObject({ requested_for: { id: rita } });
    expect(await request()).toMatchObject({ requested_by: { id: ada }, requested_for: { id: ada } });
    expect((await admin.patch(path, { requested_for_id: sam })).body.organization.id).toBe(3);
  });

  test("RQ6: a missing subject is the template's, otherwise the start of the note, otherwise the category", async () => {
    const template = await create("request_template", { subject: "From the template", category: "rfi" });
    expect((await request({ template_id: template.id })).subject).toBe("From the template");
    expect((await request({ note: "n".repeat(100) })).subject).toBe("n".repeat(80));
    expect((await request({ category: "rfc" })).subject).toBe("RFC - Request for Change");
  });

  test("RQ7: the impact of an incident is the template's, otherwise low; other categories keep the supplied impact", async () => {
    const template = await create("request_template", { category: "incident", impact: "high" });
    expect((await request({ category: "incident", template_id: template.id })).impact).toBe("high");
    expect((await request({ category: "incident" })).impact).toBe("low");
    expect([(await request()).impact, (await request({ impact: "top" })).impact]).toEqual([null, "top"]);
  });

  test("RQ8: the team is the member's, the template's, first line, support or service desk; without any it is null, never an error", async () => {
    const template = await create("request_template", { category: "rfi", team_id: networksTeam });
    const instance = await agree.instance({ first_line_team_id: serviceDeskTeam, support_team_id: networksTeam });
    const without = await agree.instance({ first_line_team_id: null, support_team_id: networksTeam });
    const team = async (members: Record<string, unknown>) => (await request(members)).team?.id ?? null;
    expect(await team({ member_id: sam, template_id: template.id })).toBe(serviceDeskTeam);
    expect(await team({ template_id: template.id, service_instance_id: instance.id })).toBe(networksTeam);
    expect(await team({ service_instance_id: instance.id })).toBe(serviceDeskTeam);
    expect(await team({ service_instance_id: without.id })).toBe(networksTeam);
    expect(await team({})).toBeNull();
  });

  test("RQ9: the supplier is the provider of the service instance if it is external", async () => {
    const outside = await create("organization", { external: true });
    const service = await agree.service({ provider_id: outside.id });
    const instance = await agree.instance({ service_id: service.id });
    expect((await request({ service_instance_id: instance.id })).supplier?.id).toBe(outside.id);
    expect((await request({ service_instance_id: (await agree.instance()).id })).supplier).toBeNull();
  });

  test("RQ10: the member must be a member of the team", async () => {
    const { path } = await request({ team_id: networksTeam });
    expect(describeErrors(await admin.patch(path, { member_id: sam }))).toEqual(matching("^member: .*is not valid"));
  });

  test("RQ12, RQ13: waiting_until and completed_at belong to their statuses and are null in every other", async () => {
    const { path } = await request({ team_id: serviceDeskTeam, waiting_until: later(1) });
    expect((await load(path)).waiting_until).toBeNull();
    const past = { status: "waiting_for", waiting_until: later(-1) };
    expect(describeErrors(await admin.patch(path, past))).toEqual(matching("^waiting_until: .*must be in the future"));
    expect((await admin.patch(path, { status: "waiting_for", waiting_until: later(1) })).status).toBe(200);
    const done = (await admin.patch(path, { status: "completed" })).body;
    expect([done.waiting_until, moment(done.completed_at)]).toEqual([null, clock.now().getTime()]);
  });

  test("RQ15: downtime can't end before it starts", async () => {
    const times = { downtime_start_at: later(2), downtime_end_at: later(1) };
    expect(describeErrors(await admin.patch((await request()).path, times))).toEqual(
      matching("^downtime_end_at: .*is not valid"),
    );
  });

  test("RQ16: at most one of workflow and project is set", async () => {
    const [workflow, project] = [await make.workflow(), await make.project()];
    const both = { workflow_id: workflow.id, project_id: project.id };
    expect(describeErrors(await admin.post("/requests", { category: "other", ...both }))).toEqual(
      matching("^project: .*is not valid"),
    );
  });

  test("RQ17: addressed requires dissatisfaction", async () => {
    expect(describeErrors(await admin.patch((await request()).path, { addressed: true }))).toEqual(
      matching("^addressed: .*is not valid"),
    );
  });

  test("RQ18: reviewed is true if there is nothing to review", async () => {
    const instance = await agree.instance();
    const createAndReadReviewed = async (members: object = {}) =>
      (await request({ service_instance_id: instance.id, team_id: serviceDeskTeam, ...members })).reviewed;
    expect(await createAndReadReviewed()).toBe(false);
    expect(await createAndReadReviewed({ service_instance_id: null })).toBe(true);
    expect(await createAndReadReviewed({ problem_id: (await create("problem")).id })).toBe(true);
    expect(await createAndReadReviewed({ workflow_id: (await make.workflow()).id })).toBe(true);
    expect(await createAndReadReviewed({ status: "completed", completion_reason: "solved" })).toBe(true);
    expect(await createAndReadReviewed({ status: "completed", completion_reason: "workaround" })).toBe(false);
    expect(await createAndReadReviewed({ category: "incident", impact: "top", status: "completed" })).toBe(false);
  });
});

describe("fields of a task", () => {
  test("TK1: required fields that neither the call nor the template sets are named", async () => {
    const { id } = await make.workflow();
    const reply = await admin.post(`/workflows/${id}/tasks`, {});
    expect(describeErrors(reply)).toEqual(
      matching("^subject: ", "^category: ", "^team: ", "^template: ", "^planned_duration: ").map(
        () => matching("can't be blank")[0],
      ),
    );
  });

  test("TK2, WF2: a disabled template is invalid, for a task or a workflow", async () => {
    const workflow = await make.workflow();
    const [task, whole] = [
      await make.taskTemplate({ disabled: true }),
      await make.workflowTemplate({ disabled: true }),
    ];
    const reply = await admin.post(`/workflows/${workflow.id}/tasks`, {
      template_id: task.id,
      team_id: serviceDeskTeam,
    });
    expect(describeErrors(reply)).toEqual(matching("^template: .*is not valid"));
    await expect(make.workflow({ template_id: whole.id })).rejects.toThrow(/Template is not valid/);
  });

  test.each(["planned_duration", "planned_effort"])("TK3: %s is 0 … 600000", async (field) => {
    const { id } = await make.task(await make.workflow());
    for (const [minutes, status] of [
      [0, 200],
      [600_000, 200],
      [-1, 422],
      [600_001, 422],
    ] as const)
      expect((await admin.patch(`/tasks/${id}`, { [field]: minutes })).status).toBe(status);
  });

  test("TK8, TK13: each rejection is counted, and a missing impact counts as none for the workflow", async () => {
    const workflow = await make.workflow();
    const task = await make.task(workflow, { category: "approval" });
    await admin.post(`/tasks/${task.id}/approvals`, { approver_id: sam });
    for (const count of [1, 2]) {
      await admin.patch(`/tasks/${task.id}`, { status: "assigned" });
      expect((await specialist.patch(`/tasks/${task.id}`, { status: "rejected" })).body.rejection_count).toBe(count);
    }
    expect([task.impact, (await load(`/workflows/${workflow.id}`)).impact]).toEqual([null, "none"]);
  });

  test("TK9, TK10, TK11: waiting_until works as in RQ12; the manager is the workflow's; the member must be in the team", async () => {
    const task = await make.task(await make.workflow(), { status: "assigned" });
    const path = `/tasks/${task.id}`;
    expect(describeErrors(await admin.patch(path, { status: "waiting_for" }))).toEqual(
      matching("^waiting_until: .*can't be blank"),
    );
    expect(task.manager.id).toBe(ada);
    expect(describeErrors(await admin.patch(path, { member_id: rita }))).toEqual(matching("^member: .*is not valid"));
  });

  test("T1: when the workflow starts, tasks without predecessors are assigned, except those that start later", async () => {
    const template = await make.workflowTemplate();
    const { id } = await make.taskTemplate({ team_id: serviceDeskTeam });
    await admin.post(`/workflow_templates/${template.id}/task_template_relations`, { task_template_id: id });
    const workflow = await make.workflow({ template_id: template.id, start_at: later(1) });
    const late = await make.task(workflow, { start_at: later(2) });
    const loadStatuses = async () =>
      (await load(`/workflows/${workflow.id}/tasks?sort=id`)).map(({ status }: { status: string }) => status);
    expect(await loadStatuses()).toEqual(["registered", "registered"]);
    await clock.pass(3600);
    expect(await loadStatuses()).toEqual(["assigned", "registered"]);
    await clock.pass(3600);
    expect((await load(`/tasks/${late.id}`)).status).toBe("assigned");
  });

  test("PS1, PS2, PS10: neighbors and the failure task must be in the same workflow, and no relation may close a cycle", async () => {
    const [workflow, other] = [await make.workflow(), await make.workflow()];
    const [a, foreign] = [await make.task(workflow), await make.task(other)];
    const b = await make.task(workflow, { predecessor_ids: [a.id] });
    for (const name of ["predecessor", "successor"])
      await expect(make.task(workflow, { [`${name}_ids`]: [foreign.id] })).rejects.toThrow(
        new RegExp(`"${name}s",".*must be linked to the same workflow`),
      );
    expect(describeErrors(await admin.post(`/tasks/${a.id}/predecessors/${b.id}`))).toEqual(
      matching("^predecessors: .*is not valid"),
    );
    for (const failure_task_id of [foreign.id, a.id])
      expect(describeErrors(await admin.patch(`/tasks/${a.id}`, { failure_task_id }))).toEqual(
        matching("^failure_task: .*is not valid"),
      );
  });

  test("PH3: a phase's name has at most 50 characters, and its default position is the last", async () => {
    const { id } = await make.workflow();
    const phase = (members: object) => admin.post(`/workflows/${id}/phases`, members);
    expect(describeErrors(await phase({ name: "x".repeat(51) }))).toEqual(matching("^name: .*is too long"));
    expect([(await phase({ name: "One" })).body.position, (await phase({ name: "Two" })).body.position]).toEqual([
      1, 2,
    ]);
  });
});

describe("project tasks", () => {
  // biome-ignore format: a table keeps its columns
  const allowed: Record<string, readonly string[]> = {
    activity:  ["registered", "assigned", "accepted", "in_progress", "waiting_for", "failed", "completed", "canceled"],
    approval:  ["registered", "assigned", "canceled"],
    milestone: ["registered", "assigned", "completed", "canceled"],
  };
  const all = [...(allowed.activity as string[]), "rejected", "approved"];
  test.each(Object.keys(allowed))("PT1: the statuses of category %s", async (category) => {
    const project = await make.project();
    for (const status of all) {
      const { id } = await make.projectTask(project, { category });
      const more = status === "waiting_for" ? { waiting_until: later(1) } : {};
      const reply = await admin.patch(`/project_tasks/${id}`, { status, ...more });
      expect([status, reply.status]).toEqual([status, allowed[category]?.includes(status) ? 200 : 422]);
    }
  });

  test("PT2, PT8, PT9: assignments link people; assigned_at and finished_at are writable; missing required fields are named", async () => {
    const project = await make.project();
    const { id } = await make.projectTask(project);
    const assignment = (await admin.post(`/project_tasks/${id}/assignments`, { assignee_id: sam, planned_effort: 60 }))
      .body;
    expect(assignment).toMatchObject({
      assignee: { id: sam },
      planned_effort: 60,
      status: "registered",
      waiting_until: null,
    });
    const [assigned_at, finished_at] = [later(-2), later(-1)];
    const done = (await admin.patch(`/project_tasks/${id}`, { status: "completed", assigned_at, finished_at })).body;
    expect([moment(done.assigned_at), moment(done.finished_at)]).toEqual([moment(assigned_at), moment(finished_at)]);
    expect(describeErrors(await admin.post(`/projects/${project.id}/tasks`, {}))).toHaveLength(4);
  });
});

describe("notes and time spent", () => {
  test("NT1, NT3, NT5: note and internal_note create two notes, public first; empty text creates none; no audit entry is written", async () => {
    const { path, updated_at } = await request();
    const lines = (await load(`${path}/audit`)).length;
    await clock.pass(60);
    await admin.patch(path, { note: "Public", internal_note: "Internal" });
    await admin.patch(path, { note: "  " });
    expect(await texts(path)).toEqual(["Public", "Internal"]);
    expect((await load(`${path}/notes`)).map(({ medium }: { medium: string }) => medium)).toEqual([
      "default",
      "default",
    ]);
    expect((await load(`${path}/audit`)).length).toBe(lines);
    expect(moment((await load(path)).updated_at)).toBeGreaterThan(moment(updated_at) as number);
  });

  test("TS1, TS3, TS4: minutes become one time entry of the acting person, with its own event and no audit entry", async () => {
    const { path, id } = await request();
    const lines = (await load(`${path}/audit`)).length;
    expect((await specialist.patch(path, { time_spent: 25 })).status).toBe(200);
    const [entry] = await load("/time_entries?sort=-id&per_page=1");
    expect(entry).toMatchObject({ time_spent: 25, person: { id: sam }, request: { id }, date: "2025-03-03" });
    expect([await loadEvents("time_entry", entry.id), await loadEvents("request", id)]).toEqual([
      ["time_entry.create"],
      ["request.create"],
    ]);
    expect((await load(`${path}/audit`)).length).toBe(lines);
  });

  test("TS2: negative or fractional values are invalid, and 0 is ignored", async () => {
    const { path } = await request();
    const count = async () => (await admin.get("/time_entries?per_page=100")).body.length;
    const before = await count();
    for (const time_spent of [-1, 1.5, "soon", true])
      expect(describeErrors(await admin.patch(path, { time_spent }))).toEqual(["time_spent: Time spent is not valid"]);
    expect((await admin.patch(path, { time_spent: 0 })).status).toBe(200);
    expect(await count()).toBe(before);
  });
});

test("SV1, SV2, SV3, SV6: every POST creates a response for the current month, not completed; survey and service aren't compared", async () => {
  const survey = await create("survey");
  const post = async () => (await admin.post("/survey_responses", { survey_id: survey.id, service_id: 1 })).body;
  const [one, other] = [await post(), await post()];
  expect(one.id).not.toBe(other.id);
  expect(one).toMatchObject({ completed: false, year: 2025, month: 3, rating: null });
  for (const completed of [true, false])
    expect((await admin.patch(`/survey_responses/${one.id}`, { completed })).body.completed).toBe(completed);
});
