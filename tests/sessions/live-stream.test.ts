import { afterEach, expect, test } from "vitest";
import { EventStream } from "../support/clients/event-stream.ts";
import { setPasswords } from "../support/clients/form-browser.ts";
import { createScopedClient } from "../support/clients/scoped-client.ts";
import { createSessionClient, signInForCookie } from "../support/clients/session-client.ts";
import type { Role } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { type Client, loggedErrors, world } from "../support/world.ts";

// The event stream with changes and presence, and the notifications that it announces.

const the = await world();
const { as, clock, sql } = the;
const roles = ["specialist", "manager", "administrator", "requester", "stranger", "provider"] as const;
await setPasswords(the, ...roles);
const cookies = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await signInForCookie(the, role)] as const)),
) as Record<(typeof roles)[number], string>;
const sessions = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, await createSessionClient(the, cookies[role])] as const)),
) as Record<(typeof roles)[number], Client>;

const open: EventStream[] = [];
const openStream = async (role: (typeof roles)[number], topics: string, headers = {}, account = "widget-it") => {
  const opened = await EventStream.open(the, cookies[role], `/accounts/${account}/stream?topics=${topics}`, headers);
  open.push(opened);
  if (opened.status === 200) await until(() => opened.events.length > 0);
  return opened;
};
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const createRequest = async (values: Record<string, unknown> = {}, role: Role = "specialist"): Promise<number> => {
  const { body, status } = await as(role).post("/requests", {
    subject: "Printer",
    category: "rfi",
    team: 1,
    ...values,
  });
  expect(status).toBe(201);
  return body.id;
};

const createOwnRequest = async (subject = "Mine"): Promise<number> => {
  const { body, status } = await as("requester").post("/requests", { subject, category: "rfi" });
  expect(status).toBe(201);
  return body.id;
};

/** Waits until the streams have got everything that was committed before. */
const settle = async (reader: EventStream, topicId: number): Promise<void> => {
  const before = reader.of("change").length;
  await as("administrator").patch(`/requests/${topicId}`, { subject: `Settled ${before} ${reader.events.length}` });
  await reader.next("change", ({ id, fields }) => id === topicId && fields.includes("subject"));
};

test("a change event has the changed fields and no values", async () => {
  const id = await createRequest();
  const reader = await openStream("manager", `record/request/${id}`);
  expect(reader.events[0]).toMatchObject({ event: "ready", id: expect.stringMatching(/^\d+-\d+$/) });
  await as("specialist").patch(`/requests/${id}`, { impact: "high", category: "incident" });
  const { data, id: position } = await reader.next("change");
  expect(data).toEqual({
    type: "request",
    id,
    revision: expect.any(Number),
    kind: "update",
    fields: expect.arrayContaining(["impact", "category"]),
    by: 3,
    at: expect.any(String),
  });
  expect(position).toMatch(/^\d+-\d+$/);
  expect(JSON.stringify(data)).not.toContain("high");
});

test("lists get events of new records, records only their own", async () => {
  const id = await createRequest();
  const [list, one] = [
    await openStream("specialist", "list/request"),
    await openStream("specialist", `record/request/${id}`),
  ];
  const other = await createRequest();
  expect((await list.next("change", (data) => data.id === other)).data.kind).toBe("create");
  await settle(one, id);
  expect(one.of("change").map(({ data }) => data.id)).toEqual([id]);
});

test("a note is sent as the kind note, and an internal one isn't sent to the requester", async () => {
  const id = await createOwnRequest();
  const [colleague, requester] = [
    await openStream("manager", `record/request/${id}`),
    await openStream("requester", `record/request/${id}`),
  ];
  await as("specialist").post(`/requests/${id}/notes`, { text: "between us", internal: true });
  const internal = await colleague.next("change", (data) => data.kind === "note");
  await as("specialist").post(`/requests/${id}/notes`, { text: "hello" });
  const event = await requester.next("change", (data) => data.kind === "note");
  expect(event.data.note).toBeGreaterThan(internal.data.note);
  // The event doesn't tell readers without access to the audit trail who changed what.
  expect(event.data).toMatchObject({ by: null, fields: [] });
  expect(requester.of("change").filter(({ data }) => data.note === internal.data.note)).toEqual([]);
});

