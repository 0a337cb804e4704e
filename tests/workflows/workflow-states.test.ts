import { describe, expect, test } from "vitest";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// States of workflows and their phases. The titles name the rules.

const { as, clock, sql, service } = await world();
const admin = as("administrator");
const specialist = as("specialist");
const make = workflowHelpers(admin);
const [ada, sam, mia] = [1, 3, 9];
const hour = 3600;
type Members = Record<string, unknown>;
type Named = { id: number; subject: string };

const later = (seconds: number) => `${new Date(clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`;
const at = (text: string | null) => (text === null ? null : new Date(text).getTime());
const read = async ({ id }: { id: number }) => (await admin.get(`/workflows/${id}`)).body;
const patch = async ({ id }: { id: number }, members: Members) => {
  const { status, body, text } = await admin.patch(`/workflows/${id}`, members);
  expect(status, text).toBe(200);
  return body;
};
const move = async ({ id }: { id: number }, status: string) => {
  const reply = await admin.patch(`/tasks/${id}`, { status });
  expect(reply.status, reply.text).toBe(200);
};
const loadTasks = async ({ id }: { id: number }) =>
  (await admin.get(`/workflows/${id}/tasks?sort=id&per_page=100&fields=subject,status`)).body as (Named & {
    status: string;
  })[];
const loadStatuses = async (workflow: { id: number }) => (await loadTasks(workflow)).map(({ status }) => status);
const refused = ["status: Status is not valid"];

/** Creates a template with one relation per name. `after` lists the names of its predecessors. */
async function createTemplate(
  names: Record<string, { after?: string[]; phase?: string; rescuedBy?: string } & Members>,
) {
  const template = await make.workflowTemplate();
  const phases = new Set(Object.values(names).flatMap(({ phase }) => (phase === undefined ? [] : [phase])));
  for (const name of phases) await admin.post(`/workflow_templates/${template.id}/phases`, { name });
  const made = new Map<string, { relation: number; template: number }>();
  for (const [subject, { after = [], phase, rescuedBy, ...members }] of Object.entries(names)) {
    const { id: task_template_id } = await make.taskTemplate({ subject, team_id: serviceDeskTeam, ...members });
    const { status, body, text } = await admin.post(`/workflow_templates/${template.id}/task_template_relations`, {
      task_template_id,
      predecessor_ids: after.map((name) => made.get(name)?.relation),
      phase_name: phase,
      failure_task_template_id: rescuedBy === undefined ? undefined : made.get(rescuedBy)?.template,
    });
    expect(status, text).toBe(201);
    made.set(subject, { relation: body.id, template: task_template_id });
  }
  return { ...template, made };
}

/** Creates tasks in these statuses, in this order. */
async function createWithTasks(...statuses: string[]) {
  const workflow = await make.workflow();
  const tasks: Named[] = [];
  for (const status of statuses) {
    const waiting = status === "waiting_for" ? { waiting_until: later(hour) } : {};
    tasks.push(await make.task(workflow, { status, ...waiting }));
  }
  return { workflow, tasks };
}

describe("the workflow's status follows its tasks", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    [[],                                       "registered",      null],
    [["registered", "registered"],             "registered",      null],
    [["assigned", "registered"],               "in_progress",     null],
    [["failed", "registered"],                 "progress_halted", null],
    [["completed", "canceled"],                "completed",       "complete"],
    [["canceled", "canceled"],                 "completed",       "complete"],
    [["declined"],                             "in_progress",     null],
    [["waiting_for"],                          "in_progress",     null],
    [["completed", "in_progress"],             "in_progress",     null],
    [["completed", "registered"],              "progress_halted", null],
    [["completed", "failed"],                  "progress_halted", null],
    [["failed", "accepted"],                   "in_progress",     null],
  ])("WS3 to WS6: tasks %j make it %s", async (statuses, status, completion_reason) => {
    const { workflow } = await createWithTasks(...statuses);
    expect(await read(workflow)).toMatchObject({ status, completion_reason });
  });

  test("WS4: a task that only waits for its start_at keeps the workflow in progress", async () => {
    const { workflow, tasks } = await createWithTasks("assigned");
    await make.task(workflow, { predecessor_ids: [tasks[0]?.id], start_at: later(hour) });
    await move(tasks[0] as Named, "completed");
    expect((await read(workflow)).status).toBe("in_progress");
  });

  test("WS6: completing a failure task doesn't make the workflow complete", async () => {
    const workflow = await make.workflow();
    const rescue = await make.task(workflow);
    const task = await make.task(workflow, { status: "assigned", failure_task_id: rescue.id });
    await move(task, "failed");
    expect((await read(workflow)).status).toBe("in_progress");
    await move(rescue, "completed");
    expect((await read(workflow)).status).toBe("progress_halted");
  });
});

