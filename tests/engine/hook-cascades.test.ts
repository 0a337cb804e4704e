import { expect, test } from "vitest";
import type { TypeRules } from "../../server/engine/rules.ts";
import { asSpecimenChange, type SpecimenChange, specimenRules } from "../support/records/specimen.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// Changes that a rule makes to other records because one was saved: C1, C5, C7, EV1 to EV5.

/** The field `long` names the rule to run; `count` is the id of the record that the rule changes. */
const stories: Record<string, (change: SpecimenChange) => Promise<unknown>> = {
  "make a child and a sibling": async ({ id, create }) => {
    await create("spot", { specimen: id, name: "blue" });
    await create("specimen", { subject: "sibling", team: 1, mark: "made by a rule" });
  },
  "make a sibling without a subject": ({ create }) => create("specimen", { long: "" }),
  "assign the other": ({ after, update }) => update("specimen", after.count as number, { status: "assigned" }),
  "mark the other": ({ after, update }) => update("specimen", after.count as number, { mark: "seen" }),
  "mark the other in its account": async ({ after, update }) => {
    if (!(await update("specimen", after.count as number, { mark: "seen" }, { account: "stranger" })))
      after.mark = "not there";
  },
  "a chain": ({ create }) => create("specimen", { subject: "middle", long: "make a child and a sibling" }),
  "ring a bell": async ({ addEvent: happened }) => happened({ event: "rung", facts: { bell_id: 7 } }),
  "ring the other's bell": ({ after, update }) =>
    update("specimen", after.count as number, {}, { extraEvent: { event: "rung", facts: { bell_id: 8 } } }),
};
const rules: Record<string, TypeRules> = {
  ...specimenRules,
  specimen: {
    ...specimenRules.specimen,
    effects: {
      "leave a mark": (change) => {
        change.after.mark = "done by a rule";
        // This runs before the record is stored, so references to it must wait until after the save.
        change.runAfterSave(
          async () => void (await asSpecimenChange(change).create("spot", { specimen: change.id, name: "done" })),
        );
      },
    },
    beforeSave(change) {
      if (change.cause !== null && change.after.priority === "top") change.problem("priority", "is not valid");
      if (change.after.long === "make a child in time" && change.before === null)
        change.runAfterSave(
          async () => void (await asSpecimenChange(change).create("spot", { specimen: change.id, name: "early" })),
        );
    },
    async afterSave(change) {
      const story = stories[String(change.after.long)];
      if (story !== undefined && change.changed.has("long")) await story(asSpecimenChange(change));
    },
  },
};

const { as, sql, clock } = await world({ rules });
const admin = as("administrator");

async function specimen(members: Record<string, unknown> = {}, by = admin) {
  const { status, body, text } = await by.post("/specimens", { subject: "s", ...members });
  if (status !== 200) throw new Error(text);
  return { ...body, path: `/specimens/${body.id}` };
}
const countRows = async (table: string) => Number((await sql(`SELECT count(*) FROM ${table}`))[0]?.count);
const loadEventsSince = async (id: number) =>
  sql<{ event: string; record_id: number; payload: Record<string, unknown>; person_id: number }>(
    "SELECT event, record_id, payload, person_id FROM events WHERE id > $1 ORDER BY id",
    [id],
  );
const loadLastEvent = async () => Number((await sql("SELECT coalesce(max(id), 0) AS id FROM events"))[0]?.id);

test("a rule creates records in the save's transaction, and their events follow the cause's events", async () => {
  const since = await loadLastEvent();
  const { id, path } = await specimen({ long: "make a child and a sibling" });
  expect((await admin.get(`${path}/spots`)).body).toMatchObject([{ name: "blue" }]);
  const [sibling] = (await admin.get("/specimens?subject=sibling")).body;
  expect((await admin.get(`/specimens/${sibling.id}`)).body).toMatchObject({
    status: "registered",
    count: 7,
    team: { id: 1 },
    mark: "made by a rule",
  });
  expect((await loadEventsSince(since)).map(({ event, record_id }) => [event, record_id])).toEqual([
    ["specimen.create", id],
    ["specimen.create", sibling.id],
  ]);
  const [line] = (await admin.get(`/specimens/${sibling.id}/audit`)).body;
  expect(line).toMatchObject({ action: "create", created_by: { id: 1 }, changes: { mark: [null, "made by a rule"] } });
});

test("nested consequences follow each other, each after its own cause", async () => {
  const since = await loadLastEvent();
  const { id } = await specimen({ long: "a chain" });
  const events = await loadEventsSince(since);
  expect(events.map(({ event }) => event)).toEqual(Array(3).fill("specimen.create"));
  expect(events[0]?.record_id).toBe(id);
  const names = await Promise.all(
    events.map(async ({ record_id }) => (await admin.get(`/specimens/${record_id}`)).body.subject),
  );
  expect(names).toEqual(["s", "middle", "sibling"]);
});

