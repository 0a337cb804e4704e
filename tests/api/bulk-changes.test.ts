import { expect, test } from "vitest";
import { people } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type Client, loggedErrors, world } from "../support/world.ts";

// Bulk changes (D-233).

const at = await world();
const sam = at.as("specialist");
const ada = at.as("administrator");
const team = (await ada.post("/teams", { name: "Networks" })).body;
await ada.post(`/teams/${team.id}/members/${people.specialist.id}`);
await ada.post(`/teams/${team.id}/members/${people.manager.id}`);

async function makeRequests(count: number, subject: string): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 1; n <= count; n++)
    ids.push((await sam.post("/requests", { subject: `${subject} ${n}`, category: "rfi", team_id: team.id })).body.id);
  return ids;
}

async function waitUntilFinished(client: Client, token: string) {
  const isEnd = (state: string) => ["done", "canceled", "undone"].includes(state);
  await until(async () => isEnd((await client.get(`/bulk_changes/${token}`)).body.state));
  return (await client.get(`/bulk_changes/${token}`)).body;
}

test("changes all records of a query, adds a note to each, and undo restores the former values", async () => {
  const ids = await makeRequests(30, "Bulk");
  await sam.patch(`/requests/${ids[0]}`, { member_id: people.specialist.id });
  const started = await sam.post("/bulk_changes", {
    collection: "requests",
    query: "q=bulk&status!=completed",
    change: { member_id: people.manager.id, impact: null },
    note: "Mia takes over",
  });
  expect(started.status).toBe(202);
  const report = await waitUntilFinished(sam, started.body.token);
  expect(report).toMatchObject({ state: "done", total: 30, done: 30, changed: 30, refused: [] });
  const list = (await sam.get(`/requests?id=${ids.join(",")}&fields=member,status&per_page=100`)).body;
  expect(list.every((one: { member: { id: number } }) => one.member.id === people.manager.id)).toBe(true);
  expect((await sam.get(`/requests/${ids[3]}/notes`)).text).toContain("Mia takes over");
  const trail = (await sam.get(`/requests/${ids[3]}/audit`)).body;
  expect(trail[0].created_by.name).toBe("Sam Specialist");
  const loadOrigin = async (id: number | undefined) =>
    (await ada.get(`/requests/${id}/audit?fields=origin&per_page=1`)).body[0].origin;
  const origin = { kind: "bulk_change", id: expect.any(Number), records: 30, token: "test" };
  expect(await loadOrigin(ids[3])).toEqual(origin);

  await sam.patch(`/requests/${ids[5]}`, { member_id: people.specialist.id });
  expect((await sam.post(`/bulk_changes/${started.body.token}/undo`)).status).toBe(202);
  expect(await waitUntilFinished(sam, started.body.token)).toMatchObject({ state: "undone", undone: 30 });
  expect(await loadOrigin(ids[3])).toEqual({ ...origin, undo: true });
  const after = (await sam.get(`/requests?id=${ids.join(",")}&fields=member&sort=id&per_page=100`)).body;
  const members = after.map((one: { member: { id: number } | null }) => one.member?.id ?? null);
  // Undo skips fields that have changed since.
  expect(members).toEqual(ids.map((_, n) => (n === 0 || n === 5 ? people.specialist.id : null)));
  expect((await sam.post(`/bulk_changes/${started.body.token}/undo`)).status).toBe(422);
});

