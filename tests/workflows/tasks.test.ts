import { describe, expect, test } from "vitest";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Tasks and task templates.

const { as } = await world();
const admin = as("administrator");
const specialist = as("specialist"); // in the service desk, like the manager
const make = workflowHelpers(admin);
const [ada, sam, mia, rita] = [1, 3, 9, 5];

describe("creating a task", () => {
  test("the template supplies values missing in the body", async () => {
    const workflow = await make.workflow();
    const given = {
      subject: "Patch the server",
      category: "risk_and_impact",
      impact: "high",
      planned_duration: 90,
      planned_effort: 30,
      instructions: "Carefully",
      urgent: true,
      work_hours_are_24x7: true,
      required_approvals: 2,
      provider_not_accountable: true,
    };
    const template = await make.taskTemplate({
      ...given,
      team_id: serviceDeskTeam,
      member_id: sam,
      copy_notes_to_workflow: true,
      copy_notes_to_request: true,
    });
    const { status, body } = await admin.post(`/workflows/${workflow.id}/tasks`, { template_id: template.id });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...given,
      status: "registered",
      team: { id: serviceDeskTeam },
      member: { id: sam },
      manager: { id: ada },
      workflow: { id: workflow.id, subject: "A change" },
      template: { id: template.id },
      copy_note_to_workflow: true,
      copy_note_to_request: true,
      rejection_count: 0,
      new_assignment: false,
    });
    const otherwise = await make.task(workflow, { template_id: template.id, subject: "Mine", urgent: false });
    expect(otherwise).toMatchObject({ subject: "Mine", urgent: false, work_hours_are_24x7: true });
    expect((await admin.get(`/task_templates/${template.id}`)).body.times_applied).toBe(2);
    expect(pickIds(await admin.get(`/task_templates/${template.id}/tasks`))).toEqual([otherwise.id, body.id]);
  });

  test("subject, category, planned_duration, team and template are required", async () => {
    const { id } = await make.workflow();
    expect(describeErrors(await admin.post(`/workflows/${id}/tasks`, {}))).toEqual([
      "subject: Subject can't be blank",
      "category: Category can't be blank",
      "team: Team can't be blank",
      "template: Template can't be blank",
      "planned_duration: Planned duration can't be blank",
    ]);
    const template_id = (await make.taskTemplate()).id;
    expect(describeErrors(await admin.post(`/workflows/${id}/tasks`, { template_id }))).toEqual([
      "team: Team can't be blank",
    ]);
  });

  test("CO19: POST /tasks with workflow_id works like the path below the workflow", async () => {
    const { id: workflow_id } = await make.workflow();
    const { id: template_id } = await make.taskTemplate();
    const { status, body } = await admin.post("/tasks", { workflow_id, template_id, team_id: serviceDeskTeam });
    expect([status, body.workflow.id]).toEqual([201, workflow_id]);
    expect(describeErrors(await admin.post("/tasks", { template_id, team_id: serviceDeskTeam }))).toEqual([
      "workflow: Workflow can't be blank",
    ]);
  });

  test("a disabled template can't be used, and a placeholder creates no task", async () => {
    const workflow = await make.workflow();
    const tryTemplate = async (members: Record<string, unknown>) => {
      const { id } = await make.taskTemplate(members);
      return describeErrors(
        await admin.post(`/workflows/${workflow.id}/tasks`, { template_id: id, team_id: serviceDeskTeam }),
      );
    };
    expect(await tryTemplate({ disabled: true })).toEqual([expect.stringMatching(/^template: /)]);
    expect(await tryTemplate({ category: "fulfillment_placeholder" })).toEqual(["category: Category is not valid"]);
    const placeholder = { template_id: (await make.taskTemplate()).id, category: "fulfillment_placeholder" };
    expect(describeErrors(await admin.post(`/workflows/${workflow.id}/tasks`, { ...placeholder, team_id: 1 }))).toEqual(
      ["category: Category is not included in the list"],
    );
  });

  test("planned_duration has a maximum of 600000 minutes", async () => {
    const { id } = await make.task(await make.workflow());
    expect(
      describeErrors(await admin.patch(`/tasks/${id}`, { planned_duration: 600_001, planned_effort: -1 })),
    ).toEqual([
      "planned_duration: Planned duration must be less than or equal to 600000",
      "planned_effort: Planned effort must be greater than or equal to 0",
    ]);
    expect((await admin.patch(`/tasks/${id}`, { planned_duration: 600_000 })).status).toBe(200);
  });
});

