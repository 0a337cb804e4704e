import { describe, expect, onTestFinished, test } from "vitest";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors, pickIds } from "../support/replies.ts";
import { world } from "../support/world.ts";

// States of tasks, their approvals and the requests they generate. The titles name the rules.

const { as, clock, service, sql } = await world();
const admin = as("administrator"); // manages the workflows
const specialist = as("specialist");
const colleague = as("manager");
const requester = as("requester");
const make = workflowHelpers(admin);
const [ada, sam, mia, rita] = [1, 3, 9, 5];
const hour = 3600;
type Members = Record<string, unknown>;

const later = (seconds: number) => `${new Date(clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`;
const at = (text: string | null) => (text === null ? null : new Date(text).getTime());
const read = async (id: number) => (await admin.get(`/tasks/${id}`)).body;
const loadStatuses = async (...tasks: { id: number }[]) =>
  Promise.all(tasks.map(async ({ id }) => (await read(id)).status as string));
const loadWorkflow = async ({ id }: { id: number }) => (await admin.get(`/workflows/${id}`)).body;
const put = async ({ id }: { id: number }, members: Members, by = admin) => {
  const { status, body, text } = await by.patch(`/tasks/${id}`, members);
  expect(status, text).toBe(200);
  return body;
};
const move = (task: { id: number }, status: string, by = admin) => put(task, { status }, by);
const refused = ["status: Status is not valid"];

/** Creates a workflow, an assigned task, and its successors. */
async function createChain(length: number, members: Members = {}) {
  const workflow = await make.workflow();
  const tasks = [await make.task(workflow, { status: "assigned", ...members })];
  while (tasks.length < length) tasks.push(await make.task(workflow, { predecessor_ids: [tasks.at(-1).id] }));
  return { workflow, tasks };
}
const createTask = async (members: Members = {}) => (await createChain(1, members)).tasks[0];

describe("fields of a task", () => {
  test("TK4: assigned_at is set when the status becomes assigned, kept between active statuses, and reset by a new assignment", async () => {
    const task = await createTask();
    expect(at(task.assigned_at)).toBe(clock.now().getTime());
    await clock.pass(hour);
    for (const status of ["in_progress", "assigned", "accepted"])
      expect(at((await move(task, status)).assigned_at), status).toBe(at(task.assigned_at));
    await move(task, "registered");
    expect(at((await move(task, "assigned")).assigned_at)).toBe(clock.now().getTime());
    const given = "2025-01-01T00:00:00Z";
    await move(task, "registered");
    expect(at((await put(task, { status: "assigned", assigned_at: given })).assigned_at)).toBe(at(given));
  });

  test("TK5, TK6: a terminal status sets finished_at unless supplied, and leaving it clears it; resolution_duration is the minutes in between", async () => {
    const task = await createTask();
    await clock.pass(90 * 60 + 59);
    const done = await move(task, "completed");
    expect([at(done.finished_at), done.resolution_duration]).toEqual([clock.now().getTime(), 90]);
    const again = await move(task, "assigned");
    expect([again.finished_at, again.resolution_duration]).toEqual([null, null]);
    const given = later(600);
    const failed = await put(task, { status: "failed", finished_at: given });
    expect([at(failed.finished_at), failed.resolution_duration]).toEqual([at(given), 10]);
    expect((await put(task, { finished_at: later(1200) })).resolution_duration).toBe(20);
  });

  test("TK7: new_assignment is true when the status is assigned or declined, otherwise false", async () => {
    const task = await createTask();
    expect(task.new_assignment).toBe(true);
    expect((await move(task, "in_progress")).new_assignment).toBe(false);
    expect((await move(task, "declined")).new_assignment).toBe(true);
    expect((await move(task, "completed")).new_assignment).toBe(false);
  });

  test("TK12: the template's flags determine who does a task: the first is its member, all of them are approvers with their effort", async () => {
    await admin.patch("/services/1", { service_owner_id: mia });
    const workflow = await make.workflow();
    const flags = {
      assign_to_workflow_manager: true,
      planned_effort_workflow_manager: 11,
      assign_to_service_owner: true,
      planned_effort_service_owner: 22,
    };
    const createTemplate = await make.taskTemplate({ ...flags, member_id: sam, team_id: serviceDeskTeam });
    expect((await make.task(workflow, { template_id: createTemplate.id })).member.id).toBe(ada);
    expect((await make.task(workflow, { template_id: createTemplate.id, member_id: sam })).member.id).toBe(sam);
    const approval = await make.taskTemplate({ ...flags, category: "approval" });
    await admin.post(`/task_templates/${approval.id}/approvals`, { approver_id: sam, planned_effort: 33 });
    const { id, member } = await make.task(workflow, { template_id: approval.id });
    expect(member).toBeNull();
    const { body } = await admin.get(`/tasks/${id}/approvals`);
    expect(body.map((each: Members & { approver: { id: number } }) => [each.approver.id, each.planned_effort])).toEqual(
      [
        [sam, 33],
        [ada, 11],
        [mia, 22],
      ],
    );
  });

  test("TK12: requester, their manager and the manager of their business unit are those of the first linked request", async () => {
    const workflow = await make.workflow();
    await admin.post("/requests", { category: "rfc", requested_for_id: rita, workflow_id: workflow.id });
    await sql("UPDATE organizations SET business_unit = true, manager_id = $1 WHERE id = 3", [sam]);
    const flags = { assign_to_requester: true, assign_to_requester_manager: true };
    const createTemplate = await make.taskTemplate({
      ...flags,
      assign_to_requester_business_unit_manager: true,
      category: "approval",
    });
    const { id } = await make.task(workflow, { template_id: createTemplate.id });
    const { body } = await admin.get(`/tasks/${id}/approvals`);
    expect(body.map((each: { approver: { id: number } }) => each.approver.id)).toEqual([rita, mia, sam]);
  });
});

