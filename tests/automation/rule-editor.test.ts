import { describe, expect, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { world } from "../support/world.ts";

// The server's side of the rule editor: completion, error checks, loop detection, dry runs and the log of runs.

const here = await world();
const admin = here.as("administrator");
const { rule, request, settled, patched } = automation(here);

type Item = { text: string; kind: string; type: string | null; value: string | null };

/** `text` ends at the cursor. */
async function complete(part: string, text: string, more: Record<string, unknown> = {}, record?: number) {
  const lines = text.split("\n");
  const {
    status,
    body,
    text: answer,
  } = await admin.post("/automation_rule_completion", {
    rule: { generic: "request", ...more, [part]: text },
    ...{ part, line: lines.length, column: (lines.at(-1) ?? "").length + 1, record_id: record ?? null },
  });
  expect(status, answer).toBe(200);
  return body as { from: number; items: Item[] };
}
const listCompletions = async (...given: Parameters<typeof complete>) =>
  (await complete(...given)).items.map(({ text }) => text);

describe("completion", () => {
  test("completes fields, relations and functions from the declarations", async () => {
    expect(await listCompletions("condition", "team.")).toEqual(
      expect.arrayContaining(["name", "manager", "coordinator", "members"]),
    );
    expect(await listCompletions("condition", "workflow.requests[first].requested_for.")).toContain("primary_email");
    expect(await listCompletions("condition", "notes.select(int")).toContain("internal");
    expect(await listCompletions("condition", "cis.")).toEqual(expect.arrayContaining(["count", "map()", "label"]));
    expect(await listCompletions("condition", "now - 2.")).toContain("hours");
    expect(await listCompletions("expressions", "cal: find(cal")).toContain("calendar");
    expect(await listCompletions("condition", "status = ")).toContain("assigned");
    expect(await listCompletions("condition", "impact in [high, ")).toContain("top");
    const { from, items } = await complete("condition", "category = incident and tea");
    expect(from).toBe("category = incident and ".length);
    expect(items.find(({ text }) => text === "team")).toMatchObject({ kind: "field", type: "team" });
    // Values before the save are used less often, so they come last.
    const named = items.map(({ text }) => text);
    expect(named.indexOf("team_was")).toBeGreaterThan(named.indexOf("or"));
    expect(named).not.toContain("notes_was");
    expect(await listCompletions("condition", "status_was != ")).toContain("completed");
  });

  test("a custom field has the functions of a field of its kind", async () => {
    const [plain, many] = [await listCompletions("condition", "subject."), await listCompletions("condition", "cis.")];
    expect(plain).toEqual(expect.arrayContaining(["contains()", "weekday"]));
    expect(await listCompletions("condition", "custom_fields.room.")).toEqual(plain);
    expect(await listCompletions("condition", "extra.room.", { expressions: "extra: custom_fields" })).toEqual(plain);
    const asked = await request({ custom_fields: { room: "B12", people: ["4", "5"] } });
    expect(await listCompletions("condition", "custom_fields.room.", {}, asked.id)).toEqual(plain);
    const listed = await listCompletions("condition", "custom_fields.people.", {}, asked.id);
    expect(listed).toEqual(many.slice(0, listed.length));
    expect(listed).toEqual(expect.arrayContaining(["count", "join()"]));
  });

  test("completes names of expressions above the cursor, and not those below", async () => {
    const expressions = "who: requested_by\nbroken: team.(\nboss: who.manager\nlate: true";
    expect(await listCompletions("condition", "bo", { expressions })).toContain("boss");
    expect(await listCompletions("condition", "boss.", { expressions })).toContain("primary_email");
    const above = await listCompletions("expressions", "who: requested_by\nboss: w");
    expect(above).toContain("who");
    expect(above).not.toContain("boss");
  });

  test("completes actions word by word", async () => {
    expect(await listCompletions("actions", "a1: ")).toEqual(
      expect.arrayContaining(["set", "add note ''", "call webhook ''"]),
    );
    expect(await listCompletions("actions", "a1: set mem")).toContain("member");
    expect(await listCompletions("actions", "a1: set mem")).not.toContain("created_at");
    expect(await listCompletions("actions", "a1: set status = ")).toContain("completed");
    expect(await listCompletions("actions", "a1: update workflow set ")).toContain("manager");
    expect(await listCompletions("actions", "a1: add self to ")).toContain("cis");
    expect(await listCompletions("actions", "a1: add note 'Dear {{requested_b")).toContain("requested_by");
    await rule({ name: "Later", generic: "request", trigger: "after delay" });
    expect(await listCompletions("actions", "a1: after 1.day start '")).toContain("Later");
    expect(await listCompletions("actions", "a1: after 1.day ")).toEqual(["start ''"]);
  });

  test("shows the record's values to people who may read it", async () => {
    const asked = await request({ subject: "The lamp flickers" });
    const { items } = await complete("condition", "subject", {}, asked.id);
    expect(items.find(({ text }) => text === "subject")?.value).toBe("The lamp flickers");
    const { items: members } = await complete("condition", "requested_by.", {}, asked.id);
    expect(members.find(({ text }) => text === "name")?.value).toBe("Rita Requester");
    expect(
      (await admin.post("/automation_rule_completion", { rule: {}, part: "actions", line: 1, column: 1, record_id: 1 }))
        .status,
    ).toBe(200);
  });

  test("rejects invalid calls, and calls by people who can't write rules", async () => {
    const good = { rule: { generic: "request" }, part: "condition", line: 1, column: 1 };
    for (const wrong of [
      { part: "x" },
      { rule: 5 },
      { line: 0 },
      { column: "x" },
      { record_id: -1 },
      { rule: { condition: 7 } },
    ])
      expect((await admin.post("/automation_rule_completion", { ...good, ...wrong })).status).toBe(400);
    expect((await admin.post("/automation_rule_completion", { ...good, record_id: 2_000_000_000 })).status).toBe(404);
    for (const path of ["/automation_rule_completion", "/automation_rule_check"])
      expect((await here.as("requester").post(path, good)).status).toBe(403);
    expect((await here.as("requester").get("/automation_rule_statistics")).status).toBe(403);
    for (const text of ["((((", "a[", "'", "x.y.z(", ")]}", "{{", "a.b.c.d.e.", "find(", "\\", "[[[[.", "1."])
      for (const part of ["expressions", "condition", "actions"]) await complete(part, text);
  });
});

describe("errors and loops", () => {
  const check = async (members: Record<string, unknown>) => (await admin.post("/automation_rule_check", members)).body;

  test("reports an action that fires its own trigger, directly or through another rule", async () => {
    const own = { generic: "request", trigger: "on status update", name: "Loop" };
    expect(await check({ ...own, actions: "a1: add note 'x'\na2: set status = assigned" })).toEqual({
      problem: null,
      loops: [{ action: 2, through: [] }],
    });
    await rule({
      name: "By team",
      generic: "request",
      trigger: "on team update",
      actions: "a1: set status = assigned",
    });
    expect((await check({ ...own, actions: "a1: clear team" })).loops).toEqual([{ action: 1, through: ["By team"] }]);
    expect((await check({ ...own, actions: "a1: set subject = 'x'" })).loops).toEqual([]);
    expect((await check({ ...own, condition: "team.nmae" })).problem).toMatchObject({ field: "condition", line: 1 });
  });
});

describe("dry runs", () => {
  test("shows every expression's value and the changes, and changes nothing", async () => {
    const asked = await request();
    await here.clock.pass(1); // sends the emails about its creation
    const [before] = await here.sql(
      "SELECT (SELECT count(*) FROM audit_lines) AS lines, (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM events) AS events",
    );
    const { status, body, text } = await admin.post("/automation_rule_dry_run", {
      ...{ generic: "request", name: "Try", trigger: "on note added", record_id: asked.id },
      expressions: "who: requested_by\nunused: subject.length\nbroken: 1 / 0\nn: notes.count",
      condition: "who",
      actions:
        "a1: set urgent = true\na2: add internal note 'Dear {{who}}'\na3: send email to who subject 'Hello' body 'You'\na4: set subject = 'New'",
    });
    expect(status, text).toBe(200);
    expect(body.outcome).toBe("done");
    expect(body.expressions).toEqual([
      { name: "who", value: "Rita Requester", error: null },
      { name: "unused", value: "10", error: null },
      { name: "broken", value: "", error: "division by zero" },
      { name: "n", value: "0", error: null },
    ]);
    const fields = body.changes.flatMap((change: { record_id: number; fields: object[] }) => change.fields);
    expect(fields).toEqual(expect.arrayContaining([{ field: "subject", before: "A question", after: "New" }]));
    expect(body.effects).toMatchObject([
      { kind: "note", internal: true, text: "Dear Rita Requester", record_id: asked.id },
      { kind: "email", subject: "Hello" },
    ]);
    const [after] = await here.sql(
      "SELECT (SELECT count(*) FROM audit_lines) AS lines, (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM events) AS events",
    );
    expect(after).toEqual(before);
  });
});

describe("the log of runs", () => {
  test("is filtered by rule, record and outcome, and counted by rule", async () => {
    const made = await rule({
      name: "Fails",
      generic: "request",
      trigger: "on note added",
      actions: "a1: set completion_reason = 'x' + 1 / 0",
    });
    const asked = await request();
    await patched(`/requests/${asked.id}`, { note: "Hello?" });
    await settled();
    const list = async (query: string) =>
      (await admin.get(`/automation_rule_runs?${query}`)).body as { record_id: number; rule_id: number }[];
    expect(await list(`record_type=request&record_id=${asked.id}&outcome=failed`)).toMatchObject([
      { rule_id: made.id, record_id: asked.id },
    ]);
    expect(await list(`rule_id=${made.id}&outcome=done`)).toEqual([]);
    expect((await admin.get("/automation_rule_runs?outcome=odd")).status).toBe(400);
    expect((await admin.get("/automation_rule_runs?record_id=5")).status).toBe(400);
    const { body } = await admin.get("/automation_rule_statistics");
    expect(body.find((each: { rule_id: number }) => each.rule_id === made.id)).toMatchObject({ runs: 1, failures: 1 });
  });
});
