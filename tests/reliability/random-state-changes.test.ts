import fc from "fast-check";
import { expect, test } from "vitest";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// Random operations on a workflow's tasks, in any order: the rules for tasks, phases and workflows hold after every step.
// See tasks.md and workflows.md in docs/behaviour.

const { as, clock, sql } = await world();
const admin = as("administrator");
const specialist = as("specialist");
const make = workflowHelpers(admin);
const [sam, mia] = [3, 9];

const good = ["completed", "approved", "canceled"];
const bad = ["failed", "rejected"];
const active = ["declined", "assigned", "accepted", "in_progress", "waiting_for"];
const over = [...good, ...bad];

type Task = {
  id: number;
  status: string;
  new_assignment: boolean;
  assigned_at: Date | null;
  finished_at: Date | null;
  resolution_duration: number | null;
  rejection_count: number;
  failure_task_id: number | null;
  phase_id: number | null;
  predecessors: number[];
  rejections: number;
  audited_status: string;
};

const loadTasks = (workflow: number) =>
  sql<Task>(
    `SELECT t.*, coalesce((SELECT array_agg(p.other_task_id) FROM task_predecessors p WHERE p.task_id = t.id), '{}') AS predecessors,
  (SELECT count(*)::integer FROM audit_lines l WHERE l.audited = 'task' AND l.record_id = t.id AND l.changes->'status'->>1 = 'rejected') AS rejections,
  (SELECT l.changes->'status'->>1 FROM audit_lines l WHERE l.audited = 'task' AND l.record_id = t.id AND l.changes ? 'status' ORDER BY l.id DESC LIMIT 1) AS audited_status
FROM tasks t WHERE t.workflow_id = $1 ORDER BY t.id`,
    [workflow],
  );

const graph = fc.record({
  tasks: fc.array(
    fc.record({
      category: fc.constantFrom("implementation", "risk_and_impact", "approval"),
      before: fc.array(fc.nat(5), { maxLength: 2 }),
      failure: fc.option(fc.nat(5), { nil: null, freq: 3 }),
      phase: fc.nat(1),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  steps: fc.array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          kind: fc.constant("move" as const),
          task: fc.nat(5),
          status: fc.constantFrom(
            "registered",
            "assigned",
            "completed",
            "completed",
            "failed",
            "canceled",
            "in_progress",
            "declined",
            "waiting_for",
            "approved",
            "rejected",
          ),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("link" as const), task: fc.nat(5), other: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("unlink" as const), task: fc.nat(5) }) },
      { weight: 1, arbitrary: fc.constant({ kind: "complete" as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: "take up" as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: "add" as const }) },
    ),
    { minLength: 4, maxLength: 14 },
  ),
});