describe("allowed values of a task", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    ["TK16", "implementation",  ["rejected", "approved"]],
    ["TK16", "risk_and_impact", ["rejected", "approved"]],
    ["TK17", "approval",        ["declined", "accepted", "in_progress", "waiting_for", "failed", "completed"]],
    ["TK18", "automation",      ["declined", "accepted", "waiting_for", "rejected", "approved"]],
  ])("C3, %s: a task of category %s is never %j", async (_rule, category, statuses) => {
    const { id } = await make.task(await make.workflow(), { category });
    for (const status of statuses)
      expect(describeErrors(await admin.patch(`/tasks/${id}`, { status, waiting_until: "2031-01-01T00:00:00Z" })), status).toEqual([
        "status: Status is not valid",
      ]);
    expect((await admin.get(`/tasks/${id}`)).body.status).toBe("registered");
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["TK16", "implementation", ["registered", "assigned", "declined", "accepted", "in_progress", "failed", "completed", "canceled"]],
    ["TK17", "approval",       ["registered", "assigned", "canceled"]], // approvals decide about the other two
    ["TK18", "automation",     ["registered", "assigned", "in_progress", "failed", "completed", "canceled"]],
  ])("%s: a task of category %s can be created as each of %j", async (_rule, category, statuses) => {
    const workflow = await make.workflow({ start_at: "2031-01-01T00:00:00Z" });
    for (const status of statuses) expect((await make.task(workflow, { category, status })).status, status).toBe(status);
  });

  test("waiting_for requires waiting_until in the future, and other statuses clear it", async () => {
    const { id } = await make.task(await make.workflow(), { status: "assigned" });
    const patch = (members: Record<string, unknown>) => admin.patch(`/tasks/${id}`, members);
    expect(describeErrors(await patch({ status: "waiting_for" }))).toEqual([
      "waiting_until: Waiting until can't be blank",
    ]);
    expect(describeErrors(await patch({ status: "waiting_for", waiting_until: "2025-03-03T08:00:00Z" }))).toEqual([
      "waiting_until: Waiting until must be in the future",
    ]);
    const waiting = await patch({ status: "waiting_for", waiting_until: "2025-03-04T08:00:00Z" });
    expect([waiting.status, waiting.body.waiting_until]).toEqual([200, "2025-03-04T09:00:00+01:00"]);
    expect((await patch({ status: "in_progress" })).body.waiting_until).toBeNull();
    expect((await patch({ waiting_until: "2025-03-04T08:00:00Z" })).body.waiting_until).toBeNull();
  });

  test("the member must be in the team; changing the team clears the member; an approver can be in any team", async () => {
    const workflow = await make.workflow();
    const { id } = await make.task(workflow, { member_id: sam });
    const patch = (members: Record<string, unknown>) => admin.patch(`/tasks/${id}`, members);
    expect(describeErrors(await patch({ member_id: rita }))).toEqual(["member: Assignee is not valid"]);
    expect(describeErrors(await patch({ team_id: networksTeam, member_id: mia }))).toEqual([
      "member: Assignee is not valid",
    ]);
    expect((await patch({ team_id: networksTeam })).body).toMatchObject({ team: { id: networksTeam }, member: null });
    expect((await patch({ team_id: serviceDeskTeam, member_id: mia })).body.member.id).toBe(mia);
    expect((await make.task(workflow, { category: "approval", member_id: rita })).member.id).toBe(rita);
  });

  test("phase and failure task must be in the same workflow", async () => {
    const [workflow, other] = [await make.workflow(), await make.workflow()];
    const phase = async ({ id }: { id: number }) =>
      (await admin.post(`/workflows/${id}/phases`, { name: "P" })).body.id;
    const { id } = await make.task(workflow);
    const patch = (members: Record<string, unknown>) => admin.patch(`/tasks/${id}`, members);
    expect(
      describeErrors(await patch({ phase_id: await phase(other), failure_task_id: (await make.task(other)).id })),
    ).toEqual(["phase: Phase is not valid", "failure_task: Failure task is not valid"]);
    expect(describeErrors(await patch({ failure_task_id: id }))).toEqual(["failure_task: Failure task is not valid"]);
    const members = { phase_id: await phase(workflow), failure_task_id: (await make.task(workflow)).id };
    expect((await patch(members)).body).toMatchObject({
      phase: { id: members.phase_id, name: "P" },
      failure_task: { id: members.failure_task_id },
    });
    expect((await admin.delete(`/workflows/${workflow.id}/phases/${members.phase_id}`)).status).toBe(204);
    expect((await admin.get(`/tasks/${id}`)).body.phase).toBeNull();
  });

  test("a task's manager is its workflow's, and changes with it", async () => {
    const workflow = await make.workflow();
    const { id } = await make.task(workflow);
    await admin.post(`/people/${mia}/permissions/widget-it?roles=workflow_manager`);
    await admin.patch(`/workflows/${workflow.id}`, { manager_id: mia });
    expect((await admin.get(`/tasks/${id}`)).body.manager.id).toBe(mia);
    expect(pickIds(await as("manager").get(`/tasks/managed_by_me?id=${id}`))).toEqual([id]);
    expect(pickIds(await admin.get(`/tasks/managed_by_me?id=${id}`))).toEqual([]);
  });
});

