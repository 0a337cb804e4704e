import { describe, expect, test } from "vitest";
import { type Reply, world } from "../support/world.ts";

// Sprints, boards and backlogs: AB10, AB11, AB15, AB16.

const { as, clock } = await world();
const admin = as("administrator");
const listInvalidFields = (reply: Reply) => reply.body?.errors?.map(([field]: [string]) => field) ?? reply.status;

async function create(path: string, members: Record<string, unknown>) {
  const { status, body, text } = await admin.post(path, members);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}

async function createWorkspace() {
  const board = await create("/agile_boards", { name: "Board" });
  const backlog = await create("/product_backlogs", { name: "Backlog" });
  const team = await create("/teams", { name: "Scrum team" });
  const { id } = await create("/scrum_workspaces", {
    name: "Workspace",
    agile_board_id: board.id,
    product_backlog_id: backlog.id,
    team_id: team.id,
    sprint_length: 2,
  });
  const loadCurrent = async () => (await admin.get(`/agile_boards/${board.id}`)).body.current_sprint?.id ?? null;
  return { id, board, backlog, team, current: loadCurrent };
}

describe("sprints", () => {
  test("are numbered within their workspace and have its length", async () => {
    const { id: scrum_workspace_id, team } = await createWorkspace();
    expect(listInvalidFields(await admin.post("/sprints", {}))).toEqual(["scrum_workspace"]);
    const first = await create("/sprints", { scrum_workspace_id, start_at: "2025-03-10T08:00:00Z" });
    expect(first).toMatchObject({ number: 1, status: "registered" });
    expect(Date.parse(first.end_at)).toBe(Date.parse("2025-03-24T08:00:00Z"));
    expect(await create("/sprints", { scrum_workspace_id })).toMatchObject({ number: 2, end_at: null });
    expect(listInvalidFields(await admin.patch(`/sprints/${first.id}`, { end_at: "2025-03-09T08:00:00Z" }))).toEqual([
      "end_at",
    ]);
    expect((await admin.get(`/teams/${team.id}`)).body.scrum_workspace).toMatchObject({ id: scrum_workspace_id });
  });

  test("one is active at a time, and is the board's current sprint", async () => {
    const { id: scrum_workspace_id, current } = await createWorkspace();
    const first = await create("/sprints", { scrum_workspace_id, start_at: "2025-03-01T08:00:00Z" });
    expect([first.status, await current()]).toEqual(["active", first.id]);
    const second = await create("/sprints", { scrum_workspace_id, start_at: "2025-03-02T08:00:00Z" });
    expect([second.status, await current()]).toEqual(["active", second.id]);
    expect((await admin.get(`/sprints/${first.id}`)).body.status).toBe("completed");
    expect((await admin.patch(`/sprints/${first.id}`, { name: "Past" })).body.status).toBe("completed");
    await admin.patch(`/sprints/${second.id}`, { end_at: "2025-03-03T07:00:00Z" });
    expect([(await admin.get(`/sprints/${second.id}`)).body.status, await current()]).toEqual(["completed", null]);
    expect((await admin.get(`/sprints?scrum_workspace=${scrum_workspace_id}&status=completed`)).body).toHaveLength(2);
    expect(clock.now().toISOString()).toBe("2025-03-03T08:00:00.000Z");
  });
});

test("AB10: a sprint becomes active when it starts and completed when it ends", async () => {
  const { id: scrum_workspace_id, current } = await createWorkspace();
  const { id } = await create("/sprints", {
    scrum_workspace_id,
    start_at: "2025-03-04T08:00:00Z",
    end_at: "2025-03-05T08:00:00Z",
  });
  const loadStatus = async () => (await admin.get(`/sprints/${id}`)).body.status;
  expect([await loadStatus(), await current()]).toEqual(["registered", null]);
  await clock.moveTo("2025-03-04T08:00:00Z");
  expect([await loadStatus(), await current()]).toEqual(["active", id]);
  await clock.moveTo("2025-03-05T08:00:00Z");
  expect([await loadStatus(), await current()]).toEqual(["completed", null]);
});