test("tags many records in one call, reuses existing tags, and undo removes only the added ones", async () => {
  const ids = await makeRequests(3, "Tagged");
  await sam.post(`/requests/${ids[0]}/tags`, { name: "Office move" });
  const loadTags = async (id: number | undefined) =>
    (await sam.get(`/requests/${id}/tags`)).body.map(({ name }: { name: string }) => name).sort();
  const order = { collection: "requests", ids, link: { tags: ["office move", "floor 5"] } };
  const preview = await sam.post("/bulk_changes", { ...order, dry_run: true });
  expect(preview.body).toEqual({ total: 3, checked: 3, refused: [] });
  expect(await loadTags(ids[1])).toEqual([]);
  const { token } = (await sam.post("/bulk_changes", order)).body;
  expect(await waitUntilFinished(sam, token)).toMatchObject({ state: "done", changed: 3, refused: [] });
  for (const id of ids) expect(await loadTags(id)).toEqual(["Office move", "floor 5"]);
  await sam.post(`/bulk_changes/${token}/undo`);
  expect(await waitUntilFinished(sam, token)).toMatchObject({ state: "undone", undone: 3 });
  expect(await loadTags(ids[0])).toEqual(["Office move"]);
  expect(await loadTags(ids[1])).toEqual([]);
  for (const link of [{ tags: [] }, { tags: [""] }, { tags: "x" }, { nothing: ["x"] }, { cis: ["x"] }, "tags", [1]]) {
    const wrong = await sam.post("/bulk_changes", { ...order, link });
    expect([wrong.status, String(wrong.body.errors[0][0]).startsWith("link")]).toEqual([422, true]);
  }
});

test("one rejected record doesn't affect the others, and a preview reports it without changing anything", async () => {
  const ids = await makeRequests(3, "Mixed");
  const stranger = (await at.as("stranger").post("/requests", { subject: "Not mine", category: "rfi" })).body.id;
  await ada.patch(`/requests/${ids[1]}`, { status: "completed", completion_reason: "solved", note: "done" });
  expect((await ada.post(`/requests/${ids[1]}/trash`)).status).toBe(200);
  const order = { collection: "requests", ids: [...ids, stranger, 2_000_000], change: { status: "in_progress" } };
  const preview = await sam.post("/bulk_changes", { ...order, dry_run: true });
  expect(preview.status).toBe(200);
  expect(preview.body).toMatchObject({ total: 5, checked: 5 });
  const refusedIds = (body: { refused: { id: number }[] }) => body.refused.map(({ id }) => id);
  expect(refusedIds(preview.body)).toEqual([ids[1], stranger, 2_000_000]);
  expect((await sam.get(`/requests/${ids[0]}`)).body.status).toBe("assigned");
  const { token } = (await sam.post("/bulk_changes", order)).body;
  const report = await waitUntilFinished(sam, token);
  expect(report).toMatchObject({ done: 5, changed: 2 });
  expect(refusedIds(report)).toEqual([ids[1], stranger, 2_000_000]);
  expect(report.refused[1].errors).toEqual([["base", "Not Found"]]);
  expect((await sam.get(`/requests/${ids[0]}`)).body.status).toBe("in_progress");
  // A value that every record rejects.
  const wrong = await sam.post("/bulk_changes", { ...order, change: { completion_reason: "nonsense" } });
  expect([wrong.status, wrong.body.errors[0][0]]).toEqual([422, "completion_reason"]);
});

test("can be canceled, can be undone for ten minutes, and is accessible only to the person who started it", async () => {
  const ids = await makeRequests(4, "Short");
  const { token } = (await sam.post("/bulk_changes", { collection: "requests", ids, change: { urgent: true } })).body;
  for (const other of [ada, at.as("stranger")]) {
    expect((await other.get(`/bulk_changes/${token}`)).status).toBe(404);
    expect((await other.delete(`/bulk_changes/${token}`)).status).toBe(404);
    expect((await other.post(`/bulk_changes/${token}/undo`)).status).toBe(404);
  }
  await waitUntilFinished(sam, token);
  expect((await sam.delete(`/bulk_changes/${token}`)).status).toBe(422);
  await at.clock.pass(601);
  const late = await sam.post(`/bulk_changes/${token}/undo`);
  expect([late.status, late.body.errors[0][0]]).toEqual([422, "base"]);

  // The job isn't due, so it is still queued when it is canceled.
  const second = (await sam.post("/bulk_changes", { collection: "requests", ids, change: { urgent: false } })).body
    .token;
  await at.sql("UPDATE jobs SET run_at = run_at + interval '1 hour' WHERE kind = 'bulk change' AND key = $1", [second]);
  const canceled = await sam.delete(`/bulk_changes/${second}`);
  if (canceled.status === 200) expect(canceled.body.state).toBe("canceled");
  await at.clock.pass(7200);
  expect(["canceled", "done"]).toContain((await sam.get(`/bulk_changes/${second}`)).body.state);
});