describe("WF1: a workflow from a template", () => {
  test("creates a task per relation, phases, predecessors and failure tasks; the first tasks start; use is counted per template", async () => {
    const template = await createTemplate({
      Repair: {},
      Plan: { phase: "Before", rescuedBy: "Repair" },
      Build: { after: ["Plan"], phase: "During", impact: "high", planned_effort: 30 },
      Announce: { after: ["Plan"] },
      Close: { after: ["Build", "Announce"], phase: "After" },
    });
    const workflow = await make.workflow({ template_id: template.id });
    expect(workflow).toMatchObject({ status: "in_progress", impact: "high", planned_effort: 270 });
    const tasks = await loadTasks(workflow);
    expect(tasks.map(({ subject, status }) => [subject, status])).toEqual([
      ["Repair", "registered"],
      ["Plan", "assigned"],
      ["Build", "registered"],
      ["Announce", "registered"],
      ["Close", "registered"],
    ]);
    const [repair, plan, build, announce, close] = tasks as Named[] as [Named, Named, Named, Named, Named];
    const earlier = async ({ id }: Named) => pickIds(await admin.get(`/tasks/${id}/predecessors?sort=id`));
    expect([await earlier(build), await earlier(close)]).toEqual([[plan.id], [build.id, announce.id]]);
    expect((await admin.get(`/tasks/${plan.id}`)).body).toMatchObject({
      failure_task: { id: repair.id },
      phase: { name: "Before" },
      team: { id: serviceDeskTeam },
      template: { id: template.made.get("Plan")?.template },
    });
    const phases = (await admin.get(`/workflows/${workflow.id}/phases`)).body;
    expect(phases.map(({ name, status, position }: Members) => [name, status, position])).toEqual([
      ["Before", "in_progress", 1],
      ["During", "registered", 2],
      ["After", "registered", 3],
    ]);
    expect((await admin.get(`/workflow_templates/${template.id}`)).body.times_applied).toBe(1);
    for (const { template: id } of template.made.values())
      expect((await admin.get(`/task_templates/${id}`)).body.times_applied).toBe(1);
  });

  test("approvals, notes, configuration items and copy flags are copied from the task template", async () => {
    const template = await createTemplate({
      Approve: { category: "approval", note: "Please look", copy_notes_to_workflow: true, required_approvals: 2 },
    });
    const task = template.made.get("Approve")?.template;
    for (const approver_id of [sam, mia]) await admin.post(`/task_templates/${task}/approvals`, { approver_id });
    const workflow = await make.workflow({ template_id: template.id });
    const [{ id } = { id: 0 }] = await loadTasks(workflow);
    expect((await admin.get(`/tasks/${id}`)).body).toMatchObject({ required_approvals: 2, member: null });
    expect((await admin.get(`/tasks/${id}/approvals`)).body).toMatchObject([
      { approver: { id: sam }, status: "assigned" },
      { approver: { id: mia }, status: "assigned" },
    ]);
    for (const path of [`/tasks/${id}`, `/workflows/${workflow.id}`])
      expect((await admin.get(`${path}/notes`)).body).toMatchObject([{ text: "Please look" }]);
  });

  test("a placeholder and a disabled task template create no task, and their successors follow their predecessors", async () => {
    const template = await createTemplate({
      First: {},
      Goods: { after: ["First"], category: "fulfillment_placeholder" },
      Old: { after: ["Goods"] },
      Last: { after: ["Old"] },
    });
    await admin.patch(`/task_templates/${template.made.get("Old")?.template}`, { disabled: true });
    const workflow = await make.workflow({ template_id: template.id });
    const tasks = await loadTasks(workflow);
    expect(tasks.map(({ subject }) => subject)).toEqual(["First", "Last"]);
    await move(tasks[0] as Named, "completed");
    expect(await loadStatuses(workflow)).toEqual(["completed", "assigned"]);
  });

  test("if a task can't be created, no workflow is created", async () => {
    const template = await createTemplate({ First: {}, Second: {} });
    const before = await sql("SELECT count(*) FROM workflows");
    await sql("ALTER TABLE tasks ADD CONSTRAINT first CHECK (subject <> 'Second') NOT VALID");
    const { workflow_type } = await make.workflow();
    const body = {
      category: "standard",
      justification: "move",
      service_id: 1,
      workflow_type,
      template_id: template.id,
    };
    expect((await admin.post("/workflows", body)).status).not.toBe(201);
    await sql("ALTER TABLE tasks DROP CONSTRAINT first");
    expect(Number((await sql("SELECT count(*) FROM workflows"))[0]?.count)).toBe(Number(before[0]?.count) + 1);
    expect((await admin.get(`/workflow_templates/${template.id}`)).body.times_applied).toBe(0);
  });

  test("WS1: more than 100 task templates are applied after the response: until then it is being_created and has no list of tasks", async () => {
    const template = await createTemplate({ First: { note: "Hello" } });
    const { relation, template: task } = template.made.get("First") as { relation: number; template: number };
    await sql(
      `INSERT INTO task_template_relations (account_id, workflow_template_id, task_template_id, created_at, updated_at)
       SELECT account_id, workflow_template_id, task_template_id, created_at, updated_at FROM task_template_relations, generate_series(1, 100) WHERE id = $1`,
      [relation],
    );
    const workflow = await make.workflow({ template_id: template.id });
    expect(workflow.status).toBe("being_created");
    const early = await admin.get(`/workflows/${workflow.id}/tasks`);
    expect([404, 200]).toContain(early.status); // the job may have been quicker
    await service.worker.runDue();
    expect((await read(workflow)).status).toBe("in_progress");
    expect(Number((await admin.get(`/workflows/${workflow.id}/tasks`)).headers.get("x-pagination-total-entries"))).toBe(
      101,
    );
    expect((await admin.get(`/task_templates/${task}`)).body.times_applied).toBe(101);
    const [{ id } = { id: 0 }] = await loadTasks(workflow);
    expect((await admin.get(`/tasks/${id}/notes`)).body).toMatchObject([{ text: "Hello" }]);
  });

  test("WF15: while the status is being_created, GET /workflows/:id/tasks returns 404", async () => {
    const workflow = await make.workflow();
    await sql("UPDATE workflows SET status = 'being_created' WHERE id = $1", [workflow.id]);
    for (const path of ["tasks", "tasks/open"])
      expect((await admin.get(`/workflows/${workflow.id}/${path}`)).status).toBe(404);
    expect((await admin.get(`/workflows/${workflow.id}/phases`)).status).toBe(200);
  });
});