test("people get no events of records that they may not read", async () => {
  const id = await createRequest();
  const watched = await createOwnRequest();
  const requester = await openStream("requester", `record/request/${id},record/request/${watched},list/request`);
  const stranger = await openStream("stranger", `record/request/${id},list/request,list/person`, {}, "stranger");
  const colleague = await openStream("manager", `record/request/${id}`);
  await as("specialist").patch(`/requests/${id}`, { subject: "Secret" });
  await colleague.next("change");
  await as("specialist").patch(`/requests/${watched}`, { subject: "Yours" });
  await requester.next("change", (data) => data.id === watched);
  const { body } = await as("stranger").post("/requests", { subject: "Strange", category: "rfi", team: 3 });
  await stranger.next("change", (data) => data.id === body.id);
  expect(requester.of("change").every(({ data }) => data.id === watched)).toBe(true);
  expect(stranger.of("change").every(({ data }) => data.id === body.id)).toBe(true);
});

test("a foreign account or session can't open a stream", async () => {
  expect((await openStream("stranger", "inbox", {}, "widget-it")).status).toBe(403);
  expect((await openStream("specialist", "inbox", {}, "nowhere")).status).toBe(403);
  expect((await openStream("specialist", "inbox", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await EventStream.open(the, "", "/accounts/widget-it/stream")).status).toBe(401);
});

test.each([
  "nonsense",
  "list/nonsense",
  "record/request",
  "record/request/0",
  "record/request/x",
  "record/request/99999999999",
  "record/request/1/2",
  Array.from({ length: 21 }, (_, at) => `record/request/${at + 1}`).join(","),
  "x".repeat(5000),
])("topics %.60s are rejected", async (topics) => {
  expect((await openStream("specialist", topics)).status).toBe(400);
});

test("a stream resumes where it ended, and restarts if that is too long ago", async () => {
  const id = await createRequest();
  const first = await openStream("manager", `record/request/${id}`);
  await as("specialist").patch(`/requests/${id}`, { subject: "One" });
  const { id: position } = await first.next("change");
  first.close();
  await as("specialist").patch(`/requests/${id}`, { subject: "Two" });
  await as("specialist").post(`/requests/${id}/notes`, { text: "Three" });
  const second = await openStream("manager", `record/request/${id}`, { "Last-Event-ID": position });
  await second.next("change", (data) => data.kind === "update");
  await second.next("change", (data) => data.kind === "note");
  expect(second.of("reset")).toEqual([]);
  for (const unknown of ["0-0", "99999999-1", "' OR 1=1", "1"]) {
    if (unknown === "0-0") await clock.pass(11 * 60);
    const late = await openStream("manager", `record/request/${id}`, { "Last-Event-ID": unknown });
    expect([unknown, late.events[0]?.event]).toEqual([unknown, "reset"]);
    late.close();
  }
});

test("every process sends changes made by other processes", async () => {
  const id = await createRequest();
  const reader = await openStream("manager", `record/request/${id}`);
  // Another process commits and may fail before NOTIFY; the log is polled anyway.
  await sql(
    `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_at) VALUES ('widget-it', 'update', 'request', $1, '{"subject": ["a", "b"]}', now())`,
    [id],
  );
  expect((await reader.next("change")).data).toMatchObject({ id, kind: "update", fields: ["subject"], by: null });
});

test("neither open nor resumed streams miss a transaction that commits late", async () => {
  const id = await createRequest();
  const reader = await openStream("manager", `record/request/${id}`);
  const [{ line = 0 } = {}] = await sql<{ line: number }>("SELECT nextval('audit_lines_id_seq')::integer AS line");
  await as("specialist").patch(`/requests/${id}`, { subject: "Later line, earlier commit" });
  const { id: position } = await reader.next("change");
  reader.close();
  await sql(
    `INSERT INTO audit_lines (id, account_id, action, audited, record_id, changes, created_at) VALUES ($2, 'widget-it', 'update', 'request', $1, '{"impact": ["low", "high"]}', $3)`,
    [id, line, clock.now()],
  );
  const resumed = await openStream("manager", `record/request/${id}`, { "Last-Event-ID": position });
  await resumed.next("change", (data) => data.fields.includes("impact"));
});

test("deleting a session ends its streams, and losing access ends the topic", async () => {
  const id = await createOwnRequest();
  const client = await createSessionClient(the, await signInForCookie(the, "requester"));
  const reader = await openStream("requester", `record/request/${id}`);
  await sql("UPDATE requests SET requested_by_id = 6, requested_for_id = 6 WHERE id = $1", [id]);
  await sql("NOTIFY access_changed");
  await reader.next("reset");
  const { body: list } = await client.get("/sessions");
  for (const { id: session, current } of list) if (!current) await client.delete(`/sessions/${session}`);
  await until(() => reader.isEnded);
  cookies.requester = await signInForCookie(the, "requester");
  sessions.requester = await createSessionClient(the, cookies.requester);
});

test("only the person concerned is notified of changed roles", async () => {
  const [own, other] = [await openStream("manager", ""), await openStream("specialist", "")];
  await Promise.all([own.next("access"), other.next("access")]); // the current roles
  await as("administrator").post("/people/9/permissions/widget-it?roles=auditor");
  await own.next("access", ({ roles }) => roles.includes("auditor"));
  expect(other.of("access")).toHaveLength(1);
  const later = await openStream("manager", "");
  expect((await later.next("access")).data.roles).toContain("auditor");
  await as("administrator").delete("/people/9/permissions/widget-it?roles=auditor");
});

test("a person has at most ten streams", async () => {
  const opened = await Promise.all(Array.from({ length: 10 }, () => openStream("provider", "inbox", {}, "provider")));
  expect(opened.every(({ status }) => status === 200)).toBe(true);
  expect((await openStream("provider", "inbox", {}, "provider")).status).toBe(429);
  opened[0]?.close();
  await until(async () => (await openStream("provider", "inbox", {}, "provider")).status === 200);
});

test("the inbox gets events of work that is added and removed, and of no other", async () => {
  const [member, other] = [await openStream("specialist", "inbox"), await openStream("administrator", "inbox")];
  const id = await createRequest({ member: 3 }, "manager");
  const { data } = await member.next("inbox");
  expect(data.counts).toMatchObject({
    mine: expect.any(Number),
    my_teams: expect.any(Number),
    unassigned: expect.any(Number),
  });
  await as("manager").patch(`/requests/${id}`, { member: 9 });
  await member.next("inbox", ({ counts }) => counts.mine === data.counts.mine - 1);
  expect(other.of("inbox")).toEqual([]);
});

test("presence is shown to people with a role who may read the record", async () => {
  const id = await createOwnRequest();
  const [colleague, requester] = [
    await openStream("manager", `record/request/${id}`),
    await openStream("requester", `record/request/${id}`),
  ];
  const say = (doing: string, role: (typeof roles)[number] = "specialist") =>
    sessions[role].post("/accounts/widget-it/presence", { type: "request", id, doing });
  expect((await say("viewing")).status).toBe(204);
  expect((await colleague.next("presence", ({ people }) => people.length > 0)).data).toEqual({
    type: "request",
    id,
    people: [{ id: 3, name: "Sam Specialist", doing: "viewing" }],
  });
  await say("writing");
  await colleague.next("presence", ({ people }) => people[0]?.doing === "writing");
  // A stream that opens later gets the presence, and a person is removed forty-five seconds after the last heartbeat.
  const late = await openStream("administrator", "inbox");
  await late.next("presence", ({ people }) => people[0]?.doing === "writing");
  await clock.pass(46);
  await colleague.next("presence", ({ people }) => people.length === 0);
  await say("viewing");
  await say("gone");
  expect(requester.of("presence")).toEqual([]);
  expect((await say("viewing", "requester")).status).toBe(403);
  expect((await say("viewing", "stranger")).status).toBe(403);
  expect((await say("dancing")).status).toBe(422);
  const hostile = [
    {},
    { type: "nope", id: 1 },
    { type: "request", id: "1" },
    { type: "request", id: 1e12 },
    { type: 7 },
  ];
  for (const body of hostile)
    expect((await sessions.specialist.post("/accounts/widget-it/presence", { ...body, doing: "viewing" })).status).toBe(
      400,
    );
  const nowhere = { type: "request", id: 1_999_999, doing: "viewing" };
  expect((await sessions.specialist.post("/accounts/widget-it/presence", nowhere)).status).toBe(404);
});

test("only the person who starts a bulk change gets its progress", async () => {
  const id = await createRequest();
  const [own, other] = [await openStream("administrator", ""), await openStream("manager", "")];
  const { status, body } = await as("administrator").post("/bulk_changes", {
    ...{ collection: "requests", ids: [id], change: { impact: "high", category: "incident" } },
  });
  expect(status).toBe(202);
  await the.service.worker.runDue();
  const { data } = await own.next("job", ({ done }) => done === 1);
  expect(data).toEqual({ token: body.token, done: 1, total: 1 });
  expect(other.of("job")).toEqual([]);
});

const loadNotifications = async (role: (typeof roles)[number]) => (await as(role).get("/notifications")).body;

test("a mention, an assignment and a reply notify only the person concerned", async () => {
  const id = await createOwnRequest("Bell");
  const reader = await openStream("manager", "inbox");
  await as("specialist").post(`/requests/${id}/notes`, { text: "Look, <@9|Mia>", internal: true });
  await the.service.notificationDispatcher.runDue();
  await as("specialist").patch(`/requests/${id}`, { member: 9 });
  await the.service.notificationDispatcher.runDue();
  await reader.next("notification", ({ unread }) => unread >= 1);
  const { items, unread } = await loadNotifications("manager");
  expect(unread).toBe(items.length);
  expect(items.map(({ kind }: { kind: string }) => kind)).toContain("assignment");
  expect(items[0]).toMatchObject({
    type: "request",
    record: { id, name: "Bell" },
    by: { id: 3, name: "Sam Specialist" },
    read_at: null,
    muted: false,
  });
  expect(items.map(({ kind }: { kind: string }) => kind)).toContain("mention");
  const countReadable = async (...scopes: Parameters<typeof createScopedClient>[2]) =>
    (await (await createScopedClient(the, 9, scopes)).get("/notifications")).body.items?.length;
  expect(await countReadable("request:Read")).toBe(undefined);
  expect(await countReadable("notification:Read")).toBe(0);
  expect(await countReadable("*:*", { deny: "request:Read" })).toBe(0);
  expect(await countReadable("notification:Read, request:Read")).toBe(items.length);
  const others = (await loadNotifications("specialist")).items as { record: { id: number } }[];
  expect(others.filter(({ record }) => record.id === id)).toEqual([]);
  const first = items[0].id;
  expect((await as("manager").post("/notifications/read", { ids: [first] })).body.unread).toBe(unread - 1);
  expect((await as("manager").post("/inbox/seen", { type: "request", id })).status).toBe(204);
  expect((await loadNotifications("manager")).unread).toBe(0);
  await as("specialist").post(`/requests/${id}/notes`, { text: "An answer for you" });
  await the.service.notificationDispatcher.runDue();
  const answers = (await loadNotifications("requester")).items as { record: { id: number } }[];
  expect(answers.filter(({ record }) => record.id === id)).toMatchObject([{ kind: "answer" }]);
});

test("a muted record sends no notifications until it is unmuted", async () => {
  const id = await createRequest({ member: 9 });
  await the.service.notificationDispatcher.runDue();
  await as("manager").post("/notifications/read", {});
  const mute = (muted: unknown) => as("manager").put(`/notifications/muted/request/${id}`, { muted });
  expect((await mute(true)).status).toBe(204);
  await as("specialist").post(`/requests/${id}/notes`, { text: "Nothing of note" });
  await the.service.notificationDispatcher.runDue();
  expect((await loadNotifications("manager")).unread).toBe(0);
  expect((await mute(false)).status).toBe(204);
  await as("specialist").post(`/requests/${id}/notes`, { text: "Something of note" });
  await the.service.notificationDispatcher.runDue();
  expect((await loadNotifications("manager")).unread).toBe(1);
  expect((await mute("perhaps")).status).toBe(422);
  for (const path of ["nonsense/1", "request/0", "request/x", "account/1"])
    expect((await as("manager").put(`/notifications/muted/${path}`, { muted: true })).status).toBe(400);
  expect((await as("stranger").put(`/notifications/muted/request/${id}`, { muted: true })).status).toBe(404);
  for (const body of [{ ids: "all" }, { ids: [1.5] }, { ids: [-1] }, { ids: [null] }])
    expect((await as("manager").post("/notifications/read", body)).status).toBe(422);
  expect((await as("manager").get("/notifications?after=x")).status).toBe(400);
});

test("D-284: a person chooses per kind which notifications reach them in the page and by email", async () => {
  const id = await createRequest({ member: 9 });
  const choose = (value: unknown) => as("manager").put("/kept_items/preference/notifications", { value });
  const mention = async (text: string) => {
    await the.service.notificationDispatcher.runDue();
    await as("manager").post("/notifications/read", {});
    await the.sql("DELETE FROM mails");
    await as("specialist").post(`/requests/${id}/notes`, { text: `<@9|Mia> ${text}`, internal: true });
    await the.service.notificationDispatcher.runDue();
    const mails = await the.sql("SELECT 1 FROM mails WHERE recipient = 'mia@widget.example'");
    return [(await loadNotifications("manager")).unread, mails.length];
  };
  expect(await mention("one")).toEqual([1, 1]);
  // The note can also count as a reply, so both kinds are turned off.
  await choose({ mention: { page: false }, answer: { page: false } });
  expect(await mention("two")).toEqual([0, 1]);
  await choose({ mention: { mail: false }, answer: { mail: false } });
  expect(await mention("three")).toEqual([1, 0]);
  await choose({ mention: 5, answer: null, target: [false] });
  expect(await mention("four")).toEqual([1, 1]);
});

test("no call of these tests caused a server error", () => {
  expect(loggedErrors(the.log)).toEqual([]);
});
