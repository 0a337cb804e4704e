import { describe, expect, test } from "vitest";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// What becomes of projects and their tasks: the titles name the rules.

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
const projectOf = async ({ id }: Record_) => (await admin.get(`/projects/${id}`)).body;
const statusOf = async (...tasks: Record_[]) =>
  Promise.all(tasks.map(async (task) => (await read(task)).status as string));
const put = async ({ id }: Record_, members: Members, by = admin) => {
  const { status, body, text } = await by.patch(`/project_tasks/${id}`, members);
  expect(status, text).toBe(200);
  return body;
};
const move = (task: Record_, status: string, by = admin) => put(task, { status }, by);
const refused = ["status: Status is not valid"];
const assignmentsOf = async ({ id }: Record_) =>
  (await admin.get(`/project_tasks/${id}/assignments`)).body as { id: number; status: string; waiting_until: string }[];
const parts = async (task: Record_) => (await assignmentsOf(task)).map(({ status }) => status);

async function assigned(people: readonly number[], members: Members = {}) {
  const project = await make.project();
  const task = await make.projectTask(project, members);
  for (const assignee_id of people) await admin.post(`/project_tasks/${task.id}/assignments`, { assignee_id });
  return { ...task, project };
}

describe("project tasks", () => {
  test("assigned_at, finished_at and resolution_duration are those of tasks", async () => {
    const task = await assigned([]);
    expect(at((await move(task, "assigned")).assigned_at)).toBe(clock.now().getTime());
    await clock.pass(30 * 60);
    expect(await move(task, "completed")).toMatchObject({ resolution_duration: 30 });
    expect(await move(task, "assigned")).toMatchObject({ finished_at: null, resolution_duration: null });
  });

  test("a task is assigned when all before it are good, and at start_at at the earliest", async () => {
    const project = await make.project();
    const first = await make.projectTask(project, { status: "assigned" });
    const second = await make.projectTask(project, { predecessor_ids: [first.id], start_at: later(hour) });
    const third = await make.projectTask(project, { predecessor_ids: [first.id] });
    await move(first, "completed");
    expect(await statusOf(second, third)).toEqual(["registered", "assigned"]);
    await clock.pass(hour);
    expect(await statusOf(second)).toEqual(["assigned"]);
  });

  test("a waiting task is assigned again when waiting_until is reached", async () => {
    const task = await assigned([sam]);
    await move(task, "assigned");
    await put(task, { status: "waiting_for", waiting_until: later(hour) });
    expect(await assignmentsOf(task)).toMatchObject([{ status: "waiting_for" }]);
    await clock.pass(hour);
    expect([await read(task), await parts(task)]).toEqual([
      expect.objectContaining({ status: "assigned", waiting_until: null }),
      ["assigned"],
    ]);
  });

  test("PT3: setting the status of an activity sets all open assignments", async () => {
    const task = await assigned([sam, mia]);
    expect(await parts(task)).toEqual(["registered", "registered"]);
    for (const status of ["assigned", "in_progress", "completed"]) {
      expect((await move(task, status)).status).toBe(status);
      expect(await parts(task)).toEqual([status, status]);
    }
  });

  test("PT3: an activity is as far as the assignee who is least far; all completed complete it, one failure fails it", async () => {
    const task = await assigned([rita, sam]);
    await move(task, "in_progress");
    expect((await move(task, "completed", requester)).status).toBe("in_progress");
    expect(await parts(task)).toEqual(["completed", "in_progress"]);
    const [, second] = await assignmentsOf(task);
    await admin.delete(`/project_tasks/${task.id}/assignments/${second?.id}`);
    expect(await statusOf(task)).toEqual(["completed"]);
    const other = await assigned([rita, sam]);
    await move(other, "accepted");
    expect((await move(other, "failed", requester)).status).toBe("failed");
  });

  test("PT3: who waits as an assignee is assigned again when their moment comes", async () => {
    const task = await assigned([rita, sam]);
    await move(task, "in_progress");
    const waiting = await put(task, { status: "waiting_for", waiting_until: later(hour) }, requester);
    expect([waiting.status, await parts(task)]).toEqual(["in_progress", ["waiting_for", "in_progress"]]);
    await clock.pass(hour);
    expect([await statusOf(task), await parts(task)]).toEqual([["assigned"], ["assigned", "in_progress"]]);
  });

  test("PT4: assignees of an approval vote as approvers do", async () => {
    const task = await assigned([sam, mia, rita], { category: "approval", required_approvals: 2 });
    await move(task, "assigned");
    expect(describeErrors(await admin.patch(`/project_tasks/${task.id}`, { status: "approved" }))).toEqual(refused);
    expect((await move(task, "approved", specialist)).status).toBe("assigned");
    expect((await move(task, "approved", requester)).status).toBe("approved");
    expect(await parts(task)).toEqual(["approved", "canceled", "approved"]);
    expect(await projectOf(task.project)).toMatchObject({ status: "completed", completion_reason: "complete" });
    const other = await assigned([sam, mia], { category: "approval", required_approvals: 2 });
    await move(other, "assigned");
    expect((await move(other, "rejected", colleague)).status).toBe("rejected");
    expect(await parts(other)).toEqual(["canceled", "rejected"]);
    expect((await projectOf(other.project)).status).toBe("progress_halted");
  });

  test("PT5: a milestone is completed when all before it are good, and what comes after it goes on", async () => {
    const project = await make.project();
    const work = await make.projectTask(project, { status: "assigned" });
    const milestone = await make.projectTask(project, { category: "milestone", predecessor_ids: [work.id] });
    const after = await make.projectTask(project, { predecessor_ids: [milestone.id] });
    await move(work, "completed");
    expect(await statusOf(milestone, after)).toEqual(["completed", "assigned"]);
  });

  test("PT5: a milestone without predecessors is assigned when the project starts, and completed by hand", async () => {
    const project = await make.project();
    const milestone = await make.projectTask(project, { category: "milestone" });
    const work = await make.projectTask(project);
    expect(await statusOf(milestone)).toEqual(["registered"]);
    await move(work, "assigned");
    expect(await statusOf(milestone)).toEqual(["assigned"]);
    expect((await move(milestone, "completed")).status).toBe("completed");
  });

  test("PT5: a deadline that passes changes no status", async () => {
    const task = await assigned([], { category: "milestone", deadline: later(hour), status: "assigned" });
    await clock.pass(2 * hour);
    expect(await statusOf(task)).toEqual(["assigned"]);
  });

  test("PT6: what tasks have and project tasks do not is ignored", async () => {
    const task = await assigned([]);
    const { status, headers } = await admin.patch(`/project_tasks/${task.id}`, { impact: "high", member_id: sam });
    expect([status, headers.get("x-ignored-fields")]).toEqual([200, expect.stringContaining("impact")]);
    expect(describeErrors(await admin.patch(`/project_tasks/${task.id}`, { status: "declined" }))).toEqual([
      "status: Status is not included in the list",
    ]);
  });

  test("PT10: open_to_me shows what I am assigned to and have not finished", async () => {
    const task = await assigned([rita, sam]);
    const mine = async () => pickIds(await requester.get(`/project_tasks/open_to_me?id=${task.id}`));
    expect(await mine()).toEqual([]);
    await move(task, "assigned");
    expect(await mine()).toEqual([task.id]);
    await move(task, "completed", requester);
    expect([await mine(), await statusOf(task)]).toEqual([[], ["assigned"]]);
  });

  test("only who manages the project cancels a task or takes it up again", async () => {
    const task = await assigned([]);
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
    expect(await projectOf(project)).toMatchObject({ status, completion_reason });
  });

  test("PJ1: completed by hand with another reason cancels open tasks; a task that is reopened reopens it", async () => {
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
    expect(await statusOf(done, open)).toEqual(["completed", "canceled"]);
    await move(open, "assigned");
    expect(await projectOf(project)).toMatchObject({
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

  test("tasks follow an archived project", async () => {
    const project = await make.project();
    const task = await make.projectTask(project, { status: "completed" });
    await admin.post(`/projects/${project.id}/archive`);
    expect(pickIds(await admin.get(`/project_tasks?id=${task.id}`))).toEqual([]);
    await admin.post(`/projects/${project.id}/restore`);
    expect(pickIds(await admin.get(`/project_tasks?id=${task.id}`))).toEqual([task.id]);
  });
});
