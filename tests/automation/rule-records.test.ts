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
const rule = (members: Record<string, unknown> = {}, by = admin) =>
  by.post("/automation_rules", { name: "R", trigger: "on create", ...members });
const one = (type: string) => bodies.reference(type);
const notValid = ["generic: Applies to is not valid"];

describe("automation rules", () => {
  test("AM1: name and trigger are all that is required: without a link the rule is stored", async () => {
    expect(describeErrors(await admin.post("/automation_rules", {}))).toEqual([
      "name: Name can't be blank",
      "trigger: Trigger can't be blank",
    ]);
    expect((await rule()).body).toMatchObject({ generic: null, request: null, disabled: false });
  });

  test("TR11: every known trigger is taken, without regard to case and blanks around it", async () => {
    for (const trigger of automationTriggers) expect((await rule({ trigger })).status, trigger).toBe(201);
    expect((await rule({ trigger: " On Status UPDATE " })).body.trigger).toBe("on status update");
    expect((await rule({ trigger: "on sourceID update" })).body.trigger).toBe("on sourceid update");
    expect(describeErrors(await rule({ trigger: "on full moon" }))).toEqual([
      "trigger: Trigger is not included in the list",
    ]);
    expect(describeErrors(await rule({ trigger: "  " }))).toEqual(["trigger: Trigger can't be blank"]);
  });

  test("AM7: a rule is linked to one thing, or to a template within another", async () => {
    const request = await one("request");
    const [task, workflow] = [await one("task_template"), await one("workflow_template")];
    const [projectTask, project] = [await one("project_task_template"), await one("project_template")];
    expect((await rule({ request_id: request })).body).toMatchObject({ request: { id: request }, generic: null });
    expect((await rule({ task_template_id: task, workflow_template_id: workflow })).status).toBe(201);
    expect((await rule({ project_task_template_id: projectTask, project_template_id: project })).status).toBe(201);
    expect(describeErrors(await rule({ generic: "task", request_id: request }))).toEqual(notValid);
    expect(describeErrors(await rule({ task_template_id: task, project_template_id: project }))).toEqual(notValid);
    expect(
      describeErrors(await rule({ generic: "task", task_template_id: task, workflow_template_id: workflow })),
    ).toEqual(notValid);
    const { body } = await rule({ generic: "task" });
    expect(describeErrors(await admin.patch(`/automation_rules/${body.id}`, { request_id: request }))).toEqual(
      notValid,
    );
    expect((await admin.patch(`/automation_rules/${body.id}`, { request_id: request, generic: null })).status).toBe(
      200,
    );
  });

  test("generic is a record type, or false or null for none", async () => {
    expect(describeErrors(await rule({ generic: "person" }))).toEqual([
      "generic: Applies to is not included in the list",
    ]);
    for (const generic of [false, null, ""]) expect((await rule({ generic })).body.generic).toBe(null);
    expect((await rule({ generic: "scim_group" })).body.generic).toBe("scim_group");
  });

  test("AK7: lists show only the link fields that apply; single outputs show the others, generic included, as null", async () => {
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

  test("AK10: a rule without a position goes behind the last one that is linked to the same", async () => {
    const of = async (members: Record<string, unknown>) => (await rule(members)).body.position;
    expect(await of({ generic: "risk" })).toBe(1);
    expect(await of({ generic: "risk", position: 7 })).toBe(7);
    expect(await of({ generic: "risk" })).toBe(8);
    expect(await of({ generic: "problem" })).toBe(1);
    const problem = { workflow_template_id: await one("workflow_template") };
    const alone = await of(problem);
    expect(await of({ ...problem, task_template_id: await one("task_template") })).toBeGreaterThan(0);
    expect(await of(problem)).toBe(alone + 1);
    expect(await of({ generic: "risk", position: 2_147_483_647 })).toBe(2_147_483_647);
    expect(await of({ generic: "risk" })).toBe(2_147_483_647);
  });

  test("AM8: actions and description are rendered: no tag of theirs is one, lines stay lines", async () => {
    const { body } = await rule({ actions: "a1: add note '<b>x</b> & y'\na2: clear team", description: "One\r\nTwo" });
    expect(body).toMatchObject({
      actions_html: "a1: add note &#39;&lt;b&gt;x&lt;/b&gt; &amp; y&#39;<br>a2: clear team",
      description_html: "One<br>Two",
    });
    const path = `/automation_rules/${body.id}`;
    expect((await admin.patch(path, { actions: null })).body.actions_html).toBe(null);
    expect((await admin.patch(path, { actions_html: "<b>" })).headers.get("X-Ignored-Fields")).toBe("actions_html");
  });

  test("the predefined filters", async () => {
    const template = await one("task_template");
    const made: Record<string, number> = {};
    for (const generic of ["request", "problem", "task", "workflow", "ci", "risk", "scim_user", "scim_group"])
      made[generic] = (await rule({ generic })).body.id;
    made.template = (await rule({ task_template_id: template, disabled: true })).body.id;
    made.request_link = (await rule({ request_id: await one("request") })).body.id;
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

  test("AM9: administrators and designers maintain rules, others read them at most", async () => {
    const specialist = as("specialist");
    const { body } = await rule();
    const path = `/automation_rules/${body.id}`;
    expect((await rule({}, specialist)).status).toBe(403);
    expect((await specialist.patch(path, { name: "x" })).status).toBe(403);
    expect((await specialist.delete(path)).status).toBe(403);
    await admin.post("/people/3/permissions/widget-it?roles=account_designer");
    expect((await rule({}, specialist)).status).toBe(201);
    expect((await specialist.delete(path)).status).toBe(204);
    await admin.delete("/people/3/permissions/widget-it?roles=account_designer");
    expect((await admin.get(path)).status).toBe(404);
  });

  test("a sourceID is found without regard to case", async () => {
    const { body } = await rule({ sourceID: "Rule-1" });
    expect((await admin.get("/automation_rules?sourceID=rule-1")).body).toMatchObject([{ id: body.id }]);
  });
});

describe("app offering automation rules", () => {
  const path = "/app_offering_automation_rules";

  test("what is required is named, values are those of the lists", async () => {
    expect(describeErrors(await admin.post(path, {}))).toEqual([
      "app_offering: App offering can't be blank",
      "name: Name can't be blank",
      "rulable_type: Record type can't be blank",
      "trigger: Trigger can't be blank",
    ]);
    const wrong = { app_offering_id: await one("app_offering"), name: "R", rulable_type: "Problem", trigger: "never" };
    expect(describeErrors(await admin.post(path, wrong))).toEqual([
      "rulable_type: Record type is not included in the list",
      "trigger: Trigger is not included in the list",
    ]);
  });

  test("AK11: they are listed under their offering, by position and kind, and can be deleted", async () => {
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