describe("transitions of a task", () => {
  test("T2: a registered task is assigned when its last predecessor finishes", async () => {
    const workflow = await make.workflow();
    const [a, b] = [
      await make.task(workflow, { status: "assigned" }),
      await make.task(workflow, { status: "assigned" }),
    ];
    const c = await make.task(workflow, { predecessor_ids: [a.id, b.id] });
    await move(a, "completed");
    expect(await loadStatuses(c)).toEqual(["registered"]);
    await clock.pass(60);
    await move(b, "completed");
    const released = await read(c.id);
    expect([released.status, at(released.assigned_at), released.new_assignment]).toEqual([
      "assigned",
      clock.now().getTime(),
      true,
    ]);
  });

  test("T3, PS6: a task with finished predecessors and a future start_at stays registered, and its workflow in progress, until then", async () => {
    const { workflow, tasks } = await createChain(1);
    const [a] = tasks;
    const b = await make.task(workflow, { predecessor_ids: [a.id], start_at: later(2 * hour) });
    await move(a, "completed");
    expect([await loadStatuses(b), (await loadWorkflow(workflow)).status]).toEqual([["registered"], "in_progress"]);
    await clock.pass(2 * hour);
    expect(await loadStatuses(b)).toEqual(["assigned"]);
    const [line] = (await admin.get(`/tasks/${b.id}/audit`)).body;
    expect(line).toMatchObject({ created_by: null, changes: { status: ["registered", "assigned"] } });
  });

  test("T3: start_at doesn't assign a task with unfinished predecessors; their completion does", async () => {
    const { workflow, tasks } = await createChain(1);
    const b = await make.task(workflow, { predecessor_ids: [tasks[0].id], start_at: later(hour) });
    await clock.pass(hour);
    expect(await loadStatuses(b)).toEqual(["registered"]);
    await move(tasks[0], "completed");
    expect(await loadStatuses(b)).toEqual(["assigned"]);
  });

  test("T3: a task set back to registered after its start stays registered", async () => {
    const { workflow, tasks } = await createChain(1);
    const b = await make.task(workflow, { predecessor_ids: [tasks[0].id], start_at: later(hour) });
    await move(tasks[0], "completed");
    await clock.pass(hour);
    await clock.pass(hour);
    await move(b, "registered");
    await clock.pass(hour);
    expect(await loadStatuses(b)).toEqual(["registered"]);
  });

  test("T4: a task can be assigned manually even if its predecessors are unfinished", async () => {
    const { workflow, tasks } = await createChain(2);
    expect((await move(tasks[1], "assigned")).status).toBe("assigned");
    expect((await loadWorkflow(workflow)).status).toBe("in_progress");
  });

  test("T5: a person who accepts or starts a task without a member becomes its member", async () => {
    const task = await createTask();
    expect((await move(task, "accepted", specialist)).member.id).toBe(sam);
    expect((await move(task, "declined", specialist)).member.id).toBe(sam);
    expect((await move(await createTask(), "in_progress", colleague)).member.id).toBe(mia);
  });

  test("T6, T7: a waiting task is assigned again at waiting_until, with no actor", async () => {
    const task = await createTask();
    expect(describeErrors(await admin.patch(`/tasks/${task.id}`, { status: "waiting_for" }))).toEqual([
      "waiting_until: Waiting until can't be blank",
    ]);
    await put(task, { status: "waiting_for", waiting_until: later(hour) });
    await clock.pass(hour);
    expect(await read(task.id)).toMatchObject({ status: "assigned", waiting_until: null, new_assignment: true });
    const [event] = await sql(
      "SELECT event, person_id, payload->>'previous_status' AS old FROM events WHERE record_type = 'task' AND record_id = $1 AND event = 'task.status-changed' ORDER BY id DESC LIMIT 1",
      [task.id],
    );
    expect(event).toEqual({ event: "task.status-changed", person_id: null, old: "waiting_for" });
  });

  test("T8, T9: completing a task assigns its successors, failing doesn't", async () => {
    const [well, badly] = [await createChain(2), await createChain(2)];
    await move(well.tasks[0], "completed");
    await move(badly.tasks[0], "failed");
    expect(await loadStatuses(well.tasks[1], badly.tasks[1])).toEqual(["assigned", "registered"]);
  });

  test("T10, PS5: a canceled task counts as finished for its successors", async () => {
    const { tasks } = await createChain(3);
    await move(tasks[0], "canceled");
    expect(await loadStatuses(...tasks)).toEqual(["canceled", "assigned", "registered"]);
  });

  test("T10, T11: only the workflow's manager cancels or reopens a task", async () => {
    const task = await createTask();
    expect(describeErrors(await specialist.patch(`/tasks/${task.id}`, { status: "canceled" }))).toEqual(refused);
    await move(task, "completed", specialist);
    expect(describeErrors(await specialist.patch(`/tasks/${task.id}`, { status: "assigned" }))).toEqual(refused);
    expect((await move(task, "assigned")).status).toBe("assigned");
  });

  test("T11: reopening a finished task reopens its workflow, and active successors don't change", async () => {
    const { workflow, tasks } = await createChain(2);
    await move(tasks[0], "completed");
    await move(tasks[0], "assigned");
    expect(await loadStatuses(...tasks)).toEqual(["assigned", "assigned"]);
    for (const task of tasks) await move(task, "completed");
    expect((await loadWorkflow(workflow)).status).toBe("completed");
    expect((await move(tasks[1], "registered")).finished_at).toBeNull();
    expect(await loadWorkflow(workflow)).toMatchObject({
      status: "progress_halted",
      completed_at: null,
      completion_reason: null,
    });
  });

  test("T12: changing the team of an active task assigns it again, without a member", async () => {
    const task = await createTask({ member_id: sam });
    await move(task, "in_progress");
    await clock.pass(hour);
    const changed = await put(task, { team_id: networksTeam });
    expect(changed).toMatchObject({ status: "assigned", member: null, team: { id: networksTeam } });
    expect(at(changed.assigned_at)).toBe(clock.now().getTime());
  });

  test("T15: completing the workflow manually cancels its open tasks", async () => {
    const { workflow, tasks } = await createChain(3);
    await move(tasks[0], "completed");
    await admin.patch(`/workflows/${workflow.id}`, { status: "completed" });
    expect(await loadStatuses(...tasks)).toEqual(["completed", "canceled", "canceled"]);
  });
});

