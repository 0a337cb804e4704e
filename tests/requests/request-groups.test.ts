import { expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors, listErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Request groups: GR1 to GR12.

const here = await world();
const { as, clock } = here;
const { admin, create, request, team, load, texts, mails } = requestHelpers(here);
const [specialist, requester] = [as("specialist"), as("requester")];
const desk = 1;

/** Creates a group of two requests. */
async function createGroup(members: Record<string, unknown> = {}) {
  const [one, other] = [await request(members), await request(members)];
  const { body } = await admin.patch(one.path, { grouped_into_id: other.id });
  const id: number = body.grouped_into.id;
  return { id, path: `/requests/${id}`, members: [one, other] as const };
}
const loadMembers = async ({ members }: Awaited<ReturnType<typeof createGroup>>) =>
  Promise.all(members.map(({ path }) => load(path)));

test("GR1: grouping a request into an ungrouped one creates a group of both", async () => {
  const template = await create("request_template");
  const other = await request({
    category: "rfi",
    subject: "Printer",
    team_id: desk,
    member_id: 3,
    template_id: template.id,
  });
  const { path } = await request();
  const { status, body } = await admin.patch(path, { grouped_into_id: other.id });
  expect([status, body]).toMatchObject([200, { grouping: "grouped", reviewed: true }]);
  expect(body.grouped_into.id).not.toBe(other.id);
  expect(await load(other.path)).toMatchObject({ grouping: "grouped", grouped_into: { id: body.grouped_into.id } });
  expect(await load(`/requests/${body.grouped_into.id}`)).toMatchObject({
    grouping: "group",
    subject: "Printer",
    category: "rfi",
    team: { id: desk },
    member: { id: 3 },
    template: { id: template.id },
    grouped_into: null,
  });
  expect(await load(`/requests/${body.grouped_into.id}/grouped_requests`)).toHaveLength(2);
  for (const wrong of [{ grouping: "group" }, {}])
    expect((await admin.patch(path, wrong)).body.grouping).toBe("grouped");
});

test("GR1: a request can't be grouped with itself, or if one of the two is completed", async () => {
  const [open, done] = [await request(), await request({ status: "completed" })];
  for (const [path, id] of [
    [open.path, open.id],
    [open.path, done.id],
    [done.path, open.id],
  ])
    expect(describeErrors(await admin.patch(path, { grouped_into_id: id }))).toEqual([
      "grouped_into: Grouped into is not valid",
    ]);
});

test("GR2: further requests join the group, even on creation", async () => {
  const { id } = await createGroup();
  const { path } = await request();
  expect((await admin.patch(path, { grouped_into_id: id })).body).toMatchObject({
    grouping: "grouped",
    grouped_into: { id },
  });
  expect(await request({ grouped_into_id: id })).toMatchObject({ grouping: "grouped" });
  expect(await load(`/requests/${id}/grouped_requests`)).toHaveLength(4);
});

test("GR3: requests can't be grouped into a grouped request, and groups can't be grouped", async () => {
  const [first, second] = [await createGroup(), await createGroup()];
  const wrong = ["grouped_into: Grouped into is not valid"];
  const { path } = await request();
  expect(describeErrors(await admin.patch(path, { grouped_into_id: first.members[0].id }))).toEqual(wrong);
  expect(describeErrors(await admin.patch(first.path, { grouped_into_id: second.id }))).toEqual(wrong);
});

test.each([
  ["low", "high"],
  ["medium", "top"],
  ["high", "high"],
  ["top", "top"],
])("GR4: the second request of an incident group raises the impact of all from %s to %s", async (from, to) => {
  const made = await createGroup({ category: "incident", impact: from });
  expect((await load(made.path)).impact).toBe(to);
  expect((await loadMembers(made)).map(({ impact }) => impact)).toEqual([to, to]);
});

test("GR5: an impact set later is accepted and copied", async () => {
  const made = await createGroup({ category: "incident", impact: "low" });
  expect((await admin.patch(made.path, { impact: "medium" })).body.impact).toBe("medium");
  expect((await loadMembers(made)).map(({ impact }) => impact)).toEqual(["medium", "medium"]);
});

test("GR6: changes to the group are copied to its open requests", async () => {
  const made = await createGroup({ team_id: 2 });
  const other = await team(9);
  await admin.patch(made.path, { team_id: other, member_id: 9, note: "Looking into it" });
  for (const each of await loadMembers(made))
    expect(each).toMatchObject({ team: { id: other }, member: { id: 9 }, status: "assigned" });
  const until = new Date(+clock.now() + 3_600_000).toISOString();
  const desired = "2025-06-01T12:00:00Z";
  await admin.patch(made.path, { status: "waiting_for", waiting_until: until, desired_completion_at: desired });
  for (const each of await loadMembers(made)) {
    expect(each.status).toBe("waiting_for");
    expect(Date.parse(each.waiting_until)).toBe(Date.parse(until));
    expect(Date.parse(each.desired_completion_at)).toBe(Date.parse(desired));
  }
  await clock.moveTo(until);
  expect((await loadMembers(made)).map(({ status }) => status)).toEqual(["assigned", "assigned"]);
});

test("GR6, NT7: public notes of the group are copied; internal notes and the requests' own notes aren't", async () => {
  const made = await createGroup();
  await specialist.post(`${made.path}/notes`, { text: "For all" });
  await specialist.patch(made.path, { note: "Again", internal_note: "Between us" });
  await admin.post(`${made.members[0].path}/notes`, { text: "Only here" });
  expect(await texts(made.members[0].path)).toEqual(["For all", "Again", "Only here"]);
  expect(await texts(made.members[1].path)).toEqual(["For all", "Again"]);
  expect(await texts(made.path)).toEqual(["For all", "Again", "Between us"]);
  const [copy] = (await admin.get(`${made.members[1].path}/notes`)).body;
  expect(copy.person.id).toBe(3);
});

test("GR7: a request can't change the fields copied from its group, but accepts notes", async () => {
  const { members } = await createGroup({ team_id: desk });
  const [{ path }] = members;
  for (const [field, body] of Object.entries({
    status: { status: "accepted" },
    team: { team_id: 2 },
    member: { member_id: 3 },
    impact: { impact: "top" },
    desired_completion_at: { desired_completion_at: "2025-06-01T12:00:00Z" },
  }))
    expect(listErrors(await admin.patch(path, body)).map((text) => text.split(":")[0])).toContain(field);
  expect((await admin.patch(path, { note: "Mine", subject: "Other" })).status).toBe(200);
});

test("GR8: completing the group completes its requests with the same reason, and notifies the requesters", async () => {
  const made = await createGroup({ requested_by_id: 5 });
  await admin.patch(made.path, { status: "completed", completion_reason: "workaround" });
  for (const each of await loadMembers(made))
    expect(each).toMatchObject({ status: "completed", completion_reason: "workaround" });
  const subjects = (await mails())
    .filter(({ recipient }) => recipient === "rita@widget.example")
    .map(({ subject }) => subject);
  for (const { id } of made.members)
    expect(subjects).toContainEqual(expect.stringContaining(`Aanvraag ${id}: afgerond`));
});

test("GR9: a request can leave its group and keeps its status", async () => {
  const made = await createGroup({ team_id: desk });
  await admin.patch(made.path, { status: "in_progress", member_id: 3 });
  expect((await admin.patch(made.members[0].path, { grouped_into_id: null })).body).toMatchObject({
    grouping: "none",
    grouped_into: null,
    status: "in_progress",
  });
  expect((await admin.patch(made.members[0].path, { status: "accepted" })).status).toBe(200);
});

test("GR10: an empty group is withdrawn", async () => {
  const made = await createGroup();
  for (const { path } of made.members) await admin.patch(path, { grouped_into_id: null });
  expect(await load(made.path)).toMatchObject({ status: "completed", completion_reason: "withdrawn" });
  expect((await admin.get(`${made.path}/notes`)).body).toMatchObject([{ medium: "system" }]);
});

test("GR11: a reply to one request of a group that waits for the customer assigns all of them", async () => {
  const made = await createGroup({ requested_by_id: 5, team_id: desk });
  for (const reply of [
    () => requester.post(`${made.members[0].path}/notes`, { text: "Here I am" }),
    () => requester.patch(made.members[1].path, { note: "And I" }),
  ]) {
    await specialist.patch(made.path, { status: "waiting_for_customer" });
    expect((await loadMembers(made)).map(({ status }) => status)).toEqual([
      "waiting_for_customer",
      "waiting_for_customer",
    ]);
    await reply();
    expect((await load(made.path)).status).toBe("assigned");
    expect((await loadMembers(made)).map(({ status }) => status)).toEqual(["assigned", "assigned"]);
  }
});

test("GR12: a group's next target is the earliest of its requests", async () => {
  const [early, late] = ["2025-07-01T12:00:00Z", "2025-08-01T12:00:00Z"];
  const [one, other] = [
    await request({ desired_completion_at: late }),
    await request({ desired_completion_at: early }),
  ];
  const { body } = await admin.patch(one.path, { grouped_into_id: other.id });
  const target = async () => (await load(`/requests/${body.grouped_into.id}`)).next_target_at;
  expect(Date.parse(await target())).toBe(Date.parse(early));
  await admin.patch(other.path, { grouped_into_id: null });
  expect(Date.parse(await target())).toBe(Date.parse(late));
});

test("GR1, GR3: of concurrent calls that group requests into the same request, one creates the group", async () => {
  const [wanted, ...others] = await Promise.all(Array.from({ length: 5 }, () => request()));
  const replies = await Promise.all(
    others.map((other) => admin.patch(other.path, { grouped_into_id: wanted?.id as number })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  const made = replies.find(({ status }) => status === 200)?.body;
  expect((await load(wanted?.path as string)).grouped_into.id).toBe(made.grouped_into.id);
  expect((await admin.get(`/requests/${made.grouped_into.id}/grouped_requests`)).body).toHaveLength(2);
});

test("GR6, GR8, R15: a group that waits for a workflow makes its requests wait, and completes them with it", async () => {
  const {
    path,
    members: [one, other],
  } = await createGroup();
  const workflow = await create("workflow");
  expect((await admin.patch(path, { workflow_id: workflow.id })).body.status).toBe("workflow_pending");
  expect(await load(one.path)).toMatchObject({ status: "workflow_pending", workflow: null });
  expect((await admin.patch(path, { workflow_id: null })).body.status).toBe("assigned");
  expect((await load(one.path)).status).toBe("assigned");
  await admin.patch(path, { workflow_id: workflow.id });
  await admin.patch(`/workflows/${workflow.id}`, { status: "completed", completion_reason: "partial" });
  for (const each of [path, one.path, other.path])
    expect(await load(each)).toMatchObject({ status: "completed", completion_reason: "workaround" });
});
