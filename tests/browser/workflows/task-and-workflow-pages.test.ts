import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildWeb } from "../../../tools/build-web.ts";
import { startBrowser } from "../../support/clients/chromium.ts";
import { setPasswords } from "../../support/clients/form-browser.ts";
import { expectUsable, openBrowserAs, visit } from "../../support/clients/signed-in-page.ts";
import { workflowHelpers } from "../../support/records/workflows-and-projects.ts";
import type { Role } from "../../support/seed.ts";
import { story } from "../../support/story.ts";
import { until } from "../../support/waiting.ts";
import { type World, world } from "../../support/world.ts";

// Tasks, approvals and workflows in real browsers: decided by keyboard, planned by pointer and keyboard, updated live.

const account = "/a/widget-it";
const [sam, mia] = [3, 9];
let here: World;
let browser: Browser;
let make: ReturnType<typeof workflowHelpers>;
const pages = new Map<Role, Page>();

beforeAll(async () => {
  await buildWeb(() => {});
  here = await world();
  await setPasswords(here, "administrator", "specialist", "manager");
  browser = await startBrowser();
  make = workflowHelpers(here.as("administrator"));
});
afterAll(() => browser?.close());

/** Opens an address in the person's own page. */
async function open(role: Role, path: string): Promise<Page> {
  let page = pages.get(role);
  if (page === undefined) {
    const context = await openBrowserAs(here, browser, role);
    await context.clock.setFixedTime(here.clock.now());
    page = await context.newPage();
    pages.set(role, page);
  }
  await visit(page, `${here.url}${account}${path}`);
  return page;
}

const node = (page: Page, id: number) => page.locator(`[data-node="${id}"]`);
const bar = (page: Page, id: number) => page.locator(`[data-bar="${id}"]`);
const read = async (path: string) => (await here.as("administrator").get(path)).body;
const isLive = (page: Page) => page.locator('[data-live="live"]').first().waitFor();

async function askForApproval(members: object = {}) {
  const admin = here.as("administrator");
  const workflow = await make.workflow();
  const approval = await make.task(workflow, {
    subject: "Approve the window",
    category: "approval",
    required_approvals: 2,
    instructions: "One night without network.\n\n- [ ] Laboratory asked\n- [ ] Front desk knows",
  });
  for (const approver_id of [sam, mia]) await admin.post(`/tasks/${approval.id}/approvals`, { approver_id });
  const next = await make.task(workflow, { subject: "Replace the switch", predecessor_ids: [approval.id] });
  const rescue = await make.task(workflow, { subject: "Plan again" });
  await admin.patch(`/tasks/${approval.id}`, { failure_task_id: rescue.id, status: "assigned", ...members });
  return { workflow, approval, next, rescue };
}

