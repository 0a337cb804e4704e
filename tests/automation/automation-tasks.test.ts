import { describe, expect, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { createActiveWebhook } from "../support/webhooks/active-webhook.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { world } from "../support/world.ts";

// Automation tasks, which only their rules complete: TA1 to TA5. Also the order of lists in rules: AL4.

const here = await world();
const { as, clock } = here;
const admin = as("administrator");
const { rule, runs, outcomes, settled, get, create, patched, request } = automation(here);
const kinds = workflowHelpers(admin);

/** Creates an automation task in a workflow that hasn't started, and a successor of the task. */
async function createAutomationTask(...rules: Record<string, unknown>[]) {
  const template_id = (await kinds.taskTemplate({ subject: "Do it by itself", category: "automation" })).id;
  const workflow = await kinds.workflow({ start_at: "2030-01-01T00:00:00Z" });
  const task = await kinds.task(workflow, { template_id });
  const next = await kinds.task(workflow, { subject: "Next" });
  expect((await admin.post(`/tasks/${next.id}/predecessors/${task.id}`)).status).toBe(200);
  const its = [];
  for (const members of rules) its.push(await rule({ name: `Rule ${its.length}`, task_id: task.id, ...members }));
  return { path: `/tasks/${task.id}`, next: `/tasks/${next.id}`, rules: its };
}
const loadStatus = async (path: string) => (await get(path)).status;
const assign = async (path: string) => {
  await patched(path, { status: "assigned" });
  await settled();
  return loadStatus(path);
};
const note = (text: string) => ({ condition: "status = assigned", actions: `a1: add note '${text}'` });

describe("automation tasks", () => {
  test("TA3: a task whose rules ran without error and didn't end it, wait or call a webhook is completed, with no actor", async () => {
    const { path, rules } = await createAutomationTask(note("one"), note("two"));
    expect(await assign(path)).toBe("completed");
    for (const one of rules) expect(await outcomes(one)).toEqual(["done"]);
    const [last] = await get(`${path}/audit`);
    expect(last).toMatchObject({ created_by: null, changes: { status: ["assigned", "completed"] } });
    expect((await get(path)).finished_at).not.toBe(null);
  });

  test("a task is also completed if it has no rules, or if its rules are unmet or disabled", async () => {
    const bare = await createAutomationTask();
    const unmet = await createAutomationTask({ condition: "false" }, { disabled: true });
    expect([await assign(bare.path), await assign(unmet.path)]).toEqual(["completed", "completed"]);
  });

  test("TA2: a status set by a rule wins", async () => {
    for (const status of ["failed", "in_progress", "canceled"]) {
      const { path } = await createAutomationTask({
        condition: "status = assigned",
        actions: `a1: set status = ${status}`,
      });
      expect(await assign(path)).toBe(status);
    }
  });

  test("TA4: if a task's rule fails with an error, the task fails; its other rules have run", async () => {
    const { path, next, rules } = await createAutomationTask(
      { condition: "status = assigned", actions: "a1: set member = 7" },
      note("still"),
    );
    expect(await assign(path)).toBe("failed");
    expect((await outcomes(rules[0] as { id: number }))[0]).toBe("failed: validation");
    expect((await outcomes(rules[1] as { id: number }))[0]).toBe("done");
    expect(await loadStatus(next)).toBe("registered");
  });

  test("AK1: a failing rule for all tasks doesn't fail the task", async () => {
    const { path } = await createAutomationTask();
    const bad = await rule({
      ...{ name: "Bad", generic: "task", condition: "category = automation", actions: "a1: set member = 7" },
    });
    expect(await assign(path)).toBe("completed");
    await admin.delete(`/automation_rules/${bad.id}`);
  });

  test("TA5: while a delay is pending the task stays assigned until a rule finishes it", async () => {
    const { path } = await createAutomationTask(
      { name: "Finish", trigger: "after delay", actions: "a1: set status = completed" },
      { condition: "status = assigned", actions: "a1: after 2.hours start 'Finish'" },
    );
    expect(await assign(path)).toBe("assigned");
    await clock.pass(3600);
    await settled();
    expect(await loadStatus(path)).toBe("assigned");
    await clock.pass(3600);
    await settled();
    expect(await loadStatus(path)).toBe("completed");
  });

  test("a failing delayed rule fails the task, one that does nothing leaves it assigned", async () => {
    for (const [actions, status] of [
      ["a1: set member = 7", "failed"],
      ["a1: add note 'x'", "assigned"],
    ] as const) {
      const { path } = await createAutomationTask(
        { name: "Later", trigger: "after delay", actions },
        { condition: "status = assigned", actions: "a1: after 1.hour start 'Later'" },
      );
      await assign(path);
      await clock.pass(3600);
      await settled();
      expect(await loadStatus(path)).toBe(status);
    }
  });

  test("TA5: after a webhook call the task stays assigned until an API call finishes it", async () => {
    const there = await startReceiver();
    await createActiveWebhook(here, admin, there, { event: "automation_rule", name: "Robot" });
    const { path } = await createAutomationTask({
      condition: "status = assigned",
      actions: "a1: call webhook 'Robot'",
    });
    expect(await assign(path)).toBe("assigned");
    expect((await patched(path, { status: "completed" })).status).toBe("completed");
  });

  test("its successor is assigned and runs automatically, too", async () => {
    const template_id = (await kinds.taskTemplate({ subject: "Robot", category: "automation" })).id;
    const workflow = await kinds.workflow({ start_at: "2030-01-01T00:00:00Z" });
    const tasks = [];
    for (let i = 0; i < 3; i++) {
      const task = await kinds.task(workflow, { template_id });
      const before = tasks.at(-1);
      if (before !== undefined) await admin.post(`/tasks/${task.id}/predecessors/${before.id}`);
      tasks.push(task);
    }
    await clock.moveTo("2030-01-01T00:00:00Z");
    await settled();
    for (const { id } of tasks) expect(await loadStatus(`/tasks/${id}`)).toBe("completed");
    expect(await get(`/workflows/${workflow.id}`)).toMatchObject({
      status: "completed",
      completion_reason: "complete",
    });
  });
});

describe("default order", () => {
  test("AL4: cis and users are in order of linking; notes, requests and tasks are by ascending id", async () => {
    const product = await create("/products", {
      ...{ name: "P", brand: "B", model: "M", support_team_id: serviceDeskTeam },
      category: (await create("/product_categories", { name: "C", group: "G", rule_set: "physical_asset" })).reference,
    });
    const createItem = (label: string) => create("/cis", { product_id: product.id, status: "in_production", label });
    const [one, two, three] = [await createItem("one"), await createItem("two"), await createItem("three")];
    const asked = await request();
    for (const { id } of [three, one, two]) await admin.post(`/requests/${asked.id}/cis/${id}`);
    for (const person of [9, 3, 4]) await admin.post(`/cis/${one.id}/users/${person}`);
    const workflow = await kinds.workflow();
    const [early, late] = [await kinds.task(workflow, { subject: "b" }), await kinds.task(workflow, { subject: "a" })];
    await patched(`/requests/${asked.id}`, { workflow_id: workflow.id, status: "workflow_pending" });
    const look = await rule({
      name: "Look",
      request_id: asked.id,
      trigger: "on note added",
      expressions: "labels: cis.label\nfirst_one: cis[first].label\nusers: cis[2].users.name\ntasks: workflow.tasks.id",
      condition: "labels or first_one or users or tasks",
      actions: "a1: add internal note '{{labels}} {{first_one}} {{users}} {{tasks}}'",
    });
    await patched(`/requests/${asked.id}`, { note: "Look" });
    await settled();
    const [run] = await runs(look);
    expect(Object.fromEntries((run?.expressions ?? []).map(({ name, value }) => [name, value]))).toEqual({
      labels: "three,one,two",
      first_one: "three",
      users: "Mia Manager,Sam Specialist,Aude Auditor",
      tasks: `${early.id},${late.id}`,
    });
    // A record that is linked again becomes the last one.
    await admin.delete(`/requests/${asked.id}/cis/${three.id}`);
    await admin.post(`/requests/${asked.id}/cis/${three.id}`);
    await patched(`/requests/${asked.id}`, { note: "Look again" });
    await settled();
    expect((await runs(look)).at(-1)?.expressions[0]).toEqual({ name: "labels", value: "one,two,three" });
  });
});