describe("transitions of a workflow", () => {
  test("WF3: the first tasks are assigned at start_at, with no actor", async () => {
    const template = await createTemplate({ First: {}, Second: { after: ["First"] }, Other: {} });
    const workflow = await make.workflow({ template_id: template.id, start_at: later(hour) });
    expect([workflow.status, await loadStatuses(workflow)]).toEqual([
      "registered",
      ["registered", "registered", "registered"],
    ]);
    await clock.pass(hour);
    expect(await loadStatuses(workflow)).toEqual(["assigned", "registered", "assigned"]);
    expect((await read(workflow)).status).toBe("in_progress");
    const [line] = (await admin.get(`/workflows/${workflow.id}/audit`)).body;
    expect(line.created_by).toBeNull();
  });

  test("WF4: changing start_at moves the timer, and without start_at the workflow starts immediately", async () => {
    const template = await createTemplate({ First: {} });
    const [one, other] = [
      await make.workflow({ template_id: template.id, start_at: later(hour) }),
      await make.workflow({ template_id: template.id, start_at: later(hour) }),
    ];
    expect((await patch(one, { start_at: later(3 * hour) })).status).toBe("registered");
    expect((await patch(other, { start_at: null })).status).toBe("in_progress");
    await clock.pass(2 * hour);
    expect((await read(one)).status).toBe("registered");
    await clock.pass(hour);
    expect([(await read(one)).status, await loadStatuses(one)]).toEqual(["in_progress", ["assigned"]]);
  });

  test("WF5, WF12: impact and efforts follow the tasks", async () => {
    const { workflow, tasks } = await createWithTasks("assigned", "registered");
    expect(await read(workflow)).toMatchObject({ impact: "none", planned_effort: 120, actual_effort: 0 });
    await admin.patch(`/tasks/${tasks[0]?.id}`, { impact: "top", planned_effort: 40, time_spent: 25 });
    await admin.post("/requests", { category: "rfc", workflow_id: workflow.id, planned_effort: 100 });
    await clock.pass(1);
    expect(await read(workflow)).toMatchObject({
      impact: "top",
      planned_effort: 200,
      actual_effort: 125,
      actual_vs_planned_effort_percentage: 63,
    });
    await admin.patch(`/tasks/${tasks[0]?.id}`, { impact: null });
    expect((await read(workflow)).impact).toBe("none");
    const [entry] = (await admin.get("/time_entries?sort=-id&per_page=1")).body;
    await admin.delete(`/time_entries/${entry.id}`);
    expect((await read(workflow)).actual_effort).toBe(100);
  });

  test("WF5: completion_target_at is the latest of the unfinished tasks, and null after completion", async () => {
    const workflow = await make.workflow();
    const [long, short] = [
      await make.task(workflow, { status: "assigned", planned_duration: 120 }),
      await make.task(workflow, { status: "assigned", planned_duration: 60 }),
    ];
    const after = await make.task(workflow, { predecessor_ids: [short.id], planned_duration: 30 });
    const now = clock.now().getTime();
    const inMinutes = async () => (at((await read(workflow)).completion_target_at) ?? 0) - now;
    expect(await inMinutes()).toBe(120 * 60_000);
    expect((await admin.get(`/tasks/${after.id}`)).body).toMatchObject({ status: "registered" });
    expect(at((await admin.get(`/tasks/${after.id}`)).body.completion_target_at)).toBe(now + 90 * 60_000);
    await move(long, "completed");
    expect(await inMinutes()).toBe(90 * 60_000);
    await move(short, "completed");
    expect(await inMinutes()).toBe(30 * 60_000);
    await move(after, "completed");
    expect((await read(workflow)).completion_target_at).toBeNull();
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    [["completed", "failed", "registered"], undefined,     "partial"],
    [["failed", "registered"],              undefined,     "withdrawn"],
    [["assigned"],                          undefined,     "withdrawn"],
    [[],                                    undefined,     "withdrawn"],
    [["completed", "assigned"],             "rolled_back", "rolled_back"],
  ])("WF6, WS2: with tasks %j, manual completion with %s gives %s", async (statuses, given, reason) => {
    const { workflow } = await createWithTasks(...statuses);
    await clock.pass(120);
    const done = await patch(workflow, { status: "completed", completion_reason: given });
    expect([done.status, done.completion_reason, at(done.completed_at)]).toEqual(["completed", reason, clock.now().getTime()]);
    expect(done.resolution_duration).toBe(2);
    const open = statuses.map((status) => (["assigned", "registered"].includes(status) ? "canceled" : status));
    expect(await loadStatuses(workflow)).toEqual(open);
    // A new task doesn't reopen it.
    await make.task(workflow);
    expect((await read(workflow)).status).toBe("completed");
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["complete",    "solved",     "solved"],
    ["disruptive",  "solved",     "solved"],
    ["partial",     "workaround", "analyzed"],
    ["rejected",    "rejected",   "analyzed"],
    ["withdrawn",   "withdrawn",  "analyzed"],
    ["failed",      "unsolvable", "analyzed"],
    ["rolled_back", "unsolvable", "analyzed"],
  ])("WF6, R18, PB7, PB8: completed with %s completes its requests with %s and makes its problems %s", async (reason, outcome, status) => {
    const { workflow } = await createWithTasks("assigned");
    const waiting = { workflow_id: workflow.id, status: "workflow_pending", team_id: serviceDeskTeam, member_id: sam };
    const request = (await admin.post("/requests", { category: "rfc", ...waiting })).body;
    const problem = (await admin.post("/problems", { subject: "P", service_id: 1, ...waiting })).body;
    await patch(workflow, { status: "completed", completion_reason: reason });
    expect((await admin.get(`/requests/${request.id}`)).body).toMatchObject({ status: "completed", completion_reason: outcome });
    expect((await admin.get(`/problems/${problem.id}`)).body.status).toBe(status);
  });

  test("R17: a request whose template requires it is assigned when its workflow is completed", async () => {
    const { workflow, tasks } = await createWithTasks("assigned");
    const template_id = (
      await admin.post("/request_templates", {
        subject: "T",
        category: "rfc",
        assign_after_workflow_completion: true,
        team_id: serviceDeskTeam,
        member_id: mia,
      })
    ).body.id;
    const waiting = { workflow_id: workflow.id, status: "workflow_pending", team_id: serviceDeskTeam, member_id: sam };
    const request = (await admin.post("/requests", { category: "rfc", template_id, ...waiting })).body;
    await move(tasks[0] as Named, "completed");
    expect((await admin.get(`/requests/${request.id}`)).body).toMatchObject({
      status: "assigned",
      member: { id: mia },
    });
  });

  test("WF7, PB5, PB6: a halted workflow doesn't change its requests, and halts its problems until it continues", async () => {
    const { workflow, tasks } = await createWithTasks("assigned");
    const waiting = { workflow_id: workflow.id, status: "workflow_pending", team_id: serviceDeskTeam, member_id: sam };
    const request = (await admin.post("/requests", { category: "rfc", ...waiting })).body;
    const problem = (await admin.post("/problems", { subject: "P", service_id: 1, ...waiting })).body;
    const statuses = async () => [
      (await read(workflow)).status,
      (await admin.get(`/requests/${request.id}`)).body.status,
      (await admin.get(`/problems/${problem.id}`)).body.status,
    ];
    await move(tasks[0] as Named, "failed");
    expect(await statuses()).toEqual(["progress_halted", "workflow_pending", "progress_halted"]);
    await move(tasks[0] as Named, "assigned");
    expect(await statuses()).toEqual(["in_progress", "workflow_pending", "workflow_pending"]);
  });

  test("WF8: reopening a task or PATCH in_progress reopens a completed workflow, its requests don't", async () => {
    const { workflow, tasks } = await createWithTasks("completed", "failed");
    await patch(workflow, { status: "completed" });
    const again = await patch(workflow, { status: "in_progress" });
    expect(again).toMatchObject({ status: "progress_halted", completed_at: null, completion_reason: null });
    await patch(workflow, { status: "completed" });
    await move(tasks[1] as Named, "assigned");
    expect(await read(workflow)).toMatchObject({
      status: "in_progress",
      completed_at: null,
      resolution_duration: null,
    });
    await move(tasks[1] as Named, "completed");
    const done = await read(workflow);
    expect(done).toMatchObject({ status: "completed", completion_reason: "complete" });
    expect((await patch(workflow, { status: "in_progress" })).status).toBe("completed"); // all its tasks are finished
  });

  test("WF9: a status that contradicts the tasks is rejected, and the current one changes nothing", async () => {
    const { workflow } = await createWithTasks("assigned");
    for (const status of ["being_created", "registered", "progress_halted", "approval", "implementation"])
      expect(describeErrors(await admin.patch(`/workflows/${workflow.id}`, { status })), status).toEqual(refused);
    const { updated_at } = await read(workflow);
    await clock.pass(60);
    expect((await patch(workflow, { status: "in_progress" })).updated_at).toBe(updated_at);
    expect((await patch(workflow, { completion_reason: "failed" })).completion_reason).toBeNull();
  });

  test("WF10: changing the template neither adds nor changes tasks", async () => {
    const { workflow } = await createWithTasks("assigned");
    const template = await createTemplate({ One: {}, Two: {} });
    const changed = await patch(workflow, { template_id: template.id });
    expect([changed.template.id, await loadStatuses(workflow)]).toEqual([template.id, ["assigned"]]);
    expect((await admin.get(`/workflow_templates/${template.id}`)).body.times_applied).toBe(0);
  });

  test("WF11: a new manager becomes the manager of the tasks, with an event", async () => {
    const { workflow, tasks } = await createWithTasks("assigned");
    await admin.post(`/people/${mia}/permissions/widget-it?roles=workflow_manager`);
    await patch(workflow, { manager_id: mia });
    expect((await admin.get(`/tasks/${tasks[0]?.id}`)).body.manager.id).toBe(mia);
    const events = await sql(
      "SELECT event FROM events WHERE record_type = 'workflow' AND record_id = $1 ORDER BY id DESC LIMIT 2",
      [workflow.id],
    );
    expect(events.map(({ event }) => event).sort()).toEqual(["workflow.manager-changed", "workflow.update"]);
    await patch(workflow, { manager_id: ada });
  });
});

