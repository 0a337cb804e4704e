import { describe, expect, test } from "vitest";
import { mia, rita, sam, serviceDeskNotificationWorld } from "../support/mail/notification-world.ts";

// Who gets which email: tests each row of records/notifications, up to a mail server.

const { here, server, of, admin, create, request, kinds, specialist, desk } = await serviceDeskNotificationWorld();
const { as, sql, clock } = here;

describe("requests", () => {
  test("NO1: the requester is notified of the registration, unless they registered the request themselves", async () => {
    expect(await of(() => request({ requested_by_id: rita, subject: "A new mouse" }))).toEqual([
      "rita: Request: registered",
    ]);
    expect(await of(() => request({ subject: "Mine" }, as("requester")))).toEqual([]);
  });

  test("NO1: when a person requests something for another person, both are notified, each once", async () => {
    expect(await of(() => request({ requested_by_id: rita, requested_for_id: 6 }))).toEqual([
      "kim: Request: registered",
      "rita: Request: registered",
    ]);
  });

  test("a request without a member notifies its team's coordinator, who can opt out", async () => {
    const subjects = await of(() => request({ team_id: desk }));
    expect(subjects).toEqual([expect.stringMatching(/^mia: Request: assigned to /)]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: true });
    expect(await of(() => request({ team_id: desk }))).toEqual([]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: false });
  });

  test("the new and the former member are notified", async () => {
    const { path } = await request({ team_id: desk });
    expect(await of(() => admin.patch(path, { member_id: sam }))).toEqual(["sam: Request: assigned to you"]);
    expect(await of(() => admin.patch(path, { member_id: mia }))).toEqual([
      "mia: Request: assigned to you",
      "sam: Request: no longer assigned to you",
    ]);
    expect(await of(() => as("manager").patch(path, { status: "in_progress" }))).toEqual([]);
  });

  test("R8: waiting for the customer sends one email with the note that says why", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    expect(await of(() => specialist.patch(path, { status: "waiting_for_customer", note: "Which **one**?" }))).toEqual([
      "rita: Request: your reply is needed",
    ]);
    expect(server.received[0]?.text).toContain("Which one?");
    expect(server.received[0]?.html).toContain("Which <strong>one</strong>?");
  });

  test("completion notifies both requesters", async () => {
    const { path } = await request({ requested_by_id: rita, requested_for_id: 6, team_id: desk, member_id: sam });
    expect(await of(() => specialist.patch(path, { status: "completed", completion_reason: "solved" }))).toEqual([
      "kim: Request: completed",
      "rita: Request: completed",
    ]);
    expect(server.received[0]?.text).toContain("was completed: Solved.");
  });

  test("a public note notifies the requester and the member, except its author", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    expect(await of(() => admin.post(`${path}/notes`, { text: "On its way" }))).toEqual([
      "rita: Request: new note",
      "sam: Request: new note",
    ]);
    expect(await of(() => as("requester").post(`${path}/notes`, { text: "Thanks" }))).toEqual([
      "sam: Request: new note",
    ]);
  });

  test("NO2: an internal note is never sent to the requester, nor to an end user mentioned in it", async () => {
    const { path } = await request({ requested_by_id: rita, requested_for_id: mia, team_id: desk, member_id: sam });
    const secret = `The secret of <@${rita}|Rita> and <@${mia}|Mia>`;
    expect(await of(() => admin.post(`${path}/notes`, { text: secret, internal: true }))).toEqual([
      "mia: Request: you were mentioned",
      "sam: Request: new note",
    ]);
    await of(() => admin.patch(path, { internal_note: "Another secret", note: "Open words" }));
    const toRita = server.received.filter(({ to }) => to.startsWith("rita"));
    expect(toRita).toHaveLength(1);
    expect(toRita[0]?.text).toContain("Open words");
    expect(toRita[0]?.raw).not.toContain("secret");
    expect(server.received.find(({ to }) => to.startsWith("sam"))?.text).toMatch(/Open words[\s\S]*Another secret/);
  });

  test("a mentioned person is notified once, whether otherwise involved or not", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    const text = `Ask <@${sam}|Sam>, <@${mia}|Mia>, <@${sam}|Sam> or <@7|Stella>; not \`<@4|Aude>\``;
    expect(await of(() => admin.post(`${path}/notes`, { text }))).toEqual([
      "mia: Request: you were mentioned",
      "rita: Request: new note",
      "sam: Request: you were mentioned",
    ]);
  });

  test("NO4: suppressing a note's notifications doesn't affect mentions and watchers", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    await admin.post(`${path}/watches`, { person_id: 6 });
    const note = { text: `Silently, <@${mia}|Mia>`, suppress_note_added_notifications: true };
    expect(await of(() => admin.post(`${path}/notes`, note))).toEqual([
      "kim: Request: updated",
      "mia: Request: you were mentioned",
    ]);
  });

  test("NO3: watchers are notified when they are added, and of updates", async () => {
    const { path } = await request({ team_id: desk });
    expect(await of(() => admin.post(`${path}/watches`, { person_id: rita }))).toEqual([
      "rita: Request: added to your watchlist",
    ]);
    expect(await of(() => specialist.patch(path, { status: "in_progress" }))).toEqual(["rita: Request: updated"]);
    expect(await of(() => specialist.patch(path, { subject: "Another" }))).toEqual([]);
    const { path: unwatched } = await request({ team_id: desk });
    await of(() => specialist.patch(unwatched, { status: "in_progress" }));
    expect(await sql("SELECT 1 FROM notification_outbox")).toEqual([]);
  });

  test("a reaction notifies the note's author", async () => {
    const { path } = await request({ requested_by_id: rita });
    const note = (await as("requester").post(`${path}/notes`, { text: "Hello" })).body;
    expect(await of(() => specialist.post("/note_reactions", { note_id: note.id, reaction: "👍" }))).toEqual([
      "rita: Request: 👍 on your note",
    ]);
  });

  test("adding a request to a backlog notifies the backlog's owner", async () => {
    const backlog = await create("product_backlog", { product_owner_id: mia });
    const { path } = await request({ team_id: desk, member_id: sam });
    expect(await of(() => admin.patch(path, { product_backlog_id: backlog.id }))).toContainEqual(
      `mia: Request: added to ${backlog.name}`,
    );
    expect(await of(() => admin.patch(`/product_backlogs/${backlog.id}`, { product_owner_id: sam }))).toEqual([
      expect.stringMatching(/^sam: .*: you are now the product owner$/),
    ]);
  });
});