describe("automation tasks", () => {
  test("TA1: an automation task needs no member and can have no team", async () => {
    // The task has no rules, so the worker would complete it (TA3), perhaps before the test reads it.
    await service.worker.stop();
    onTestFinished(() => service.worker.start());
    const createTemplate = await make.workflowTemplate();
    const { id } = await make.taskTemplate({ category: "automation" });
    await admin.post(`/workflow_templates/${createTemplate.id}/task_template_relations`, { task_template_id: id });
    const workflow = await make.workflow({ template_id: createTemplate.id });
    const [task] = (await admin.get(`/workflows/${workflow.id}/tasks`)).body;
    expect(task).toMatchObject({ status: "assigned", team: null, member: null });
    expect((await move(task, "in_progress")).member).toBeNull();
    await move(task, "completed");
    expect((await loadWorkflow(workflow)).status).toBe("completed");
  });
});

describe("approvals", () => {
  const loadApprovals = async ({ id }: { id: number }) =>
    (await admin.get(`/tasks/${id}/approvals`)).body as { id: number; approver: { id: number }; status: string }[];
  const loadVotes = async (task: { id: number }) => (await loadApprovals(task)).map(({ status }) => status);
  const three = [sam, mia, rita];

  async function createApproval(approvers: readonly number[], members: Members = {}) {
    const workflow = await make.workflow();
    const task = await make.task(workflow, { category: "approval", ...members });
    for (const approver_id of approvers) await admin.post(`/tasks/${task.id}/approvals`, { approver_id });
    return { ...task, workflow };
  }

  test("AP1: the member of an approval task is its only approver, and with several approvers it has no member", async () => {
    const task = await createApproval([]);
    expect((await put(task, { member_id: rita })).member.id).toBe(rita);
    expect((await loadApprovals(task)).map(({ approver }) => approver.id)).toEqual([rita]);
    expect((await put(task, { member_id: sam })).member.id).toBe(sam);
    expect((await loadApprovals(task)).map(({ approver }) => approver.id)).toEqual([sam]);
    const second = (await admin.post(`/tasks/${task.id}/approvals`, { approver_id: mia })).body;
    expect((await read(task.id)).member).toBeNull();
    expect((await put(task, { member_id: rita })).member).toBeNull();
    await admin.delete(`/tasks/${task.id}/approvals/${second.id}`);
    expect((await read(task.id)).member.id).toBe(sam);
  });

  test("AP2: approvals are registered with their task and assigned with it", async () => {
    const task = await createApproval(three);
    expect(await loadVotes(task)).toEqual(["registered", "registered", "registered"]);
    await move(task, "assigned");
    expect(await loadVotes(task)).toEqual(["assigned", "assigned", "assigned"]);
  });

  test("AP3, AP5: if two of three must approve, the second approves the task and the third approval is canceled", async () => {
    const task = await createApproval(three, { required_approvals: 2 });
    await move(task, "assigned");
    expect((await move(task, "approved", specialist)).status).toBe("assigned");
    expect(await loadVotes(task)).toEqual(["approved", "assigned", "assigned"]);
    expect(describeErrors(await specialist.patch(`/tasks/${task.id}`, { status: "rejected" }))).toEqual(refused);
    const approved = await move(task, "approved", colleague);
    expect([approved.status, at(approved.finished_at)]).toEqual(["approved", clock.now().getTime()]);
    expect(await loadVotes(task)).toEqual(["approved", "approved", "canceled"]);
    expect(await loadWorkflow(task.workflow)).toMatchObject({ status: "completed", completion_reason: "complete" });
  });

  test("AP3: a person without any role votes, and adds a note", async () => {
    const task = await createApproval([rita]);
    await move(task, "assigned");
    const { status, text } = await requester.patch(`/tasks/${task.id}`, { status: "approved", note: "Fine" });
    expect([status, text]).toEqual([200, expect.stringContaining('"approved"')]);
    expect(pickIds(await admin.get(`/tasks/${task.id}/notes`))).toHaveLength(1);
  });

  test("AP3, TE7: while an approver is out of office the approval_delegate approves instead", async () => {
    const task = await createApproval([sam]);
    await put(task, { status: "assigned" });
    const delegate = as("requester");
    const vote = async () => (await delegate.patch(`/tasks/${task.id}`, { status: "approved" })).status;
    expect(await vote()).toBe(403);
    const [before, after] = [-3_600_000, 3_600_000].map((by) => new Date(clock.now().getTime() + by).toISOString());
    const away = { person_id: sam, approval_delegate_id: rita, start_at: before, end_at: after };
    const { body: period } = await admin.post("/out_of_office_periods", away);
    expect((await delegate.get(`/tasks/approval_by_me?id=${task.id}`)).body).toHaveLength(1);
    expect(await vote()).toBe(200);
    expect((await loadApprovals(task))[0]).toMatchObject({ approver: { id: sam }, status: "approved" });
    await admin.delete(`/out_of_office_periods/${period.id}`);
    expect((await delegate.get(`/tasks/${task.id}`)).status).toBe(403);
  });

  test("AP4: anyone else's vote is rejected, and nothing is stored", async () => {
    const task = await createApproval([sam]);
    expect(describeErrors(await admin.patch(`/tasks/${task.id}`, { status: "approved" }))).toEqual(refused);
    await move(task, "assigned");
    for (const status of ["approved", "rejected"])
      expect(describeErrors(await admin.patch(`/tasks/${task.id}`, { status, subject: "Forced" }))).toEqual(refused);
    expect(await read(task.id)).toMatchObject({ status: "assigned", subject: "Do it" });
    const workflow = await make.workflow();
    const { id: template_id } = await make.taskTemplate({ category: "approval" });
    const born = { template_id, team_id: serviceDeskTeam, status: "approved" };
    expect(describeErrors(await admin.post(`/workflows/${workflow.id}/tasks`, born))).toEqual(refused);
  });

  test("AP6, AP12: one rejection immediately rejects the task and halts the workflow, and the linked request doesn't change", async () => {
    const task = await createApproval(three, { required_approvals: 2 });
    const request = (await admin.post("/requests", { category: "rfc", workflow_id: task.workflow.id })).body;
    await admin.patch(`/requests/${request.id}`, {
      status: "workflow_pending",
      team_id: serviceDeskTeam,
      member_id: sam,
    });
    const { updated_at } = (await admin.get(`/requests/${request.id}`)).body;
    await move(task, "assigned");
    await move(task, "approved", specialist);
    await clock.pass(60);
    expect(await move(task, "rejected", colleague)).toMatchObject({ status: "rejected", rejection_count: 1 });
    expect(await loadVotes(task)).toEqual(["approved", "rejected", "canceled"]);
    expect((await loadWorkflow(task.workflow)).status).toBe("progress_halted");
    const after = (await admin.get(`/requests/${request.id}`)).body;
    expect([after.status, after.updated_at]).toEqual(["workflow_pending", updated_at]);
  });

  test("AP7: more required approvals than approvers means all of them", async () => {
    const task = await createApproval([sam, mia], { required_approvals: 5 });
    await move(task, "assigned");
    expect((await move(task, "approved", specialist)).status).toBe("assigned");
    expect((await move(task, "approved", colleague)).status).toBe("approved");
    const fewer = await createApproval(three, { required_approvals: 2 });
    await move(fewer, "assigned");
    await move(fewer, "approved", specialist);
    expect((await put(fewer, { required_approvals: 1 })).status).toBe("approved");
    expect(await loadVotes(fewer)).toEqual(["approved", "canceled", "canceled"]);
  });

  test("AP8: an activated approval task without approvals asks the workflow manager", async () => {
    const task = await createApproval([]);
    expect((await move(task, "assigned")).member.id).toBe(ada);
    expect(await loadApprovals(task)).toMatchObject([{ approver: { id: ada }, status: "assigned" }]);
    expect((await move(task, "approved")).status).toBe("approved");
  });

  test("AP9: an approver added to an assigned task is asked immediately; removing one can decide it; the manager replaces the last one", async () => {
    const task = await createApproval([sam, mia], { required_approvals: 2 });
    await move(task, "assigned");
    const added = (await admin.post(`/tasks/${task.id}/approvals`, { approver_id: rita })).body;
    expect(added.status).toBe("assigned");
    await move(task, "approved", specialist);
    const [, second] = await loadApprovals(task);
    await admin.delete(`/tasks/${task.id}/approvals/${second?.id}`);
    expect(await loadStatuses(task)).toEqual(["assigned"]);
    await admin.delete(`/tasks/${task.id}/approvals/${added.id}`);
    expect(await loadStatuses(task)).toEqual(["approved"]);
    const other = await createApproval([sam]);
    await move(other, "assigned");
    await admin.delete(`/tasks/${other.id}/approvals`);
    expect(await loadApprovals(other)).toMatchObject([{ approver: { id: ada }, status: "assigned" }]);
    expect((await read(other.id)).member.id).toBe(ada);
  });

  test("AP10: rework resets all approvals and finished_at, and keeps rejection_count", async () => {
    const task = await createApproval(three);
    await move(task, "assigned");
    await move(task, "rejected", specialist);
    expect(await move(task, "assigned")).toMatchObject({ finished_at: null, rejection_count: 1 });
    expect(await loadVotes(task)).toEqual(["assigned", "assigned", "assigned"]);
    await move(task, "rejected", colleague);
    expect((await move(task, "registered")).rejection_count).toBe(2);
    expect(await loadVotes(task)).toEqual(["registered", "registered", "registered"]);
  });

  test("AP11: canceling the task cancels all open approvals", async () => {
    const task = await createApproval(three, { required_approvals: 2 });
    await move(task, "assigned");
    await move(task, "approved", specialist);
    await move(task, "canceled");
    expect(await loadVotes(task)).toEqual(["approved", "canceled", "canceled"]);
  });

  test("AP13: approval_by_me shows approvals of tasks that are not registered", async () => {
    const task = await createApproval([rita, sam]);
    const listMine = async () => pickIds(await requester.get(`/tasks/approval_by_me?id=${task.id}`));
    expect(await listMine()).toEqual([]);
    await move(task, "assigned");
    expect(await listMine()).toEqual([task.id]);
  });
});