story("approvals: two people, a rejection, a delegate", {
  "two approvers decide by keyboard; every viewer sees votes, checks and the next task immediately": async () => {
    const { workflow, approval, next } = await askForApproval();
    const [first, second] = await Promise.all([
      open("specialist", `/tasks/${approval.id}`),
      open("manager", `/tasks/${approval.id}`),
    ]);
    const planner = await open("administrator", `/workflows/${workflow.id}`);
    await Promise.all([first, second, planner].map(isLive));
    await first.getByRole("heading", { name: "Do you approve?" }).waitFor();
    await first.getByText("step 1 of 3").waitFor();
    await second.getByRole("checkbox", { name: "Front desk knows" }).press("Space");
    await first.getByText("1 of 2", { exact: true }).waitFor();
    await expectUsable(first);
    await node(planner, approval.id).waitFor();
    await first.locator("body").press("Shift+A");
    await first.getByText("1 of 2 approvals given. One rejection ends the task.").waitFor();
    await first.getByRole("heading", { name: "Do you approve?" }).waitFor({ state: "detached" });
    await second.getByText("2 approvals are needed, 1 given so far.").waitFor();
    await node(planner, approval.id).getByText("1 of 2").waitFor();
    await second.getByRole("textbox", { name: "Note", exact: true }).first().fill("Keep the old configuration.");
    await second.getByRole("button", { name: "Approve" }).click();
    await second.getByRole("article").getByText("Approved", { exact: true }).waitFor();
    await planner.locator(`[data-node="${approval.id}"][data-state="done"]`).waitFor();
    await planner.locator(`[data-node="${next.id}"][data-state="active"]`).waitFor();
  },
  "a rejection asks for a reason; the failure task follows, and its edge becomes solid": async () => {
    const { workflow, approval, rescue } = await askForApproval();
    const page = await open("specialist", `/tasks/${approval.id}`);
    await page.getByText("On rejection: Plan again.").waitFor();
    await page.locator("body").press("Shift+R");
    await page.getByText("Add a note with the reason for rejecting.").waitFor();
    const note = page.getByRole("textbox", { name: "Note", exact: true }).first();
    await note.fill("Not in that week.");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("article").getByText("Rejected", { exact: true }).waitFor();
    expect((await read(`/tasks/${rescue.id}`)).status).toBe("assigned");
    await visit(page, `${here.url}${account}/workflows/${workflow.id}`);
    await page.locator(".graph-edge-failure[data-happened]").waitFor({ state: "attached" });
  },
  "the delegate of an absent approver decides in their place, with two taps on a phone": async () => {
    const period = { start_at: "2025-03-02T00:00:00Z", end_at: "2025-03-09T00:00:00Z", person_id: mia };
    await here.as("manager").post("/out_of_office_periods", { ...period, approval_delegate_id: sam });
    const admin = here.as("administrator");
    const workflow = await make.workflow();
    const approval = await make.task(workflow, { category: "approval" });
    await admin.post(`/tasks/${approval.id}/approvals`, { approver_id: mia });
    await admin.patch(`/tasks/${approval.id}`, { status: "assigned" });
    const page = await open("specialist", "/inbox");
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, `${here.url}${account}/tasks/${approval.id}`);
    await page.getByRole("heading", { name: "Do you approve on behalf of Mia Manager?" }).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await until(async () => (await read(`/tasks/${approval.id}`)).status === "approved");
    await page.setViewportSize({ width: 1440, height: 900 });
  },
});

