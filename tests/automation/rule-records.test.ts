import { describe, expect, test } from "vitest";
import { automationLinks } from "../../records/work/automation-rule.ts";
import { automationTriggers } from "../../records/work/automation-triggers.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Automation rules as records: AM1 to AM9, AK1 to AK11.

const { as, service } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);
const postRule = (members: Record<string, unknown> = {}, by = admin) =>
  by.post("/automation_rules", { name: "R", trigger: "on create", ...members });
const loadReference = (type: string) => bodies.reference(type);
const notValid = ["generic: Applies to is not valid"];

describe("automation rules", () => {
  test("AM1: only name and trigger are required: a rule without a link is stored", async () => {
    expect(describeErrors(await admin.post("/automation_rules", {}))).toEqual([
      "name: Name can't be blank",
      "trigger: Trigger can't be blank",
    ]);
    expect((await postRule()).body).toMatchObject({ generic: null, request: null, disabled: false });
  });

  test("TR11: every known trigger is accepted, ignoring case and surrounding blanks", async () => {
    for (const trigger of automationTriggers) expect((await postRule({ trigger })).status, trigger).toBe(201);
    expect((await postRule({ trigger: " On Status UPDATE " })).body.trigger).toBe("on status update");
    expect((await postRule({ trigger: "on sourceID update" })).body.trigger).toBe("on sourceid update");
    expect(describeErrors(await postRule({ trigger: "on full moon" }))).toEqual([
      "trigger: Trigger is not included in the list",
    ]);
    expect(describeErrors(await postRule({ trigger: "  " }))).toEqual(["trigger: Trigger can't be blank"]);
  });

  test("AM7: a rule is linked to one record, or to a template within another", async () => {
    const request = await loadReference("request");
    const [task, workflow] = [await loadReference("task_template"), await loadReference("workflow_template")];
    const [projectTask, project] = [
      await loadReference("project_task_template"),
      await loadReference("project_template"),
    ];
    expect((await postRule({ request_id: request })).body).toMatchObject({ request: { id: request }, generic: null });
    expect((await postRule({ task_template_id: task, workflow_template_id: workflow })).status).toBe(201);
    expect((await postRule({ project_task_template_id: projectTask, project_template_id: project })).status).toBe(201);
    expect(describeErrors(await postRule({ generic: "task", request_id: request }))).toEqual(notValid);
    expect(describeErrors(await postRule({ task_template_id: task, project_template_id: project }))).toEqual(notValid);
    expect(
      describeErrors(await postRule({ generic: "task", task_template_id: task, workflow_template_id: workflow })),
    ).toEqual(notValid);
    const { body } = await postRule({ generic: "task" });
    expect(describeErrors(await admin.patch(`/automation_rules/${body.id}`, { request_id: request }))).toEqual(
      notValid,
    );
    expect((await admin.patch(`/automation_rules/${body.id}`, { request_id: request, generic: null })).status).toBe(
      200,
    );
  });

  test("generic is a record type, or false or null for none", async () => {
    expect(describeErrors(await postRule({ generic: "person" }))).toEqual([
      "generic: Applies to is not included in the list",
    ]);
    for (const generic of [false, null, ""]) expect((await postRule({ generic })).body.generic).toBe(null);
    expect((await postRule({ generic: "scim_group" })).body.generic).toBe("scim_group");
  });

  test("AK7: lists show only the applicable link fields; single records show the others as null, generic included", async () => {
    const links = [...automationLinks];
    const { body: task } = await admin.post("/task_templates", {
      ...{ subject: "T", category: "implementation", planned_duration: 5 },
    });
    const { body: workflow } = await admin.post("/workflow_templates", { subject: "W" });
    for (const [members, shown] of [
      [{ generic: "request" }, ["generic"]],
      [{ task_template_id: task.id }, ["task_template"]],
      [{ task_template_id: task.id, workflow_template_id: workflow.id }, ["task_template", "workflow_template"]],
      [{}, []],
    ] as const) {
      const { body } = await admin.post("/automation_rules", { name: "R", trigger: "on create", ...members });
      const { body: single } = await admin.get(`/automation_rules/${body.id}`);
      expect(links.filter((name) => single[name] !== null)).toEqual(shown);
      expect(links.filter((name) => !(name in single))).toEqual([]);
      for (const query of [`id=${body.id}`, `id=${body.id}&fields=${links.join(",")}`]) {
        const [row] = (await admin.get(`/automation_rules?${query}`)).body;
        expect(links.filter((name) => name in row)).toEqual(shown);
      }
    }
  });

  test("AK10: a rule without a position is added after the last one with the same link", async () => {
    const createAndReadPosition = async (members: Record<string, unknown>) => (await postRule(members)).body.position;
    expect(await createAndReadPosition({ generic: "risk" })).toBe(1);
    expect(await createAndReadPosition({ generic: "risk", position: 7 })).toBe(7);
    expect(await createAndReadPosition({ generic: "risk" })).toBe(8);
    expect(await createAndReadPosition({ generic: "problem" })).toBe(1);
    const problem = { workflow_template_id: await loadReference("workflow_template") };
    const alone = await createAndReadPosition(problem);
    expect(
      await createAndReadPosition({ ...problem, task_template_id: await loadReference("task_template") }),
    ).toBeGreaterThan(0);
    expect(await createAndReadPosition(problem)).toBe(alone + 1);
    expect(await createAndReadPosition({ generic: "risk", position: 2_147_483_647 })).toBe(2_147_483_647);
    expect(await createAndReadPosition({ generic: "risk" })).toBe(2_147_483_647);
  });

  test("AM8: rendered actions and descriptions escape tags and keep line breaks", async () => {
    const { body } = await postRule({
      actions: "a1: add note '<b>x</b> & y'\na2: clear team",
      description: "One\r\nTwo",
    });
    expect(body).toMatchObject({
      actions_html: "a1: add note &#39;&lt;b&gt;x&lt;/b&gt; &amp; y&#39;<br>a2: clear team",
      description_html: "One<br>Two",
    });
    const path = `/automation_rules/${body.id}`;
    expect((await admin.patch(path, { actions: null })).body.actions_html).toBe(null);
    expect((await admin.patch(path, { actions_html: "<b>" })).headers.get("X-Ignored-Fields")).toBe("actions_html");
  });

  test("the predefined filters", async () => {
    const template = await loadReference("task_template");
    const made: Record<string, number> = {};
    for (const generic of ["request", "problem", "task", "workflow", "ci", "risk", "scim_user", "scim_group"])
      made[generic] = (await postRule({ generic })).body.id;
    made.template = (await postRule({ task_template_id: template, disabled: true })).body.id;
    made.request_link = (await postRule({ request_id: await loadReference("request") })).body.id;
    const ids = async (view: string) =>
      (await admin.get(`/automation_rules/${view}?id=${Object.values(made)}`)).body
        .map(({ id }: { id: number }) => Object.keys(made).find((name) => made[name] === id))
        .sort();
    // biome-ignore format: a table keeps its columns
    const expected: Record<string, string[]> = {
      for_requests: ["request", "request_link"], for_request_templates: [],          for_problems: ["problem"],
      for_tasks: ["task"],                       for_task_templates: ["template"],   for_workflows: ["workflow"],
      for_workflow_templates: [],                for_project_tasks: [],              for_project_task_templates: [],
      for_project_templates: [],                 for_cis: ["ci"],                    for_risks: ["risk"],
      for_scim_users: ["scim_user"],             for_scim_groups: ["scim_group"],    disabled: ["template"],
      enabled: Object.keys(made).filter((name) => name !== "template").sort(),
    };
    for (const [view, names] of Object.entries(expected)) expect(await ids(view), view).toEqual(names);
    expect(Object.keys(types.get("automation_rule").views).sort()).toEqual(Object.keys(expected).sort());
  });

  test("AM9: administrators and designers maintain rules, others can read them at most", async () => {
    const specialist = as("specialist");
    const { body } = await postRule();
    const path = `/automation_rules/${body.id}`;
    expect((await postRule({}, specialist)).status).toBe(403);
    expect((await specialist.patch(path, { name: "x" })).status).toBe(403);
    expect((await specialist.delete(path)).status).toBe(403);
    await admin.post("/people/3/permissions/widget-it?roles=account_designer");
    expect((await postRule({}, specialist)).status).toBe(201);
    expect((await specialist.delete(path)).status).toBe(204);
    await admin.delete("/people/3/permissions/widget-it?roles=account_designer");
    expect((await admin.get(path)).status).toBe(404);
  });

  test("sourceID filters ignore case", async () => {
    const { body } = await postRule({ sourceID: "Rule-1" });
    expect((await admin.get("/automation_rules?sourceID=rule-1")).body).toMatchObject([{ id: body.id }]);
  });
});