describe("requests generated by a task", () => {
  const createTemplate = async (members: Members = {}) =>
    (
      await admin.post("/request_templates", {
        subject: "Order it",
        category: "rfc",
        team_id: serviceDeskTeam,
        ...members,
      })
    ).body.id as number;
  const loadRequest = async (task: { id: number }) => {
    const { request } = await read(task.id);
    return request === null ? null : (await admin.get(`/requests/${request.id}`)).body;
  };
  async function createGenerating(members: Members = {}) {
    const { workflow, tasks } = await createChain(1, { request_template_id: await createTemplate(), ...members });
    return { workflow, task: tasks[0], request: await loadRequest(tasks[0]) };
  }
  const complete = async ({ id }: { id: number }, completion_reason: string) => {
    const reply = await admin.patch(`/requests/${id}`, { status: "completed", completion_reason });
    expect(reply.status, reply.text).toBe(200);
  };

  test.each(["assigned", "accepted", "in_progress"])(
    "RG1, RG2: a task saved as %s generates a request from its template, and keeps its status",
    async (status) => {
      const { workflow, task, request } = await createGenerating({ status });
      expect((await read(task.id)).status).toBe(status);
      expect(request).toMatchObject({
        subject: "Order it",
        category: "rfc",
        task: { id: task.id },
        requested_for: { id: ada },
        requested_by: { id: ada },
      });
      await put(task, { subject: "Once more" });
      expect((await sql("SELECT 1 FROM requests WHERE task_id = $1", [task.id])).length).toBe(1);
      expect((await loadWorkflow(workflow)).status).toBe("in_progress");
    },
  );

  test("RG1: the requester is that of the workflow's first request", async () => {
    const workflow = await make.workflow();
    await admin.post("/requests", { category: "rfc", requested_for_id: rita, workflow_id: workflow.id });
    const task = await make.task(workflow, { status: "assigned", request_template_id: await createTemplate() });
    expect((await loadRequest(task)).requested_for.id).toBe(rita);
  });

  test("RG1: a task assigned by a timer generates its request, registered by the manager", async () => {
    const workflow = await make.workflow({ start_at: later(hour) });
    const task = await make.task(workflow, { request_template_id: await createTemplate() });
    await clock.pass(hour);
    expect(await loadRequest(task)).toMatchObject({ task: { id: task.id }, created_by: { id: ada } });
  });

  test.each(["request_pending", "waiting_for_customer"])(
    "RG3: a task with a request can be set to %s",
    async (status) => {
      const { task } = await createGenerating();
      expect((await move(task, status)).status).toBe(status);
    },
  );

  test.each(["request_pending", "waiting_for_customer"])(
    "RG12: a task without a request can't be set to %s",
    async (status) => {
      const { id } = await createTask();
      expect(describeErrors(await admin.patch(`/tasks/${id}`, { status }))).toEqual(refused);
      expect((await read(id)).status).toBe("assigned");
    },
  );

  test("RG4: changing the request template after the generation has no effect", async () => {
    const { task, request } = await createGenerating();
    await put(task, { request_template_id: await createTemplate({ subject: "Something else" }) });
    expect((await loadRequest(task)).id).toBe(request.id);
  });

  test("RG5: if the request can't be generated, the task keeps its status and gets a note with the errors", async () => {
    const incomplete = (await admin.post("/request_templates", { subject: "No category" })).body.id;
    const { task, request } = await createGenerating({ request_template_id: incomplete });
    expect([request, task.status]).toEqual([null, "assigned"]);
    const { body } = await admin.get(`/tasks/${task.id}/notes`);
    expect(body).toMatchObject([{ medium: "system", text: expect.stringContaining("category") }]);
  });

  test("T13, RG6: completing its request as solved completes the task, with all effects", async () => {
    const { workflow, tasks } = await createChain(2, { request_template_id: await createTemplate() });
    await complete(await loadRequest(tasks[0]), "solved");
    expect(await loadStatuses(...tasks)).toEqual(["completed", "assigned"]);
    expect((await loadWorkflow(workflow)).status).toBe("in_progress");
  });

  test("T14, RG7: completing its request with another reason fails the task, with a note that names the reason", async () => {
    const { workflow, task, request } = await createGenerating();
    await complete(request, "unsolvable");
    expect(await loadStatuses(task)).toEqual(["failed"]);
    expect((await loadWorkflow(workflow)).status).toBe("progress_halted");
    const { body } = await admin.get(`/tasks/${task.id}/notes`);
    expect(body).toMatchObject([{ medium: "system", text: expect.stringContaining("unsolvable") }]);
  });

  test("RG8: the task waits for the customer while its request does", async () => {
    const { task, request } = await createGenerating();
    await admin.patch(`/requests/${request.id}`, { status: "waiting_for_customer", member_id: sam });
    expect(await loadStatuses(task)).toEqual(["waiting_for_customer"]);
    await admin.patch(`/requests/${request.id}`, { status: "in_progress" });
    expect(await loadStatuses(task)).toEqual(["assigned"]);
  });

  test("RG9: declining a request declines the task, and reopening it reopens the task that it had finished", async () => {
    const { task, request } = await createGenerating();
    await admin.patch(`/requests/${request.id}`, { status: "declined" });
    expect(await loadStatuses(task)).toEqual(["declined"]);
    for (const reason of ["solved", "withdrawn"]) {
      await complete(request, reason);
      await admin.patch(`/requests/${request.id}`, { status: "assigned" });
      expect(await loadStatuses(task), reason).toEqual(["assigned"]);
    }
    await move(task, "canceled");
    await admin.patch(`/requests/${request.id}`, { status: "assigned" });
    expect(await loadStatuses(task)).toEqual(["canceled"]);
  });

  test("RG10: public notes are copied between task and request with their author, internal ones aren't", async () => {
    const { task, request } = await createGenerating();
    await specialist.post(`/tasks/${task.id}/notes`, { text: "From the task" });
    await admin.post(`/requests/${request.id}/notes`, { text: "From the request" });
    await admin.post(`/requests/${request.id}/notes`, { text: "Between us", internal: true });
    const loadTexts = async (path: string) =>
      (await admin.get(`${path}/notes?sort=id`)).body.map((note: { text: string; person: { id: number } }) => [
        note.text,
        note.person.id,
      ]);
    const both = [
      ["From the task", sam],
      ["From the request", ada],
    ];
    expect(await loadTexts(`/tasks/${task.id}`)).toEqual(both);
    expect(await loadTexts(`/requests/${request.id}`)).toEqual([...both, ["Between us", ada]]);
  });

  test("NT6: a task's notes are copied to the workflow and its requests if the task's flags are set", async () => {
    const workflow = await make.workflow();
    const request = (await admin.post("/requests", { category: "rfc", workflow_id: workflow.id })).body;
    const flags = { copy_note_to_workflow: true, copy_note_to_request: true };
    const [copied, kept] = [await make.task(workflow, flags), await make.task(workflow)];
    await put(copied, { note: "For everybody" });
    await put(kept, { note: "For the team" });
    for (const path of [`/workflows/${workflow.id}`, `/requests/${request.id}`])
      expect((await admin.get(`${path}/notes`)).body, path).toMatchObject([{ text: "For everybody" }]);
  });

  test("RG11: canceling the task or completing the workflow withdraws the open request", async () => {
    const [one, other] = [await createGenerating(), await createGenerating()];
    await move(one.task, "canceled");
    await admin.patch(`/workflows/${other.workflow.id}`, { status: "completed" });
    for (const { request } of [one, other])
      expect((await admin.get(`/requests/${request.id}`)).body).toMatchObject({
        status: "completed",
        completion_reason: "withdrawn",
      });
  });
});