describe("predecessors and successors", () => {
  const listLinked = async (id: number, end: "predecessors" | "successors") =>
    pickIds(await admin.get(`/tasks/${id}/${end}?sort=id`));

  test("a new task can be inserted between others", async () => {
    const workflow = await make.workflow();
    const [first, last] = [await make.task(workflow), await make.task(workflow)];
    const between = await make.task(workflow, { predecessor_ids: [first.id], successor_ids: [last.id] });
    expect(between).not.toHaveProperty("predecessors");
    expect([await listLinked(between.id, "predecessors"), await listLinked(between.id, "successors")]).toEqual([
      [first.id],
      [last.id],
    ]);
    expect([await listLinked(first.id, "successors"), await listLinked(last.id, "predecessors")]).toEqual([
      [between.id],
      [between.id],
    ]);
  });

  test("they must be tasks of the same workflow", async () => {
    const [workflow, other] = [await make.workflow(), await make.workflow()];
    const [here, there] = [await make.task(workflow), await make.task(other)];
    const { id: template_id } = await make.taskTemplate();
    const body = {
      template_id,
      team_id: serviceDeskTeam,
      predecessor_ids: [there.id],
      successor_ids: [there.id, here.id],
    };
    expect(describeErrors(await admin.post(`/workflows/${workflow.id}/tasks`, body))).toEqual(
      expect.arrayContaining([
        "predecessors: Predecessors must be linked to the same workflow",
        "successors: Successors must be linked to the same workflow",
      ]),
    );
    for (const end of ["predecessors", "successors"])
      expect(describeErrors(await admin.post(`/tasks/${here.id}/${end}/${there.id}`))).toEqual([
        expect.stringMatching(new RegExp(`^${end}: .* must be linked to the same workflow$`)),
      ]);
    expect(await listLinked(here.id, "predecessors")).toEqual([]);
  });

  test("no task can precede itself", async () => {
    const workflow = await make.workflow();
    const a = await make.task(workflow);
    const b = await make.task(workflow, { predecessor_ids: [a.id] });
    const c = await make.task(workflow, { predecessor_ids: [b.id] });
    const circle = ["predecessors: Predecessors is not valid"];
    expect(describeErrors(await admin.post(`/tasks/${a.id}/predecessors/${c.id}`))).toEqual(circle);
    expect(describeErrors(await admin.post(`/tasks/${c.id}/successors/${a.id}`))).toEqual(circle);
    expect(describeErrors(await admin.post(`/tasks/${a.id}/predecessors/${a.id}`))).toEqual(circle);
    const { id: template_id } = await make.taskTemplate();
    const between = { template_id, team_id: serviceDeskTeam, predecessor_ids: [c.id], successor_ids: [a.id] };
    expect(describeErrors(await admin.post(`/workflows/${workflow.id}/tasks`, between))).toEqual(circle);
    expect((await admin.post(`/tasks/${c.id}/predecessors/${a.id}`)).status).toBe(200);
    expect(await listLinked(c.id, "predecessors")).toEqual([a.id, b.id]);
    expect((await admin.delete(`/tasks/${c.id}/predecessors`)).status).toBe(204);
    expect(await listLinked(b.id, "successors")).toEqual([]);
  });
});

