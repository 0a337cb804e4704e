import { describe, expect, test } from "vitest";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Projects, their tasks and templates.

const { as, sql } = await world();
const admin = as("administrator");
const specialist = as("specialist");
const make = workflowHelpers(admin);
const [ada, sam, mia, rita] = [1, 3, 9, 5];

describe("projects", () => {
  test("subject, justification, manager, service, customer, program, work_hours and time_zone are required", async () => {
    const fields = (await admin.post("/projects", {})).body.errors.map(([field]: [string]) => field);
    expect(fields).toEqual([
      "subject",
      "justification",
      "manager",
      "service",
      "customer",
      "program",
      "work_hours",
      "time_zone",
    ]);
  });

  test("total cost is the exact sum of the two costs, and roi a percentage of it", async () => {
    const costs = { cost_of_effort: "0.1", cost_of_purchases: "0.2", value: "0.45" };
    const project = await make.project(costs);
    expect([project.total_cost, project.roi]).toEqual([0.3, 50]);
    const patch = async (members: Record<string, unknown>) => {
      const { body } = await admin.patch(`/projects/${project.id}`, members);
      return [body.total_cost, body.roi];
    };
    expect(await patch({ cost_of_purchases: null })).toEqual([0.1, 350]);
    expect(await patch({ cost_of_effort: 0 })).toEqual([0, null]);
    expect(await patch({ cost_of_effort: null })).toEqual([null, null]);
    expect(await patch({ cost_of_effort: "0.0000000001", value: 900_000 })).toEqual([0.0000000001, null]);
  });

  test("category and risk level are references to the account's own lists", async () => {
    await admin.post("/project_categories", { name: "Large Project" });
    await admin.post("/project_risk_levels", { name: "High" });
    const project = await make.project({ category: "large_project", risk_level: "high" });
    expect(project).toMatchObject({ category: "large_project", risk_level: "high" });
    expect(pickIds(await admin.get("/projects?category=large_project"))).toEqual([project.id]);
    expect(describeErrors(await admin.patch(`/projects/${project.id}`, { category: "huge" }))).toEqual([
      expect.stringMatching(/^category: /),
    ]);
  });

  test("the views completed, open and managed_by_me; only a completed project can be archived", async () => {
    const { id } = await make.project();
    const listIds = async (view: string, by = admin) => pickIds(await by.get(`/projects/${view}?id=${id}`));
    expect([await listIds("open"), await listIds("completed"), await listIds("managed_by_me")]).toEqual([
      [id],
      [],
      [id],
    ]);
    expect(await listIds("managed_by_me", specialist)).toEqual([]);
    expect(describeErrors(await admin.post(`/projects/${id}/trash`))).toEqual(["status: Status is not valid"]);
    await sql("UPDATE projects SET status = 'completed' WHERE id = $1", [id]);
    expect([await listIds("open"), await listIds("completed")]).toEqual([[], [id]]);
    expect((await admin.post(`/projects/${id}/trash`)).body.trashed).toBe(true);
  });

  test("only a registered phase can be removed, and all of them only while there are no tasks", async () => {
    const { id } = await make.project();
    const path = `/projects/${id}/phases`;
    const [one, two] = [await admin.post(path, { name: "One" }), await admin.post(path, { name: "Two" })];
    expect([one.body.position, two.body.position, two.body.status]).toEqual([1, 2, "registered"]);
    await sql("UPDATE project_phases SET status = 'in_progress' WHERE id = $1", [two.body.id]);
    expect(describeErrors(await admin.delete(`${path}/${two.body.id}`))).toEqual(["status: Status is not valid"]);
    expect(describeErrors(await admin.delete(path))).toEqual(["status: Status is not valid"]);
    expect(pickIds(await admin.get(path))).toEqual([one.body.id, two.body.id]);
    await sql("UPDATE project_phases SET status = 'registered' WHERE id = $1", [two.body.id]);
    await make.projectTask({ id });
    expect(describeErrors(await admin.delete(path))).toEqual(["base: Record still has tasks"]);
    expect((await admin.delete(`${path}/${one.body.id}`)).status).toBe(204);
    expect(pickIds(await admin.get(path))).toEqual([two.body.id]);
  });
});