test("random operations on random workflows keep the invariants", async () => {
  await fc.assert(
    fc.asyncProperty(graph, async ({ tasks, steps }) => {
      const workflow = await make.workflow();
      const phases: number[] = [];
      for (const name of ["One", "Two"])
        phases.push((await admin.post(`/workflows/${workflow.id}/phases`, { name })).body.id);
      const made: number[] = [];
      for (const { category, before, failure, phase } of tasks) {
        const earlier = [...new Set(before.filter((index) => index < made.length).map((index) => made[index]))];
        const { id } = await make.task(workflow, {
          category,
          predecessor_ids: earlier,
          failure_task_id: failure === null ? null : (made[failure] ?? null),
          phase_id: phases[phase],
        });
        if (category === "approval")
          for (const approver_id of [sam, mia]) await admin.post(`/tasks/${id}/approvals`, { approver_id });
        made.push(id);
      }
      for (const step of steps) {
        const old = new Map((await loadTasks(workflow.id)).map((task) => [task.id, task]));
        const target = "task" in step ? (made[step.task % made.length] as number) : 0;
        const reply = await runStep(step, workflow.id, made, target);
        expect([200, 201, 204, 404, 422], `${JSON.stringify(step)} ${reply.text}`).toContain(reply.status);
        await clock.pass(60);
        await checkAll(workflow.id, old, target, reply.status < 300);
      }
    }),
    { numRuns: 25 },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: one of the steps above
function runStep(step: any, workflow: number, made: number[], target: number) {
  const path = `/tasks/${target}`;
  if (step.kind === "move") {
    const by = ["approved", "rejected"].includes(step.status) ? specialist : admin;
    const waiting_until = step.status === "waiting_for" ? "2040-01-01T00:00:00Z" : undefined;
    return by.patch(path, { status: step.status, waiting_until });
  }
  if (step.kind === "link") return admin.post(`${path}/predecessors/${made[step.other % made.length]}`);
  if (step.kind === "unlink") return admin.delete(`${path}/predecessors`);
  if (step.kind === "add")
    return make.task({ id: workflow }, { predecessor_ids: [made[0]] }).then(({ id }) => {
      made.push(id);
      return { status: 201, text: "" };
    });
  return admin.patch(`/workflows/${workflow}`, { status: step.kind === "complete" ? "completed" : "in_progress" });
}

async function checkAll(id: number, old: ReadonlyMap<number, Task>, target: number, isDone: boolean): Promise<void> {
  const tasks = await loadTasks(id);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  if (!isDone) for (const task of tasks) expect(task).toEqual(old.get(task.id));

  for (const task of tasks) {
    const where = `task ${task.id} ${task.status}`;
    expect(task.finished_at !== null, where).toBe(over.includes(task.status));
    expect(task.new_assignment, where).toBe(["assigned", "declined"].includes(task.status));
    if (active.includes(task.status)) expect(task.assigned_at, where).not.toBeNull();
    expect(task.rejection_count, where).toBe(task.rejections);
    expect(task.audited_status, where).toBe(task.status);
    if (task.assigned_at === null || task.finished_at === null) expect(task.resolution_duration, where).toBeNull();
    else
      expect(task.resolution_duration, where).toBe(
        Math.floor((task.finished_at.getTime() - task.assigned_at.getTime()) / 60_000),
      );

    // A task that no person assigned was released by its predecessors or by a failure.
    const before = old.get(task.id);
    if (task.id === target || task.status !== "assigned" || before === undefined || before.status === "assigned")
      continue;
    const isReady = task.predecessors.every(
      (other) => good.includes(byId.get(other)?.status ?? "") || other === task.failure_task_id,
    );
    const isNeeded = tasks.some(({ failure_task_id, status }) => failure_task_id === task.id && bad.includes(status));
    expect((before.status === "registered" && isReady) || isNeeded || bad.includes(before.status), where).toBe(true);
  }

  const [workflow] = await sql("SELECT * FROM workflows WHERE id = $1", [id]);
  const allGood = tasks.length > 0 && tasks.every(({ status }) => good.includes(status));
  const hasBegun = tasks.some(({ status, assigned_at }) => status !== "registered" || assigned_at !== null);
  const expected =
    allGood || workflow?.closed_by_hand
      ? "completed"
      : tasks.some(({ status }) => active.includes(status))
        ? "in_progress"
        : hasBegun
          ? "progress_halted"
          : "registered";
  expect(workflow?.status).toBe(expected);
  expect(workflow?.completed_at !== null && workflow?.completion_reason !== null).toBe(expected === "completed");
  expect(workflow?.planned_effort).toBe(60 * tasks.length);

  const phases = await sql("SELECT * FROM workflow_phases WHERE workflow_id = $1 ORDER BY position", [id]);
  expect(phases.map(({ position }) => position)).toEqual([1, 2]);
  for (const phase of phases) {
    const within = tasks.filter(({ phase_id }) => phase_id === phase.id);
    const isOver = within.length > 0 && within.every(({ status }) => good.includes(status));
    expect(phase.status === "completed").toBe(isOver);
    expect(phase.completed_at !== null).toBe(isOver);
    if (within.some(({ status }) => active.includes(status))) expect(phase.started_at).not.toBeNull();
  }
}

test("tasks that are finished concurrently leave the workflow as if they had been finished one after another", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("completed", "failed", "canceled"), { minLength: 2, maxLength: 6 }),
      async (statuses) => {
        const workflow = await make.workflow();
        const tasks = await Promise.all(statuses.map(() => make.task(workflow, { status: "assigned" })));
        const last = await make.task(workflow, { predecessor_ids: tasks.map(({ id }) => id) });
        const replies = await Promise.all(
          tasks.map(({ id }, index) => admin.patch(`/tasks/${id}`, { status: statuses[index] })),
        );
        expect(replies.map(({ status }) => status)).toEqual(statuses.map(() => 200));
        const released = !statuses.includes("failed");
        const [task] = await sql("SELECT status FROM tasks WHERE id = $1", [last.id]);
        expect(task?.status).toBe(released ? "assigned" : "registered");
        const [after] = await sql("SELECT status FROM workflows WHERE id = $1", [workflow.id]);
        expect(after?.status).toBe(released ? "in_progress" : "progress_halted");
        const events = await sql(
          "SELECT 1 FROM events WHERE record_type = 'task' AND record_id = $1 AND event = 'task.status-changed'",
          [last.id],
        );
        expect(events).toHaveLength(released ? 1 : 0);
      },
    ),
    { numRuns: 12 },
  );
});

