import { expect, test } from "vitest";
import { runImport } from "../support/clients/import-and-export.ts";
import { automation, type RunLine } from "../support/records/automation-rules.ts";
import { requestHelpers } from "../support/records/requests.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// What starts a rule and what doesn't: TR1 to TR11, AC10 and X19.

const here = await world();
const { as, clock, sql } = here;
const { rule, runs, settled, request, get, patched, texts } = automation(here);
const admin = as("administrator");
const make = workflowHelpers(admin);
const { create } = requestHelpers(here);
const mia = 9;
const values = ({ record_id, expressions }: RunLine) => [record_id, ...expressions.map(({ value }) => value)];

test("TR2, TR7: on note added fires for a stored note, also in a new record, after on create", async () => {
  const noted = await rule({
    name: "Noted",
    trigger: "on note added",
    generic: "request",
    actions: "a1: set urgent = true",
  });
  const first = { name: "Made", trigger: "on create", generic: "request", expressions: "t: urgent", condition: "!t" };
  const created = await rule(first);
  const { id } = await request({ note: "Hello" });
  await request();
  await settled();
  expect((await runs(noted)).map(values)).toEqual([[id]]);
  expect((await runs(created)).map(({ condition }) => condition)).toEqual(["true", "true"]);
  for (const each of [noted, created]) await admin.delete(`/automation_rules/${each.id}`);
});

test("TR6, TR8: any change of a task's completion_target_at fires the trigger, and alone is no update of the task", async () => {
  const workflow = await make.workflow();
  const first = await make.task(workflow, { status: "assigned", planned_duration: 60 });
  const second = await make.task(workflow, { predecessor_ids: [first.id], planned_duration: 60 });
  const expressions = "old: completion_target_at_was\nnew: completion_target_at\nwas: status_was";
  const of = { generic: "task", expressions, condition: "old and new and was" };
  const moved = await rule({ name: "Moved", trigger: "on completion target update", ...of });
  const saved = await rule({ name: "Saved", trigger: "on update", generic: "task" });
  await patched(`/tasks/${first.id}`, { planned_duration: 120 });
  await settled();
  // Runs for different records may overlap.
  const lines = (await runs(moved)).toSorted((one, other) => one.record_id - other.record_id);
  expect(lines.map(values)).toEqual([
    [first.id, "2025-03-03T10:00:00+01:00", "2025-03-03T11:00:00+01:00", "assigned"],
    [second.id, "2025-03-03T11:00:00+01:00", "2025-03-03T12:00:00+01:00", "registered"],
  ]);
  expect((await runs(saved)).map(values)).toEqual([[first.id]]);
  for (const each of [moved, saved]) await admin.delete(`/automation_rules/${each.id}`);
});

test("TR6: this includes project tasks", async () => {
  const moved = await make.projectTask(await make.project(), { status: "assigned" });
  const linked = await rule({ name: "Moved", trigger: "on completion target update", project_task_id: moved.id });
  await patched(`/project_tasks/${moved.id}`, { work_hours_are_24x7: true });
  await settled();
  expect((await runs(linked)).map(values)).toEqual([[moved.id]]);
});

test("TR9: a workflow's new manager fires the trigger for its tasks", async () => {
  await sql(
    "INSERT INTO permissions (account_id, person_id, role, created_at) VALUES ('widget-it', $1, 'workflow_manager', $2)",
    [mia, clock.now()],
  );
  const workflow = await make.workflow();
  const one = await make.task(workflow);
  const expressions = "old: manager_was\nnew: manager";
  const of = { generic: "task", expressions, condition: "old and new" };
  const managed = await rule({ name: "Managed", trigger: "on manager update", ...of });
  await patched(`/workflows/${workflow.id}`, { manager_id: mia });
  await settled();
  expect((await runs(managed)).map(values)).toEqual([[one.id, "Ada Admin", "Mia Manager"]]);
});

test("AC10, AL5: after a date means the start of that day in the account's time zone", async () => {
  await rule({ name: "Tomorrow", trigger: "after delay", generic: "request", actions: "a1: add note 'Good morning'" });
  const started = "a1: after today + 1.day start 'Tomorrow'";
  await rule({ name: "Today", trigger: "on urgent update", generic: "request", actions: started });
  const { id } = await request();
  await patched(`/requests/${id}`, { urgent: true });
  await settled();
  await clock.moveTo("2025-03-03T22:59:59Z");
  expect(await texts(`/requests/${id}`)).toEqual([]);
  await clock.moveTo("2025-03-03T23:00:00Z");
  await settled();
  expect(await texts(`/requests/${id}`)).toEqual(["Good morning"]);
});

test("X19: imports trigger rules like any save, unless suppress_events=true", async () => {
  const product = await create("product");
  const seen = await rule({ name: "Seen", trigger: "on create", generic: "ci" });
  const of = (label: string) =>
    `Label,Name,Product,Status,Support Team\n${label},A screen,${product.name},in_stock,Service Desk\n`;
  const { results, log } = await runImport(admin, "cis", of("S1"));
  expect(results, log).toMatchObject({ created: 1 });
  expect((await runImport(admin, "cis", of("S2"), { suppress_events: "true" })).results).toMatchObject({ created: 1 });
  await settled();
  const [ci] = await get("/cis?label=S1");
  expect((await runs(seen)).map(values)).toEqual([[ci.id]]);
});