describe("phases", () => {
  const loadPhase = async (workflow: { id: number }, id: number) =>
    (await admin.get(`/workflows/${workflow.id}/phases/${id}`)).body;

  test("PH1, PH2: a phase starts with its first task, is completed with its last, and reopened with any", async () => {
    const workflow = await make.workflow();
    const { id: phase_id } = (await admin.post(`/workflows/${workflow.id}/phases`, { name: "Build" })).body;
    const [a, b] = [await make.task(workflow, { phase_id }), await make.task(workflow, { phase_id })];
    const phase = async () => {
      const { status, started_at, completed_at } = await loadPhase(workflow, phase_id);
      return [status, at(started_at), at(completed_at)];
    };
    expect(await phase()).toEqual(["registered", null, null]);
    await move(b, "canceled");
    expect(await phase()).toEqual(["registered", null, null]);
    await move(a, "assigned");
    const started = clock.now().getTime();
    expect(await phase()).toEqual(["in_progress", started, null]);
    await clock.pass(60);
    await move(a, "completed");
    expect(await phase()).toEqual(["completed", started, clock.now().getTime()]);
    await move(a, "assigned");
    expect(await phase()).toEqual(["in_progress", started, null]);
    await move(a, "registered");
    expect(await phase()).toEqual(["in_progress", started, null]);
  });

  test("PH1: a phase without tasks is registered, and moving a task updates both phases", async () => {
    const workflow = await make.workflow();
    const [one, two] = [
      (await admin.post(`/workflows/${workflow.id}/phases`, { name: "One" })).body.id,
      (await admin.post(`/workflows/${workflow.id}/phases`, { name: "Two" })).body.id,
    ];
    const task = await make.task(workflow, { phase_id: one, status: "assigned" });
    expect([(await loadPhase(workflow, one)).status, (await loadPhase(workflow, two)).status]).toEqual([
      "in_progress",
      "registered",
    ]);
    await admin.patch(`/tasks/${task.id}`, { phase_id: two });
    expect((await loadPhase(workflow, two)).status).toBe("in_progress");
  });
});

