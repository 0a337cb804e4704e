import { expect, test } from "vitest";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { uploadTextFile } from "../support/records/upload.ts";
import { describeErrors, listErrors } from "../support/replies.ts";
import { type Client, world } from "../support/world.ts";

// Notes, reactions, note attachments and time spent: NT1 to NT7, TS1 to TS4, EV1 to EV5.

const { as, sql, service, clock } = await world();
const admin = as("administrator");
const types = service.engine.types;
const bodies = new RequestBodies(admin, types);

async function request(members: Record<string, unknown> = {}, by: Client = admin) {
  const { status, body, text } = await by.post("/requests", { category: "other", ...members });
  if (status !== 201) throw new Error(text);
  return { ...body, path: `/requests/${body.id}` };
}
const readTexts = async (path: string, by = admin) => {
  const { status, body } = await by.get(path);
  return status === 200 ? body.map((note: { text: string }) => note.text) : status;
};
const loadEvents = (id: number) =>
  sql<{ event: string; payload: Record<string, unknown> }>(
    "SELECT event, payload FROM events WHERE record_type = 'request' AND record_id = $1 ORDER BY id",
    [id],
  );
const countAuditEntries = async (path: string) => (await admin.get(`${path}/audit`)).body.length;

test("note and internal_note in a call become two notes, public first, and aren't part of the record", async () => {
  const { path, note, id } = await request({ note: "Hello", internal_note: "Psst" });
  expect(note).toBeUndefined();
  expect((await admin.get(`${path}/notes`)).body).toEqual([
    {
      id: expect.any(Number),
      nodeID: expect.any(String),
      text: "Hello",
      person: expect.objectContaining({ id: 1 }),
      internal: false,
      account: { id: "widget-it", name: "Widget IT" },
      medium: "default",
      request: expect.objectContaining({ id, subject: "Hello" }),
      attachments: [],
      created_at: expect.any(String),
    },
    expect.objectContaining({ text: "Psst", internal: true, account: { id: "widget-it", name: "Widget IT" } }),
  ]);
  expect(await readTexts(`${path}/notes/public`)).toEqual(["Hello"]);
  expect(await readTexts(`${path}/notes/internal`)).toEqual(["Psst"]);
  await admin.patch(path, { note: " " });
  expect(await readTexts(`${path}/notes`)).toEqual(["Hello", "Psst"]);
  expect((await admin.get(`${path}?fields=note`)).status).toBe(400);
});

test("CV25: a note is created below its record, read by its id, and can't be changed or deleted", async () => {
  const { path, id } = await request();
  const { status, body } = await admin.post(`${path}/notes`, { text: "More" });
  expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
  expect((await admin.get(`/notes/${body.id}`)).body).toMatchObject({ id: body.id, text: "More", request: { id } });
  expect(describeErrors(await admin.post(`${path}/notes`, { text: "" }))).toEqual(["text: Text can't be blank"]);
  for (const at of [`/notes/${body.id}`, `${path}/notes/${body.id}`])
    for (const method of ["PATCH", "PUT", "DELETE"]) expect((await admin.send(method, at, {})).status).toBe(404);
  expect((await admin.post("/notes", { text: "x" })).status).toBe(404);
  expect((await admin.get("/notes?per_page=1")).body[0].id).toBe(body.id);
});

test("EV3: a note fires note-added and update, writes no audit entry, and changes updated_at", async () => {
  const { path, id, updated_at } = await request({ note: "first" });
  await clock.pass(60);
  const { body } = await admin.post(`${path}/notes`, { text: "second" });
  await clock.pass(60);
  await admin.patch(path, { note: "third", status: "in_progress" });
  const events = await loadEvents(id);
  expect(events.map(({ event }) => event)).toEqual([
    "request.create",
    "request.note-added",
    "request.update",
    "request.note-added",
    "request.status-changed",
    "request.update",
  ]);
  expect(events[0]?.payload.note_id).toEqual(expect.any(Number));
  for (const { payload } of events.slice(1, 3)) {
    expect(payload.note_id).toBe(body.id);
    expect(payload).not.toHaveProperty("audit_line_id");
  }
  expect(events[3]?.payload).not.toHaveProperty("audit_line_id");
  expect(events[5]?.payload).toMatchObject({ audit_line_id: expect.any(Number), note_id: expect.any(Number) });
  expect(await countAuditEntries(path)).toBe(2);
  expect((await admin.get(path)).body.updated_at).not.toBe(updated_at);
  expect(await sql("SELECT 1 FROM audit_lines WHERE audited = 'note'")).toEqual([]);
});