describe("requests shared by several accounts", () => {
  test("people are notified once, with a link to their own account", async () => {
    const provider = as("provider");
    const providerTeam = (await provider.post("/teams", { name: "Provider Desk" })).body.id;
    for (const member of [8, 10]) await provider.post(`/teams/${providerTeam}/members/${member}`);
    await provider.patch(`/teams/${providerTeam}`, { coordinator_id: 10 });
    const notified = await of(() => request({ team_id: providerTeam, requested_by_id: rita, subject: "Dark" }));
    expect(notified).toEqual(["pia@provider.example: Request: assigned to Provider Desk", "rita: Request: registered"]);
    const link = /\/a\/[\w-]+\/requests\/\d+/;
    const links = Object.fromEntries(server.received.map(({ to, text }) => [to, link.exec(text)?.[0]]));
    const id = links["rita@widget.example"]?.split("/").at(-1);
    expect(links).toEqual({
      "pia@provider.example": `/a/provider/requests/${id}`,
      "rita@widget.example": `/a/widget-it/requests/${id}`,
    });
    const assign = () => provider.patch(`/requests/${id}`, { member_id: 10, internal_note: "Ours alone" });
    expect(await of(assign)).toEqual(["pia@provider.example: Request: assigned to you"]);
    expect(await of(() => provider.post(`/requests/${id}/notes`, { text: "On our way" }))).toEqual([
      "pia@provider.example: Request: new note",
      "rita: Request: new note",
    ]);
  });
});

