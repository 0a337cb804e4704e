import { describe, expect, test } from "vitest";
import { mia, rita, sam, serviceDeskNotificationWorld } from "../support/mail/notification-world.ts";

// Notifications common to all record types: managers, members, coordinators, notes, mentions and reactions.

const { here, server, of, admin, create, request, kinds, specialist, desk } = await serviceDeskNotificationWorld();
const { as, sql, clock } = here;
const managerRoles = "specialist,problem_manager,release_manager,workflow_manager,project_manager";
for (const person of [mia, sam])
  expect((await admin.post(`/people/${person}/permissions/widget-it?roles=${managerRoles}`)).status).toBeLessThan(300);

type Kind = { name: string; path: string; make(members: Record<string, unknown>): Promise<{ id: number }> };
const workflow = await kinds.workflow();
const project = await kinds.project({ manager_id: 1 });

// biome-ignore format: a table keeps its columns
const managed: Kind[] = [
  { name: "Problem",  path: "problems",  make: (members) => create("problem", { team_id: desk, ...members }) },
  { name: "Release",  path: "releases",  make: (members) => create("release", members) },
  { name: "Workflow", path: "workflows", make: (members) => kinds.workflow(members) },
  { name: "Project",  path: "projects",  make: (members) => kinds.project(members) },
  { name: "Risk",     path: "risks",     make: (members) => create("risk", members) },
];
// biome-ignore format: a table keeps its columns
const noted: Kind[] = [
  { name: "Request", path: "requests", make: () => request() },
  ...managed,
  { name: "Task",         path: "tasks",         make: () => kinds.task(workflow) },
  { name: "Project task", path: "project_tasks", make: () => kinds.projectTask(project) },
];

describe.each(managed)("$name", ({ name, path, make }) => {
  test("a new manager is notified, and of each note", async () => {
    const { id } = await make({ manager_id: 1 });
    expect(await of(() => admin.patch(`/${path}/${id}`, { manager_id: mia }))).toEqual([
      `mia: ${name}: you are now the manager`,
    ]);
    expect(await of(() => admin.post(`/${path}/${id}/notes`, { text: "Look" }))).toEqual([`mia: ${name}: new note`]);
    expect(await of(() => admin.patch(`/${path}/${id}`, { note: "Look again" }))).toEqual([`mia: ${name}: new note`]);
    expect(server.received[0]?.text).toContain("    Look again\n");
  });
});

describe.each(noted)("$name", ({ name, path, make }) => {
  test("mentions and reactions to a note notify the person concerned", async () => {
    const { id } = await make({ manager_id: sam });
    const text = `What do you say, <@${mia}|Mia>? And <@${rita}|Rita>?`;
    expect(await of(() => specialist.post(`/${path}/${id}/notes`, { text }))).toContain(
      `mia: ${name}: you were mentioned`,
    );
    // Rita may not read it.
    expect(server.received.filter(({ to }) => to.startsWith("rita"))).toEqual([]);
    const [note] = (await admin.get(`/${path}/${id}/notes`)).body;
    expect(await of(() => admin.post("/note_reactions", { note_id: note.id, reaction: "👍" }))).toEqual([
      `sam: ${name}: 👍 on your note`,
    ]);
  });
});

