import { expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// A checklist of state behavior. Tests under the rules' own ids cover the rules it touches.

const here = await world();
const { as, clock } = here;
const { admin, create, request, load, texts } = requestHelpers(here);
const make = workflowHelpers(admin);
const specialist = as("specialist");
const [sam, mia, rita] = [3, 9, 5];
const matching = (text: string) => [expect.stringMatching(text)];
const later = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
const loadStatus = async (path: string): Promise<string> => (await load(path)).status;
const move = (type: string, { id }: { id: number }, to: string, more = {}) =>
  admin.patch(`/${type}/${id}`, { status: to, ...more });

/** Creates task A, which is assigned, and its successor B. */
async function createChain(members: Record<string, unknown> = {}) {
  const workflow = await make.workflow();
  const a = await make.task(workflow, { status: "assigned", ...members });
  const b = await make.task(workflow, { predecessor_ids: [a.id] });
  const all = async () =>
    Promise.all([`/tasks/${a.id}`, `/tasks/${b.id}`, `/workflows/${workflow.id}`].map((path) => loadStatus(path)));
  return { workflow, a, b, all };
}

test("1. Request created without status is assigned, new_assignment true, assignment_count 1.", async () => {
  expect(await request({ team_id: serviceDeskTeam })).toMatchObject({
    status: "assigned",
    new_assignment: true,
    assignment_count: 1,
  });
});

test("2. completed → completed_at set, next_target_at null; without completion_reason it becomes solved.", async () => {
  const { body } = await move("requests", await request({ team_id: serviceDeskTeam }), "completed");
  expect(body).toMatchObject({ next_target_at: null, completion_reason: "solved" });
  expect(Date.parse(body.completed_at)).toBe(clock.now().getTime());
});

test("3. Reopen → reopen_count 1, completed_at null, completion_reason null.", async () => {
  const done = await request({ team_id: serviceDeskTeam, status: "completed" });
  expect((await move("requests", done, "assigned")).body).toMatchObject({
    reopen_count: 1,
    completed_at: null,
    completion_reason: null,
  });
});

test("4. waiting_for without waiting_until → 422; due timer → assigned and waiting_until null.", async () => {
  const waiting = await request({ team_id: serviceDeskTeam });
  expect(describeErrors(await move("requests", waiting, "waiting_for"))).toEqual(
    matching("^waiting_until: .*can't be blank"),
  );
  await move("requests", waiting, "waiting_for", { waiting_until: later(1) });
  await clock.pass(3600);
  expect(await load(waiting.path)).toMatchObject({ status: "assigned", waiting_until: null });
});

test("5. Two requests grouped by PATCH grouped_into → new group, impact low→high on both.", async () => {
  const [one, other] = [
    await request({ category: "incident", impact: "low" }),
    await request({ category: "incident", impact: "low" }),
  ];
  const { grouped_into } = (await admin.patch(one.path, { grouped_into_id: other.id })).body;
  expect(await load(`/requests/${grouped_into.id}`)).toMatchObject({ grouping: "group", impact: "high" });
  for (const { path } of [one, other])
    expect(await load(path)).toMatchObject({
      grouping: "grouped",
      grouped_into: { id: grouped_into.id },
      impact: "high",
    });
});

test("6. Completing the group completes both members with the same reason.", async () => {
  const [one, other] = [await request({ team_id: serviceDeskTeam }), await request({ team_id: serviceDeskTeam })];
  const { grouped_into } = (await admin.patch(one.path, { grouped_into_id: other.id })).body;
  await move("requests", grouped_into, "completed", { completion_reason: "workaround" });
  for (const { path } of [one, other])
    expect(await load(path)).toMatchObject({ status: "completed", completion_reason: "workaround" });
});

test("7. major_incident_status proposed with impact high → 422.", async () => {
  await admin.post("/people/9/permissions/widget-it?roles=service_desk_manager");
  const { path } = await request({ category: "incident", impact: "high" });
  expect(describeErrors(await admin.patch(path, { major_incident_status: "proposed" }))).toEqual(
    matching("^major_incident_status: .*is not valid"),
  );
});

test("8. Workflow of tasks A→B: A completed → B assigned with assigned_at; workflow in_progress; B completed → workflow completed, reason complete.", async () => {
  const { workflow, a, b, all } = await createChain();
  await clock.pass(60);
  await move("tasks", a, "completed");
  expect(await all()).toEqual(["completed", "assigned", "in_progress"]);
  expect(Date.parse((await load(`/tasks/${b.id}`)).assigned_at)).toBe(clock.now().getTime());
  await move("tasks", b, "completed");
  expect(await load(`/workflows/${workflow.id}`)).toMatchObject({
    status: "completed",
    completion_reason: "complete",
  });
});

test("9. A failed → B registered, workflow progress_halted; A canceled instead → B assigned.", async () => {
  const [one, other] = [await createChain(), await createChain()];
  await move("tasks", one.a, "failed");
  expect(await one.all()).toEqual(["failed", "registered", "progress_halted"]);
  await move("tasks", other.a, "canceled");
  expect(await other.all()).toEqual(["canceled", "assigned", "in_progress"]);
});

test("10. A failed with failure_task C → C assigned, workflow in_progress.", async () => {
  const { workflow, a, all } = await createChain();
  const c = await make.task(workflow);
  await admin.patch(`/tasks/${a.id}`, { failure_task_id: c.id });
  await move("tasks", a, "failed");
  expect([await loadStatus(`/tasks/${c.id}`), ...(await all())]).toEqual([
    "assigned",
    "failed",
    "registered",
    "in_progress",
  ]);
});

test("11. Approval with 2 of 3: second approval completes, third is canceled; one rejection → rejected, rejection_count 1, workflow progress_halted, request unchanged.", async () => {
  const createApproval = async () => {
    const workflow = await make.workflow();
    const linked = await request({ workflow_id: workflow.id });
    const task = await make.task(workflow, { category: "approval", required_approvals: 2 });
    for (const approver_id of [sam, mia, rita]) await admin.post(`/tasks/${task.id}/approvals`, { approver_id });
    await move("tasks", task, "assigned");
    return { workflow, linked, path: `/tasks/${task.id}` };
  };
  const votes = async (path: string) =>
    (await load(`${path}/approvals`)).map(({ status }: { status: string }) => status);
  const one = await createApproval();
  await specialist.patch(one.path, { status: "approved" });
  expect(await loadStatus(one.path)).toBe("assigned");
  await as("manager").patch(one.path, { status: "approved" });
  expect([await loadStatus(one.path), await votes(one.path)]).toEqual([
    "approved",
    ["approved", "approved", "canceled"],
  ]);
  const other = await createApproval();
  const before = await load(other.linked.path);
  await as("manager").patch(other.path, { status: "rejected" });
  expect(await load(other.path)).toMatchObject({ status: "rejected", rejection_count: 1 });
  expect(await loadStatus(`/workflows/${other.workflow.id}`)).toBe("progress_halted");
  expect(await load(other.linked.path)).toEqual(before);
});

test("12. PATCH status approved by a non-approver → 422, unchanged.", async () => {
  const task = await make.task(await make.workflow(), { category: "approval" });
  await admin.post(`/tasks/${task.id}/approvals`, { approver_id: rita });
  await move("tasks", task, "assigned");
  const before = await load(`/tasks/${task.id}`);
  expect(describeErrors(await specialist.patch(`/tasks/${task.id}`, { status: "approved" }))).toEqual(
    matching("^status: .*is not valid"),
  );
  expect(await load(`/tasks/${task.id}`)).toEqual(before);
});

test("13. Task with request_template assigned → request generated, status unchanged; request completed solved → task completed.", async () => {
  const template = await create("request_template", { category: "rfc", team_id: serviceDeskTeam });
  const { a } = await createChain({ request_template_id: template.id });
  const task = await load(`/tasks/${a.id}`);
  expect([task.status, await loadStatus(`/requests/${task.request.id}`)]).toEqual(["assigned", "assigned"]);
  await move("requests", task.request, "completed", { completion_reason: "solved" });
  expect(await loadStatus(`/tasks/${a.id}`)).toBe("completed");
});

test("14. PATCH /workflows/:id template_id → no new tasks.", async () => {
  const { workflow } = await createChain();
  const { id: template_id } = await make.workflowTemplate();
  await make
    .taskTemplate()
    .then(({ id: task_template_id }) =>
      admin.post(`/workflow_templates/${template_id}/task_template_relations`, { task_template_id }),
    );
  expect((await admin.patch(`/workflows/${workflow.id}`, { template_id })).body.template.id).toBe(template_id);
  expect(await load(`/workflows/${workflow.id}/tasks`)).toHaveLength(2);
});

test("15. SLA active without representatives → 422; passes expiry_date → expired.", async () => {
  const sla = await create("sla");
  const activate = (more = {}) => move("slas", sla, "active", more);
  expect(describeErrors(await activate({ customer_representative_ids: [] }))).toEqual(
    matching("^customer_representatives: .*can't be blank"),
  );
  const expiry_date = later(24).slice(0, 10);
  await activate({ customer_representative_ids: [rita], expiry_date });
  await clock.pass(3 * 86_400);
  expect(await loadStatus(`/slas/${sla.id}`)).toBe("expired");
});

test("16. CI to_be_removed with action_status returned → 422; status in_stock → action_status null.", async () => {
  const ci = await create("ci", {
    status: "to_be_removed",
    action_status: "to_return",
    support_team_id: serviceDeskTeam,
  });
  expect(describeErrors(await admin.patch(`/cis/${ci.id}`, { action_status: "returned" }))).toEqual(
    matching("^action_status: .*is not included in the list"),
  );
  expect((await move("cis", ci, "in_stock")).body.action_status).toBeNull();
});

test("17. Board: insert at position 2 of 3 → positions 1,2,3,4; remove → contiguous.", async () => {
  const board = await create("agile_board");
  const { body: column } = await admin.post(`/agile_boards/${board.id}/agile_board_columns`, { name: "All" });
  const createItem = (position?: number) =>
    request({ agile_board_column_id: column.id, agile_board_column_position: position });
  const [a, b, c] = [await createItem(), await createItem(), await createItem()];
  const inserted = await createItem(2);
  const loadPositions = () =>
    Promise.all([a, inserted, b, c].map(async ({ path }) => (await load(path)).agile_board_column_position));
  expect(await loadPositions()).toEqual([1, 2, 3, 4]);
  await admin.patch(b.path, { agile_board_id: null });
  expect(await loadPositions()).toEqual([1, 2, null, 3]);
});

test("18. Archive of an open request → 422; by a specialist → 403.", async () => {
  const { path } = await request();
  expect((await admin.post(`${path}/archive`)).status).toBe(422);
  expect((await specialist.post(`${path}/archive`)).status).toBe(403);
});

test("19. Broadcast: end_at null and not disabled is active from start_at on.", async () => {
  const { id } = await create("broadcast", { start_at: later(1), end_at: null });
  const countActive = async () => (await load(`/broadcasts/active?id=${id}`)).length;
  expect(await countActive()).toBe(0);
  await clock.pass(3600);
  expect(await countActive()).toBe(1);
  await clock.pass(365 * 86_400);
  expect(await countActive()).toBe(1);
  await admin.patch(`/broadcasts/${id}`, { disabled: true });
  expect(await countActive()).toBe(0);
});

test("20. internal_note invisible to requested_by; public note visible.", async () => {
  const { path } = await request({ requested_by_id: rita, note: "Hello", internal_note: "Psst" });
  expect([await texts(path, as("requester")), await texts(path)]).toEqual([["Hello"], ["Hello", "Psst"]]);
});