describe("problems, releases and risks", () => {
  test("a problem notifies the manager, the member and the coordinator", async () => {
    const problem = await create("problem", { team_id: desk, manager_id: 1 });
    const path = `/problems/${problem.id}`;
    expect(await of(() => admin.patch(path, { member_id: sam }))).toEqual(["sam: Problem: assigned to you"]);
    expect(await of(() => admin.patch(path, { manager_id: mia }))).toEqual(["mia: Problem: you are now the manager"]);
    expect(await of(() => admin.post(`${path}/notes`, { text: "Found it" }))).toEqual([
      "mia: Problem: new note",
      "sam: Problem: new note",
    ]);
    expect(await of(() => specialist.patch(path, { status: "solved" }))).toEqual(["mia: Problem: solved"]);
  });

  test("a risk notifies its manager", async () => {
    const risk = await create("risk", { manager_id: 1 });
    expect(await of(() => admin.patch(`/risks/${risk.id}`, { manager_id: mia }))).toEqual([
      "mia: Risk: you are now the manager",
    ]);
    expect(await of(() => admin.post(`/risks/${risk.id}/notes`, { text: "Hm" }))).toEqual(["mia: Risk: new note"]);
  });

  test("a release's manager is notified of workflows added to it", async () => {
    await admin.post(`/people/${mia}/permissions/widget-it?roles=specialist,release_manager,workflow_manager`);
    const release = await create("release", { manager_id: mia });
    const workflow = await kinds.workflow();
    expect(await of(() => admin.patch(`/workflows/${workflow.id}`, { release_id: release.id }))).toEqual([
      `mia: Workflow: added to ${release.subject}`,
    ]);
    expect(await of(() => admin.patch(`/workflows/${workflow.id}`, { release_id: null }))).toEqual([
      "mia: Workflow: removed from your release",
    ]);
  });
});

describe("workflows and tasks", () => {
  test("WF7: only the manager is notified when progress has halted", async () => {
    const workflow = await kinds.workflow({ manager_id: mia });
    const task = await kinds.task(workflow, { member_id: sam });
    await kinds.task(workflow);
    await admin.patch(`/tasks/${task.id}`, { status: "assigned" });
    expect(await of(() => specialist.patch(`/tasks/${task.id}`, { status: "failed" }))).toEqual([
      "mia: Workflow: progress halted",
    ]);
  });

  test("a workflow notifies its new manager", async () => {
    expect(await of(() => kinds.workflow({ manager_id: mia }))).toEqual(["mia: Workflow: registered"]);
    const workflow = await kinds.workflow();
    expect(await of(() => admin.patch(`/workflows/${workflow.id}`, { manager_id: mia }))).toEqual([
      "mia: Workflow: you are now the manager",
    ]);
  });

  test("a task notifies its member when it begins, not when it is planned", async () => {
    const workflow = await kinds.workflow();
    const planned = await of(() => kinds.task(workflow, { member_id: sam, team_id: desk }));
    expect(planned).toEqual([]);
    const [{ id }] = (await admin.get(`/workflows/${workflow.id}/tasks`)).body;
    expect(await of(() => admin.patch(`/tasks/${id}`, { status: "assigned" }))).toEqual(["sam: Task: assigned to you"]);
    expect(await of(() => admin.patch(`/tasks/${id}`, { member_id: mia }))).toEqual([
      "mia: Task: assigned to you",
      "sam: Task: no longer assigned to you",
    ]);
    expect(await of(() => admin.post(`/tasks/${id}/notes`, { text: "?" }))).toEqual(["mia: Task: new note"]);
  });

  test("AP2: approvers are notified when the task is assigned, including end users", async () => {
    const workflow = await kinds.workflow();
    const task = await kinds.task(workflow, { category: "approval" });
    for (const approver_id of [sam, 6]) await admin.post(`/tasks/${task.id}/approvals`, { approver_id });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual([
      "kim: Task: your approval is requested",
      "sam: Task: your approval is requested",
    ]);
  });

  test("TA1: an automation task notifies no one", async () => {
    const workflow = await kinds.workflow();
    const task = await kinds.task(workflow, { category: "automation", team_id: desk });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual([]);
  });
});

