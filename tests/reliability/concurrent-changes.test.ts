import { expect, test } from "vitest";
import { requestHelpers } from "../support/records/requests.ts";
import { type Reply, world } from "../support/world.ts";

// Concurrent changes: none is lost, the audit trail is consistent, and no client sees a deadlock.

const here = await world();
const { sql } = here;
const { admin, create, request, team, load } = requestHelpers(here);
const many = Array.from({ length: 50 }, (_, index) => index);

/** On a busy machine, a connection may take longer than the server's timeout. A 503 means no change, so the call is repeated. */
async function patch(path: string, members: Record<string, unknown>): Promise<Reply> {
  let reply = await admin.patch(path, members);
  while (reply.status === 503) reply = await admin.patch(path, members);
  return reply;
}

async function loadTrail(path: string): Promise<Record<string, [unknown, unknown]>[]> {
  const lines: { changes: Record<string, [unknown, unknown]> }[] = [];
  for (let page = 1; ; page++) {
    const { body } = await admin.get(`${path}/audit?per_page=100&page=${page}`);
    lines.push(...body);
    if (body.length < 100) break;
  }
  const inOrder = (lines as unknown as { id: number; changes: Record<string, [unknown, unknown]> }[]).sort(
    (one, other) => one.id - other.id,
  );
  return inOrder.map(({ changes }) => changes);
}

/** Expects that every audit line starts from the values that the previous one ended with. */
function expectConsistentTrail(lines: readonly Record<string, [unknown, unknown]>[]): void {
  const now: Record<string, unknown> = {};
  for (const line of lines)
    for (const [name, [from, to]] of Object.entries(line)) {
      if (name in now) expect(from, name).toEqual(now[name]);
      now[name] = to;
    }
}

test("50 concurrent changes of one request: no assignment is lost, and each audit line starts where the previous one ended", async () => {
  const teams = [await team(), await team(), await team()];
  const { path, id } = await request({ team_id: teams[0] });
  const replies = await Promise.all(
    many.map((index) =>
      patch(path, {
        team_id: teams[index % 3],
        subject: `Change ${index}`,
        status: index % 2 === 0 ? "completed" : "assigned",
        note: `Note ${index}`,
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(many.map(() => 200));
  const lines = await loadTrail(path);
  expectConsistentTrail(lines);
  const last = await load(path);
  const moves = lines.filter((line) => "team" in line).length;
  const reopened = lines.filter((line) => line.status?.[0] === "completed").length;
  expect([last.assignment_count, last.reopen_count]).toEqual([moves, reopened]);
  const [notes] = await sql<{ count: string }>("SELECT count(*) FROM notes WHERE request_id = $1", [id]);
  expect(Number(notes?.count)).toBe(50);
});

test("concurrent moves of many requests on one board: positions stay 1 to n", async () => {
  const board = await create("agile_board");
  const columns: number[] = [];
  for (const name of ["To do", "Doing"])
    columns.push((await admin.post(`/agile_boards/${board.id}/agile_board_columns`, { name })).body.id);
  const items = await Promise.all(many.slice(0, 12).map(() => request({ agile_board_column_id: columns[0] })));
  const replies = await Promise.all(
    many.slice(0, 36).map((index) =>
      patch((items[index % items.length] as { path: string }).path, {
        agile_board_column_id: columns[(index + Math.floor(index / 12)) % 2],
        agile_board_column_position: (index % 4) + 1,
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  for (const column of columns) {
    const rows = await sql<{ p: number }>(
      "SELECT agile_board_column_position AS p FROM requests WHERE agile_board_column_id = $1 ORDER BY 1",
      [column],
    );
    expect(rows.map(({ p }) => p)).toEqual(rows.map((_, index) => index + 1));
  }
});

test("concurrent changes of a group and its requests: no client sees a deadlock", async () => {
  const [one, other] = [await request(), await request()];
  const { body } = await admin.patch(one.path, { grouped_into_id: other.id });
  const group = `/requests/${body.grouped_into.id}`;
  const replies = await Promise.all(
    many
      .slice(0, 20)
      .map((index) =>
        index % 2 === 0
          ? patch(group, { impact: ["low", "medium", "high", "top"][(index / 2) % 4] })
          : patch(one.path, { note: `Note ${index}`, desired_completion_at: undefined }),
      ),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  const [inGroup, member] = [await load(group), await load(one.path)];
  expect(member.impact).toBe(inGroup.impact);
  for (const path of [group, one.path, other.path]) expectConsistentTrail(await loadTrail(path));
});
