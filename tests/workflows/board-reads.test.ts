import { expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { tokenFor } from "../support/seed.ts";
import { world } from "../support/world.ts";

// Reading boards and backlogs in one call, starting and completing sprints manually, workload: AB3, AB12 to AB14.

const here = await world();
const { as, withToken, sql, clock, log } = here;
const { admin, create, request, team, load } = requestHelpers(here);
const specialist = as("specialist");
const [desk, sam] = [1, 3];

type Card = { type: string; id: number; position: number; estimate: number | null };
type Column = { id: number; items: Card[] };

async function createBoard(...columns: Record<string, unknown>[]) {
  const { id } = await create("agile_board");
  const ids: number[] = [];
  for (const column of columns)
    ids.push((await admin.post(`/agile_boards/${id}/agile_board_columns`, { name: "Column", ...column })).body.id);
  const loadPicture = async (by = admin) => (await by.get(`/agile_boards/${id}/items`)).body;
  return { id: id as number, columns: ids, picture: loadPicture };
}

async function createWorkspace() {
  const own = await createBoard({ action_type: "none" }, { action_type: "complete" });
  const backlog = (await create("product_backlog")).id as number;
  const members = await team(sam);
  const space = await create("scrum_workspace", {
    agile_board_id: own.id,
    product_backlog_id: backlog,
    team_id: members,
    sprint_length: 2,
  });
  const sprint = async (by = admin) => (await by.post("/sprints", { scrum_workspace_id: space.id })).body;
  const loadItems = async (by = admin) => (await by.get(`/product_backlogs/${backlog}/items`)).body;
  return { ...own, backlog, workspace: space.id as number, sprint, items: loadItems };
}

test("AB14: a board is read in one call, with cards of four types in their order", async () => {
  const { id, columns, picture } = await createBoard({ wip_limit: 1, name: "To do" }, { action_type: "start" });
  const cards: [string, number][] = [];
  for (const kind of ["request", "problem", "task", "project_task"])
    cards.push([
      kind,
      (await create(kind, { agile_board_column_id: columns[0], team_id: kind === "project_task" ? undefined : desk }))
        .id,
    ]);
  await admin.post(`/requests/${cards[0]?.[1]}/tags`, { name: "Portal" });
  await admin.patch(`/tasks/${cards[2]?.[1]}`, { instructions: "- [ ] one\n- [ ] two", checked_items: ["one"] });
  const shownBoard = await picture(specialist);
  expect(shownBoard).toMatchObject({ id, disabled: false, workspace: null, sprint: null });
  const [first, second] = shownBoard.columns;
  expect(first).toMatchObject({ name: "To do", wip_limit: 1, deleted: false });
  expect(first.items.map(({ type, id: record, position }: Card) => [type, record, position])).toEqual(
    cards.map(([kind, record], index) => [kind, record, index + 1]),
  );
  expect(first.items[0]).toMatchObject({ tags: ["Portal"], checklist: null, estimate: null });
  expect(first.items[2]).toMatchObject({ checklist: { done: 1, total: 2 } });
  expect(second).toMatchObject({ action_type: "start", items: [] });
  expect((await as("requester").get(`/agile_boards/${id}/items`)).status).toBe(403);
  expect((await admin.get("/agile_boards/2000000000/items")).status).toBe(404);
  expect((await here.nobody.get(`/agile_boards/${id}/items`)).status).toBe(401);
});

test("AB3: thirty people move cards of one board concurrently: positions stay 1 to n, and everyone sees the same", async () => {
  const { columns, picture } = await createBoard({}, {}, {});
  const cards = await Promise.all(
    Array.from({ length: 12 }, () => request({ agile_board_column_id: columns[0], team_id: desk })),
  );
  const people = Array.from({ length: 30 }, (_, index) =>
    withToken(tokenFor(index % 2 === 0 ? "specialist" : "administrator"), { account: "widget-it" }),
  );
  const moves = people.map(async (person, index) => {
    const replies: number[] = [];
    for (let round = 0; round < 2; round++) {
      const card = cards[(index * 5 + round * 7) % cards.length] as { path: string };
      const reply = await person.patch(card.path, {
        agile_board_column_id: columns[(index + round) % 3],
        agile_board_column_position: ((index + round) % 5) + 1,
      });
      replies.push(reply.status);
    }
    return replies;
  });
  expect((await Promise.all(moves)).flat()).toEqual(Array.from({ length: 60 }, () => 200));
  const seen = await picture();
  const byColumn = seen.columns.map((column: Column) => column.items.map(({ position }) => position));
  for (const positions of byColumn) expect(positions).toEqual(positions.map((_: number, index: number) => index + 1));
  expect(byColumn.flat()).toHaveLength(cards.length);
  expect(await picture(specialist)).toEqual(seen);
  expect(log.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
});

test("AB13: people who may change a record rank and estimate it on its backlog", async () => {
  const { backlog, items } = await createWorkspace();
  const ideas: { id: number }[] = [];
  for (let index = 0; index < 3; index++) ideas.push(await request({ product_backlog_id: backlog }));
  const at = async (index: number) => (await items()).items.find(({ id }: Card) => id === ideas[index]?.id);
  const path = async (index: number) =>
    `/product_backlogs/${backlog}/product_backlog_items/${(await at(index)).backlog_item}`;
  expect((await specialist.patch(await path(2), { position: 1, estimate: 5 })).body).toMatchObject({
    position: 1,
    estimate: 5,
  });
  expect((await items()).items.map(({ id }: Card) => id)).toEqual([ideas[2]?.id, ideas[0]?.id, ideas[1]?.id]);
  expect((await specialist.patch(await path(2), { estimate: null })).body.estimate).toBeNull();
  for (const body of [{ estimate: -1 }, { estimate: 1.5 }, { estimate: "5" }, { position: 0 }, { position: 2 ** 40 }])
    expect((await specialist.patch(await path(2), body)).status).toBe(422);
  expect((await as("requester").patch(await path(2), { estimate: 3 })).status).toBe(403);
  const elsewhere = await createWorkspace();
  const wrong = `/product_backlogs/${elsewhere.backlog}/product_backlog_items/${(await at(0)).backlog_item}`;
  expect((await admin.patch(wrong, { estimate: 1 })).status).toBe(404);
});

test("AB12, AB13: team members plan, start and complete sprints, and unfinished items go where the call says", async () => {
  const { id, columns, backlog, sprint, items, picture, workspace: space } = await createWorkspace();
  const [one, other] = [await request({ product_backlog_id: backlog }), await request({ product_backlog_id: backlog })];
  const first = await sprint(specialist);
  expect(first).toMatchObject({ number: 1, status: "registered" });
  expect((await as("manager").post("/sprints", { scrum_workspace_id: space })).status).toBe(403);
  for (const [item, estimate] of [
    [one, 3],
    [other, 5],
  ] as const)
    expect(
      (await specialist.post(`/sprints/${first.id}/sprint_backlog_items`, { request_id: item.id, estimate })).status,
    ).toBe(201);
  expect((await as("manager").post(`/sprints/${first.id}/start`)).status).toBe(403);
  expect((await specialist.post(`/sprints/${first.id}/start`)).body).toMatchObject({ status: "active" });
  expect((await load(one.path)).agile_board_column.id).toBe(columns[0]);
  expect((await items()).items).toEqual([]);
  expect((await picture()).sprint).toMatchObject({ id: first.id, points: 8, done: 0 });
  expect((await picture()).columns[0].items.map(({ estimate }: Card) => estimate)).toEqual([3, 5]);

  const second = await sprint(specialist);
  const refused = await specialist.post(`/sprints/${second.id}/start`);
  expect([refused.status, refused.body.message]).toEqual([409, "Sprint 1 is active: complete it first"]);
  expect((await specialist.post(`/sprints/${second.id}/complete`)).status).toBe(409);

  await specialist.patch(one.path, { agile_board_column_id: columns[1] });
  await clock.pass(86_400);
  const { days, done } = (await picture()).sprint;
  expect([done, days.length, days[0].remaining, days[1].remaining, days[2].remaining]).toEqual([3, 15, 5, 5, null]);
  expect((await specialist.post(`/sprints/${first.id}/complete`, { unfinished: "elsewhere" })).status).toBe(422);
  expect((await specialist.post(`/sprints/${first.id}/complete`, { unfinished: "sprint" })).status).toBe(422);
  await specialist.post(`/sprints/${first.id}/complete`, { unfinished: "sprint", sprint_id: second.id });
  expect(
    (await items()).sprints.map(
      ({ status, points, done: finished }: { status: string; points: number; done: number }) => [
        status,
        points,
        finished,
      ],
    ),
  ).toEqual([
    ["completed", 8, 3],
    ["registered", 5, 0],
  ]);
  await specialist.post(`/sprints/${second.id}/start`);
  await specialist.post(`/sprints/${second.id}/complete`, {});
  const remaining = await items();
  expect(remaining.items).toMatchObject([{ id: other.id, position: 1, estimate: 5 }]);
  expect((await load(other.path)).agile_board).toBeNull();
  expect((await load(`/agile_boards/${id}`)).current_sprint).toBeNull();
});

test("workload: planned effort is spread over the weekdays between start and target", async () => {
  const task = await create("project_task", {
    category: "activity",
    start_at: "2025-03-10T08:00:00Z",
    planned_duration: 60,
  });
  const assignment = { assignee_id: sam, planned_effort: 600 };
  expect((await admin.post(`/project_tasks/${task.id}/assignments`, assignment)).status).toBe(201);
  await sql(
    "UPDATE project_tasks SET completion_target_at = '2025-03-21T16:00:00Z', anticipated_assignment_at = '2025-03-10T08:00:00Z' WHERE id = $1",
    [task.id],
  );
  const path = `/projects/${task.project.id}/workload`;
  const { body } = await specialist.get(`${path}?from=2025-03-12&until=2025-03-25`);
  expect(body.weeks).toEqual(["2025-03-10", "2025-03-17", "2025-03-24"]);
  expect(body.people).toMatchObject([
    { person: { id: sam }, weeks: [{ planned: 300, other: 0, available: 2400 }, { planned: 300 }, { planned: 0 }] },
  ]);
  expect(body.time_spent).toBe(0);
  expect(
    (await specialist.get(`/teams/${desk}/workload?from=2025-03-10&until=2025-03-10`)).body.people.find(
      ({ person }: { person: { id: number } }) => person.id === sam,
    ).weeks,
  ).toMatchObject([{ planned: 0, other: 300 }]);
  for (const query of ["from=x", "from=2025-02-30", "until=2024-01-01", "until=2099-01-01", "every=day", "nonsense=1"])
    expect((await specialist.get(`${path}?${query}`)).status).toBe(400);
  expect((await as("requester").get(path)).status).toBe(403);
});
