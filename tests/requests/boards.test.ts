import { describe, expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Agile boards: AB1 to AB9, for requests, problems, tasks and project tasks.

const here = await world();
const { as, sql, clock } = here;
const { admin, create, request, team, load, loadEvents, mails } = requestHelpers(here);
const specialist = as("specialist");
const [desk, sam] = [1, 3];

type Column = Record<string, unknown>;
async function createBoard(...columns: Column[]) {
  const { id } = await create("agile_board", { manager_id: 9 });
  const ids: number[] = [];
  for (const column of columns) {
    const { status, body, text } = await admin.post(`/agile_boards/${id}/agile_board_columns`, {
      name: `Column ${ids.length + 1}`,
      ...column,
    });
    if (status !== 201) throw new Error(text);
    ids.push(body.id);
  }
  return { id: id as number, columns: ids as [number, number, number] };
}
const kinds = ["request", "problem", "task", "project_task"] as const;
const buildPath = (kind: string, id: number) => `/${kind}s/${id}`;
const loadPosition = async (kind: string, id: number) => (await load(buildPath(kind, id))).agile_board_column_position;

describe.each(kinds)("a %s", (kind) => {
  test("AB1, AB2: a board without a column means its leftmost column, and a column determines its board", async () => {
    const { id, columns } = await createBoard({}, {});
    const item = await create(kind);
    expect((await admin.patch(buildPath(kind, item.id), { agile_board_id: id })).body).toMatchObject({
      agile_board: { id },
      agile_board_column: { id: columns[0] },
      agile_board_column_position: 1,
    });
    const other = await create(kind, { agile_board_column_id: columns[1] });
    expect(other).toMatchObject({ agile_board: { id }, agile_board_column: { id: columns[1] } });
    const elsewhere = await createBoard({});
    expect(
      describeErrors(
        await admin.patch(buildPath(kind, item.id), {
          agile_board_id: elsewhere.id,
          agile_board_column_id: columns[0],
        }),
      ),
    ).toEqual([expect.stringMatching(/^agile_board_column: .* is not valid$/)]);
  });

  test("AB4: moving an item into a column triggers the column's action", async () => {
    const { columns } = await createBoard({ action_type: "start" }, { action_type: "complete" });
    const item = await create(kind, kind === "project_task" ? {} : { team_id: desk });
    const move = async (column: number, by = specialist) =>
      (await by.patch(buildPath(kind, item.id), { agile_board_column_id: column })).body;
    expect(await move(columns[0])).toMatchObject({
      status: "in_progress",
      ...(kind === "project_task" ? {} : { member: { id: sam } }),
    });
    expect((await move(columns[1])).status).toBe(kind === "problem" ? "solved" : "completed");
  });

  test("AB7: an item without a board is in no column; completing an item leaves it on the board", async () => {
    const { id, columns } = await createBoard({});
    const item = await create(kind, { agile_board_id: id });
    const done = kind === "problem" ? "solved" : "completed";
    expect((await admin.patch(buildPath(kind, item.id), { status: done })).body.agile_board_column).toMatchObject({
      id: columns[0],
    });
    expect((await admin.patch(buildPath(kind, item.id), { agile_board_id: null })).body).toMatchObject({
      agile_board: null,
      agile_board_column: null,
      agile_board_column_position: null,
    });
  });
});

test("AB3: positions of items of all types stay 1 to n after inserting, moving and removing", async () => {
  const { columns } = await createBoard({}, {});
  const items: [string, number][] = [];
  for (const kind of ["request", "problem", "task"] as const)
    items.push([kind, (await create(kind, { agile_board_column_id: columns[0] })).id]);
  const loadPositions = () => Promise.all(items.map(([kind, id]) => loadPosition(kind, id)));
  expect(await loadPositions()).toEqual([1, 2, 3]);
  const inserted = await create("project_task", { agile_board_column_id: columns[0], agile_board_column_position: 2 });
  items.push(["project_task", inserted.id]);
  expect(await loadPositions()).toEqual([1, 3, 4, 2]);
  await admin.patch(buildPath(...(items[2] as [string, number])), { agile_board_column_position: 0 });
  expect(await loadPositions()).toEqual([2, 4, 1, 3]);
  await admin.patch(buildPath(...(items[0] as [string, number])), { agile_board_column_position: 99 });
  expect(await loadPositions()).toEqual([4, 3, 1, 2]);
  await admin.patch(buildPath(...(items[2] as [string, number])), { agile_board_id: null });
  expect(await loadPositions()).toEqual([3, 2, null, 1]);
  await admin.patch(buildPath(...(items[3] as [string, number])), { agile_board_column_id: columns[1] });
  expect(await loadPositions()).toEqual([2, 1, null, 1]);
});

test("AB4: assign uses the column's team and member, or clears the member", async () => {
  const { columns } = await createBoard(
    { action_type: "assign", team_id: desk, member_id: 9 },
    { action_type: "assign", clear_member: true },
    { action_type: "accept" },
  );
  const { path } = await request({ team_id: 2, status: "on_backlog" });
  const move = async (column: number) => (await specialist.patch(path, { agile_board_column_id: column })).body;
  expect(await move(columns[0])).toMatchObject({ status: "assigned", team: { id: desk }, member: { id: 9 } });
  expect(await move(columns[1])).toMatchObject({ status: "assigned", team: { id: desk }, member: null });
  expect(await move(columns[2])).toMatchObject({ status: "accepted", member: { id: sam } });
  expect(await move(columns[0])).toMatchObject({ status: "assigned", member: { id: 9 } });
});

test("C11: a status in the same call overrides the column's action", async () => {
  const { columns } = await createBoard({ action_type: "complete" });
  const { path } = await request();
  expect((await admin.patch(path, { agile_board_column_id: columns[0], status: "declined" })).body.status).toBe(
    "declined",
  );
});

test("AB5: a request completed by a column is solved; an approval task is only moved", async () => {
  const { columns } = await createBoard({ action_type: "complete" });
  const { path: one } = await request();
  expect((await admin.patch(one, { agile_board_column_id: columns[0] })).body).toMatchObject({
    status: "completed",
    completion_reason: "solved",
  });
  const approval = await create("task", { category: "approval" });
  expect((await admin.patch(`/tasks/${approval.id}`, { agile_board_column_id: columns[0] })).body).toMatchObject({
    status: "registered",
    agile_board_column: { id: columns[0] },
  });
});

test("AB6: an item that isn't moved for remove_after days leaves the board", async () => {
  const { columns } = await createBoard({ remove_after: 2 }, { remove_after: 1 });
  const [one, other] = [await request({ agile_board_column_id: columns[0] }), await create("problem")];
  await admin.patch(`/problems/${other.id}`, { agile_board_column_id: columns[0] });
  const days = (count: number) => clock.pass(count * 86_400);
  await days(1);
  await admin.patch(one.path, { agile_board_column_position: 2 });
  await days(1);
  expect((await load(`/problems/${other.id}`)).agile_board).toBeNull();
  expect(await load(one.path)).toMatchObject({
    agile_board: { id: expect.any(Number) },
    agile_board_column_position: 1,
  });
  await days(1);
  expect(await load(one.path)).toMatchObject({ agile_board: null, agile_board_column_position: null });
  expect((await admin.patch(one.path, { agile_board_column_id: columns[1] })).status).toBe(200);
  await admin.patch(one.path, { agile_board_column_id: columns[0] });
  await days(1);
  expect((await load(one.path)).agile_board_column.id).toBe(columns[0]);
});

test("AB6: a limit added to a column applies to its items, too", async () => {
  const { id, columns } = await createBoard({});
  const { path } = await request({ agile_board_column_id: columns[0] });
  await admin.patch(`/agile_boards/${id}/agile_board_columns/${columns[0]}`, { remove_after: 1 });
  await clock.pass(86_400);
  expect((await load(path)).agile_board).toBeNull();
});

test("AB6: exceeding the WIP limit notifies the board's manager", async () => {
  const { columns } = await createBoard({ wip_limit: 1 });
  const before = (await mails()).length;
  await request({ agile_board_column_id: columns[0] });
  expect(await mails()).toHaveLength(before);
  expect((await request({ agile_board_column_id: columns[0] })).agile_board_column_position).toBe(2);
  expect((await mails()).slice(before)).toMatchObject([{ recipient: "mia@widget.example" }]);
});

test("AB8: an item assigned to a team with a board is added to its first column, unless it is on a board", async () => {
  const { id, columns } = await createBoard({}, {});
  const other = await createBoard({});
  const own = await team();
  await admin.patch(`/teams/${own}`, { agile_board_id: id });
  expect(await request({ team_id: own })).toMatchObject({ agile_board_column: { id: columns[0] } });
  expect(await create("problem", { team_id: own })).toMatchObject({ agile_board_column_position: 2 });
  const { path } = await request({ agile_board_id: other.id });
  expect((await admin.patch(path, { team_id: own })).body.agile_board.id).toBe(other.id);
});

test("AB9: a change of column publishes its own event, a change of position doesn't", async () => {
  const { columns } = await createBoard({}, {});
  const { path, id } = await request({ agile_board_column_id: columns[0] });
  await request({ agile_board_column_id: columns[0] });
  await admin.patch(path, { agile_board_column_position: 2 });
  await admin.patch(path, { agile_board_column_id: columns[1] });
  expect(await loadEvents("request", id)).toEqual([
    "request.create",
    "request.update",
    "request.agile-board-column-changed",
    "request.update",
  ]);
});

test("a removed column that contained items is kept, but accepts no more", async () => {
  const { id, columns } = await createBoard({}, {}, {});
  const { path } = await request({ agile_board_column_id: columns[0] });
  const columnPath = (column: number) => `/agile_boards/${id}/agile_board_columns/${column}`;
  for (const column of [columns[0], columns[1]]) expect((await admin.delete(columnPath(column))).status).toBe(204);
  expect(await load(columnPath(columns[0]))).toMatchObject({ deleted: true });
  expect((await admin.get(columnPath(columns[1]))).status).toBe(404);
  expect((await load(path)).agile_board_column.id).toBe(columns[0]);
  const other = await request({ agile_board_id: id });
  expect(other.agile_board_column.id).toBe(columns[2]);
  expect(describeErrors(await admin.patch(other.path, { agile_board_column_id: columns[0] }))).toEqual([
    "agile_board_column: Agile board column is not valid",
  ]);
});

test("an item in the active sprint is done when completed, and not done when reopened", async () => {
  const workspace = await create("scrum_workspace");
  const sprint = await create("sprint", { scrum_workspace_id: workspace.id, start_at: "2025-03-01T08:00:00Z" });
  const { path, id } = await request();
  const { body } = await admin.post(`/sprints/${sprint.id}/sprint_backlog_items`, { request_id: id });
  const loadItem = () => load(`/sprints/${sprint.id}/sprint_backlog_items/${body.id}`);
  await sql("UPDATE sprints SET status = 'active' WHERE id = $1", [sprint.id]);
  expect((await loadItem()).done).toBe(false);
  await admin.patch(path, { status: "completed" });
  expect((await loadItem()).done).toBe(true);
  await admin.patch(path, { status: "assigned" });
  expect((await loadItem()).done).toBe(false);
});

test("AB3, AR9: erasing an item leaves no gap in positions on its board and in its sprint", async () => {
  const { columns } = await createBoard({});
  const sprint = (await create("sprint")).id as number;
  const path = `/sprints/${sprint}/sprint_backlog_items`;
  const items = [];
  for (let i = 0; i < 3; i++) items.push(await request({ agile_board_column_id: columns[0], team_id: desk }));
  for (const { id } of items) await admin.post(path, { request_id: id });
  const [first, gone, last] = items as [Column, Column, Column];
  await admin.patch(`/requests/${gone.id}`, { status: "completed" });
  expect((await admin.post(`/requests/${gone.id}/trash`)).status).toBe(200);
  await clock.pass(29 * 86_400);
  expect((await admin.get(`/requests/${gone.id}`)).status).toBe(404);
  for (const [id, place] of [
    [first.id, 1],
    [last.id, 2],
  ] as [number, number][])
    expect(await loadPosition("request", id)).toBe(place);
  const planned = (await admin.get(path)).body;
  expect(
    planned.map((item: { position: number; request: { id: number } }) => [item.position, item.request.id]),
  ).toEqual([
    [1, first.id],
    [2, last.id],
  ]);
});