const statuses = ["assigned", "accepted", "in_progress", "declined", "on_backlog", "completed", "completed"] as const;
const moves = fc.array(
  fc.record({
    request: fc.nat(4),
    members: fc.oneof(
      fc.record({ status: fc.constantFrom(...statuses) }),
      fc.record({ team_id: fc.constantFrom(1, 2, null) }),
      fc.record({ agile_board_column: fc.option(fc.nat(1), { nil: null }), position: fc.integer({ min: -1, max: 7 }) }),
      fc.record({ product_backlog: fc.option(fc.nat(1), { nil: null }), position: fc.integer({ min: -1, max: 7 }) }),
      fc.record({ sprint: fc.nat(1), position: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ unplanned: fc.nat(1) }),
    ),
  }),
  { minLength: 10, maxLength: 30 },
);

test("RQ22, AB15: random changes of requests: positions are contiguous, counters match the audit lines", async () => {
  const create = async (path: string, members: object) =>
    (await admin.post(path, { name: "N", ...members })).body.id as number;
  const pair = async (path: string, members: object = {}) => [await create(path, members), await create(path, members)];
  const boards = await pair("/agile_boards");
  const [backlogs, workspace] = [
    await pair("/product_backlogs"),
    await create("/scrum_workspaces", {
      agile_board_id: boards[0],
      product_backlog_id: await create("/product_backlogs", {}),
      team_id: 1,
      sprint_length: 2,
    }),
  ];
  await fc.assert(
    fc.asyncProperty(moves, async (steps) => {
      const columns = await pair(`/agile_boards/${boards[0]}/agile_board_columns`);
      const sprints = await pair("/sprints", { scrum_workspace_id: workspace });
      const requests: number[] = [];
      for (let i = 0; i < 5; i++) requests.push(await create("/requests", { category: "other", team_id: 1 }));
      // biome-ignore lint/suspicious/noExplicitAny: one of the moves above
      const send = async (request: number, members: any) => {
        const items = (sprint: number) => `/sprints/${sprints[sprint]}/sprint_backlog_items`;
        const { position } = members;
        if ("sprint" in members) return admin.post(items(members.sprint), { request_id: request, position });
        if ("unplanned" in members) {
          const [first] = (await admin.get(items(members.unplanned))).body;
          return first === undefined
            ? { status: 204, text: "" }
            : admin.delete(`${items(members.unplanned)}/${first.id}`);
        }
        const place = (field: string, ids: readonly number[], rung: string) =>
          field in members
            ? { [`${field}_id`]: members[field] === null ? null : ids[members[field]], [rung]: position }
            : undefined;
        const moved =
          place("agile_board_column", columns, "agile_board_column_position") ??
          place("product_backlog", backlogs, "product_backlog_position") ??
          members;
        return admin.patch(`/requests/${request}`, moved);
      };
      for (const { request, members } of steps) {
        const reply = await send(requests[request] as number, members);
        expect([200, 201, 204, 422], `${JSON.stringify(members)} ${reply.text}`).toContain(reply.status);
        await checkPlaces(requests);
      }
    }),
    { numRuns: 12 },
  );
});

const expectContiguous = (list: { place: number; position: number }[]): void => {
  const places = Map.groupBy(list, ({ place }) => place);
  for (const rungs of places.values())
    expect(rungs.map(({ position }) => position).sort((one, other) => one - other)).toEqual(
      rungs.map((_, index) => index + 1),
    );
};

async function checkPlaces(requests: readonly number[]): Promise<void> {
  const loadPositions = (place: string, position: string, table = "requests") =>
    sql<{ place: number; position: number }>(
      `SELECT ${place} AS place, ${position} AS position FROM ${table} WHERE ${place} IS NOT NULL`,
    );
  expectContiguous(await loadPositions("agile_board_column_id", "agile_board_column_position"));
  expectContiguous(await loadPositions("product_backlog_id", "product_backlog_position"));
  expectContiguous(await loadPositions("sprint_id", "position", "sprint_backlog_items"));
  expect(await loadPositions("product_backlog_id", "position", "product_backlog_items")).toHaveLength(
    (await loadPositions("product_backlog_id", "product_backlog_position")).length,
  );
  const counted = await sql(
    `SELECT r.id, r.assignment_count, r.reopen_count,
  (SELECT count(*)::integer FROM audit_lines l WHERE l.audited = 'request' AND l.record_id = r.id AND l.changes->'team'->>1 IS NOT NULL) AS assignments,
  (SELECT count(*)::integer FROM audit_lines l WHERE l.audited = 'request' AND l.record_id = r.id AND l.changes->'status'->>0 = 'completed') AS reopenings
FROM requests r WHERE r.id = ANY($1)`,
    [requests],
  );
  for (const { id, assignment_count, reopen_count, assignments, reopenings } of counted)
    expect([id, assignment_count, reopen_count]).toEqual([id, assignments, reopenings]);
}
