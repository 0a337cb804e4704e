import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Tests two rules that apply to the same change. The other files of this folder test each rule alone.

const here = await world();
const { as, clock } = here;
const { request, load, create } = requestHelpers(here);
const admin = as("administrator"); // manages the workflows
const [specialist, colleague] = [as("specialist"), as("manager")];
const make = workflowHelpers(admin);
const [ada, sam, mia] = [1, 3, 9];
const hour = 3600;
type Members = Record<string, unknown>;

const later = (seconds: number) => `${new Date(clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`;
async function patch(path: string, members: Members, by = admin) {
  const { status, body, text } = await by.patch(path, members);
  expect(status, text).toBe(200);
  return body;
}
const patchTask = ({ id }: { id: number }, members: Members, by = admin) => patch(`/tasks/${id}`, members, by);
const createTask = async (members: Members = {}) => make.task(await make.workflow(), members);
const loadWorkflow = (of: { workflow: { id: number } }) => load(`/workflows/${of.workflow.id}`);
const loadApprovals = async ({ id }: { id: number }) =>
  (await admin.get(`/tasks/${id}/approvals`)).body.map((each: { approver: { id: number }; status: string }) => [
    each.approver.id,
    each.status,
  ]);
const createApproval = async (people: readonly number[], members: Members = {}) => {
  const made = await createTask({ category: "approval", ...members });
  for (const approver_id of people) await admin.post(`/tasks/${made.id}/approvals`, { approver_id });
  await patchTask(made, { status: "assigned" });
  return made;
};
const blank = ["status: Status can't be blank"];