test("AB10: a sprint backlog item references exactly one record", async () => {
  const { id: scrum_workspace_id } = await createWorkspace();
  const { id } = await create("/sprints", { scrum_workspace_id });
  expect(listInvalidFields(await admin.post(`/sprints/${id}/sprint_backlog_items`, {}))).toEqual(["request"]);
});

describe("product backlogs", () => {
  type Item = { position: number; request: { id: number } | null; problem: { id: number } | null };

  async function createBacklog() {
    const { backlog } = await createWorkspace();
    const path = `/product_backlogs/${backlog.id}/product_backlog_items`;
    const members = { product_backlog_id: backlog.id };
    const request = await create("/requests", { category: "other", ...members });
    const problem = await create("/problems", {
      subject: "Printers jam",
      impact: "low",
      service_id: 1,
      team_id: 1,
      ...members,
    });
    const last = await create("/requests", { category: "other", ...members });
    const loadItems = async () =>
      (await admin.get(path)).body.map(({ position, request, problem }: Item) => [
        position,
        request === null ? `problem ${problem?.id}` : `request ${request.id}`,
      ]);
    return { path, items: loadItems, request, problem, last };
  }

  test("AB11: the items are the requests and problems that reference the backlog", async () => {
    const { items, request, problem, last } = await createBacklog();
    await create("/requests", { category: "other" });
    const named = [`request ${request.id}`, `problem ${problem.id}`, `request ${last.id}`];
    expect((await items()).map(([, item]: [number, string]) => item)).toEqual(named);
  });

  test("AB15: positions are 1 to n after moving and removing an item", async () => {
    const { items, request, problem, last } = await createBacklog();
    await admin.patch(`/requests/${last.id}`, { product_backlog_position: 1 });
    expect(await items()).toEqual([
      [1, `request ${last.id}`],
      [2, `request ${request.id}`],
      [3, `problem ${problem.id}`],
    ]);
    await admin.patch(`/requests/${request.id}`, { product_backlog_id: null });
    expect(await items()).toEqual([
      [1, `request ${last.id}`],
      [2, `problem ${problem.id}`],
    ]);
  });

  test("AB16: the items' endpoint creates none", async () => {
    const { path, items } = await createBacklog();
    expect((await admin.post(path, { position: 1 })).status).toBe(404);
    expect(await items()).toHaveLength(3);
  });
});

describe("positions stay 1 to n", () => {
  test("AB10: in a sprint, after inserting, moving and removing", async () => {
    const { id: scrum_workspace_id } = await createWorkspace();
    const [sprint, other] = [
      await create("/sprints", { scrum_workspace_id }),
      await create("/sprints", { scrum_workspace_id }),
    ];
    const path = `/sprints/${sprint.id}/sprint_backlog_items`;
    const createItem = async (members: Record<string, unknown> = {}, to = path) => {
      const { id: request_id } = await create("/requests", { category: "other" });
      return (await create(to, { request_id, ...members })).id;
    };
    const order = async (to = path) =>
      (await admin.get(to)).body.map(({ id, position }: { id: number; position: number }) => [position, id]);
    const [a, b, c] = [await createItem(), await createItem(), await createItem()];
    const elsewhere = `/sprints/${other.id}/sprint_backlog_items`;
    const alone = await createItem({ position: 7 }, elsewhere);
    const inserted = await createItem({ position: 2 });
    const numbered = (...ids: number[]) => ids.map((id, index) => [index + 1, id]);
    expect(await order()).toEqual(numbered(a, inserted, b, c));
    expect((await admin.patch(`${path}/${c}`, { position: 1 })).body.position).toBe(1);
    expect(await order()).toEqual(numbered(c, a, inserted, b));
    expect((await admin.patch(`${path}/${c}`, { position: 99 })).body.position).toBe(4);
    expect(await order()).toEqual(numbered(a, inserted, b, c));
    expect((await admin.patch(`${path}/${b}`, { estimate: 5 })).body).toMatchObject({ position: 3, estimate: 5 });
    expect((await admin.delete(`${path}/${inserted}`)).status).toBe(204);
    expect(await order()).toEqual(numbered(a, b, c));
    expect((await admin.delete(path)).status).toBe(204);
    expect([await order(), await order(elsewhere)]).toEqual([[], numbered(alone)]);
  });
});