describe("project tasks", () => {
  test("subject, category, planned_duration and template are required", async () => {
    const { id } = await make.project();
    for (const path of ["tasks", "project_tasks"])
      expect(describeErrors(await admin.post(`/projects/${id}/${path}`, {})), path).toEqual([
        "subject: Subject can't be blank",
        "category: Category can't be blank",
        "template: Template can't be blank",
        "planned_duration: Planned duration can't be blank",
      ]);
  });

  test("the template is a task template or a project task template, and supplies values missing in the body", async () => {
    const project = await make.project();
    const shared = {
      planned_effort: 15,
      required_approvals: 3,
      work_hours_are_24x7: true,
      instructions: "Do",
      team_id: serviceDeskTeam,
    };
    const plain = await make.taskTemplate({ ...shared, subject: "Plain", urgent: true });
    const own = await make.projectTaskTemplate({ ...shared, subject: "Own", category: "approval" });
    expect(own.id).not.toBe(plain.id);
    const { team_id, ...values } = shared;
    const first = await make.projectTask(project, { template_id: plain.id, category: "milestone" });
    expect(first).toMatchObject({
      ...values,
      subject: "Plain",
      urgent: true,
      planned_duration: 60,
      template: { id: plain.id, subject: "Plain" },
    });
    const second = await make.projectTask(project, { template_id: own.id, required_approvals: 1 });
    expect(second).toMatchObject({
      ...values,
      required_approvals: 1,
      subject: "Own",
      category: "approval",
      team: { id: team_id },
      template: { id: own.id, subject: "Own" },
    });
    const loadTimesApplied = async (path: string) => (await admin.get(path)).body.times_applied;
    expect([
      await loadTimesApplied(`/task_templates/${plain.id}`),
      await loadTimesApplied(`/project_task_templates/${own.id}`),
    ]).toEqual([1, 1]);
    expect(pickIds(await admin.get(`/project_task_templates/${own.id}/project_tasks`))).toEqual([second.id]);
    expect(
      describeErrors(
        await admin.post(`/projects/${project.id}/tasks`, {
          template_id: 2_000_000_000,
          subject: "S",
          category: "activity",
          planned_duration: 1,
        }),
      ),
    ).toEqual(["template: Template is not valid"]);
  });

  test("its manager is the project's, and changes with it", async () => {
    const project = await make.project();
    const { id, manager } = await make.projectTask(project);
    expect(manager.id).toBe(ada);
    await admin.patch(`/projects/${project.id}`, { manager_id: mia });
    expect((await admin.get(`/project_tasks/${id}`)).body.manager.id).toBe(mia);
    expect(pickIds(await as("manager").get("/project_tasks/managed_by_me"))).toEqual([id]);
    expect(pickIds(await admin.get(`/projects/${project.id}/tasks`))).toEqual([id]);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["activity",  ["rejected", "approved"]],
    ["approval",  ["accepted", "in_progress", "waiting_for", "failed", "completed"]],
    ["milestone", ["accepted", "in_progress", "waiting_for", "failed", "rejected", "approved"]],
  ])("PT1: a project task of category %s is never %j", async (category, statuses) => {
    const { id } = await make.projectTask(await make.project(), { category });
    for (const status of statuses)
      expect(describeErrors(await admin.patch(`/project_tasks/${id}`, { status, waiting_until: "2031-01-01T00:00:00Z" })), status).toEqual([
        "status: Status is not valid",
      ]);
    expect(describeErrors(await admin.patch(`/project_tasks/${id}`, { status: "declined" }))).toEqual([
      "status: Status is not included in the list",
    ]);
  });

  test("predecessors and successors must be in the same project", async () => {
    const [project, other] = [await make.project(), await make.project()];
    const first = await make.projectTask(project);
    const second = await make.projectTask(project, { predecessor_ids: [first.id] });
    expect(pickIds(await admin.get(`/project_tasks/${first.id}/successors`))).toEqual([second.id]);
    const stranger = await make.projectTask(other);
    expect(describeErrors(await admin.post(`/project_tasks/${first.id}/successors/${stranger.id}`))).toEqual([
      "successors: Successors must be linked to the same project",
    ]);
    expect(describeErrors(await admin.post(`/project_tasks/${first.id}/predecessors/${second.id}`))).toEqual([
      "predecessors: Predecessors is not valid",
    ]);
  });

  test("AZ17: the views finished, open, assigned_to_me and open_to_me; an end user reads tasks assigned to them", async () => {
    const project = await make.project();
    const assign = async (status: string) => {
      const { id } = await make.projectTask(project, { status });
      const { body } = await admin.post(`/project_tasks/${id}/assignments`, { assignee_id: rita, planned_effort: 5 });
      return { id, status: body.status };
    };
    const [later, now] = [await assign("registered"), await assign("in_progress")];
    expect([later.status, now.status]).toEqual(["registered", "assigned"]);
    const done = (await make.projectTask(project, { status: "completed" })).id;
    const requester = as("requester");
    const listIds = async (view: string, by = requester) => pickIds(await by.get(`/project_tasks/${view}?sort=id`));
    expect(await listIds("assigned_to_me")).toEqual([later.id, now.id]);
    expect(await listIds("open_to_me")).toEqual([now.id]);
    expect(await listIds("assigned_to_me", specialist)).toEqual([]);
    const ofProject = async (view: string) =>
      pickIds(await specialist.get(`/projects/${project.id}/tasks/${view}?sort=id`));
    expect([await ofProject("open"), await ofProject("finished")]).toEqual([[later.id, now.id], [done]]);
    expect((await requester.get(`/project_tasks/${done}`)).status).toBe(403);
    expect((await requester.get(`/project_tasks/${now.id}`)).status).toBe(200);
    expect((await requester.patch(`/project_tasks/${now.id}`, { subject: "Mine" })).status).toBe(403);
  });

  test("assignments have an assignee, and a read-only status", async () => {
    const { id } = await make.projectTask(await make.project());
    const path = `/project_tasks/${id}/assignments`;
    expect(describeErrors(await admin.post(path, {}))).toEqual(["assignee: Assignee can't be blank"]);
    const { body } = await admin.post(path, {
      assignee_id: sam,
      status: "completed",
      waiting_until: "2031-01-01T00:00:00Z",
    });
    expect(body).toMatchObject({ assignee: { id: sam }, status: "registered", waiting_until: null, attachment: null });
    expect((await admin.delete(path)).status).toBe(204);
  });
});

