import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { networksTeam, serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Where two rules meet in one save. The other files of this name test each rule alone.

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
async function patched(path: string, members: Members, by = admin) {
  const { status, body, text } = await by.patch(path, members);
  expect(status, text).toBe(200);
  return body;
}
const put = ({ id }: { id: number }, members: Members, by = admin) => patched(`/tasks/${id}`, members, by);
const task = async (members: Members = {}) => make.task(await make.workflow(), members);
const workflowOf = (of: { workflow: { id: number } }) => load(`/workflows/${of.workflow.id}`);
const approvalsOf = async ({ id }: { id: number }) =>
  (await admin.get(`/tasks/${id}/approvals`)).body.map((each: { approver: { id: number }; status: string }) => [
    each.approver.id,
    each.status,
  ]);
const approval = async (people: readonly number[], members: Members = {}) => {
  const made = await task({ category: "approval", ...members });
  for (const approver_id of people) await admin.post(`/tasks/${made.id}/approvals`, { approver_id });
  await put(made, { status: "assigned" });
  return made;
};
const blank = ["status: Status can't be blank"];

describe("what is taken away", () => {
  test("C4: a status cannot be blank, and no blank one opens what was completed", async () => {
    const { path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
    const problem = await create("problem");
    const one = await task();
    for (const at of [path, `/problems/${problem.id}`, `/tasks/${one.id}`, `/workflows/${one.workflow.id}`])
      expect(describeErrors(await admin.patch(at, { status: null })), at).toEqual(blank);
    expect(await load(path)).toMatchObject({ status: "completed", reopen_count: 0 });
  });

  test("RQ3, RQ4, RQ6, RQ7: who asks, the subject and the impact of an incident have a default again", async () => {
    const { path } = await request({ category: "incident", impact: "high", subject: "Fire", requested_for_id: mia });
    const values = { requested_by_id: null, subject: null, impact: null, urgent: null };
    const subject = "Put it out";
    expect(await patched(path, { ...values, note: subject })).toMatchObject({
      ...{ requested_by: { id: mia }, requested_for: { id: mia }, impact: "low", urgent: false, subject },
    });
  });

  test("TK5: a finished task has a finished_at, also when it is taken away", async () => {
    const one = await task({ status: "assigned" });
    await put(one, { status: "completed", finished_at: "2025-01-01T00:00:00Z" });
    const { finished_at } = await put(one, { finished_at: null });
    expect(Date.parse(finished_at)).toBe(clock.now().getTime());
  });

  test("AP7: required_approvals is 1 by default, and again when it is taken away", async () => {
    const one = await task({ category: "approval", required_approvals: 3 });
    expect((await put(one, { required_approvals: null })).required_approvals).toBe(1);
  });

  test("WF6: a completed workflow has a reason, also when it is taken away", async () => {
    const { workflow } = await task({ status: "assigned" });
    const path = `/workflows/${workflow.id}`;
    await patched(path, { status: "completed", completion_reason: "failed" });
    expect((await patched(path, { completion_reason: null })).completion_reason).toBe("complete");
  });

  test("a known error needs a workaround that says something", async () => {
    const problem = await create("problem");
    expect(
      describeErrors(await admin.patch(`/problems/${problem.id}`, { known_error: true, workaround: "  " })),
    ).toEqual(["known_error: Known error is not valid"]);
  });
});

describe("a status and what it needs in one call", () => {
  test("T12: another team with a status keeps the status, even the one it had; T5: whoever says so has it", async () => {
    const one = await task({ status: "in_progress", member_id: sam });
    expect(await put(one, { team_id: networksTeam, status: "in_progress" })).toMatchObject({
      ...{ status: "in_progress", team: { id: networksTeam }, member: { id: ada } },
    });
  });

  test("T2, T3: a start that is taken away or moved to the past holds a released task back no longer", async () => {
    const first = await task({ status: "assigned" });
    const second = { predecessor_ids: [first.id], start_at: later(hour) };
    const [one, other, third] = [
      await make.task(first.workflow, second),
      await make.task(first.workflow, second),
      await make.task(first.workflow, second),
    ];
    expect((await put(third, { start_at: null })).status).toBe("registered");
    await put(first, { status: "completed" });
    expect((await put(one, { start_at: null })).status).toBe("assigned");
    expect((await put(other, { start_at: later(-hour) })).status).toBe("assigned");
    expect((await load(`/tasks/${third.id}`)).status).toBe("assigned");
  });

  test("PT5: a milestone whose predecessors are good is completed when its start is reached, not assigned", async () => {
    const project = await make.project();
    const first = await make.projectTask(project, { status: "assigned" });
    const milestone = { category: "milestone", predecessor_ids: [first.id], start_at: later(hour) };
    const [one, other] = [await make.projectTask(project, milestone), await make.projectTask(project, milestone)];
    await patched(`/project_tasks/${first.id}`, { status: "completed" });
    expect((await patched(`/project_tasks/${other.id}`, { start_at: null })).status).toBe("completed");
    await clock.pass(hour);
    expect((await load(`/project_tasks/${one.id}`)).status).toBe("completed");
  });

  test("TS1, PT8: time spent on a project task has the effort class of its template, of either type", async () => {
    const effort_class_id = (await create("effort_class")).id;
    const template = await make.taskTemplate({ effort_class_id });
    const one = await make.projectTask(await make.project(), { template_id: template.id, category: "activity" });
    await patched(`/project_tasks/${one.id}`, { time_spent: 30 });
    const [entry] = await load("/time_entries?sort=-id&per_page=1");
    expect(await load(`/time_entries/${entry.id}`)).toMatchObject({
      project_task: { id: one.id },
      effort_class: { id: effort_class_id },
    });
  });

  test("PT3: who joins a task that is in progress is the one who is least far", async () => {
    const one = await make.projectTask(await make.project(), { status: "in_progress" });
    await admin.post(`/project_tasks/${one.id}/assignments`, { assignee_id: sam });
    expect((await load(`/project_tasks/${one.id}`)).status).toBe("assigned");
  });

  test("WS2: a task that is begun in a workflow that was completed by hand opens it again", async () => {
    const one = await task({ status: "assigned" });
    await patched(`/workflows/${one.workflow.id}`, { status: "completed" });
    const added = await make.task(one.workflow);
    expect((await workflowOf(one)).status).toBe("completed");
    await put(added, { status: "assigned" });
    expect(await workflowOf(one)).toMatchObject({ status: "in_progress", completed_at: null, completion_reason: null });
  });
});

test("AR9: a task that waited for a request that is erased can be saved, and canceled with its workflow", async () => {
  const { id, path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
  const one = await task({ status: "assigned", request_id: id });
  await put(one, { status: "request_pending" });
  await admin.post(`${path}/trash`);
  await clock.pass(28 * 24 * hour);
  expect(await put(one, { subject: "Nothing to wait for" })).toMatchObject({
    status: "request_pending",
    request: null,
  });
  await patched(`/workflows/${one.workflow.id}`, { status: "completed" });
  expect((await load(`/tasks/${one.id}`)).status).toBe("canceled");
});

describe("approvals", () => {
  test("AP1, AP8: a task that becomes an approval while it is assigned asks its member, else the manager", async () => {
    const [own, nobodys] = [await task({ status: "assigned", member_id: sam }), await task({ status: "assigned" })];
    for (const one of [own, nobodys]) await put(one, { category: "approval" });
    expect(await approvalsOf(own)).toEqual([[sam, "assigned"]]);
    expect(await approvalsOf(nobodys)).toEqual([[ada, "assigned"]]);
    expect((await put(own, { status: "approved" }, specialist)).status).toBe("approved");
  });

  test("AP5: who is asked twice has one voice", async () => {
    const one = await approval([sam, sam, mia], { required_approvals: 2 });
    expect((await put(one, { status: "approved" }, specialist)).status).toBe("assigned");
    expect(describeErrors(await specialist.patch(`/tasks/${one.id}`, { status: "approved" }))).toEqual([
      "status: Status is not valid",
    ]);
    expect((await put(one, { status: "approved" }, colleague)).status).toBe("approved");
  });

  test("AP9: who is put in the place of somebody who has approved is asked anew, and no longer once all is decided", async () => {
    const one = await approval([sam, mia], { required_approvals: 2 });
    await put(one, { status: "approved" }, specialist);
    const [first] = (await admin.get(`/tasks/${one.id}/approvals`)).body;
    const path = `/tasks/${one.id}/approvals/${first.id}`;
    expect((await patched(path, { approver_id: ada })).status).toBe("assigned");
    await put(one, { status: "approved" }, colleague);
    await put(one, { status: "approved" });
    expect(describeErrors(await admin.patch(path, { approver_id: sam }))).toEqual(["approver: Approver is not valid"]);
    const alone = await approval([sam]);
    await put(alone, { status: "approved" }, specialist);
    expect(describeErrors(await admin.patch(`/tasks/${alone.id}`, { member_id: mia }))).toEqual([
      "member: Assignee is not valid",
    ]);
    await put(alone, { status: "assigned", member_id: mia });
    expect(await approvalsOf(alone)).toEqual([[mia, "assigned"]]);
  });
});

describe("requests, their templates and their workflows", () => {
  const aTemplate = async (members: Members) => {
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
      await put(each, { status: "completed" });
  };

  test("R17, RQ10: a member of the template who left its team keeps no workflow from being completed", async () => {
    const template = await aTemplate({ team_id: serviceDeskTeam, member_id: mia });
    const one = await request({ template_id: template.id });
    await admin.delete(`/teams/${serviceDeskTeam}/members/${mia}`);
    await finish(one);
    expect(await load(one.path)).toMatchObject({ status: "assigned", team: { id: serviceDeskTeam }, member: null });
    await admin.post(`/teams/${serviceDeskTeam}/members/${mia}`);
  });

  test("WF2: a request template whose workflow template is disabled makes no workflow", async () => {
    const template = await aTemplate({});
    await patched(`/workflow_templates/${template.workflow_template.id}`, { disabled: true });
    expect(describeErrors(await admin.post("/requests", { category: "rfc", template_id: template.id }))).toEqual([
      "template: Template is not valid",
    ]);
    expect((await request({ template_id: template.id, status: "assigned" })).workflow).toBe(null);
  });

  test("RG8, RG9: an automation task is in no state that its category does not have", async () => {
    const template = await create("request_template", { category: "rfi", team_id: serviceDeskTeam, member_id: sam });
    const one = await task({ category: "automation", request_template_id: template.id, status: "in_progress" });
    const { request: generated } = await load(`/tasks/${one.id}`);
    for (const status of ["waiting_for_customer", "declined"])
      expect((await patched(`/requests/${generated.id}`, { status })).status).toBe(status);
    expect((await load(`/tasks/${one.id}`)).status).toBe("in_progress");
  });

  test("RG5: a request template that was disabled meanwhile generates no request, and a note says so", async () => {
    const template = await create("request_template", { category: "rfi" });
    const one = await task({ request_template_id: template.id });
    await patched(`/request_templates/${template.id}`, { disabled: true });
    expect(await put(one, { status: "assigned" })).toMatchObject({ status: "assigned", request: null });
    const { body } = await admin.get(`/tasks/${one.id}/notes`);
    expect(body).toMatchObject([{ medium: "system", text: expect.stringContaining("template: is not valid") }]);
  });

  test("R16, C11: a team that is given stays; a manager who is not in it is not its member", async () => {
    const template = await aTemplate({});
    expect(await request({ template_id: template.id, team_id: serviceDeskTeam })).toMatchObject({
      ...{ status: "workflow_pending", team: { id: serviceDeskTeam }, member: null },
    });
  });

  test("RQ10: the member of a template is not taken over to another team, nor to one the person has left", async () => {
    const template = await create("request_template", { category: "rfi", team_id: serviceDeskTeam, member_id: sam });
    const taken = { team: { id: networksTeam }, member: null };
    expect(await request({ template_id: template.id, team_id: networksTeam })).toMatchObject(taken);
    const { path } = await request({});
    expect(await patched(path, { template_id: template.id, team_id: networksTeam })).toMatchObject(taken);
    await admin.delete(`/teams/${serviceDeskTeam}/members/${sam}`);
    expect(await request({ template_id: template.id })).toMatchObject({ team: { id: serviceDeskTeam }, member: null });
    await admin.post(`/teams/${serviceDeskTeam}/members/${sam}`);
  });

  test("R32, RQ8: another service instance with another member brings the team of that member", async () => {
    const [one, other] = [await create("team"), await create("team")];
    const instances = [
      await create("service_instance", { support_team_id: one.id }),
      await create("service_instance", { support_team_id: other.id }),
    ];
    const { path } = await request({ service_instance_id: instances[0].id });
    expect(await patched(path, { service_instance_id: instances[1].id, member_id: sam })).toMatchObject({
      ...{ team: { id: serviceDeskTeam }, member: { id: sam } },
    });
  });

  test("RG11: a workflow that completes withdraws the open request of a task that was completed by hand", async () => {
    const template = await create("request_template", { category: "rfi" });
    const one = await task({ request_template_id: template.id, status: "assigned" });
    const { request: generated } = await load(`/tasks/${one.id}`);
    await put(one, { status: "completed" });
    expect((await workflowOf(one)).status).toBe("completed");
    expect(await load(`/requests/${generated.id}`)).toMatchObject({
      ...{ status: "completed", completion_reason: "withdrawn" },
    });
  });

  test("RQ18: reviewed is for the problem manager to say, and is gone with the reason it was true for", async () => {
    const { id } = await create("service", { problem_manager_id: mia });
    const instance = await create("service_instance", { service_id: id });
    const { path } = await request({ team_id: serviceDeskTeam, member_id: sam });
    expect((await patched(path, { service_instance_id: instance.id })).reviewed).toBe(false);
    expect((await patched(path, { status: "completed" })).reviewed).toBe(true);
    expect((await patched(path, { completion_reason: "workaround" })).reviewed).toBe(false);
    expect((await patched(path, { reviewed: true }, specialist)).reviewed).toBe(false);
    expect((await patched(path, { reviewed: true }, colleague)).reviewed).toBe(true);
    expect((await patched(path, { subject: "Reviewed" })).reviewed).toBe(true);
  });

  test("AR9, GR9: a group that is erased leaves nobody grouped", async () => {
    const [one, other] = [await request({ team_id: serviceDeskTeam }), await request({ team_id: serviceDeskTeam })];
    const group = (await patched(one.path, { grouped_into_id: other.id })).grouped_into.id;
    await patched(`/requests/${group}`, { status: "completed", member_id: sam });
    await admin.post(`/requests/${group}/trash`);
    await clock.pass(28 * 24 * hour);
    expect(await load(one.path)).toMatchObject({ grouping: "none", grouped_into: null });
  });
});

test("AB4, GR6: a column that gives a group to somebody outside its team gives its requests to that person, too", async () => {
  const board = await create("agile_board");
  const column = await admin.post(`/agile_boards/${board.id}/agile_board_columns`, {
    ...{ name: "Ada's", action_type: "assign", team_id: serviceDeskTeam, member_id: ada },
  });
  const [one, other] = [await request({ team_id: serviceDeskTeam }), await request({ team_id: serviceDeskTeam })];
  const group = (await patched(one.path, { grouped_into_id: other.id })).grouped_into.id;
  await patched(`/requests/${group}`, { agile_board_column_id: column.body.id });
  expect((await load(one.path)).member.id).toBe(ada);
});

describe("AB8: what is only placed on the board of its team goes its own way", () => {
  const boarded = async () => {
    const { id } = await create("agile_board");
    await admin.post(`/agile_boards/${id}/agile_board_columns`, { name: "To do", action_type: "assign" });
    return (await create("team", { agile_board_id: id })).id as number;
  };

  test("a task waits for its turn", async () => {
    const team_id = await boarded();
    const first = await task({ team_id });
    expect(first).toMatchObject({ status: "registered", agile_board_column_position: 1 });
  });

  test("a request waits for its workflow, and a completed one stays completed", async () => {
    const team_id = await boarded();
    const { workflow } = await task({ status: "assigned" });
    expect((await request({ team_id, workflow_id: workflow.id })).status).toBe("workflow_pending");
    const { path } = await request({ team_id: serviceDeskTeam, status: "completed", member_id: sam });
    expect(await patched(path, { team_id })).toMatchObject({ status: "completed", reopen_count: 0 });
  });
});