test("only people who work in the account read internal notes", async () => {
  const { path } = await request({ requested_for_id: 5, note: "For Rita", internal_note: "About Rita" });
  const requester = as("requester");
  expect(await readTexts(`${path}/notes`, requester)).toEqual(["For Rita"]);
  expect(await readTexts(`${path}/notes/internal`, requester)).toEqual([]);
  for (const role of ["specialist", "auditor"] as const)
    expect(await readTexts(`${path}/notes`, as(role)), role).toEqual(["For Rita", "About Rita"]);
  const [note] = (await admin.get(`${path}/notes/internal`)).body;
  expect((await requester.get(`/notes/${note.id}`)).status).toBe(403);
  expect((await requester.get(`/notes/${note.id}/note_reactions`)).status).toBe(403);
  expect((await as("stranger").get(`/notes/${note.id}`)).status).toBe(404);
  expect((await requester.get("/notes")).body.every((row: { internal: boolean }) => !row.internal)).toBe(true);

  expect(listErrors(await requester.post(`${path}/notes`, { text: "Mine", internal: true }))[0]).toMatch(/^internal: /);
  expect((await requester.post("/requests", { category: "rfi", internal_note: "x" })).status).toBe(403);
  expect((await requester.post(`${path}/notes`, { text: "Thanks" })).status).toBe(201);
  expect(await readTexts(`${path}/notes/public`)).toEqual(["For Rita", "Thanks"]);
  // A public note's account is that of its author.
  expect((await admin.get(`${path}/notes/public`)).body[1].account.id).toBe("widget");
});

test("a failing note rolls back the whole change", async () => {
  const before = await sql("SELECT count(*) FROM requests");
  const files = [{ key: "unknown/key" }];
  expect(listErrors(await admin.post("/requests", { category: "rfi", note: "x", note_attachments: files }))[0]).toMatch(
    /^note_attachments: .* is not a known attachment$/,
  );
  expect(await sql("SELECT count(*) FROM requests")).toEqual(before);
});

test("a note's files belong to the note, and are listed below its request", async () => {
  for (const key of ["public", "internal", "direct"])
    await sql(
      "INSERT INTO attachments (account_id, key, name, size, created_at) VALUES ('widget-it', $1, $2, 3, now())",
      [`attachments/${key}`, `${key}.txt`],
    );
  const { path, attachments } = await request({
    requested_for_id: 5,
    note: "See file",
    note_attachments: [{ key: "attachments/public" }],
    internal_note: "And this",
    internal_note_attachments: [{ key: "attachments/internal", inline: true }],
  });
  expect(attachments).toEqual([]);
  await admin.post(`${path}/notes`, { text: "Once more", attachments: [{ key: "attachments/direct" }] });
  const notes = (await admin.get(`${path}/notes`)).body;
  expect(notes.map((note: { attachments: { name: string }[] }) => note.attachments[0]?.name)).toEqual([
    "public.txt",
    "internal.txt",
    "direct.txt",
  ]);
  const { body } = await admin.get(`${path}/note_attachments`);
  expect(body).toHaveLength(3);
  expect(body[0]).toEqual({
    id: expect.any(Number),
    nodeID: expect.any(String),
    name: "public.txt",
    key: "attachments/public",
    uri: expect.stringContaining("attachments/public?"),
    inline: false,
    size: 3,
    note: expect.objectContaining({ id: notes[0].id }),
    created_at: expect.any(String),
  });
  expect((await admin.get(`${path}/note_attachments?sort=-created_at&per_page=1`)).body).toHaveLength(1);
  const seen = (await as("requester").get(`${path}/note_attachments`)).body;
  expect(seen.map((file: { name: string }) => file.name)).toEqual(["public.txt", "direct.txt"]);
});

test("CV25: six reactions can be added, and removed by the person who added them", async () => {
  const { path } = await request({ requested_for_id: 5, note: "Done?" });
  const [note] = (await admin.get(`${path}/notes`)).body;
  const { status, body } = await as("requester").post("/note_reactions", { note_id: note.id, reaction: "🎉" });
  expect([status, body]).toMatchObject([201, { reaction: "🎉", person: { id: 5 } }]);
  expect(listErrors(await admin.post("/note_reactions", { note_id: note.id, reaction: "🐍" }))[0]).toMatch(
    /^reaction: /,
  );
  expect((await as("requester").get(`/notes/${note.id}/note_reactions`)).body).toEqual([
    { id: body.id, nodeID: expect.any(String), reaction: "🎉", person: expect.objectContaining({ id: 5 }) },
  ]);
  expect((await as("specialist").delete(`/note_reactions/${body.id}`)).status).toBe(403);
  expect((await as("requester").delete(`/note_reactions/${body.id}`)).status).toBe(204);
  expect((await admin.get(`/notes/${note.id}/note_reactions`)).body).toEqual([]);
});

