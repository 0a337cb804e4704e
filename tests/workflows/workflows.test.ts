import { describe, expect, test } from "vitest";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Workflows and workflow templates.

const { as, sql } = await world();
const admin = as("administrator");
const make = workflowHelpers(admin);
const [ada, sam, mia] = [1, 3, 9];

describe("creating a workflow", () => {
  test("the template supplies values missing in the body, and the manager is the caller", async () => {
    const type = await make.workflowType({ name: "Application Change" });
    const given = { category: "emergency", justification: "correction", workflow_type: type.reference };
    const template = await make.workflowTemplate({
      ...given,
      subject: "Repair the service",
      service_id: 1,
      prevent_request_completion: true,
    });
    const { status, body } = await admin.post("/workflows", { template_id: template.id });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...given,
      subject: "Repair the service",
      workflow_type: "application_change",
      status: "registered",
      impact: "none",
      prevent_request_completion: true,
      manager: { id: ada },
      service: { id: 1 },
      template: { id: template.id },
      analysis_target_at: null,
    });
    const other = await admin.post("/workflows", { template_id: template.id, prevent_request_completion: false });
    expect(other.body.prevent_request_completion).toBe(false);
    expect((await admin.get(`/workflow_templates/${template.id}`)).body.times_applied).toBe(2);
    expect(pickIds(await admin.get(`/workflow_templates/${template.id}/workflows`))).toEqual([other.body.id, body.id]);
  });

  test("WF13: missing fields that neither the body nor the template supplies are named", async () => {
    const missing = ["category", "justification", "service", "workflow_type"];
    const { id } = await make.workflowTemplate();
    const fields = (reply: { body: { errors: [string, string][] } }) => reply.body.errors.map(([field]) => field);
    expect(fields(await admin.post("/workflows", { template_id: id }))).toEqual(missing);
    expect(fields(await admin.post("/workflows", {})).sort()).toEqual([...missing, "subject", "template"].sort());
  });

  test("a disabled template can't be used, and a type must be one of the account", async () => {
    const { id } = await make.workflowTemplate({ disabled: true });
    const body = { subject: "S", category: "order", justification: "move", service_id: 1, template_id: id };
    expect(describeErrors(await admin.post("/workflows", { ...body, workflow_type: "no_such_type" }))).toEqual([
      expect.stringMatching(/^template: /),
      expect.stringMatching(/^workflow_type: /),
    ]);
  });

  test("a workflow's manager must have the workflow manager role", async () => {
    const { id } = await make.workflow();
    const patch = (manager_id: number) => admin.patch(`/workflows/${id}`, { manager_id });
    expect(describeErrors(await patch(sam))).toEqual(["manager: Manager is not valid"]);
    await admin.post(`/people/${mia}/permissions/widget-it?roles=workflow_manager`);
    expect((await patch(mia)).body.manager.id).toBe(mia);
    const manager = as("manager");
    expect(pickIds(await manager.get(`/workflows/managed_by_me?id=${id}`))).toEqual([id]);
    expect((await manager.patch(`/workflows/${id}`, { subject: "Mine" })).status).toBe(200);
    expect((await as("specialist").patch(`/workflows/${id}`, { subject: "Mine" })).status).toBe(403);
  });
});

describe("the status of a workflow", () => {
  test("WF14: replaced values are never returned, and mean in_progress as filters", async () => {
    const { id } = await make.workflow();
    for (const status of ["risk_and_impact", "approval", "implementation", "being_created"])
      expect(describeErrors(await admin.patch(`/workflows/${id}`, { status })), status).toEqual([
        "status: Status is not valid",
      ]);
    await sql("UPDATE workflows SET status = 'in_progress' WHERE id = $1", [id]);
    const listIds = async (filter: string) => pickIds(await admin.get(`/workflows?id=${id}&status=${filter}`));
    for (const filter of [
      "in_progress",
      "approval",
      "risk_and_impact",
      "implementation,completed",
      "!completed,registered",
    ])
      expect(await listIds(filter), filter).toEqual([id]);
    for (const filter of ["!approval", "registered,completed"]) expect(await listIds(filter), filter).toEqual([]);
    expect((await admin.get("/workflows?status=bogus")).status).toBe(400);
  });

  test("completed and open; only a completed workflow can be archived", async () => {
    const { id } = await make.workflow();
    const listIds = async (view: string) => pickIds(await admin.get(`/workflows/${view}?id=${id}`));
    expect([await listIds("open"), await listIds("completed")]).toEqual([[id], []]);
    expect(describeErrors(await admin.post(`/workflows/${id}/archive`))).toEqual(["status: Status is not valid"]);
    await sql("UPDATE workflows SET status = 'completed' WHERE id = $1", [id]);
    expect([await listIds("open"), await listIds("completed")]).toEqual([[], [id]]);
    expect((await as("specialist").post(`/workflows/${id}/archive`)).status).toBe(403);
    expect((await admin.post(`/workflows/${id}/archive`)).body).toMatchObject({
      archived: true,
      analysis_target_at: null,
    });
    expect(await listIds("completed")).toEqual([]);
    expect((await admin.post(`/workflows/${id}/restore`)).status).toBe(200);
    expect(await listIds("completed")).toEqual([id]);
  });
});

