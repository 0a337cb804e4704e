import { describe, expect, test } from "vitest";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// States of projects and their tasks. The titles name the rules.

const { as, clock, sql } = await world();
const admin = as("administrator"); // manages the projects
const specialist = as("specialist");
const colleague = as("manager");
const requester = as("requester");
const make = workflowHelpers(admin);
const [sam, mia, rita] = [3, 9, 5];
const hour = 3600;
type Members = Record<string, unknown>;
type Record_ = { id: number };

const later = (seconds: number) => `${new Date(clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`;
const at = (text: string | null) => (text === null ? null : new Date(text).getTime());
const read = async ({ id }: Record_) => (await admin.get(`/project_tasks/${id}`)).body;
const loadProject = async ({ id }: Record_) => (await admin.get(`/projects/${id}`)).body;
const loadStatuses = async (...tasks: Record_[]) =>
  Promise.all(tasks.map(async (task) => (await read(task)).status as string));
const put = async ({ id }: Record_, members: Members, by = admin) => {
  const { status, body, text } = await by.patch(`/project_tasks/${id}`, members);
  expect(status, text).toBe(200);
  return body;
};
const move = (task: Record_, status: string, by = admin) => put(task, { status }, by);
const refused = ["status: Status is not valid"];
const loadAssignments = async ({ id }: Record_) =>
  (await admin.get(`/project_tasks/${id}/assignments`)).body as { id: number; status: string; waiting_until: string }[];
const loadAssignmentStatuses = async (task: Record_) => (await loadAssignments(task)).map(({ status }) => status);

async function createAssignedTask(people: readonly number[], members: Members = {}) {
  const project = await make.project();
  const task = await make.projectTask(project, members);
  for (const assignee_id of people) await admin.post(`/project_tasks/${task.id}/assignments`, { assignee_id });
  return { ...task, project };
}