describe("projects", () => {
  test("PT5: a reached milestone and a missed one each notify the manager once", async () => {
    await admin.post(`/people/${mia}/permissions/widget-it?roles=specialist,project_manager`);
    const project = await kinds.project({ manager_id: mia });
    const deadline = new Date(+clock.now() + 3_600_000).toISOString();
    const [one, other] = [
      await kinds.projectTask(project, { category: "milestone", deadline }),
      await kinds.projectTask(project, { category: "milestone", deadline }),
    ];
    for (const { id } of [one, other]) await admin.patch(`/project_tasks/${id}`, { status: "assigned" });
    expect(await of(() => admin.patch(`/project_tasks/${one.id}`, { status: "completed" }))).toContain(
      "mia: Project task: milestone reached",
    );
    expect(await of(() => clock.pass(3599))).toEqual([]);
    expect(await of(() => clock.pass(1))).toEqual(["mia: Project task: milestone missed"]);
    expect((await admin.get(`/project_tasks/${other.id}`)).body.status).toBe("assigned");
    expect(await of(() => clock.pass(86_400))).toEqual([]);
  });

  test("moving a deadline moves its notification", async () => {
    const project = await kinds.project({ manager_id: mia });
    const inHours = (hours: number) => new Date(+clock.now() + hours * 3_600_000).toISOString();
    const task = await kinds.projectTask(project, { category: "milestone", deadline: inHours(1) });
    await admin.patch(`/project_tasks/${task.id}`, { deadline: inHours(3) });
    expect(await of(() => clock.pass(7200))).toEqual([]);
    expect(await of(() => clock.pass(3600))).toEqual(["mia: Project task: milestone missed"]);
  });

  test("a project task notifies its assignees and the project's manager", async () => {
    expect(await of(() => kinds.project({ manager_id: mia }))).toEqual(["mia: Project: registered"]);
    const project = await kinds.project({ manager_id: mia });
    const task = await kinds.projectTask(project);
    await admin.post(`/project_tasks/${task.id}/assignments`, { assignee_id: rita });
    expect(await of(() => admin.patch(`/project_tasks/${task.id}`, { status: "assigned" }))).toContain(
      "rita: Project task: assigned to you",
    );
    expect(await of(() => specialist.post(`/project_tasks/${task.id}/notes`, { text: "Done soon" }))).toEqual([
      "mia: Project task: new note",
      "rita: Project task: new note",
    ]);
  });
});

describe("other records", () => {
  test("an out-of-office period notifies the delegate and the absent person", async () => {
    const period = {
      person_id: rita,
      start_at: "2030-01-01T08:00:00Z",
      end_at: "2030-01-05T08:00:00Z",
      approval_delegate_id: sam,
    };
    const made = await of(async () => {
      const { status, text } = await admin.post("/out_of_office_periods", period);
      expect(status, text).toBe(201);
    });
    expect(made).toEqual(["rita: Sam Specialist is approving for you", "sam: You're approving for Rita Requester"]);
    expect(server.received.find(({ to }) => to.startsWith("sam"))?.text).toContain("from January 1, 2030 at 13:30 to");
    const [{ id }] = (await admin.get("/out_of_office_periods")).body;
    expect(await of(() => admin.delete(`/out_of_office_periods/${id}`))).toEqual([
      "sam: You're no longer approving for Rita Requester",
    ]);
  });

  test("AB6, boards: a new manager is notified", async () => {
    const board = await create("agile_board", { manager_id: 1 });
    expect(await of(() => admin.patch(`/agile_boards/${board.id}`, { manager_id: mia }))).toEqual([
      "mia: Agile board: you are now the manager",
    ]);
  });

  test("agreements notify people when they begin and end", async () => {
    const sla = await create("sla", { service_level_manager_id: mia });
    await sql("UPDATE slas SET status = 'being_prepared', start_date = NULL, expiry_date = NULL WHERE id = $1", [
      sla.id,
    ]);
    const notified = await of(async () => {
      const reply = await admin.patch(`/slas/${sla.id}`, { status: "active", customer_representative_ids: [rita] });
      expect(reply.status, reply.text).toBe(200);
    });
    expect(notified).toEqual(["mia: SLA: now active"]);
    expect(await of(() => admin.patch(`/slas/${sla.id}`, { status: "expired" }))).toEqual(["mia: SLA: expired"]);
  });

  test("a reservation notifies the person it is for", async () => {
    const reservation = await create("reservation", { person_id: rita, status: "pending" });
    expect(await of(() => admin.patch(`/reservations/${reservation.id}`, { status: "confirmed" }))).toEqual([
      "rita: Reservation: confirmed",
    ]);
    expect(await of(() => admin.patch(`/reservations/${reservation.id}`, { status: "canceled" }))).toEqual([
      "rita: Reservation: canceled",
    ]);
  });
});
