import { describe, expect, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { exampleRules } from "../support/records/example-rules.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { world } from "../support/world.ts";

// Twelve example rules, end to end.

const here = await world();
const { as, service, clock } = here;
const admin = as("administrator");
const { rule, runs, settled, get, create, patched, request } = automation(here);
const kinds = workflowHelpers(admin);
const bodies = new RequestBodies(admin, service.engine.types);
const loadNotes = async (path: string): Promise<{ text: string; medium: string; person: { id: number } }[]> =>
  (await admin.get(`${path}/notes?sort=id`)).body;
/** Creates a workflow template with a task template. `begin` creates a workflow from it with a request and a task. */
async function createTemplates(taskTemplate: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const template = await kinds.taskTemplate(taskTemplate);
  const workflowTemplate = await kinds.workflowTemplate();
  const { status, text } = await admin.post(`/workflow_templates/${workflowTemplate.id}/task_template_relations`, {
    task_template_id: template.id,
  });
  expect(status, text).toBeLessThan(300);
  return {
    template,
    workflowTemplate,
    async begin(custom_fields: Record<string, unknown> = {}) {
      const workflow = await kinds.workflow({ template_id: workflowTemplate.id });
      const asked = await request({ custom_fields, workflow_id: workflow.id, status: "workflow_pending" });
      const task = await kinds.task(workflow, { template_id: template.id, ...more });
      return { workflow, asked, task };
    },
  };
}

describe("the twelve rules", () => {
  test("AC6: 1 keep the requester informed", async () => {
    const { template, begin } = await createTemplates({ subject: "Order hardware" });
    await rule({
      ...exampleRules.informRequester.texts,
      task_template_id: template.id,
    });
    const { asked, task } = await begin();
    await patched(`/tasks/${task.id}`, { status: "completed" });
    await settled();
    const [note] = (await loadNotes(`/requests/${asked.id}`)).filter(({ medium }) => medium === "automation");
    expect(note?.text).toMatch(/^Your device was ordered\. Planned delivery: /);
  });

  test("AK4: 2 no room work for online meetings", async () => {
    const { template, workflowTemplate, begin } = await createTemplates({ subject: "Plan the meeting" });
    await rule({
      ...exampleRules.noRoomWork.texts,
      task_template_id: template.id,
      workflow_template_id: workflowTemplate.id,
    });
    for (const kind of ["online", "on site"]) {
      const { workflow, task } = await begin({ meeting_kind: kind });
      const others = [];
      for (const subject of ["Arrange seating", "Order catering", "Invite people"])
        others.push(await kinds.task(workflow, { subject }));
      await patched(`/tasks/${task.id}`, { status: "assigned" });
      await settled();
      const states = [];
      for (const { id } of others) states.push((await get(`/tasks/${id}`)).status);
      const skipped = kind === "online" ? "canceled" : "registered";
      expect(states).toEqual([skipped, skipped, "registered"]);
      expect((await loadNotes(`/tasks/${task.id}`)).length).toBe(kind === "online" ? 1 : 0);
    }
  });

  test("3 send a contract back to drafting", async () => {
    const { workflow, task: review } = await (await createTemplates({ subject: "Legal review" })).begin();
    const draft = await kinds.task(workflow, { subject: "Draft", status: "completed" });
    expect((await admin.post(`/tasks/${review.id}/predecessors/${draft.id}`)).status).toBe(200);
    const back = await rule({ ...exampleRules.backToDrafting.texts, task_id: review.id });
    await patched(`/tasks/${review.id}`, { note: "Clause 4 is missing" });
    await patched(`/tasks/${review.id}`, { status: "failed", note: "Clause 7 is wrong" });
    await settled();
    const log = await runs(back);
    expect(log.map(({ outcome, error }) => [outcome, error])).toEqual([["done", null]]);
    expect((await get(`/tasks/${draft.id}`)).status).toBe("assigned");
    expect((await loadNotes(`/tasks/${draft.id}`)).map(({ text }) => text)).toEqual([
      "Legal asks for changes: Clause 7 is wrong",
    ]);
    expect((await get(`/tasks/${review.id}`)).status).toBe("registered");
  });

  test("4 and 5 daily reminder, at most once a day", async () => {
    const { template, begin } = await createTemplates({ subject: "Vote", category: "approval" });
    const nudge = { ...exampleRules.nudgeVoters.texts, task_template_id: template.id };
    expect(
      (await admin.post("/automation_rules", { ...nudge, actions: "a1: after 1.day start 'Nobody'" })).status,
    ).toBe(422);
    await rule(nudge);
    await rule({ ...exampleRules.dailyReminder.texts, task_template_id: template.id });
    const { task } = await begin();
    await create(`/tasks/${task.id}/approvals`, { approver_id: 3 });
    await create(`/tasks/${task.id}/approvals`, { approver_id: 9 });
    await patched(`/tasks/${task.id}`, { status: "assigned" });
    await settled();
    const loadTexts = async () => (await loadNotes(`/tasks/${task.id}`)).map(({ text }) => text);
    for (const days of [1, 2, 3]) {
      await clock.pass(86_400);
      await settled();
      expect((await loadTexts()).length).toBe(days);
    }
    expect((await loadTexts())[0]).toMatch(/^Still waiting for (Sam Specialist, Mia Manager)?\.$/);
    await patched(`/tasks/${task.id}`, { status: "canceled" });
    await settled();
    await clock.pass(3 * 86_400);
    await settled();
    expect((await loadTexts()).length).toBe(3);
  });

  test("6 escalate in working time", async () => {
    const calendar = await create("/calendars", { name: "Mon-Fri office hours" });
    for (const weekday of ["mon", "tue", "wed", "thu", "fri"])
      await create(`/calendars/${calendar.id}/calendar_hours`, { weekday, time_from: "09:00", time_until: "17:00" });
    const check = await rule({
      name: "Escalation check",
      trigger: "after delay",
      generic: "request",
      actions: "a1: add internal note 'Escalated'",
    });
    const escalate = await rule({ ...exampleRules.escalate.texts, generic: "request" });
    await clock.moveTo("2025-03-14T15:00:00Z"); // Friday 16:00 in Amsterdam
    const incident = await request({
      category: "incident",
      impact: "top",
      team_id: serviceDeskTeam,
      service_instance_id: await bodies.reference("service_instance"),
    });
    await settled();
    const [first] = await runs(escalate);
    expect(first).toMatchObject({ outcome: "done", record_id: incident.id, error: null });
    expect(first?.expressions).toContainEqual({ name: "due", value: "2025-03-17T12:00:00+01:00" });
    await clock.moveTo("2025-03-17T10:59:00Z");
    await settled();
    expect(await runs(check)).toEqual([]);
    await clock.moveTo("2025-03-17T11:00:00Z");
    await settled();
    expect(await runs(check)).toMatchObject([{ outcome: "done", record_id: incident.id }]);
    for (const { id } of [check, escalate]) await admin.delete(`/automation_rules/${id}`);
  });

  test("7 approvers from a multi-select field", async () => {
    const { template, workflowTemplate, begin } = await createTemplates({ subject: "Prepare the budget" });
    await rule({
      ...exampleRules.approvers.texts,
      task_template_id: template.id,
      workflow_template_id: workflowTemplate.id,
    });
    const { workflow, task } = await begin({ budget_holders: ["3", "9"] });
    const approval = await kinds.taskTemplate({ subject: "Budget approval", category: "approval" });
    const vote = await kinds.task(workflow, { template_id: approval.id });
    await patched(`/tasks/${task.id}`, { status: "assigned" });
    await settled();
    const approvals = await get(`/tasks/${vote.id}/approvals`);
    expect(approvals.map(({ approver }: { approver: { id: number } }) => approver.id)).toEqual([3, 9]);
    expect((await get(`/tasks/${vote.id}`)).required_approvals).toBe(2);
  });

  test("8 start two hours before the visit", async () => {
    const { template, begin } = await createTemplates({ subject: "Prepare the visit" });
    await rule({ ...exampleRules.beforeVisit.texts, task_template_id: template.id });
    for (const [visit_at, expected] of [
      ["2030-06-03T14:00", "2030-06-03T12:00:00+02:00"],
      [null, null],
    ]) {
      const { task } = await begin({ visit_at });
      await patched(`/tasks/${task.id}`, { status: "assigned" });
      await settled();
      expect((await get(`/tasks/${task.id}`)).start_at).toBe(expected);
    }
  });

  test("9 tell the badge system", async () => {
    const there = await startReceiver();
    await createActiveWebhook(here, admin, there, { event: "automation_rule", name: "Badge system" });
    const tell = await rule({ ...exampleRules.badgeSystem.texts, generic: "request" });
    const asked = await request({ custom_fields: { room: "B12" } });
    await patched(`/requests/${asked.id}`, {
      status: "completed",
      completion_reason: "solved",
      note: "Done",
      team_id: serviceDeskTeam,
    });
    await settled();
    expect((await runs(tell)).at(-1)).toMatchObject({ outcome: "done", error: null });
    const [event] = await here.sql("SELECT * FROM events WHERE event = 'automation_rule'");
    expect(event).toMatchObject({ record_type: "automation_rule", record_id: tell.id, person_id: 1 });
    expect(event?.payload.call).toBe('{"room":"B12","who":"rita@widget.example","label":null}');
    await deliverDueWebhooks(here);
    expect(JSON.stringify(there.messagesFor("automation_rule")[0]?.body.payload)).toBe(event?.payload.call);
    await admin.delete(`/automation_rules/${tell.id}`);
  });

  test("AL6, AC12: 10 extra task for one site", async () => {
    const { template, workflowTemplate, begin } = await createTemplates({ subject: "Welcome" });
    const card = await kinds.taskTemplate({ subject: "Collect parking card", team_id: serviceDeskTeam });
    await admin.post(`/workflow_templates/${workflowTemplate.id}/task_template_relations`, {
      task_template_id: card.id,
    });
    await rule({
      ...exampleRules.extraTask.texts,
      task_template_id: template.id,
      workflow_template_id: workflowTemplate.id,
    });
    const { workflow, task } = await begin();
    await patched(`/tasks/${task.id}`, { status: "assigned" });
    await settled();
    const tasks = await get(`/workflows/${workflow.id}/tasks`);
    type Listed = { id: number; subject: string };
    const extra = (tasks as Listed[]).filter(({ subject }) => subject === "Collect parking card");
    const before = await Promise.all(
      extra.map(async ({ id }) => ((await get(`/tasks/${id}/predecessors`)) as Listed[]).map((listed) => listed.id)),
    );
    expect(before).toContainEqual([task.id]);
  });

  test("11 stop the clock while the customer approves", async () => {
    const { template, begin } = await createTemplates({ subject: "Customer approval", category: "approval" });
    const stop = await rule({ ...exampleRules.stopClock.texts, task_template_id: template.id });
    const { asked, task } = await begin();
    await create(`/tasks/${task.id}/approvals`, { approver_id: 3 });
    await patched(`/tasks/${task.id}`, { status: "assigned" });
    await settled();
    expect((await get(`/requests/${asked.id}`)).provider_not_accountable).toBe(true);
    await patched(`/tasks/${task.id}`, { status: "canceled" });
    await settled();
    expect((await get(`/requests/${asked.id}`)).provider_not_accountable).toBe(false);
    expect(await runs(stop)).toEqual([]); // the rules copied to the records have run instead
  });

  test("TR4: 12 device owner from the login name", async () => {
    await rule({ ...exampleRules.deviceOwner.texts, generic: "ci" });
    const ci = await bodies.make(service.engine.types.get("ci"), {
      systemID: "PC-rita",
      nr_of_cores: 12,
      support_team_id: serviceDeskTeam,
      source: "scanner",
    });
    await settled();
    expect(await get(`/cis/${ci.id}`)).toMatchObject({ site: { id: 1 }, custom_fields: { size_class: "medium" } });
    expect((await get(`/cis/${ci.id}/users`)).map(({ id }: { id: number }) => id)).toEqual([5]);
  });
});