describe("the order of tasks", () => {
  test("PS3: inserting between two tasks doesn't remove their relation", async () => {
    const { workflow, tasks } = await createChain(2);
    await make.task(workflow, { predecessor_ids: [tasks[0].id], successor_ids: [tasks[1].id] });
    expect(pickIds(await admin.get(`/tasks/${tasks[1].id}/predecessors`))).toHaveLength(2);
    await move(tasks[0], "completed");
    expect(await loadStatuses(tasks[1])).toEqual(["registered"]);
  });

  test("PS4: failed predecessors never assign their successors", async () => {
    const workflow = await make.workflow();
    const [a, b] = [
      await make.task(workflow, { status: "assigned" }),
      await make.task(workflow, { status: "assigned" }),
    ];
    const c = await make.task(workflow, { predecessor_ids: [a.id, b.id] });
    await move(a, "failed");
    await move(b, "completed");
    expect([await loadStatuses(c), (await loadWorkflow(workflow)).status]).toEqual([["registered"], "progress_halted"]);
  });

  test("PS7: adding an unfinished predecessor doesn't change an active task, and removing one can assign a task", async () => {
    const { workflow, tasks } = await createChain(2);
    const other = await make.task(workflow);
    await admin.post(`/tasks/${tasks[0].id}/predecessors/${other.id}`);
    expect(await loadStatuses(tasks[0])).toEqual(["assigned"]);
    await admin.post(`/tasks/${tasks[1].id}/predecessors/${other.id}`);
    await move(tasks[0], "completed");
    expect(await loadStatuses(tasks[1])).toEqual(["registered"]);
    await admin.delete(`/tasks/${tasks[1].id}/predecessors/${other.id}`);
    expect(await loadStatuses(tasks[1])).toEqual(["assigned"]);
  });

  test("PS8, PS14: a task added to a running workflow starts automatically only if it has predecessors and all are finished", async () => {
    const { workflow, tasks } = await createChain(1);
    const alone = await make.task(workflow);
    await move(tasks[0], "completed");
    expect([alone.status, (await loadWorkflow(workflow)).status]).toEqual(["registered", "progress_halted"]);
    const { status, assigned_at } = await make.task(workflow, { predecessor_ids: [tasks[0].id] });
    expect([status, at(assigned_at)]).toEqual(["assigned", clock.now().getTime()]);
    expect((await make.task(workflow, { predecessor_ids: [alone.id] })).status).toBe("registered");
    expect((await loadWorkflow(workflow)).status).toBe("in_progress");
  });

  test("PS9, PS11: a failed task starts its failure task, and is assigned again if the failure task is its predecessor and finishes", async () => {
    const workflow = await make.workflow();
    const repair = await make.task(workflow);
    const task = await make.task(workflow, { failure_task_id: repair.id, status: "assigned" });
    await admin.post(`/tasks/${task.id}/predecessors/${repair.id}`);
    await move(task, "failed");
    expect(await loadStatuses(task, repair)).toEqual(["failed", "assigned"]);
    expect((await loadWorkflow(workflow)).status).toBe("in_progress");
    await move(repair, "completed");
    expect(await read(task.id)).toMatchObject({ status: "assigned", finished_at: null });
    await move(task, "failed");
    expect(await read(repair.id)).toMatchObject({ status: "assigned", finished_at: null });
  });

  test("PS12: a task that is only a failure task doesn't start with the workflow, and is canceled when it isn't needed", async () => {
    const workflow = await make.workflow({ start_at: later(hour) });
    const repair = await make.task(workflow);
    const task = await make.task(workflow, { failure_task_id: repair.id });
    const thanks = await make.task(workflow, { predecessor_ids: [repair.id] });
    await clock.pass(hour);
    expect(await loadStatuses(task, repair, thanks)).toEqual(["assigned", "registered", "registered"]);
    await move(task, "completed");
    expect(await loadStatuses(task, repair, thanks)).toEqual(["completed", "canceled", "canceled"]);
    expect((await loadWorkflow(workflow)).status).toBe("completed");
  });
});