describe("releases", () => {
  test("RL1: a release follows its workflows", async () => {
    const release = (await admin.post("/releases", { subject: "R" })).body;
    const state = async () => {
      const { status, completion_reason, impact } = (await admin.get(`/releases/${release.id}`)).body;
      return [status, completion_reason, impact];
    };
    const [one, other] = [await createWithTasks("registered"), await createWithTasks("registered")];
    for (const { workflow } of [one, other]) await patch(workflow, { release_id: release.id });
    expect(await state()).toEqual(["registered", null, "none"]);
    await admin.patch(`/tasks/${one.tasks[0]?.id}`, { status: "assigned", impact: "medium" });
    expect(await state()).toEqual(["in_progress", null, "medium"]);
    await move(one.tasks[0] as Named, "failed");
    expect((await state())[0]).toBe("progress_halted");
    await move(one.tasks[0] as Named, "completed");
    expect((await state())[0]).toBe("in_progress");
    await patch(other.workflow, { status: "completed", completion_reason: "rejected" });
    expect(await state()).toEqual(["completed", "partial", "medium"]);
    await patch(other.workflow, { release_id: null });
    expect(await state()).toEqual(["completed", "complete", "medium"]);
  });
});

describe("archive and trash", () => {
  test("AR10: tasks are archived and trashed with their workflow", async () => {
    const { workflow, tasks } = await createWithTasks("completed");
    const id = tasks[0]?.id as number;
    const readVisibility = async () => [
      pickIds(await admin.get(`/tasks?id=${id}`)).length,
      (await specialist.get(`/tasks/${id}`)).status,
      (await admin.get(`/tasks/${id}`)).body.archived ?? false,
    ];
    expect(await readVisibility()).toEqual([1, 200, false]);
    expect((await admin.post(`/workflows/${workflow.id}/archive`)).status).toBe(200);
    expect(await readVisibility()).toEqual([0, 403, true]);
    expect(describeErrors(await admin.patch(`/tasks/${id}`, { subject: "Mine" }))).toEqual([
      expect.stringMatching(/archived/),
    ]);
    expect((await admin.post(`/tasks/${id}/restore`)).status).toBe(404);
    expect((await admin.post(`/workflows/${workflow.id}/restore`)).status).toBe(200);
    expect(await readVisibility()).toEqual([1, 200, false]);
    const [event] = await sql(
      "SELECT event FROM events WHERE record_type = 'task' AND record_id = $1 ORDER BY id DESC LIMIT 1",
      [id],
    );
    expect(event?.event).toBe("task.update");
  });

  test("AR9, AR10: a workflow is erased after 28 days in the trash, with its tasks", async () => {
    const { workflow, tasks } = await createWithTasks("completed");
    await admin.post(`/workflows/${workflow.id}/trash`);
    await clock.pass(29 * 24 * hour);
    expect((await admin.get(`/workflows/${workflow.id}`)).status).toBe(404);
    expect((await admin.get(`/tasks/${tasks[0]?.id}`)).status).toBe(404);
  });
});

