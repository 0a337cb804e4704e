import { describe, expect, test } from "vitest";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { world } from "../support/world.ts";

// GET /workflows/:id/graph and POST /recurrence_occurrences: the order and dates of tasks, and the effect of a move.

const { as } = await world();
const admin = as("administrator");
const { workflow, task, project, projectTask, calendar } = workflowHelpers(admin);
// The test clock is at Monday, 3 March 2025, 09:00 in Amsterdam.
const at = (text: string) => `2025-03-${text}:00+01:00`;

async function createPlan() {
  const made = await workflow({ start_at: at("03T12:00") });
  const first = await task(made, { subject: "First" });
  const short = await task(made, { subject: "Short", predecessor_ids: [first.id] });
  const long = await task(made, { subject: "Long", planned_duration: 240, predecessor_ids: [first.id] });
  const last = await task(made, { subject: "Last", predecessor_ids: [short.id, long.id] });
  const rescue = await task(made, { subject: "Rescue" });
  await admin.patch(`/tasks/${last.id}`, { failure_task_id: rescue.id });
  return { made, first, short, long, last, rescue, path: `/workflows/${made.id}/graph` };
}
// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the server sent
const spans = (body: any): unknown[] =>
  body.tasks.map(({ subject, starts_at, ends_at }: Record<string, string>) => [subject, starts_at, ends_at]);