test("C1: a failing consequence rolls back the whole save", async () => {
  const before = [await countRows("specimens"), await countRows("events"), await countRows("audit_lines")];
  expect(
    describeErrors(await admin.post("/specimens", { subject: "s", long: "make a sibling without a subject" })),
  ).toEqual(["subject: Subject can't be blank"]);
  expect([await countRows("specimens"), await countRows("events"), await countRows("audit_lines")]).toEqual(before);
});

test("rules know that a change has a cause and may refuse it", async () => {
  const other = await specimen({ priority: "top" });
  expect(
    describeErrors(await admin.post("/specimens", { subject: "s", long: "mark the other", count: other.id })),
  ).toEqual(["priority: Priority is not valid"]);
});

test("an update by a rule goes through the state machine and has its own audit line and events", async () => {
  const other = await specimen({ subject: "other" });
  const since = await loadLastEvent();
  const { id } = await specimen({ long: "assign the other", count: other.id });
  expect((await admin.get(other.path)).body).toMatchObject({ status: "assigned", assignment_count: 1 });
  expect((await loadEventsSince(since)).map(({ event, record_id }) => [event, record_id])).toEqual([
    ["specimen.create", id],
    ["specimen.status-changed", other.id],
    ["specimen.update", other.id],
  ]);
  const lines = (await admin.get(`${other.path}/audit`)).body;
  expect(lines.map((line: { action: string }) => line.action)).toEqual(["update", "create"]);
});

test("an update by a rule to the current values changes nothing", async () => {
  const other = await specimen({ status: "assigned" });
  await specimen({ long: "mark the other", count: other.id });
  const since = await loadLastEvent();
  const { id } = await specimen({ long: "mark the other", count: other.id });
  expect((await loadEventsSince(since)).map(({ record_id }) => record_id)).toEqual([id]);
  expect((await admin.get(`${other.path}/audit`)).body).toHaveLength(2);
});

test("a rule changes neither records of other accounts nor archived records", async () => {
  const other = await specimen({ subject: "theirs" }, as("stranger"));
  await specimen({ long: "mark the other", count: other.id });
  expect((await as("stranger").get(other.path)).body.mark).toBeNull();
  await specimen({ long: "mark the other in its account", count: other.id });
  expect((await as("stranger").get(other.path)).body.mark).toBe("seen");

  const done = await specimen({ long: "x" });
  await admin.patch(done.path, { status: "assigned" });
  await admin.patch(done.path, { status: "completed" });
  expect((await admin.post(`${done.path}/archive`)).status).toBe(200);
  await specimen({ long: "mark the other", count: done.id });
  expect((await admin.get(done.path)).body.mark).toBe("done by a rule");
});

test("a state effect can create records that refer to the record after it is saved", async () => {
  const { path } = await specimen({ long: "x", status: "assigned" });
  expect(describeErrors(await admin.patch(path, { status: "completed" }))).toBe(200);
  expect((await admin.get(`${path}/spots`)).body).toMatchObject([{ name: "done" }]);
  // A new record has no row yet when its rules run.
  const born = await specimen({ long: "make a child in time" });
  expect((await admin.get(`${born.path}/spots`)).body).toMatchObject([{ name: "early" }]);
});

test("an extra event comes first, has no audit line, and updates updated_at", async () => {
  const other = await specimen();
  await clock.pass(60);
  const since = await loadLastEvent();
  const { id } = await specimen({ long: "ring the other's bell", count: other.id });
  const events = await loadEventsSince(since);
  expect(events.map(({ event, record_id }) => [event, record_id])).toEqual([
    ["specimen.create", id],
    ["specimen.rung", other.id],
    ["specimen.update", other.id],
  ]);
  for (const { payload } of events.slice(1)) {
    expect(payload).toMatchObject({ bell_id: 8 });
    expect(payload).not.toHaveProperty("audit_line_id");
  }
  expect((await admin.get(`${other.path}/audit`)).body).toHaveLength(1);
  const { created_at, updated_at } = (await admin.get(other.path)).body;
  expect(Date.parse(updated_at) - Date.parse(created_at)).toBe(60_000);
});

test("an extra event comes before the events of changed fields; a create publishes only its own facts", async () => {
  const since = await loadLastEvent();
  const { path } = await specimen({ long: "ring a bell" });
  await admin.patch(path, { long: null });
  await admin.patch(path, { long: "ring a bell", status: "assigned" });
  const events = await loadEventsSince(since);
  expect(events.map(({ event }) => event)).toEqual([
    "specimen.create",
    "specimen.update",
    "specimen.rung",
    "specimen.status-changed",
    "specimen.update",
  ]);
  expect(events.map(({ payload }) => [payload.bell_id ?? null, "audit_line_id" in payload])).toEqual([
    [7, true],
    [null, true],
    [7, false],
    [7, true],
    [7, true],
  ]);
});