describe("project tasks", () => {
  test("assigned_at, finished_at and resolution_duration work as for tasks", async () => {
    const task = await createAssignedTask([]);
    expect(at((await move(task, "assigned")).assigned_at)).toBe(clock.now().getTime());
    await clock.pass(30 * 60);
    expect(await move(task, "completed")).toMatchObject({ resolution_duration: 30 });
    expect(await move(task, "assigned")).toMatchObject({ finished_at: null, resolution_duration: null });
  });

  test("a task is assigned when its predecessors are finished, and not before start_at", async () => {
    const project = await make.project();
    const first = await make.projectTask(project, { status: "assigned" });
    const second = await make.projectTask(project, { predecessor_ids: [first.id], start_at: later(hour) });
    const third = await make.projectTask(project, { predecessor_ids: [first.id] });
    await move(first, "completed");
    expect(await loadStatuses(second, third)).toEqual(["registered", "assigned"]);
    await clock.pass(hour);
    expect(await loadStatuses(second)).toEqual(["assigned"]);
  });

  test("a waiting task is assigned again when waiting_until is reached", async () => {
    const task = await createAssignedTask([sam]);
    await move(task, "assigned");
    await put(task, { status: "waiting_for", waiting_until: later(hour) });
    expect(await loadAssignments(task)).toMatchObject([{ status: "waiting_for" }]);
    await clock.pass(hour);
    expect([await read(task), await loadAssignmentStatuses(task)]).toEqual([
      expect.objectContaining({ status: "assigned", waiting_until: null }),
      ["assigned"],
    ]);
  });

  test("PT3: setting the status of an activity sets all open assignments", async () => {
    const task = await createAssignedTask([sam, mia]);
    expect(await loadAssignmentStatuses(task)).toEqual(["registered", "registered"]);
    for (const status of ["assigned", "in_progress", "completed"]) {
      expect((await move(task, status)).status).toBe(status);
      expect(await loadAssignmentStatuses(task)).toEqual([status, status]);
    }
  });

  test("PT3: an activity has the earliest status of its assignees; if all are completed it is completed, and one failure fails it", async () => {
    const task = await createAssignedTask([rita, sam]);
    await move(task, "in_progress");
    expect((await move(task, "completed", requester)).status).toBe("in_progress");
    expect(await loadAssignmentStatuses(task)).toEqual(["completed", "in_progress"]);
    const [, second] = await loadAssignments(task);
    await admin.delete(`/project_tasks/${task.id}/assignments/${second?.id}`);
    expect(await loadStatuses(task)).toEqual(["completed"]);
    const other = await createAssignedTask([rita, sam]);
    await move(other, "accepted");
    expect((await move(other, "failed", requester)).status).toBe("failed");
  });

  test("PT3: a waiting assignee is assigned again at waiting_until", async () => {
    const task = await createAssignedTask([rita, sam]);
    await move(task, "in_progress");
    const waiting = await put(task, { status: "waiting_for", waiting_until: later(hour) }, requester);
    expect([waiting.status, await loadAssignmentStatuses(task)]).toEqual([
      "in_progress",
      ["waiting_for", "in_progress"],
    ]);
    await clock.pass(hour);
    expect([await loadStatuses(task), await loadAssignmentStatuses(task)]).toEqual([
      ["assigned"],
      ["assigned", "in_progress"],
    ]);
  });

  test("PT4: assignees of an approval vote like approvers", async () => {
    const task = await createAssignedTask([sam, mia, rita], { category: "approval", required_approvals: 2 });
    await move(task, "assigned");
    expect(describeErrors(await admin.patch(`/project_tasks/${task.id}`, { status: "approved" }))).toEqual(refused);
    expect((await move(task, "approved", specialist)).status).toBe("assigned");
    expect((await move(task, "approved", requester)).status).toBe("approved");
    expect(await loadAssignmentStatuses(task)).toEqual(["approved", "canceled", "approved"]);
    expect(await loadProject(task.project)).toMatchObject({ status: "completed", completion_reason: "complete" });
    const other = await createAssignedTask([sam, mia], { category: "approval", required_approvals: 2 });
    await move(other, "assigned");
    expect((await move(other, "rejected", colleague)).status).toBe("rejected");
    expect(await loadAssignmentStatuses(other)).toEqual(["canceled", "rejected"]);
    expect((await loadProject(other.project)).status).toBe("progress_halted");
  });

  test("PT5: a milestone with finished predecessors is completed, and its successors continue", async () => {
    const project = await make.project();
    const work = await make.projectTask(project, { status: "assigned" });
    const milestone = await make.projectTask(project, { category: "milestone", predecessor_ids: [work.id] });
    const after = await make.projectTask(project, { predecessor_ids: [milestone.id] });
    await move(work, "completed");
    expect(await loadStatuses(milestone, after)).toEqual(["completed", "assigned"]);
  });

  test("PT5: a milestone without predecessors is assigned when the project starts, and completed manually", async () => {
    const project = await make.project();
    const milestone = await make.projectTask(project, { category: "milestone" });
    const work = await make.projectTask(project);
    expect(await loadStatuses(milestone)).toEqual(["registered"]);
    await move(work, "assigned");
    expect(await loadStatuses(milestone)).toEqual(["assigned"]);
    expect((await move(milestone, "completed")).status).toBe("completed");
  });

  test("PT5: a missed deadline changes no status", async () => {
    const task = await createAssignedTask([], { category: "milestone", deadline: later(hour), status: "assigned" });
    await clock.pass(2 * hour);
    expect(await loadStatuses(task)).toEqual(["assigned"]);
  });

  test("PT6: fields that only tasks have are ignored", async () => {
    const task = await createAssignedTask([]);
    const { status, headers } = await admin.patch(`/project_tasks/${task.id}`, { impact: "high", member_id: sam });
    expect([status, headers.get("x-ignored-fields")]).toEqual([200, expect.stringContaining("impact")]);
    expect(describeErrors(await admin.patch(`/project_tasks/${task.id}`, { status: "declined" }))).toEqual([
      "status: Status is not included in the list",
    ]);
  });

  test("PT10: open_to_me shows tasks assigned to the caller that the caller hasn't finished", async () => {
    const task = await createAssignedTask([rita, sam]);
    const listMine = async () => pickIds(await requester.get(`/project_tasks/open_to_me?id=${task.id}`));
    expect(await listMine()).toEqual([]);
    await move(task, "assigned");
    expect(await listMine()).toEqual([task.id]);
    await move(task, "completed", requester);
    expect([await listMine(), await loadStatuses(task)]).toEqual([[], ["assigned"]]);
  });

  test("only the project's manager cancels or reopens a task", async () => {
    const task = await createAssignedTask([]);
    await move(task, "assigned");
    expect(describeErrors(await specialist.patch(`/project_tasks/${task.id}`, { status: "canceled" }))).toEqual(
      refused,
    );
    await move(task, "completed", specialist);
    expect(describeErrors(await specialist.patch(`/project_tasks/${task.id}`, { status: "assigned" }))).toEqual(
      refused,
    );
  });
});