describe("transactions", () => {
  test("if a consequence of a change fails, the whole change is rolled back", async () => {
    const { workflow, tasks } = await createChain(2);
    await sql(
      "ALTER TABLE workflows ADD CONSTRAINT halted CHECK (completion_reason IS DISTINCT FROM 'complete') NOT VALID",
    );
    await move(tasks[0], "completed");
    const before = await sql("SELECT count(*) FROM audit_lines");
    expect((await admin.patch(`/tasks/${tasks[1].id}`, { status: "completed", note: "Done" })).status).not.toBe(200);
    await sql("ALTER TABLE workflows DROP CONSTRAINT halted");
    expect(await sql("SELECT count(*) FROM audit_lines")).toEqual(before);
    expect([await loadStatuses(tasks[1]), (await loadWorkflow(workflow)).status]).toEqual([
      ["assigned"],
      "in_progress",
    ]);
    expect((await admin.get(`/tasks/${tasks[1].id}/notes`)).body).toEqual([]);
  });

  test("tasks completed concurrently assign their successor exactly once", async () => {
    const workflow = await make.workflow();
    const parallel = await Promise.all(Array.from({ length: 6 }, () => make.task(workflow, { status: "assigned" })));
    const last = await make.task(workflow, { predecessor_ids: parallel.map(({ id }) => id) });
    const replies = await Promise.all(parallel.map(({ id }) => admin.patch(`/tasks/${id}`, { status: "completed" })));
    expect(replies.map(({ status }) => status)).toEqual(parallel.map(() => 200));
    expect(await loadStatuses(last)).toEqual(["assigned"]);
    const released = await sql(
      "SELECT 1 FROM events WHERE record_type = 'task' AND record_id = $1 AND event = 'task.status-changed'",
      [last.id],
    );
    expect(released).toHaveLength(1);
    expect((await loadWorkflow(workflow)).status).toBe("in_progress");
  });

  test("completing requests and tasks concurrently never causes a deadlock", async () => {
    const { id: request_template_id } = (
      await admin.post("/request_templates", { subject: "Order it", category: "rfc" })
    ).body;
    const workflow = await make.workflow();
    const tasks = await Promise.all(
      Array.from({ length: 4 }, () => make.task(workflow, { status: "assigned", request_template_id })),
    );
    const requests = await Promise.all(tasks.map(async ({ id }) => (await read(id)).request.id as number));
    const replies = await Promise.all([
      ...requests.map((id) => admin.patch(`/requests/${id}`, { status: "completed" })),
      ...tasks.map(({ id }) => admin.patch(`/tasks/${id}`, { status: "canceled" })),
    ]);
    for (const { status } of replies) expect([200, 422]).toContain(status);
    expect((await loadWorkflow(workflow)).status).toBe("completed");
  });
});