test("an email offers a reply only to people who may write one", async () => {
  const own = await kinds.workflow({ manager_id: sam });
  const aude = 4;
  await of(() => admin.post(`/workflows/${own.id}/notes`, { text: `Look, <@${aude}|Aude>` }));
  const readFooter = (name: string) => server.received.find(({ to }) => to.startsWith(name))?.text.split("\n-- \n")[1];
  expect(readFooter("sam")).toContain("Reply to this email to add a note.");
  expect(readFooter("aude")).toMatch(/^You're receiving this email/);
});

test.each(managed.filter(({ name }) => !["Problem", "Release"].includes(name)))(
  "$name: registering it with another person as manager notifies the manager",
  async ({ name, make }) => {
    expect(await of(() => make({ manager_id: mia }))).toEqual([`mia: ${name}: registered`]);
  },
);

describe("requests", () => {
  test("a note on a request without a member notifies the team's coordinator", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk });
    const note = () => as("requester").post(`${path}/notes`, { text: "Any news?" });
    expect(await of(note)).toEqual(["mia: Request: new note"]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: true });
    expect(await of(note)).toEqual([]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: false });
    const internal = { text: "Between us", internal: true };
    expect(await of(() => admin.post(`${path}/notes`, internal))).toEqual(["mia: Request: new note"]);
  });

  test("R34: setting, changing and removing the desired completion notifies the requester", async () => {
    const { path } = await request({ requested_by_id: rita });
    for (const desired_completion_at of ["2030-01-01T10:00:00Z", "2030-01-02T10:00:00Z", null])
      expect(await of(() => admin.patch(path, { desired_completion_at }))).toEqual([
        `rita: Request: desired completion ${desired_completion_at === null ? "removed" : "set"}`,
      ]);
    expect(server.received[0]?.text).toContain("no longer has a desired completion date.");
  });

  test("NO3: watchers are notified when they are removed", async () => {
    const { path } = await request({ team_id: desk });
    const watch = (await admin.post(`${path}/watches`, { person_id: mia })).body;
    expect(await of(() => admin.delete(`${path}/watches/${watch.id}`))).toEqual([
      "mia: Request: removed from your watchlist",
    ]);
  });

  test("an internal note doesn't notify watchers who may not read it", async () => {
    const { path } = await request({ team_id: desk, member_id: sam });
    await admin.post(`${path}/watches`, { person_id: rita });
    await admin.post(`${path}/watches`, { person_id: mia });
    expect(await of(() => admin.post(`${path}/notes`, { text: "Secret", internal: true }))).toEqual([
      "sam: Request: new note",
    ]);
  });

  test("a note notifies neither disabled people nor people of uninvolved accounts", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    await admin.post(`${path}/watches`, { person_id: mia });
    await sql("UPDATE people SET disabled = true WHERE id IN (3, 5, 9)");
    const text = `<@7|Stella> and <@8|Pat>, <@${mia}|Mia>`;
    expect(await of(() => admin.post(`${path}/notes`, { text }))).toEqual([]);
    await sql("UPDATE people SET disabled = false WHERE id IN (3, 5, 9)");
  });
});

describe("problems", () => {
  test("a problem notifies the coordinator, the former member and the backlog's owner", async () => {
    const problem = await create("problem", { manager_id: 1 });
    const path = `/problems/${problem.id}`;
    expect(await of(() => admin.patch(path, { team_id: desk, member_id: null }))).toEqual([
      expect.stringMatching(/^mia: Problem: assigned to /),
    ]);
    await admin.patch(path, { member_id: sam });
    expect(await of(() => admin.patch(path, { member_id: mia }))).toEqual([
      "mia: Problem: assigned to you",
      "sam: Problem: no longer assigned to you",
    ]);
    const backlog = await create("product_backlog", { product_owner_id: sam });
    expect(await of(() => admin.patch(path, { product_backlog_id: backlog.id }))).toEqual([
      `sam: Problem: added to ${backlog.name}`,
    ]);
  });

  test("PB5: a halted workflow notifies the managers of its problem and its release", async () => {
    const release = await create("release", { manager_id: sam });
    const halting = await kinds.workflow({ release_id: release.id });
    const task = await kinds.task(halting);
    await kinds.task(halting);
    const problem = await create("problem", { manager_id: mia, team_id: desk });
    const pending = await admin.patch(`/problems/${problem.id}`, {
      workflow_id: halting.id,
      status: "workflow_pending",
    });
    expect(pending.status, pending.text).toBe(200);
    await admin.patch(`/tasks/${task.id}`, { status: "assigned", member_id: 1 });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "failed" }))).toEqual([
      "mia: Problem: progress halted",
      "sam: Release: progress halted",
    ]);
  });
});