story("a workflow is assembled, rescheduled and printed", {
  "the keyboard inserts a task between two others and links it, a circle is refused by name, and the workflow starts":
    async () => {
      const workflow = await make.workflow();
      const page = await open("administrator", `/workflows/${workflow.id}`);
      await page.getByText("No tasks yet").waitFor();
      await isLive(page);
      const first = await make.task(workflow, { subject: "Order" });
      const second = await make.task(workflow, { subject: "Install", predecessor_ids: [first.id] });
      const template = await make.taskTemplate({ subject: "Unpack" });
      await node(page, second.id).waitFor();
      expect(await node(page, second.id).innerText()).toContain("Step 2 of 2, Registered. After 1.");
      await node(page, first.id).press("ArrowRight");
      await expect
        .poll(() => page.evaluate("document.activeElement?.getAttribute('data-node')"))
        .toBe(String(second.id));
      await node(page, second.id).press("ArrowLeft");
      await node(page, first.id).press("n");
      const dialog = page.getByRole("dialog", { name: "Add task" });
      await dialog.getByRole("combobox", { name: "Template" }).fill("Unpack");
      await dialog.getByRole("option", { name: "Unpack" }).click();
      await dialog.getByRole("button", { name: "Add task" }).click();
      await dialog.waitFor({ state: "detached" });
      const { edges, tasks } = await read(`/workflows/${workflow.id}/graph`);
      const added = tasks.find((each: { subject: string }) => each.subject === template.subject);
      expect(edges).toEqual([
        { from: added.id, to: second.id, kind: "next" },
        { from: first.id, to: added.id, kind: "next" },
      ]);
      await page.reload();
      await node(page, added.id).click();
      const peek = page.getByRole("complementary", { name: "Selected task" });
      await peek.getByText("step 2 of 3").waitFor();
      await node(page, second.id).click();
      await peek.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Link to task…" }).click();
      const links = page.getByRole("dialog", { name: "Link to task…" });
      await links.getByRole("combobox").click();
      await page.getByRole("option", { name: "1 Order" }).click();
      await links.getByRole("button", { name: "Link task" }).click();
      await links.getByText("This would create a loop: Order → Unpack → Install → Order").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "List" }).click();
      await page.getByRole("row", { name: /2 Unpack.*1 3/ }).waitFor();
      await page.getByRole("tab", { name: "Graph", exact: true }).click();
      await page.getByRole("button", { name: "Start workflow", exact: true }).click();
      await page.locator(`[data-node="${first.id}"][data-state="active"]`).waitFor();
      await page.getByRole("button", { name: "Start workflow", exact: true }).waitFor({ state: "detached" });
      expect(await read(`/workflows/${workflow.id}`)).toMatchObject({ status: "in_progress" });
      expect(await read(`/tasks/${second.id}`)).toMatchObject({ status: "registered" });
    },
  "pointer and keyboard move a bar; successors move with it before it is saved": async () => {
    const workflow = await make.workflow();
    const first = await make.task(workflow, { subject: "Order", planned_duration: 1440 });
    const second = await make.task(workflow, {
      subject: "Install",
      planned_duration: 1440,
      predecessor_ids: [first.id],
    });
    const page = await open("administrator", `/workflows/${workflow.id}?tab=gantt`);
    await page.reload(); // removes the Undo offers of earlier changes
    const target = async (id: number) => (await read(`/tasks/${id}`)).completion_target_at;
    const before = await target(second.id);
    const drag = async (days: number) => {
      const box = await bar(page, second.id).boundingBox();
      if (box === null) throw new Error("the bar is not there");
      await page.mouse.move(box.x + 20, box.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + 20 + days * 24, box.y + 8);
      await page.mouse.move(box.x + 20 + days * 48, box.y + 8);
      await page.mouse.up();
    };
    const preview = page.getByRole("region", { name: "Move preview" });
    await bar(page, second.id).waitFor();
    await drag(2);
    await preview.getByText("New end date:").waitFor();
    await page.keyboard.press("Escape");
    await preview.waitFor({ state: "detached" });
    expect(await target(second.id)).toBe(before);
    await bar(page, first.id).focus();
    await page.keyboard.press("d");
    await preview.waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await preview.getByText("1 other task moves too.").waitFor();
    await page.keyboard.press("Enter");
    await preview.waitFor({ state: "detached" });
    const days = (one: string, other: string) => (Date.parse(one) - Date.parse(other)) / 86_400_000;
    expect(days(await target(second.id), before)).toBe(2);
    await page.getByRole("button", { name: /Undo/ }).click();
    await until(async () => (await target(second.id)) === before);
  },
  "the chart shows maintenance windows; the selected task names its next one; the graph prints on one page":
    async () => {
      const admin = here.as("administrator");
      const calendar = await make.calendar({ name: "Tuesday night" });
      await admin.post(`/calendars/${calendar.id}/calendar_hours`, {
        ...{ weekday: "tue", time_from: "20:00", time_until: "23:00" },
      });
      const workflow = await make.workflow();
      const tasks = [await make.task(workflow, { subject: "Replace the switch", impact: "high" })];
      for (let step = 2; step <= 12; step++)
        tasks.push(await make.task(workflow, { subject: `Step ${step}`, predecessor_ids: [tasks.at(-1)?.id] }));
      const window = { maintenance_window_id: calendar.id, time_zone: "Amsterdam" };
      const { body: instance } = await admin.post("/service_instances", { name: "Network", service_id: 1, ...window });
      const first = tasks[0]?.id as number;
      expect((await admin.post(`/tasks/${first}/service_instances/${instance.id}`)).status).toBeLessThan(300);
      const page = await open("administrator", `/workflows/${workflow.id}`);
      await page.locator(".gantt-mark", { hasText: "Tuesday night" }).first().waitFor();
      await node(page, first).click();
      const peek = page.getByRole("complementary", { name: "Selected task" });
      await peek.getByText("Tue, Mar 4, 20:00 – 23:00").waitFor();
      const paper = (await page.pdf()).toString("latin1");
      expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    },
});