describe("clearing fields", () => {
  test("C4: a status can't be blank, and a blank status doesn't reopen a completed record", async () => {
    const { path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
    const problem = await create("problem");
    const one = await createTask();
    for (const at of [path, `/problems/${problem.id}`, `/tasks/${one.id}`, `/workflows/${one.workflow.id}`])
      expect(describeErrors(await admin.patch(at, { status: null })), at).toEqual(blank);
    expect(await load(path)).toMatchObject({ status: "completed", reopen_count: 0 });
  });

  test("RQ3, RQ4, RQ6, RQ7: requested_by, the subject and an incident's impact get their defaults again", async () => {
    const { path } = await request({ category: "incident", impact: "high", subject: "Fire", requested_for_id: mia });
    const values = { requested_by_id: null, subject: null, impact: null, urgent: null };
    const subject = "Put it out";
    expect(await patch(path, { ...values, note: subject })).toMatchObject({
      ...{ requested_by: { id: mia }, requested_for: { id: mia }, impact: "low", urgent: false, subject },
    });
  });

  test("TK5: a finished task has a finished_at, even if the call clears it", async () => {
    const one = await createTask({ status: "assigned" });
    await patchTask(one, { status: "completed", finished_at: "2025-01-01T00:00:00Z" });
    const { finished_at } = await patchTask(one, { finished_at: null });
    expect(Date.parse(finished_at)).toBe(clock.now().getTime());
  });

  test("AP7: required_approvals is 1 by default, and again when cleared", async () => {
    const one = await createTask({ category: "approval", required_approvals: 3 });
    expect((await patchTask(one, { required_approvals: null })).required_approvals).toBe(1);
  });

  test("WF6: a completed workflow has a reason, even if the call clears it", async () => {
    const { workflow } = await createTask({ status: "assigned" });
    const path = `/workflows/${workflow.id}`;
    await patch(path, { status: "completed", completion_reason: "failed" });
    expect((await patch(path, { completion_reason: null })).completion_reason).toBe("complete");
  });

  test("a known error requires a workaround that isn't blank", async () => {
    const problem = await create("problem");
    expect(
      describeErrors(await admin.patch(`/problems/${problem.id}`, { known_error: true, workaround: "  " })),
    ).toEqual(["known_error: Known error is not valid"]);
  });
});

describe("a status and its required fields in one call", () => {
  test("T12: a change of team and status keeps the status, even the current one; T5: the acting person becomes the member", async () => {
    const one = await createTask({ status: "in_progress", member_id: sam });
    expect(await patchTask(one, { team_id: networksTeam, status: "in_progress" })).toMatchObject({
      ...{ status: "in_progress", team: { id: networksTeam }, member: { id: ada } },
    });
  });

  test("T2, T3: clearing start_at or moving it to the past assigns a task whose predecessors are finished", async () => {
    const first = await createTask({ status: "assigned" });
    const second = { predecessor_ids: [first.id], start_at: later(hour) };
    const [one, other, third] = [
      await make.task(first.workflow, second),
      await make.task(first.workflow, second),
      await make.task(first.workflow, second),
    ];
    expect((await patchTask(third, { start_at: null })).status).toBe("registered");
    await patchTask(first, { status: "completed" });
    expect((await patchTask(one, { start_at: null })).status).toBe("assigned");
    expect((await patchTask(other, { start_at: later(-hour) })).status).toBe("assigned");
    expect((await load(`/tasks/${third.id}`)).status).toBe("assigned");
  });

  test("PT5: a milestone with finished predecessors is completed, not assigned, when its start is reached", async () => {
    const project = await make.project();
    const first = await make.projectTask(project, { status: "assigned" });
    const milestone = { category: "milestone", predecessor_ids: [first.id], start_at: later(hour) };
    const [one, other] = [await make.projectTask(project, milestone), await make.projectTask(project, milestone)];
    await patch(`/project_tasks/${first.id}`, { status: "completed" });
    expect((await patch(`/project_tasks/${other.id}`, { start_at: null })).status).toBe("completed");
    await clock.pass(hour);
    expect((await load(`/project_tasks/${one.id}`)).status).toBe("completed");
  });

  test("TS1, PT8: time spent on a project task has the effort class of its template, of either type", async () => {
    const effort_class_id = (await create("effort_class")).id;
    const template = await make.taskTemplate({ effort_class_id });
    const one = await make.projectTask(await make.project(), { template_id: template.id, category: "activity" });
    await patch(`/project_tasks/${one.id}`, { time_spent: 30 });
    const [entry] = await load("/time_entries?sort=-id&per_page=1");
    expect(await load(`/time_entries/${entry.id}`)).toMatchObject({
      project_task: { id: one.id },
      effort_class: { id: effort_class_id },
    });
  });

  test("PT3: a task in progress is assigned again when a person is added, because the earliest status of its assignees counts", async () => {
    const one = await make.projectTask(await make.project(), { status: "in_progress" });
    await admin.post(`/project_tasks/${one.id}/assignments`, { assignee_id: sam });
    expect((await load(`/project_tasks/${one.id}`)).status).toBe("assigned");
  });

  test("WS2: starting a task reopens a workflow that was completed manually", async () => {
    const one = await createTask({ status: "assigned" });
    await patch(`/workflows/${one.workflow.id}`, { status: "completed" });
    const added = await make.task(one.workflow);
    expect((await loadWorkflow(one)).status).toBe("completed");
    await patchTask(added, { status: "assigned" });
    expect(await loadWorkflow(one)).toMatchObject({
      status: "in_progress",
      completed_at: null,
      completion_reason: null,
    });
  });
});

test("AR9: a task that waited for an erased request can be saved, and is canceled with its workflow", async () => {
  const { id, path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
  const one = await createTask({ status: "assigned", request_id: id });
  await patchTask(one, { status: "request_pending" });
  await admin.post(`${path}/trash`);
  await clock.pass(28 * 24 * hour);
  expect(await patchTask(one, { subject: "Nothing to wait for" })).toMatchObject({
    status: "request_pending",
    request: null,
  });
  await patch(`/workflows/${one.workflow.id}`, { status: "completed" });
  expect((await load(`/tasks/${one.id}`)).status).toBe("canceled");
});

describe("approvals", () => {
  test("AP1, AP8: an assigned task that becomes an approval asks its member, otherwise the manager", async () => {
    const [own, unassigned] = [
      await createTask({ status: "assigned", member_id: sam }),
      await createTask({ status: "assigned" }),
    ];
    for (const one of [own, unassigned]) await patchTask(one, { category: "approval" });
    expect(await loadApprovals(own)).toEqual([[sam, "assigned"]]);
    expect(await loadApprovals(unassigned)).toEqual([[ada, "assigned"]]);
    expect((await patchTask(own, { status: "approved" }, specialist)).status).toBe("approved");
  });

  test("AP5: a person who is asked twice has one vote", async () => {
    const one = await createApproval([sam, sam, mia], { required_approvals: 2 });
    expect((await patchTask(one, { status: "approved" }, specialist)).status).toBe("assigned");
    expect(describeErrors(await specialist.patch(`/tasks/${one.id}`, { status: "approved" }))).toEqual([
      "status: Status is not valid",
    ]);
    expect((await patchTask(one, { status: "approved" }, colleague)).status).toBe("approved");
  });

  test("AP9: a person who replaces an approver is asked again, and replacing is rejected once the task is decided", async () => {
    const one = await createApproval([sam, mia], { required_approvals: 2 });
    await patchTask(one, { status: "approved" }, specialist);
    const [first] = (await admin.get(`/tasks/${one.id}/approvals`)).body;
    const path = `/tasks/${one.id}/approvals/${first.id}`;
    expect((await patch(path, { approver_id: ada })).status).toBe("assigned");
    await patchTask(one, { status: "approved" }, colleague);
    await patchTask(one, { status: "approved" });
    expect(describeErrors(await admin.patch(path, { approver_id: sam }))).toEqual(["approver: Approver is not valid"]);
    const alone = await createApproval([sam]);
    await patchTask(alone, { status: "approved" }, specialist);
    expect(describeErrors(await admin.patch(`/tasks/${alone.id}`, { member_id: mia }))).toEqual([
      "member: Assignee is not valid",
    ]);
    await patchTask(alone, { status: "assigned", member_id: mia });
    expect(await loadApprovals(alone)).toEqual([[mia, "assigned"]]);
  });
});

describe("requests, their templates and their workflows", () => {
  const createTemplate = async (members: Members) => {
    const { id } = await make.workflowTemplate({
      ...{ category: "standard", justification: "improvement", service_id: 1, workflow_manager_id: ada },
      workflow_type: (await make.workflowType()).reference,
    });
    const { id: task_template_id } = await make.taskTemplate({ team_id: serviceDeskTeam });
    await admin.post(`/workflow_templates/${id}/task_template_relations`, { task_template_id });
    const settings = { workflow_template_id: id, workflow_manager_id: ada, assign_after_workflow_completion: true };
    return create("request_template", { category: "rfc", team_id: networksTeam, ...settings, ...members });
  };
  const finish = async (of: { workflow: { id: number } }) => {
    for (const each of (await admin.get(`/workflows/${of.workflow.id}/tasks`)).body)
      await patchTask(each, { status: "completed" });
  };

  test("R17, RQ10: a template's member who left its team doesn't prevent the workflow from being completed", async () => {
    const template = await createTemplate({ team_id: serviceDeskTeam, member_id: mia });
    const one = await request({ template_id: template.id });
    await admin.delete(`/teams/${serviceDeskTeam}/members/${mia}`);
    await finish(one);
    expect(await load(one.path)).toMatchObject({ status: "assigned", team: { id: serviceDeskTeam }, member: null });
    await admin.post(`/teams/${serviceDeskTeam}/members/${mia}`);
  });

  test("WF2: a request template with a disabled workflow template creates no workflow", async () => {
    const template = await createTemplate({});
    await patch(`/workflow_templates/${template.workflow_template.id}`, { disabled: true });
    expect(describeErrors(await admin.post("/requests", { category: "rfc", template_id: template.id }))).toEqual([
      "template: Template is not valid",
    ]);
    expect((await request({ template_id: template.id, status: "assigned" })).workflow).toBe(null);
  });

  test("RG8, RG9: an automation task gets no state that its category doesn't have", async () => {
    const template = await create("request_template", { category: "rfi", team_id: serviceDeskTeam, member_id: sam });
    const one = await createTask({ category: "automation", request_template_id: template.id, status: "in_progress" });
    const { request: generated } = await load(`/tasks/${one.id}`);
    for (const status of ["waiting_for_customer", "declined"])
      expect((await patch(`/requests/${generated.id}`, { status })).status).toBe(status);
    expect((await load(`/tasks/${one.id}`)).status).toBe("in_progress");
  });

  test("RG5: a request template disabled in the meantime generates no request, and a note reports it", async () => {
    const template = await create("request_template", { category: "rfi" });
    const one = await createTask({ request_template_id: template.id });
    await patch(`/request_templates/${template.id}`, { disabled: true });
    expect(await patchTask(one, { status: "assigned" })).toMatchObject({ status: "assigned", request: null });
    const { body } = await admin.get(`/tasks/${one.id}/notes`);
    expect(body).toMatchObject([{ medium: "system", text: expect.stringContaining("template: is not valid") }]);
  });

  test("R16, C11: a supplied team is kept, and a manager outside it doesn't become the member", async () => {
    const template = await createTemplate({});
    expect(await request({ template_id: template.id, team_id: serviceDeskTeam })).toMatchObject({
      ...{ status: "workflow_pending", team: { id: serviceDeskTeam }, member: null },
    });
  });

  test("RQ10: a template's member isn't applied to another team, nor to a team that the person has left", async () => {
    const template = await create("request_template", { category: "rfi", team_id: serviceDeskTeam, member_id: sam });
    const withoutMember = { team: { id: networksTeam }, member: null };
    expect(await request({ template_id: template.id, team_id: networksTeam })).toMatchObject(withoutMember);
    const { path } = await request({});
    expect(await patch(path, { template_id: template.id, team_id: networksTeam })).toMatchObject(withoutMember);
    await admin.delete(`/teams/${serviceDeskTeam}/members/${sam}`);
    expect(await request({ template_id: template.id })).toMatchObject({ team: { id: serviceDeskTeam }, member: null });
    await admin.post(`/teams/${serviceDeskTeam}/members/${sam}`);
  });

  test("R32, RQ8: another service instance with another member sets the member's team", async () => {
    const [one, other] = [await create("team"), await create("team")];
    const instances = [
      await create("service_instance", { support_team_id: one.id }),
      await create("service_instance", { support_team_id: other.id }),
    ];
    const { path } = await request({ service_instance_id: instances[0].id });
    expect(await patch(path, { service_instance_id: instances[1].id, member_id: sam })).toMatchObject({
      ...{ team: { id: serviceDeskTeam }, member: { id: sam } },
    });
  });

  test("RG11: a completed workflow withdraws the open request of a task that was completed manually", async () => {
    const template = await create("request_template", { category: "rfi" });
    const one = await createTask({ request_template_id: template.id, status: "assigned" });
    const { request: generated } = await load(`/tasks/${one.id}`);
    await patchTask(one, { status: "completed" });
    expect((await loadWorkflow(one)).status).toBe("completed");
    expect(await load(`/requests/${generated.id}`)).toMatchObject({
      ...{ status: "completed", completion_reason: "withdrawn" },
    });
  });

  test("RQ18: only the problem manager sets reviewed, and it is reset when its reason no longer applies", async () => {
    const { id } = await create("service", { problem_manager_id: mia });
    const instance = await create("service_instance", { service_id: id });
    const { path } = await request({ team_id: serviceDeskTeam, member_id: sam });
    expect((await patch(path, { service_instance_id: instance.id })).reviewed).toBe(false);
    expect((await patch(path, { status: "completed" })).reviewed).toBe(true);
    expect((await patch(path, { completion_reason: "workaround" })).reviewed).toBe(false);
    expect((await patch(path, { reviewed: true }, specialist)).reviewed).toBe(false);
    expect((await patch(path, { reviewed: true }, colleague)).reviewed).toBe(true);
    expect((await patch(path, { subject: "Reviewed" })).reviewed).toBe(true);
  });

  test("AR9, GR9: erasing a group ungroups its requests", async () => {
    const [one, other] = [await request({ team_id: serviceDeskTeam }), await request({ team_id: serviceDeskTeam })];
    const group = (await patch(one.path, { grouped_into_id: other.id })).grouped_into.id;
    await patch(`/requests/${group}`, { status: "completed", member_id: sam });
    await admin.post(`/requests/${group}/trash`);
    await clock.pass(28 * 24 * hour);
    expect(await load(one.path)).toMatchObject({ grouping: "none", grouped_into: null });
  });
});

test("AB4, GR6: a column that assigns a group to a person outside its team assigns its requests to that person, too", async () => {
  const board = await create("agile_board");
  const column = await admin.post(`/agile_boards/${board.id}/agile_board_columns`, {
    ...{ name: "Ada's", action_type: "assign", team_id: serviceDeskTeam, member_id: ada },
  });
  const [one, other] = [await request({ team_id: serviceDeskTeam }), await request({ team_id: serviceDeskTeam })];
  const group = (await patch(one.path, { grouped_into_id: other.id })).grouped_into.id;
  await patch(`/requests/${group}`, { agile_board_column_id: column.body.id });
  expect((await load(one.path)).member.id).toBe(ada);
});

describe("AB8: a placement on the team's board doesn't change the status", () => {
  const createTeamWithBoard = async () => {
    const { id } = await create("agile_board");
    await admin.post(`/agile_boards/${id}/agile_board_columns`, { name: "To do", action_type: "assign" });
    return (await create("team", { agile_board_id: id })).id as number;
  };

  test("a task waits for its turn", async () => {
    const team_id = await createTeamWithBoard();
    const first = await createTask({ team_id });
    expect(first).toMatchObject({ status: "registered", agile_board_column_position: 1 });
  });

  test("a request waits for its workflow, and a completed one stays completed", async () => {
    const team_id = await createTeamWithBoard();
    const { workflow } = await createTask({ status: "assigned" });
    expect((await request({ team_id, workflow_id: workflow.id })).status).toBe("workflow_pending");
    const { path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
    expect(await patch(path, { team_id })).toMatchObject({ status: "completed", reopen_count: 0 });
  });
});