describe("phases", () => {
  test("a phase is added after the others unless it has a position, and its status is read-only", async () => {
    const { id } = await make.workflow();
    const path = `/workflows/${id}/phases`;
    const names: string[] = [];
    for (const body of [{ name: "Plan" }, { name: "Build" }, { name: "First", position: 0, status: "completed" }])
      names.push((await admin.post(path, body)).body.status);
    expect(names).toEqual(["registered", "registered", "registered"]);
    const { body } = await admin.get(path);
    expect(body.map(({ name, position }: Record<string, unknown>) => [name, position])).toEqual([
      ["First", 0],
      ["Plan", 1],
      ["Build", 2],
    ]);
    expect(Object.keys(body[0])).toEqual(
      expect.arrayContaining(["id", "status", "started_at", "completed_at", "created_at", "updated_at"]),
    );
    expect(describeErrors(await admin.post(path, { name: "x".repeat(51) }))).toEqual([
      "name: Name is too long (maximum is 50 characters)",
    ]);
    expect([(await admin.delete(path)).status, (await admin.get(path)).body]).toEqual([204, []]);
  });
});

describe("templates", () => {
  const relations = (id: number) => `/workflow_templates/${id}/task_template_relations`;

  test("relations order task templates, and none can precede itself", async () => {
    const [template, other] = [await make.workflowTemplate(), await make.workflowTemplate()];
    const createRelation = async (members: Record<string, unknown> = {}, of = template) => {
      const body = { task_template_id: (await make.taskTemplate()).id, ...members };
      return (await admin.post(relations(of.id), body)).body;
    };
    const a = await createRelation();
    const b = await createRelation({ predecessor_ids: [a.id] });
    const c = await createRelation({ predecessor_ids: [b.id, a.id] });
    expect([a.predecessor_ids, b.predecessor_ids, c.predecessor_ids]).toEqual([[], [a.id], [a.id, b.id]]);
    const patch = (predecessor_ids: number[]) => admin.patch(`${relations(template.id)}/${a.id}`, { predecessor_ids });
    const refused = ["predecessor_ids: Predecessors is not valid"];
    for (const list of [[c.id], [a.id], [(await createRelation({}, other)).id]])
      expect(describeErrors(await patch(list)), JSON.stringify(list)).toEqual(refused);
    expect(
      (await admin.patch(`${relations(template.id)}/${c.id}`, { predecessor_ids: [] })).body.predecessor_ids,
    ).toEqual([]);
    expect((await patch([c.id])).body.predecessor_ids).toEqual([c.id]);
    expect((await admin.delete(`${relations(template.id)}/${c.id}`)).status).toBe(204);
    expect((await admin.get(`${relations(template.id)}/${a.id}`)).body.predecessor_ids).toEqual([]);
    const used = a.task_template.id;
    expect(pickIds(await admin.get(`/task_templates/${used}/workflow_templates`))).toEqual([template.id]);
    expect(pickIds(await admin.get(`/workflow_templates/${template.id}/task_templates?sort=id`))).toEqual([
      used,
      b.task_template.id,
    ]);
  });

  test("a relation references a phase of the template, and keeps it when the phase is renamed", async () => {
    const { id } = await make.workflowTemplate();
    const { id: task_template_id } = await make.taskTemplate();
    const body = { task_template_id, phase_name: "Build" };
    expect(describeErrors(await admin.post(relations(id), body))).toEqual(["phase_name: Phase name is not valid"]);
    expect(describeErrors(await admin.post(relations(id), { task_template_id, phase_name: "x".repeat(51) }))).toEqual([
      "phase_name: Phase name is too long (maximum is 50 characters)",
    ]);
    const phase = `/workflow_templates/${id}/phases`;
    const { id: phaseId } = (await admin.post(phase, { name: "Build" })).body;
    const relation = (await admin.post(relations(id), body)).body;
    const loadPhaseName = async () => (await admin.get(`${relations(id)}/${relation.id}`)).body.phase_name;
    await admin.patch(`${phase}/${phaseId}`, { name: "Make" });
    expect(await loadPhaseName()).toBe("Make");
    expect((await admin.delete(phase)).status).toBe(204);
    expect(await loadPhaseName()).toBeNull();
  });

  test("a template's impact is the highest of its task templates", async () => {
    const { id } = await make.workflowTemplate();
    const [low, high] = [await make.taskTemplate({ impact: "low" }), await make.taskTemplate({ impact: "high" })];
    const impact = async () => (await admin.get(`/workflow_templates/${id}`)).body.impact;
    expect(await impact()).toBe("none");
    await admin.post(relations(id), { task_template_id: low.id });
    expect(await impact()).toBe("low");
    const { body } = await admin.post(relations(id), { task_template_id: high.id });
    expect(await impact()).toBe("high");
    await admin.patch(`/task_templates/${low.id}`, { impact: "top" });
    expect(await impact()).toBe("top");
    await admin.patch(`/task_templates/${low.id}`, { impact: null });
    expect(await impact()).toBe("high");
    await admin.delete(`${relations(id)}/${body.id}`);
    expect(await impact()).toBe("none");
  });

  test("the shorter form adds and removes task templates without naming relations", async () => {
    const { id } = await make.workflowTemplate();
    const [one, two] = [await make.taskTemplate(), await make.taskTemplate()];
    const path = `/workflow_templates/${id}/task_templates`;
    await admin.post(`/workflow_templates/${id}/phases`, { name: "Build it" });
    for (const query of [`task_template_id=${one.id}&phase_name=Build%20it`, `task_template_id=${two.id}`]) {
      const { status, body } = await admin.post(`${path}?${query}`);
      expect([status, body]).toEqual([200, {}]);
    }
    expect((await admin.get(relations(id))).body).toMatchObject([
      { task_template: { id: one.id }, phase_name: "Build it" },
      { task_template: { id: two.id }, phase_name: null },
    ]);
    expect(describeErrors(await admin.post(path))).toEqual(["task_template: Task template can't be blank"]);
    expect((await as("specialist").post(`${path}?task_template_id=${one.id}`)).status).toBe(403);
    expect((await admin.delete(`${path}/${one.id}`)).status).toBe(204);
    expect((await admin.delete(`${path}/${one.id}`)).status).toBe(404);
    expect(pickIds(await admin.get(path))).toEqual([two.id]);
    expect([(await admin.delete(path)).status, (await admin.get(relations(id))).body]).toEqual([204, []]);
  });

  test("a recurring template requires every field that a workflow needs", async () => {
    const recurrence = { frequency: "daily", start_date: "2025-04-01", time_of_day: "09:00", time_zone: "Amsterdam" };
    const refused = await admin.post("/workflow_templates", { subject: "Each day", recurrence });
    expect(describeErrors(refused)).toEqual(
      ["workflow_manager", "service", "category", "justification", "workflow_type"].map(
        (member) => `recurrence: Recurrence is not valid without ${member}`,
      ),
    );
    const { status, body } = await admin.post("/workflow_templates", {
      subject: "Each day",
      recurrence,
      workflow_manager_id: ada,
      service_id: 1,
      category: "standard",
      justification: "maintenance",
      workflow_type: (await make.workflowType()).reference,
    });
    expect([status, body.recurrence]).toEqual([201, expect.objectContaining({ frequency: "daily", interval: 1 })]);
    expect(await make.workflowTemplate()).not.toHaveProperty("recurrence");
  });

  test("templates can be enabled and disabled, and lists show it", async () => {
    const { id } = await make.taskTemplate({ disabled: true, subject: "Old" });
    expect((await admin.get(`/task_templates/disabled?id=${id}`)).body).toMatchObject([{ id, disabled: true }]);
    expect((await admin.get(`/task_templates/enabled?id=${id}`)).body).toEqual([]);
    const { id: enabled } = await make.workflowTemplate();
    expect((await admin.get(`/workflow_templates/enabled?id=${enabled}`)).body).toMatchObject([{ disabled: false }]);
  });

  test("a task template's approvals have an approver and planned effort", async () => {
    const { id } = await make.taskTemplate({ category: "approval", team_id: serviceDeskTeam });
    const path = `/task_templates/${id}/approvals`;
    const { body } = await admin.post(path, { approver_id: sam, planned_effort: 10 });
    expect(body).toMatchObject({ approver: { id: sam }, planned_effort: 10 });
    expect(body).not.toHaveProperty("created_at");
    expect((await admin.patch(`${path}/${body.id}`, { planned_effort: 20 })).body.planned_effort).toBe(20);
    expect((await admin.delete(`${path}/${body.id}`)).status).toBe(204);
  });
});