describe("events", () => {
  test("C7, EV4: consequences are published after their cause: task, successor, phase, workflow, linked request", async () => {
    const template = await createTemplate({ First: { phase: "P" }, Second: { after: ["First"], phase: "P" } });
    const workflow = await make.workflow({ template_id: template.id });
    const waiting = { workflow_id: workflow.id, status: "workflow_pending", team_id: serviceDeskTeam, member_id: sam };
    await admin.post("/requests", { category: "rfc", ...waiting });
    const [first, second] = (await loadTasks(workflow)) as Named[] as [Named, Named];
    const since = async () => Number((await sql("SELECT max(id) AS id FROM events"))[0]?.id);
    const listEventsAfter = async (from: number) =>
      (
        await sql<{ event: string; record_id: number }>(
          "SELECT event, record_id FROM events WHERE id > $1 ORDER BY id",
          [from],
        )
      ).map(({ event, record_id }) =>
        event.startsWith("task") ? `${event} ${record_id === first.id ? "first" : "second"}` : event,
      );
    let from = await since();
    await move(first, "completed");
    expect(await listEventsAfter(from)).toEqual([
      "task.status-changed first",
      "task.update first",
      "task.status-changed second",
      "task.update second",
      "workflow.update", // its target has changed
    ]);
    from = await since();
    await move(second, "completed");
    expect(await listEventsAfter(from)).toEqual([
      "task.status-changed second",
      "task.update second",
      "workflow.status-changed",
      "workflow.update",
      "request.status-changed",
      "request.update",
    ]);
  });
});