describe("projects", () => {
  // biome-ignore format: a table keeps its columns
  test.each([
    [[],                          "registered",      null],
    [["registered"],              "registered",      null],
    [["assigned", "registered"],  "in_progress",     null],
    [["failed", "registered"],    "progress_halted", null],
    [["completed", "canceled"],   "completed",       "complete"],
    [["completed", "registered"], "progress_halted", null],
  ])("PJ1: tasks %j make it %s", async (statuses, status, completion_reason) => {
    const project = await make.project();
    for (const each of statuses) await make.projectTask(project, { status: each });
    expect(await loadProject(project)).toMatchObject({ status, completion_reason });
  });

  test("PJ1: manual completion with another reason cancels open tasks, and reopening a task reopens the project", async () => {
    const project = await make.project();
    const [done, open] = [
      await make.projectTask(project, { status: "completed" }),
      await make.projectTask(project, { status: "assigned" }),
    ];
    await clock.pass(600);
    const { body } = await admin.patch(`/projects/${project.id}`, {
      status: "completed",
      completion_reason: "abandoned",
    });
    expect(body).toMatchObject({ status: "completed", completion_reason: "abandoned", resolution_duration: 10 });
    expect(await loadStatuses(done, open)).toEqual(["completed", "canceled"]);
    await move(open, "assigned");
    expect(await loadProject(project)).toMatchObject({
      status: "in_progress",
      completed_at: null,
      completion_reason: null,
    });
    for (const status of ["registered", "progress_halted"])
      expect(describeErrors(await admin.patch(`/projects/${project.id}`, { status }))).toEqual(refused);
  });

  // biome-ignore format: a table keeps its columns
  test.each([
    ["complete",  "solved",     "solved"],
    ["partial",   "workaround", "analyzed"],
    ["rejected",  "rejected",   "analyzed"],
    ["withdrawn", "withdrawn",  "analyzed"],
    ["abandoned", "unsolvable", "analyzed"],
  ])("R25, PB9: completed with %s completes its requests with %s and makes its problems %s", async (reason, outcome, status) => {
    const project = await make.project();
    const waiting = { project_id: project.id, status: "project_pending", team_id: serviceDeskTeam, member_id: sam };
    const request = (await admin.post("/requests", { category: "rfc", ...waiting })).body;
    const problem = (await admin.post("/problems", { subject: "P", service_id: 1, ...waiting })).body;
    await admin.patch(`/projects/${project.id}`, { status: "completed", completion_reason: reason });
    expect((await admin.get(`/requests/${request.id}`)).body).toMatchObject({ status: "completed", completion_reason: outcome });
    expect((await admin.get(`/problems/${problem.id}`)).body.status).toBe(status);
  });

  test("phases follow the tasks of a project", async () => {
    const project = await make.project();
    const { id } = (await admin.post(`/projects/${project.id}/phases`, { name: "Start" })).body;
    const task = await make.projectTask(project);
    await sql("UPDATE project_tasks SET phase_id = $1 WHERE id = $2", [id, task.id]);
    const phase = async () => (await admin.get(`/projects/${project.id}/phases/${id}`)).body.status;
    await move(task, "assigned");
    expect(await phase()).toBe("in_progress");
    await move(task, "completed");
    expect(await phase()).toBe("completed");
  });

  test("tasks are archived with their project", async () => {
    const project = await make.project();
    const task = await make.projectTask(project, { status: "completed" });
    await admin.post(`/projects/${project.id}/archive`);
    expect(pickIds(await admin.get(`/project_tasks?id=${task.id}`))).toEqual([]);
    await admin.post(`/projects/${project.id}/restore`);
    expect(pickIds(await admin.get(`/project_tasks?id=${task.id}`))).toEqual([task.id]);
  });
});