test("a workflow of 300 tasks renders quickly, and a change of one task moves no other", async () => {
  const workflow = await make.workflow();
  const seed = await make.task(workflow, { subject: "Step 0" });
  await here.sql(
    `INSERT INTO tasks SELECT (jsonb_populate_record(t, jsonb_build_object('id', t.id + n, 'subject', 'Step ' || n))).*
FROM tasks t, generate_series(1, 299) n WHERE t.id = ${seed.id}`,
  );
  await here.sql(`INSERT INTO task_predecessors (account_id, task_id, other_task_id)
SELECT 'widget-it', ${seed.id} + n, ${seed.id} + (n - 1) / 2 FROM generate_series(1, 299) n`);
  await here.sql(`SELECT setval('tasks_id_seq', ${seed.id} + 300)`);
  const page = await open("administrator", `/workflows/${workflow.id}?tab=list`);
  await page.getByRole("row", { name: /Step 299/ }).waitFor();
  const started = Date.now();
  await visit(page, `${here.url}${account}/workflows/${workflow.id}`);
  await node(page, seed.id).waitFor();
  await bar(page, seed.id).waitFor();
  await isLive(page);
  console.log(`300 tasks: graph and Gantt after ${Date.now() - started} ms`);
  // Only visible nodes are rendered; others render when they are scrolled or navigated to.
  expect(await page.locator(".graph-node").count()).toBeLessThan(150);
  expect(await page.locator(".gantt-bar").count()).toBeLessThan(60);
  await page.locator(".gantt").evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await page.getByText("Step 299").last().waitFor();
  await page.locator(".gantt").evaluate((box) => box.scrollTo({ top: 0 }));
  await bar(page, seed.id).press("ArrowDown");
  const focused = () => page.evaluate("document.activeElement?.getAttribute('data-bar')");
  await expect.poll(focused).toBe(String(seed.id + 1));
  /** The position of each rendered task. */
  const readPlaces = (): Promise<Record<string, string>> =>
    page.evaluate(`Object.fromEntries(
      [...document.querySelectorAll(".graph-place")]
        .map((place) => [place.querySelector("[data-node]").dataset.node, place.getAttribute("style")]))`);
  await page.keyboard.press("Escape");
  await node(page, seed.id).waitFor();
  const before = await readPlaces();
  expect(Object.keys(before).length).toBeGreaterThan(10);
  await here.as("administrator").patch(`/tasks/${seed.id}`, { status: "assigned" });
  await page.locator(`[data-node="${seed.id}"][data-state="active"]`).waitFor();
  // The closed panel's area may show further tasks.
  expect(await readPlaces()).toMatchObject(before);
});

test("a template's preview equals the workflow created from it", async () => {
  const admin = here.as("administrator");
  const template = await make.workflowTemplate({
    ...{ subject: "Move a rack", category: "non_standard", justification: "maintenance" },
    ...{ workflow_type: (await make.workflowType()).reference, service_id: 1, workflow_manager_id: mia },
  });
  let before: number | undefined;
  for (const [subject, members] of [
    ["Measure", { category: "risk_and_impact", planned_duration: 90, member_id: sam }],
    ["Carry", { planned_duration: 480 }],
  ] as const) {
    const step = await make.taskTemplate({ subject, team_id: 1, ...members });
    const related = await admin.post(`/workflow_templates/${template.id}/task_template_relations`, {
      ...{ task_template_id: step.id, ...(before === undefined ? {} : { predecessor_ids: [before] }) },
    });
    expect(related.status, related.text).toBe(201);
    before = related.body.id;
  }
  const page = await open("administrator", `/workflow_templates/${template.id}?tab=plan`);
  const [answered] = await Promise.all([
    page.waitForResponse((response) => response.url().includes("dry_run=true")),
    page.getByRole("button", { name: "Preview workflow" }).press("Enter"),
  ]);
  const preview = await answered.json();
  const dialog = page.getByRole("dialog", { name: "Preview workflow" });
  await dialog.getByText("2 tasks, if the workflow started now.").waitFor();
  const shown = await dialog
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 4).map((cell) => cell.textContent ?? "")));
  expect(shown.map(([subject]) => subject)).toEqual(["Measure", "Carry"]);
  expect(shown.map((cells) => cells[3])).toEqual(["1 h 30 min", "8 h"]);
  expect(await here.sql("SELECT 1 FROM workflows WHERE template_id = $1", [template.id])).toEqual([]);

  const { status, body: made, text } = await admin.post("/workflows", { template_id: template.id });
  expect(status, text).toBe(201);
  const tasks = await read(`/workflows/${made.id}/tasks?sort=id`);
  const facts = (task: Record<string, { name?: string } | unknown>) =>
    ["subject", "category", "status", "team", "member", "planned_duration", "completion_target_at"].map((name) => {
      const value = task[name] as { name?: string } | null | undefined;
      return [name, value?.name ?? value ?? null];
    });
  const full = await Promise.all(tasks.map(({ id }: { id: number }) => read(`/tasks/${id}`)));
  expect(preview.tasks.map(facts)).toEqual(full.map(facts));
  expect([preview.subject, preview.manager.id]).toEqual([made.subject, made.manager.id]);
});