test("time spent becomes a time entry of the caller, and doesn't change the request", async () => {
  const { path, id, updated_at } = await request();
  await clock.pass(60);
  expect((await as("specialist").patch(path, { time_spent: 25 })).status).toBe(200);
  expect((await admin.get(path)).body.updated_at).toBe(updated_at);
  const [entry] = await sql("SELECT person_id, time_spent, date::text FROM time_entries WHERE request_id = $1", [id]);
  expect(entry).toEqual({ person_id: 3, time_spent: 25, date: "2025-03-03" });
  expect((await loadEvents(id)).map(({ event }) => event)).toEqual(["request.create"]);
  expect(await countAuditEntries(path)).toBe(1);
  expect(describeErrors(await admin.patch(path, { time_spent: -5 }))).toEqual(["time_spent: Time spent is not valid"]);
  await admin.patch(path, { time_spent: 0 });
  expect(await sql("SELECT 1 FROM time_entries WHERE request_id = $1", [id])).toHaveLength(1);
});

test("other records have only public notes", async () => {
  for (const name of ["problem", "release", "risk"]) {
    const type = types.get(name);
    const record = await bodies.make(type, { note: "born with it" });
    const path = `/${type.collection}/${record.id}`;
    expect(await readTexts(`${path}/notes`), name).toEqual(["born with it"]);
    expect(describeErrors(await admin.post(`${path}/notes`, { text: "x", internal: true }))).toEqual([
      "internal: Internal is not valid",
    ]);
    await admin.post(`${path}/notes`, { text: "newest" });
    expect(await readTexts(`${path}/notes`), name).toEqual(["newest", "born with it"]);
    expect((await admin.get(`/notes?per_page=1`)).body[0]).toMatchObject({ [name]: { id: record.id } });
  }
});

test("GR6, RG10: a copied note gets copies of its files, and its text refers to the copies", async () => {
  const [one, other] = [await request(), await request()];
  const group = (await admin.patch(one.path, { grouped_into_id: other.id })).body.grouped_into.id;
  const key = await uploadTextFile(admin, "plan.txt", "the plan");
  await admin.patch(`/requests/${group}`, { note: `Look: ![](${key})`, note_attachments: [{ key, inline: true }] });
  await clock.pass(1);
  const copies = [];
  for (const { path } of [one, other]) {
    const note = (await admin.get(`${path}/notes`)).body.at(-1);
    const [file] = note.attachments;
    expect(note.text).toBe(`Look: ![](${file.key})`);
    expect(file).toMatchObject({ name: "plan.txt", inline: true, size: 8 });
    expect(await (await fetch(file.uri)).text()).toBe("the plan");
    copies.push(file.key);
  }
  expect(new Set([key, ...copies]).size).toBe(3);
});

test("NT4: an administrator can redact a note: its text and files are removed, and the record's audit trail names the administrator", async () => {
  const { id, path } = await request({ requested_for_id: 5 });
  const key = await uploadTextFile(admin, "secret.txt", "secret");
  const { body: note } = await admin.post(`${path}/notes`, { text: "My password is 1234", attachments: [{ key }] });
  const [before] = (await admin.get(`${path}/notes`)).body;
  for (const [by, status] of [
    [as("specialist"), 403],
    [as("stranger"), 404],
  ] as const)
    expect((await by.post(`/notes/${note.id}/redact`)).status).toBe(status);
  const { status, body } = await admin.post(`/notes/${note.id}/redact`);
  expect([status, body]).toMatchObject([200, { id: note.id, text: "", medium: "redacted", person: { id: 1 } }]);
  expect(body.created_at).toBe(before.created_at);
  expect((await admin.get(`${path}/note_attachments`)).body).toEqual([]);
  await clock.pass(1);
  expect((await fetch(before.attachments[0].uri)).status).toBe(404);
  const [line] = (await admin.get(`${path}/audit`)).body;
  expect(line).toMatchObject({ created_by: { id: 1 }, changes: { redacted_note_id: [null, note.id] } });
  expect((await loadEvents(id)).at(-1)?.event).toBe("request.update");
  const lines = await countAuditEntries(path);
  expect((await admin.post(`/notes/${note.id}/redact`)).status).toBe(200);
  expect(await countAuditEntries(path)).toBe(lines);
});