describe("project templates", () => {
  test("task templates are placed in phases, which can't be removed while they are used", async () => {
    const { id } = await make.projectTemplate();
    const [phases, relations] = [`/project_templates/${id}/phases`, `/project_templates/${id}/task_templates`];
    const { id: task_template_id } = await make.projectTaskTemplate();
    expect(describeErrors(await admin.post(relations, {}))).toEqual([
      "task_template: Task template can't be blank",
      "phase_name: Phase name can't be blank",
    ]);
    expect(describeErrors(await admin.post(relations, { task_template_id, phase_name: "Start" }))).toEqual([
      "phase_name: Phase name is not valid",
    ]);
    const phase = (await admin.post(phases, { name: "Start" })).body;
    const { status, body } = await admin.post(relations, { task_template_id, phase_name: "Start" });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        task_template: expect.objectContaining({ id: task_template_id }),
        phase_name: "Start",
      }),
    ]);
    await admin.patch(`${phases}/${phase.id}`, { name: "Begin" });
    expect((await admin.get(relations)).body).toMatchObject([{ id: body.id, phase_name: "Begin" }]);
    for (const path of [`${phases}/${phase.id}`, phases])
      expect(describeErrors(await admin.delete(path))).toEqual(["base: Record is still in use"]);
    const listIds = async (view: string) => pickIds(await admin.get(`${relations}/${view}`));
    expect([await listIds("enabled"), await listIds("disabled")]).toEqual([[body.id], []]);
    await admin.patch(`/project_task_templates/${task_template_id}`, { disabled: true });
    expect([await listIds("enabled"), await listIds("disabled")]).toEqual([[], [body.id]]);
    expect(pickIds(await admin.get(`/project_task_templates/${task_template_id}/project_templates`))).toEqual([id]);
    expect((await admin.delete(`${relations}/${body.id}`)).status).toBe(204);
    expect((await admin.delete(phases)).status).toBe(204);
  });

  test("a project task template has assignments", async () => {
    const { id } = await make.projectTaskTemplate();
    const path = `/project_task_templates/${id}/assignments`;
    const { status, body } = await admin.post(path, { assignee_id: sam, planned_effort: 30 });
    expect([status, body.assignee.id, body.planned_effort]).toEqual([201, sam, 30]);
    expect((await admin.get(path)).body).toEqual([body]);
  });
});