describe("the graph of a workflow", () => {
  test("contains tasks, edges, dates, the critical path and the slack of the other tasks", async () => {
    const { first, short, long, last, rescue, path } = await createPlan();
    const { status, body } = await admin.get(path);
    expect(status).toBe(200);
    expect(spans(body)).toEqual([
      ["First", at("03T12:00"), at("03T13:00")],
      ["Short", at("03T13:00"), at("03T14:00")],
      ["Long", at("03T13:00"), at("03T17:00")],
      ["Last", at("03T17:00"), at("03T18:00")],
      ["Rescue", at("03T18:00"), at("03T19:00")],
    ]);
    expect(body.edges).toEqual([
      { from: first.id, to: short.id, kind: "next" },
      { from: first.id, to: long.id, kind: "next" },
      { from: short.id, to: last.id, kind: "next" },
      { from: long.id, to: last.id, kind: "next" },
      { from: last.id, to: rescue.id, kind: "failure" },
    ]);
    expect(body).toMatchObject({ critical: [first.id, long.id, last.id], ends_at: at("03T18:00"), move: null });
    expect(body.slack).toEqual({ [first.id]: 0, [short.id]: 180, [long.id]: 0, [last.id]: 0 });
    expect(body.tasks.map(({ conditional }: { conditional: boolean }) => conditional)).toEqual([
      ...[false, false, false, false],
      true,
    ]);
    expect((await admin.patch(`/tasks/${rescue.id}`, { status: "canceled" })).status).toBe(200);
    const without = (await admin.get(path)).body;
    expect(spans(without)[4]).toEqual(["Rescue", null, null]);
    expect([without.ends_at, without.critical]).toEqual([at("03T18:00"), [first.id, long.id, last.id]]);
  });

  test("a move returns all resulting dates and stores nothing, and saving its values produces these dates", async () => {
    const { long, last, path } = await createPlan();
    const moved = await admin.get(`${path}?move=${long.id}&start_at=${encodeURIComponent(at("04T09:00"))}`);
    expect(moved.body.move).toEqual({ task: long.id, start_at: at("04T09:00"), planned_duration: null });
    expect(spans(moved.body)[3]).toEqual(["Last", at("04T13:00"), at("04T14:00")]);
    expect((await admin.get(path)).body.ends_at).toBe(at("03T18:00"));
    const stretched = await admin.get(`${path}?move=${long.id}&end_at=${encodeURIComponent(at("03T20:00"))}`);
    expect(stretched.status).toBe(400); // it has no start of its own yet
    const both = `start_at=${encodeURIComponent(at("03T13:00"))}&end_at=${encodeURIComponent(at("03T20:00"))}`;
    const { move } = (await admin.get(`${path}?move=${long.id}&${both}`)).body;
    expect(move.planned_duration).toBe(420);
    await admin.patch(`/tasks/${long.id}`, { start_at: move.start_at, planned_duration: move.planned_duration });
    expect(spans((await admin.get(path)).body)[3]).toEqual(["Last", at("03T20:00"), at("03T21:00")]);
    expect((await admin.get(`/tasks/${last.id}`)).body.completion_target_at).toBe(at("03T21:00"));
  });

  test("invalid moves are rejected with the parameter's name", async () => {
    const { first, path } = await createPlan();
    const { first: foreign } = await createPlan();
    const start = `start_at=${encodeURIComponent(at("04T09:00"))}`;
    for (const query of [
      `move=x&${start}`,
      `move=${foreign.id}&${start}`,
      `move=99999999999&${start}`,
      `move=${first.id}`,
      `move=${first.id}&start_at=soon`,
    ])
      expect([query, (await admin.get(`${path}?${query}`)).status]).toEqual([query, 400]);
    await admin.patch(`/tasks/${first.id}`, { status: "assigned" });
    await admin.patch(`/tasks/${first.id}`, { status: "completed" });
    expect((await admin.get(`${path}?move=${first.id}&${start}`)).status).toBe(400);
  });

  test("approvers see that they are asked; people who may not read the workflow get 403, strangers 404", async () => {
    const made = await workflow();
    const approval = await task(made, { category: "approval", status: "assigned", required_approvals: 2 });
    for (const approver_id of [3, 9]) await admin.post(`/tasks/${approval.id}/approvals`, { approver_id });
    const path = `/workflows/${made.id}/graph`;
    const read = async (role: "specialist" | "manager" | "auditor") => (await as(role).get(path)).body.tasks[0];
    expect(await read("specialist")).toMatchObject({ approval_asked: true, approvals: { given: 0, needed: 2 } });
    expect(await read("auditor")).toMatchObject({ approval_asked: false });
    await as("specialist").patch(`/tasks/${approval.id}`, { status: "approved" });
    expect(await read("specialist")).toMatchObject({ approval_asked: false, approvals: { given: 1, needed: 2 } });
    expect(await read("manager")).toMatchObject({ approval_asked: true });
    expect((await as("requester").get(path)).status).toBe(403);
    expect((await as("stranger").get(path)).status).toBe(404);
  });

  test("lists maintenance windows of the service instances that tasks have an impact on, by time", async () => {
    const made = await workflow();
    const [direct, throughItem, harmless] = await Promise.all(
      ["high", null, "none"].map((impact) => task(made, { impact, planned_duration: 1440 })),
    );
    const night = await calendar({ name: "Sunday night" });
    for (const [weekday, time_from, time_until] of [
      ["sun", "22:00", "24:00"],
      ["mon", "00:00", "04:00"],
    ])
      await admin.post(`/calendars/${night.id}/calendar_hours`, { weekday, time_from, time_until });
    const always = await calendar({ name: "Always" });
    for (const weekday of ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
      await admin.post(`/calendars/${always.id}/calendar_hours`, { weekday, time_from: "00:00", time_until: "24:00" });
    const instance = async (name: string, maintenance_window_id: number, time_zone: string) =>
      (await admin.post("/service_instances", { name, service_id: 1, maintenance_window_id, time_zone })).body.id;
    const network = await instance("Network", night.id, "Amsterdam");
    const kobe = await instance("Network Kobe", night.id, "Osaka");
    const open = await instance("Test system", always.id, "Amsterdam");
    const { body: kind } = await admin.post("/product_categories", {
      ...{ name: "Switch", group: "Network", rule_set: "physical_asset" },
    });
    const names = { name: "Junction 48", brand: "Junction", model: "48", support_team_id: 1 };
    const { id: product } = (await admin.post("/products", { ...names, category: kind.reference })).body;
    const item = (await admin.post("/cis", { product_id: product, label: "SW-KOB", status: "in_production" })).body.id;
    for (const path of [
      `/tasks/${direct?.id}/service_instances/${network}`,
      `/tasks/${direct?.id}/service_instances/${open}`,
      `/tasks/${harmless?.id}/service_instances/${network}`,
      `/service_instances/${kobe}/cis/${item}`,
      `/tasks/${throughItem?.id}/cis/${item}`,
    ])
      expect((await admin.post(path)).status, path).toBeLessThan(300);
    const { maintenance_windows: windows } = (await admin.get(`/workflows/${made.id}/graph`)).body;
    expect(windows.slice(0, 4)).toEqual([
      { name: "Sunday night", starts_at: at("02T14:00"), ends_at: at("02T20:00"), tasks: [throughItem?.id] },
      { name: "Sunday night", starts_at: at("02T22:00"), ends_at: at("03T04:00"), tasks: [direct?.id] },
      { name: "Sunday night", starts_at: at("09T14:00"), ends_at: at("09T20:00"), tasks: [throughItem?.id] },
      { name: "Sunday night", starts_at: at("09T22:00"), ends_at: at("10T04:00"), tasks: [direct?.id] },
    ]);
    expect(windows.some(({ name }: { name: string }) => name === "Always")).toBe(false);
    expect((await admin.get(`/projects/${(await project()).id}/graph`)).body.maintenance_windows).toEqual([]);
  });

  test("a project has a graph of the same shape", async () => {
    const made = await project();
    const first = await projectTask(made);
    const second = await projectTask(made, { predecessor_ids: [first.id] });
    const { body } = await admin.get(`/projects/${made.id}/graph`);
    expect(body.edges).toEqual([{ from: first.id, to: second.id, kind: "next" }]);
    expect(body.tasks.map(({ id }: { id: number }) => id)).toEqual([first.id, second.id]);
  });
});

describe("the next occurrences of a recurrence", () => {
  const listOccurrences = (recurrence: unknown, members: object = {}) =>
    admin.post("/recurrence_occurrences", { recurrence, ...members });
  const weekly = { frequency: "weekly", day: "1,4", start_date: "2025-03-03", time_of_day: "06:00" };

  test("match those of a workflow template", async () => {
    expect((await listOccurrences({ ...weekly, time_zone: "Amsterdam" }, { count: 3 })).body).toEqual({
      occurrences: [at("06T06:00"), at("10T06:00"), at("13T06:00")],
      problem: null,
    });
    const closed = await calendar();
    expect((await listOccurrences({ ...weekly, calendar_id: closed.id })).body.occurrences).toEqual([]);
  });

  test("an incomplete rule returns a problem, and an invalid one is rejected", async () => {
    expect(
      (await listOccurrences({ frequency: "monthly", start_date: "2025-03-03", time_of_day: "06:00" })).body,
    ).toEqual({
      occurrences: [],
      problem: "day_of_month can't be blank",
    });
    expect((await listOccurrences({ ...weekly, interval: 0 })).body.problem).toMatch(/^interval /);
    for (const [recurrence, members] of [
      [null, {}],
      [weekly, { count: 25 }],
      [weekly, { count: "x" }],
      [weekly, { from: "soon" }],
    ])
      expect((await listOccurrences(recurrence, members as object)).status).toBe(422);
    expect((await listOccurrences({ ...weekly, calendar_id: 2_000_000_000 })).status).toBe(404);
  });
});