describe("app offering automation rules", () => {
  const path = "/app_offering_automation_rules";

  test("missing required fields are named, and values must be in their lists", async () => {
    expect(describeErrors(await admin.post(path, {}))).toEqual([
      "app_offering: App offering can't be blank",
      "name: Name can't be blank",
      "rulable_type: Record type can't be blank",
      "trigger: Trigger can't be blank",
    ]);
    const wrong = {
      app_offering_id: await loadReference("app_offering"),
      name: "R",
      rulable_type: "Problem",
      trigger: "never",
    };
    expect(describeErrors(await admin.post(path, wrong))).toEqual([
      "rulable_type: Record type is not included in the list",
      "trigger: Trigger is not included in the list",
    ]);
  });

  test("AK11: rules are listed under their offering, by position and kind, and can be deleted", async () => {
    const offering = (await bodies.make(types.get("app_offering"))).id;
    const make = async (rulable_type: string) =>
      (await admin.post(path, { app_offering_id: offering, name: "R", rulable_type, trigger: "On Create" })).body;
    const [req, ci] = [await make("Req"), await make("Ci")];
    expect([req.position, ci.position, ci.trigger]).toEqual([1, 2, "on create"]);
    expect(req.app_offering).toMatchObject({ id: offering, reference: expect.any(String) });
    const ids = async (list: string) => (await admin.get(list)).body.map(({ id }: { id: number }) => id);
    expect(await ids(`/app_offerings/${offering}/automation_rules`)).toEqual([req.id, ci.id]);
    expect(await ids(`${path}/for_cis?app_offering=${offering}`)).toEqual([ci.id]);
    expect((await admin.delete(`${path}/${ci.id}`)).status).toBe(204);
    expect(await ids(`/app_offerings/${offering}/automation_rules`)).toEqual([req.id]);
  });
});
