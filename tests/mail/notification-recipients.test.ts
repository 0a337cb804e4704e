import { describe, expect, test } from "vitest";
import { mia, rita, sam, serviceDeskNotificationWorld } from "../support/mail/notification-world.ts";

// Who hears of what by mail: the rows of records/notifications, each as a story, with a mail server at the end of it.

const { here, server, of, admin, create, request, kinds, specialist, desk } = await serviceDeskNotificationWorld();
const { as, sql, clock } = here;

describe("requests", () => {
  test("NO1: who asked hears that it is registered, whoever registers it; never the one who did it", async () => {
    expect(await of(() => request({ requested_by_id: rita, subject: "A new mouse" }))).toEqual([
      "rita: Request: registered",
    ]);
    expect(await of(() => request({ subject: "Mine" }, as("requester")))).toEqual([]);
  });

  test("NO1: who asks for somebody else: both hear of it, each once", async () => {
    expect(await of(() => request({ requested_by_id: rita, requested_for_id: 6 }))).toEqual([
      "kim: Request: registered",
      "rita: Request: registered",
    ]);
  });

  test("a request without a member is told to the coordinator of its team, who may not want that", async () => {
    const subjects = await of(() => request({ team_id: desk }));
    expect(subjects).toEqual([expect.stringMatching(/^mia: Request: assigned to /)]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: true });
    expect(await of(() => request({ team_id: desk }))).toEqual([]);
    await admin.patch(`/people/${mia}`, { exclude_team_notifications: false });
  });

  test("the member hears of it, and so does the one who had it before", async () => {
    const { path } = await request({ team_id: desk });
    expect(await of(() => admin.patch(path, { member_id: sam }))).toEqual(["sam: Request: assigned to you"]);
    expect(await of(() => admin.patch(path, { member_id: mia }))).toEqual([
      "mia: Request: assigned to you",
      "sam: Request: no longer assigned to you",
    ]);
    expect(await of(() => as("manager").patch(path, { status: "in_progress" }))).toEqual([]);
  });

  test("R8: waiting for the customer; the note that says why comes in the same mail", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    expect(await of(() => specialist.patch(path, { status: "waiting_for_customer", note: "Which **one**?" }))).toEqual([
      "rita: Request: your reply is needed",
    ]);
    expect(server.received[0]?.text).toContain("Which one?");
    expect(server.received[0]?.html).toContain("Which <strong>one</strong>?");
  });

  test("completed", async () => {
    const { path } = await request({ requested_by_id: rita, requested_for_id: 6, team_id: desk, member_id: sam });
    expect(await of(() => specialist.patch(path, { status: "completed", completion_reason: "solved" }))).toEqual([
      "kim: Request: completed",
      "rita: Request: completed",
    ]);
    expect(server.received[0]?.text).toContain("was completed: Solved.");
  });

  test("a public note: who asked and who works on it; a note of theirs: the other one", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    expect(await of(() => admin.post(`${path}/notes`, { text: "On its way" }))).toEqual([
      "rita: Request: new note",
      "sam: Request: new note",
    ]);
    expect(await of(() => as("requester").post(`${path}/notes`, { text: "Thanks" }))).toEqual([
      "sam: Request: new note",
    ]);
  });

  test("NO2: an internal note never leaves to who asked, nor to an end user who is mentioned in it", async () => {
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

  test("who is mentioned hears of it once, with or without another part in it", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    const text = `Ask <@${sam}|Sam>, <@${mia}|Mia>, <@${sam}|Sam> or <@7|Stella>; not \`<@4|Aude>\``;
    expect(await of(() => admin.post(`${path}/notes`, { text }))).toEqual([
      "mia: Request: you were mentioned",
      "rita: Request: new note",
      "sam: Request: you were mentioned",
    ]);
  });

  test("NO4: suppressing the notifications of a note leaves mentions and watchers", async () => {
    const { path } = await request({ requested_by_id: rita, team_id: desk, member_id: sam });
    await admin.post(`${path}/watches`, { person_id: 6 });
    const note = { text: `Silently, <@${mia}|Mia>`, suppress_note_added_notifications: true };
    expect(await of(() => admin.post(`${path}/notes`, note))).toEqual([
      "kim: Request: updated",
      "mia: Request: you were mentioned",
    ]);
  });

  test("NO3: watchers hear that they are, and of what happens to it", async () => {
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

  test("a reaction is told to the author of the note", async () => {
    const { path } = await request({ requested_by_id: rita });
    const note = (await as("requester").post(`${path}/notes`, { text: "Hello" })).body;
    expect(await of(() => specialist.post("/note_reactions", { note_id: note.id, reaction: "👍" }))).toEqual([
      "rita: Request: 👍 on your note",
    ]);
  });

  test("a backlog is told to its owner", async () => {
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

describe("requests that several accounts work on", () => {
  test("people hear of what is theirs, where they can read it, and nobody hears twice", async () => {
    const provider = as("provider");
    const theirs = (await provider.post("/teams", { name: "Provider Desk" })).body.id;
    for (const member of [8, 10]) await provider.post(`/teams/${theirs}/members/${member}`);
    await provider.patch(`/teams/${theirs}`, { coordinator_id: 10 });
    const told = await of(() => request({ team_id: theirs, requested_by_id: rita, subject: "Dark" }));
    expect(told).toEqual(["pia@provider.example: Request: assigned to Provider Desk", "rita: Request: registered"]);
    const link = /\/a\/[\w-]+\/requests\/\d+/;
    const links = Object.fromEntries(server.received.map(({ to, text }) => [to, link.exec(text)?.[0]]));
    const id = links["rita@widget.example"]?.split("/").at(-1);
    expect(links).toEqual({
      "pia@provider.example": `/a/provider/requests/${id}`,
      "rita@widget.example": `/a/widget-it/requests/${id}`,
    });
    const handedOn = () => provider.patch(`/requests/${id}`, { member_id: 10, internal_note: "Ours alone" });
    expect(await of(handedOn)).toEqual(["pia@provider.example: Request: assigned to you"]);
    expect(await of(() => provider.post(`/requests/${id}/notes`, { text: "On our way" }))).toEqual([
      "pia@provider.example: Request: new note",
      "rita: Request: new note",
    ]);
  });
});

describe("problems, releases and risks", () => {
  test("the manager, the member and the coordinator of a problem", async () => {
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

  test("the manager of a risk", async () => {
    const risk = await create("risk", { manager_id: 1 });
    expect(await of(() => admin.patch(`/risks/${risk.id}`, { manager_id: mia }))).toEqual([
      "mia: Risk: you are now the manager",
    ]);
    expect(await of(() => admin.post(`/risks/${risk.id}/notes`, { text: "Hm" }))).toEqual(["mia: Risk: new note"]);
  });

  test("the manager of a release hears of the workflows in it", async () => {
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
  test("WF7: the manager hears that the progress has halted; nobody else does", async () => {
    const workflow = await kinds.workflow({ manager_id: mia });
    const task = await kinds.task(workflow, { member_id: sam });
    await kinds.task(workflow);
    await admin.patch(`/tasks/${task.id}`, { status: "assigned" });
    expect(await of(() => specialist.patch(`/tasks/${task.id}`, { status: "failed" }))).toEqual([
      "mia: Workflow: progress halted",
    ]);
  });

  test("the manager of a workflow, old and new", async () => {
    expect(await of(() => kinds.workflow({ manager_id: mia }))).toEqual(["mia: Workflow: registered"]);
    const workflow = await kinds.workflow();
    expect(await of(() => admin.patch(`/workflows/${workflow.id}`, { manager_id: mia }))).toEqual([
      "mia: Workflow: you are now the manager",
    ]);
  });

  test("a task is told when it begins, not when it is planned", async () => {
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

  test("AP2: approvers are asked when the task is assigned, end users as well", async () => {
    const workflow = await kinds.workflow();
    const task = await kinds.task(workflow, { category: "approval" });
    for (const approver_id of [sam, 6]) await admin.post(`/tasks/${task.id}/approvals`, { approver_id });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual([
      "kim: Task: your approval is requested",
      "sam: Task: your approval is requested",
    ]);
  });

  test("TA1: an automation task tells nobody", async () => {
    const workflow = await kinds.workflow();
    const task = await kinds.task(workflow, { category: "automation", team_id: desk });
    expect(await of(() => admin.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual([]);
  });
});

describe("projects", () => {
  test("PT5: a milestone reached, and one that was missed, each told once to the manager", async () => {
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

  test("a deadline that moves, moves what is told of it", async () => {
    const project = await kinds.project({ manager_id: mia });
    const inHours = (hours: number) => new Date(+clock.now() + hours * 3_600_000).toISOString();
    const task = await kinds.projectTask(project, { category: "milestone", deadline: inHours(1) });
    await admin.patch(`/project_tasks/${task.id}`, { deadline: inHours(3) });
    expect(await of(() => clock.pass(7200))).toEqual([]);
    expect(await of(() => clock.pass(3600))).toEqual(["mia: Project task: milestone missed"]);
  });

  test("those who are assigned to a task, and the manager of the project", async () => {
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

describe("further records", () => {
  test("who stands in for somebody hears of it, and who is stood in for", async () => {
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

  test("AB6, boards: a new manager", async () => {
    const board = await create("agile_board", { manager_id: 1 });
    expect(await of(() => admin.patch(`/agile_boards/${board.id}`, { manager_id: mia }))).toEqual([
      "mia: Agile board: you are now the manager",
    ]);
  });

  test("agreements that begin and end", async () => {
    const sla = await create("sla", { service_level_manager_id: mia });
    await sql("UPDATE slas SET status = 'being_prepared', start_date = NULL, expiry_date = NULL WHERE id = $1", [
      sla.id,
    ]);
    const told = await of(async () => {
      const reply = await admin.patch(`/slas/${sla.id}`, { status: "active", customer_representative_ids: [rita] });
      expect(reply.status, reply.text).toBe(200);
    });
    expect(told).toEqual(["mia: SLA: now active"]);
    expect(await of(() => admin.patch(`/slas/${sla.id}`, { status: "expired" }))).toEqual(["mia: SLA: expired"]);
  });

  test("a reservation is told to the one it is for", async () => {
    const reservation = await create("reservation", { person_id: rita, status: "pending" });
    expect(await of(() => admin.patch(`/reservations/${reservation.id}`, { status: "confirmed" }))).toEqual([
      "rita: Reservation: confirmed",
    ]);
    expect(await of(() => admin.patch(`/reservations/${reservation.id}`, { status: "canceled" }))).toEqual([
      "rita: Reservation: canceled",
    ]);
  });
});