describe("tasks", () => {
  test("a task without a member notifies the coordinator, and a note on it the manager and the approvers", async () => {
    const own = await kinds.workflow({ manager_id: mia });
    const task = await kinds.task(own, { team_id: desk });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual([
      expect.stringMatching(/^mia: Task: assigned to /),
    ]);
    const approval = await kinds.task(own, { category: "approval" });
    await admin.post(`/tasks/${approval.id}/approvals`, { approver_id: sam });
    await admin.patch(`/tasks/${approval.id}`, { status: "assigned" });
    expect(await of(() => admin.post(`/tasks/${approval.id}/notes`, { text: "Please" }))).toEqual([
      "mia: Task: new note",
      "sam: Task: new note",
    ]);
  });
});

describe("projects", () => {
  test("the manager is notified when progress has halted", async () => {
    const own = await kinds.project({ manager_id: mia });
    const [one] = [await kinds.projectTask(own), await kinds.projectTask(own)];
    await admin.post(`/project_tasks/${one.id}/assignments`, { assignee_id: sam });
    await admin.patch(`/project_tasks/${one.id}`, { status: "assigned" });
    expect(await of(() => specialist.patch(`/project_tasks/${one.id}`, { status: "failed" }))).toContain(
      "mia: Project: progress halted",
    );
  });

  test("approvers are asked for approval, other assignees to do the work", async () => {
    const approval = await kinds.projectTask(project, { category: "approval" });
    const activity = await kinds.projectTask(project);
    for (const { id } of [approval, activity])
      await admin.post(`/project_tasks/${id}/assignments`, { assignee_id: rita });
    const assign = (id: number) => () => admin.patch(`/project_tasks/${id}`, { status: "assigned" });
    expect(await of(assign(approval.id))).toEqual(["rita: Project task: your approval is requested"]);
    expect(await of(assign(activity.id))).toEqual(["rita: Project task: assigned to you"]);
  });

  test("a person removed from a task is notified", async () => {
    const task = await kinds.projectTask(project);
    const assignment = (await admin.post(`/project_tasks/${task.id}/assignments`, { assignee_id: mia })).body;
    await admin.patch(`/project_tasks/${task.id}`, { status: "assigned" });
    const remove = () => admin.delete(`/project_tasks/${task.id}/assignments/${assignment.id}`);
    expect(await of(remove)).toEqual(["mia: Project task: no longer assigned to you"]);
  });

  test("a team's task notifies the team's coordinator", async () => {
    const task = await kinds.projectTask(project, { team_id: desk });
    expect(await of(() => admin.patch(`/project_tasks/${task.id}`, { status: "assigned" }))).toEqual([
      expect.stringMatching(/^mia: Project task: assigned to /),
    ]);
  });
});

describe("agreements", () => {
  test.each([
    ["flsa", "First-line support agreement"],
    ["contract", "Contract"],
  ])("%s: activation and expiry notify the customer's representative", async (type, name) => {
    const agreement = await create(type, { customer_rep_id: mia });
    const { collection } = here.service.engine.types.get(type);
    await sql(`UPDATE ${collection} SET status = 'being_prepared', start_date = NULL, expiry_date = NULL`);
    const change = (status: string) => async () => {
      const reply = await admin.patch(`/${collection}/${agreement.id}`, { status });
      expect(reply.status, reply.text).toBe(200);
    };
    expect(await of(change("active"))).toEqual([`mia: ${name}: now active`]);
    expect(await of(change("expired"))).toEqual([`mia: ${name}: expired`]);
  });
});

describe("reservations", () => {
  test("pending, moved and ended reservations notify the person they are for", async () => {
    const at = (hours: number) => new Date(+clock.now() + hours * 3_600_000).toISOString();
    const times = { start_at: at(1), end_at: at(2) };
    let id = 0;
    const book = async () => {
      ({ id } = await create("reservation", { person_id: rita, status: "pending", ...times }));
    };
    expect(await of(book)).toEqual(["rita: Reservation: waiting for confirmation"]);
    expect(await of(() => admin.patch(`/reservations/${id}`, { end_at: at(3) }))).toEqual([
      "rita: Reservation: rescheduled",
    ]);
    await admin.patch(`/reservations/${id}`, { status: "confirmed" });
    expect(await of(() => clock.pass(3600))).toEqual([]);
    expect(await of(() => clock.pass(7200))).toEqual(["rita: Reservation: ended"]);
  });
});