describe("predefined filters", () => {
  test("finished, open, assigned_to_my_team and assigned_to_me", async () => {
    const workflow = await make.workflow();
    const finished = ["failed", "completed", "canceled"];
    const made = new Map<string, number>();
    for (const status of ["registered", "assigned", "in_progress", ...finished])
      made.set(status, (await make.task(workflow, { status, member_id: sam })).id);
    const elsewhere = (await make.task(workflow, { team_id: networksTeam })).id;
    const listIds = async (view: string) =>
      pickIds(await specialist.get(`/tasks/${view}?workflow=${workflow.id}&sort=id`));
    const [open, done] = [["registered", "assigned", "in_progress"], finished].map((list) =>
      list.map((status) => made.get(status) as number),
    ) as [number[], number[]];
    expect(await listIds("finished")).toEqual(done);
    expect(await listIds("open")).toEqual([...open, elsewhere]);
    expect(await listIds("assigned_to_my_team")).toEqual([...open, ...done]);
    expect(await listIds("assigned_to_me")).toEqual([...open, ...done]);
    expect(pickIds(await specialist.get(`/workflows/${workflow.id}/tasks/finished?sort=id`))).toEqual(done);
    expect(pickIds(await specialist.get(`/tasks/assigned_to_me?state=open&workflow=${workflow.id}&sort=id`))).toEqual(
      open,
    );
    expect(pickIds(await as("manager").get(`/tasks/assigned_to_me?workflow=${workflow.id}`))).toEqual([]);
  });

  test("approval_by_me shows the approvals that the caller is asked for, and lets an end user read that much", async () => {
    const workflow = await make.workflow();
    const category = "approval";
    const early = await make.task(workflow, { category, member_id: rita });
    const alone = await make.task(workflow, { category, member_id: rita, status: "assigned" });
    const several = await make.task(workflow, { category, status: "assigned" });
    for (const approver_id of [rita, sam]) await admin.post(`/tasks/${several.id}/approvals`, { approver_id });
    const requester = as("requester");
    expect(pickIds(await requester.get("/tasks/approval_by_me?sort=id"))).toEqual([alone.id, several.id]);
    expect(pickIds(await requester.get("/tasks?sort=id"))).toEqual([alone.id, several.id]);
    expect((await requester.get(`/tasks/${early.id}`)).status).toBe(403);
    expect((await requester.patch(`/tasks/${alone.id}`, { subject: "Mine" })).status).toBe(403);
    expect(pickIds(await specialist.get("/tasks/approval_by_me"))).toEqual([several.id]);
  });
});

describe("notes and time spent", () => {
  test("the template's note, a note in a change and a posted one are notes of the task", async () => {
    const template = await make.taskTemplate({ note: "From the template" });
    const { id } = await make.task(await make.workflow(), { template_id: template.id });
    const changed = await admin.patch(`/tasks/${id}`, { note: "With a change", time_spent: 25 });
    expect([changed.status, changed.body.note, changed.body.time_spent]).toEqual([200, undefined, undefined]);
    expect((await admin.post(`/tasks/${id}/notes`, { text: "Posted" })).status).toBe(201);
    const texts = (await admin.get(`/tasks/${id}/notes`)).body.map(({ text }: { text: string }) => text);
    expect(texts.sort()).toEqual(["From the template", "Posted", "With a change"]);
    expect(describeErrors(await admin.patch(`/tasks/${id}`, { time_spent: -1 }))).toEqual([
      "time_spent: Time spent is not valid",
    ]);
    expect((await admin.get(`/tasks/${id}?fields=note`)).status).toBe(400);
  });
});

describe("approvals", () => {
  test("an approver has planned effort and a read-only status", async () => {
    const { id } = await make.task(await make.workflow(), { category: "approval" });
    const path = `/tasks/${id}/approvals`;
    expect(describeErrors(await admin.post(path, {}))).toEqual(["approver: Approver can't be blank"]);
    const { status, body } = await admin.post(path, { approver_id: sam, planned_effort: 15, status: "approved" });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        approver: expect.objectContaining({ id: sam }),
        planned_effort: 15,
        status: "registered",
        attachment: null,
      }),
    ]);
    expect((await admin.get(path)).body).toEqual([body]);
    expect(pickIds(await admin.get(`${path}?status=assigned`))).toEqual([]);
    expect((await admin.patch(`${path}/${body.id}`, { approver_id: mia })).body.approver.id).toBe(mia);
    await admin.patch(`/tasks/${id}`, { status: "assigned" });
    expect((await admin.post(path, { approver_id: sam })).body.status).toBe("assigned");
    // At least one approver is needed, so the workflow's manager replaces the last one.
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.get(path)).body).toMatchObject([{ approver: { id: ada }, status: "assigned" }]);
  });
});