test("an interrupted batch is repeated and changes each record once", async () => {
  const ids = await makeRequests(5, "Once");
  const { token } = (await sam.post("/bulk_changes", { collection: "requests", ids, note: "once", change: {} })).body;
  await waitUntilFinished(sam, token);
  // Simulates a process that ended after committing two records: the job is claimed again.
  await at.sql(
    "UPDATE bulk_changes SET state = 'processing', done = 2, changed = 2, finished_at = NULL WHERE token = $1",
    [token],
  );
  await at.sql(
    `UPDATE bulk_change_records SET state = 'waiting', inverse = NULL WHERE position > 2
     AND bulk_change_id = (SELECT id FROM bulk_changes WHERE token = $1)`,
    [token],
  );
  await at.sql(
    `INSERT INTO jobs (account_id, kind, key, payload, run_at)
     SELECT account_id, 'bulk change', token, json_build_object('id', id), timestamptz '2025-03-03' FROM bulk_changes WHERE token = $1`,
    [token],
  );
  await at.service.worker.runDue();
  const report = await waitUntilFinished(sam, token);
  expect(report).toMatchObject({ state: "done", done: 5, changed: 5 });
  const counts = await Promise.all(
    ids.map(async (id) => (await sam.get(`/requests/${id}/notes`)).text.split('"once').length - 1),
  );
  expect(counts.slice(0, 2)).toEqual([counts[0], counts[0]]);
});

test("invalid calls are rejected with the invalid member named, and scopes apply", async () => {
  const order = { collection: "requests", ids: [1], change: { urgent: true } };
  const refused: [string, unknown][] = [
    ["collection", { ...order, collection: "audit_lines" }],
    ["collection", { ...order, collection: "nonsense" }],
    ["ids", { ...order, ids: [] }],
    ["ids", { ...order, ids: ["x"] }],
    ["ids", { ...order, ids: Array.from({ length: 10_001 }, (_, n) => n + 1) }],
    ["ids", { ...order, query: "state=open" }],
    ["query", { ...order, ids: undefined, query: "nonsense=1" }],
    ["query", { ...order, ids: undefined, query: "subject=nothing-like-this" }],
    ["change", { ...order, change: [] }],
    ["change", { ...order, change: {} }],
    ["nonsense", { ...order, change: { nonsense: 1 } }],
    ["note", { collection: "teams", ids: [1], change: {}, note: "x" }],
    ["other", { ...order, other: 1 }],
  ];
  for (const [field, body] of refused) {
    const reply = await sam.post("/bulk_changes", body);
    expect([field, reply.status, reply.body.errors?.[0]?.[0]]).toEqual([field, 422, field]);
  }
  expect((await at.nobody.post("/bulk_changes", order)).status).toBe(401);
  expect(loggedErrors(at.log)).toEqual([]);
});

test("CV34: with an Idempotency-Key the job starts after the call commits, in its own transaction", async () => {
  const ids = await makeRequests(2, "Keyed");
  for (let round = 1; round <= 10; round++) {
    const body = { collection: "requests", ids, change: { subject: `Keyed round ${round}` } };
    const { body: started } = await sam.post("/bulk_changes", body, {
      "Idempotency-Key": `round ${round}`.replace(" ", "-"),
    });
    expect(await waitUntilFinished(sam, started.token)).toMatchObject({ state: "done", changed: 2 });
  }
  expect(await at.sql("SELECT last_error FROM jobs WHERE attempts > 1")).toEqual([]);
});
