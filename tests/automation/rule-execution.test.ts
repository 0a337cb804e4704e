import { describe, expect, test } from "vitest";
import { automation } from "../support/records/automation-rules.ts";
import { RequestBodies } from "../support/records/request-bodies.ts";
import { uploadTextFile } from "../support/records/upload.ts";
import { serviceDeskTeam, workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { describeErrors } from "../support/replies.ts";
import { world } from "../support/world.ts";

// How automation rules run: X1 to X21, AC1 to AC12, AK1 to AK11, AV1.

const here = await world();
const { as, service, clock, sql } = here;
const admin = as("administrator");
const { rule, runs, outcomes, settled, get, create, patched, request, texts } = automation(here);
const kinds = workflowHelpers(admin);
const bodies = new RequestBodies(admin, service.engine.types);

describe("validation on save", () => {
  const attempt = async (members: Record<string, unknown>) =>
    describeErrors(
      await admin.post("/automation_rules", { name: "R", trigger: "on create", generic: "request", ...members }),
    );

  test("AV1: an error has its line and column, under the field it is in", async () => {
    expect(await attempt({ expressions: "a: 1\nb: then 2" })).toEqual([
      "expressions: Expressions Line 2: unexpected 'then', expected an expression at column 4",
    ]);
    expect(await attempt({ condition: "status =" })).toEqual([
      "condition: Condition Line 1: unexpected end, expected an expression at column 9",
    ]);
    expect(await attempt({ actions: "a1: set status = assigned\na2: set nonsense = 1" })).toEqual([
      "actions: Actions Line 2: 'nonsense' of request cannot be set at column 5",
    ]);
    expect(await attempt({ expressions: "a: b\nb: 1" })).toEqual([
      "expressions: Expressions Line 1: 'b' is used before it is defined at column 4",
    ]);
    expect(await attempt({ actions: "a1: after 1.day start 'Nobody'" })).toEqual([
      "actions: Actions there is no rule 'Nobody' with the trigger 'after delay' to start",
    ]);
    expect(await attempt({ trigger: "on full moon" })).toEqual(["trigger: Trigger is not included in the list"]);
    expect(await attempt({ actions: "a1: set completed_at = now" })).toEqual([
      "actions: Actions Line 1: 'completed_at' of request cannot be set at column 5",
    ]);
  });

  test("AM3: an update is validated, too, and labels are renumbered", async () => {
    const { id, actions } = await rule({
      name: "L",
      generic: "risk",
      actions: "a4: add note 'x'\na2: add note 'y'",
      disabled: true,
    });
    expect(actions).toBe("a1: add note 'x'\na2: add note 'y'");
    const path = `/automation_rules/${id}`;
    expect(describeErrors(await admin.patch(path, { condition: "(" }))).toHaveLength(1);
    expect(describeErrors(await admin.patch(path, { generic: "ci" }))).toEqual([
      "actions: Actions Line 1: ci takes no notes at column 5",
    ]);
  });

  test("the check for the editor returns line and column separately", async () => {
    const { body } = await admin.post("/automation_rule_check", {
      generic: "request",
      expressions: "a: 1\n\nb: team.nmae",
    });
    expect(body.problem).toMatchObject({ field: "expressions", line: 3, column: 9 });
    expect((await admin.post("/automation_rule_check", { generic: "request" })).body).toEqual({
      problem: null,
      loops: [],
    });
    expect((await as("specialist").post("/automation_rule_check", {})).status).toBe(403);
  });
});

describe("running", () => {
  test("X8: two rules that start each other stop", async () => {
    const [one, other] = [await request(), await request()];
    const ping = (name: string, at: { id: number }, to: { id: number }) =>
      rule({
        name,
        trigger: "on note added",
        request_id: at.id,
        expressions: `there: find(request, ${to.id})`,
        actions: "a1: update there add note '{{note.text}}!'",
      });
    const [a, b] = [await ping("Ping", one, other), await ping("Pong", other, one)];
    await patched(`/requests/${one.id}`, { note: "Hello" });
    await settled();
    expect(await texts(`/requests/${one.id}`)).toEqual(["Hello", "Hello!!"]);
    expect(await texts(`/requests/${other.id}`)).toEqual(["Hello!"]);
    expect(await outcomes(a)).toEqual(["done"]);
    expect(await outcomes(b)).toEqual(["done"]);
  });

  test("AM4: if one of many rules fails, the rules before and after it take effect once", async () => {
    const asked = await request();
    const made = [];
    for (const i of [0, 1, 2, 3, 4, 5])
      made.push(
        await rule({
          name: `Row ${i}`,
          request_id: asked.id,
          trigger: "on note added",
          actions: i === 3 ? "a1: add internal note 'never'\na2: set member = 7" : `a1: add internal note '${i}'`,
        }),
      );
    await patched(`/requests/${asked.id}`, { note: "Go" });
    await settled();
    expect(await texts(`/requests/${asked.id}`)).toEqual(["Go", "0", "1", "2", "4", "5"]);
    const all = [];
    for (const one of made) all.push(...(await outcomes(one)));
    expect(all).toEqual(["done", "done", "done", "failed: validation", "done", "done"]);
  });

  test("X11: a chain ends after 25 steps", async () => {
    const line = [];
    for (let i = 0; i < 28; i++) line.push(await request());
    const made = [];
    for (const [index, at] of line.entries()) {
      const next = line[index + 1];
      if (next !== undefined)
        made.push(
          await rule({
            name: "Pass on",
            trigger: "on note added",
            request_id: at.id,
            expressions: `there: find(request, ${next.id})`,
            actions: "a1: update there add note 'x'",
          }),
        );
    }
    await patched(`/requests/${line[0].id}`, { note: "x" });
    await settled();
    const all = [];
    for (const one of made) all.push(...(await outcomes(one)));
    expect(all.filter((outcome) => outcome === "done").length).toBe(26);
    expect(all.at(-1)).toBe("dropped: limit");
    expect(all.length).toBe(27);
  });

  test("X1: a burst with many rules is processed, with every effect once", async () => {
    const made = [];
    for (let i = 0; i < 10; i++)
      made.push(
        await rule({
          name: `Burst ${i}`,
          generic: "request",
          trigger: "on note added",
          condition: "subject = 'Burst'",
          actions: `a1: add internal note '${i} of {{id}}'`,
        }),
      );
    const asked = await Promise.all(Array.from({ length: 12 }, () => request({ subject: "Burst" })));
    await Promise.all(asked.flatMap(({ id }) => [1, 2].map((n) => patched(`/requests/${id}`, { note: `note ${n}` }))));
    await settled();
    for (const { id } of asked) {
      const all = await texts(`/requests/${id}`);
      for (let i = 0; i < 10; i++) expect(all.filter((text) => text === `${i} of ${id}`).length).toBe(2);
      expect(all.length).toBe(22);
    }
    for (const { id } of made) await admin.delete(`/automation_rules/${id}`);
    // On an overloaded machine a claim can time out waiting for a connection; the next one succeeds.
    const isUnexpectedError = (line: string) => line.includes('"error"') && !line.includes("jobs could not be claimed");
    expect(here.log.filter(isUnexpectedError).slice(0, 3)).toEqual([]);
  });

  test("X13: the audit trail names the rule that changed a record", async () => {
    const asked = await request();
    const { id } = await rule({ name: "Rename it", request_id: asked.id, actions: "a1: set subject = 'Renamed'" });
    await patched(`/requests/${asked.id}`, { status: "accepted", team_id: serviceDeskTeam, member_id: 3 });
    await settled();
    const [line] = await get(`/requests/${asked.id}/audit?fields=created_by,changes,origin`);
    expect(line).toMatchObject({
      created_by: { id: 1 },
      origin: { kind: "rule", id, name: "Rename it" },
      changes: { subject: ["A question", "Renamed"], automation_rule: [null, "Rename it"] },
    });
  });

  test("X3: a rule reads the record as it was saved by the change that triggered it", async () => {
    const asked = await request({ team_id: serviceDeskTeam, status: "assigned" });
    const seen = await rule({
      name: "Seen",
      request_id: asked.id,
      expressions: "was: status_was\nis: status",
      condition: "was and is",
    });
    await patched(`/requests/${asked.id}`, { status: "accepted", member_id: 3 });
    await patched(`/requests/${asked.id}`, { status: "in_progress" });
    await settled();
    const pairs = (await runs(seen)).map(({ expressions }) => expressions.map(({ value }) => value).join(" > "));
    expect(pairs).toEqual(["assigned > accepted", "accepted > in_progress"]);
  });

  test("TR1: triggers are per field: a rule for one field doesn't run for another", async () => {
    const asked = await request();
    const createRule = async (trigger: string) => rule({ name: trigger, trigger, request_id: asked.id });
    const list = [
      await createRule("on team update"),
      await createRule("on custom fields update"),
      await createRule("on desired completion update"),
      await createRule("on update"),
      await createRule("on create"),
    ];
    await patched(`/requests/${asked.id}`, { custom_fields: { a: "1" } });
    await patched(`/requests/${asked.id}`, { desired_completion_at: "2030-01-01T00:00:00Z" });
    await settled();
    const counts = [];
    for (const one of list) counts.push((await runs(one)).length);
    expect(counts).toEqual([0, 1, 1, 2, 0]);
  });

  test("X7, AC9: emails to people, teams and addresses are sent when the run has committed", async () => {
    const asked = await request();
    await rule({
      name: "Mail",
      request_id: asked.id,
      expressions: "who: [requested_by, find(team, 'Service Desk')]",
      actions: "a1: send email to who subject 'About {{subject}}' body 'Dear {{requested_by}}, {{missing}}'".replace(
        "{{missing}}",
        "bye",
      ),
    });
    await patched(`/requests/${asked.id}`, { status: "accepted", team_id: serviceDeskTeam, member_id: 3 });
    await settled();
    const mails = await sql("SELECT recipient, subject, body FROM mails WHERE subject = 'About A question'");
    expect(mails).toContainEqual({
      recipient: "rita@widget.example",
      subject: "About A question",
      body: "Dear Rita Requester, bye",
    });
    expect(mails.length).toBeGreaterThan(1);
  });

  test("X17: after twenty consecutive failures the administrators get one email", async () => {
    const asked = await request();
    const broken = await rule({
      name: "Broken",
      request_id: asked.id,
      trigger: "on note added",
      expressions: "x: 1 / 0",
      condition: "x",
    });
    for (let i = 0; i < 22; i++) {
      await patched(`/requests/${asked.id}`, { note: `${i}` });
      if (i % 11 === 10) await settled();
    }
    await settled();
    expect((await outcomes(broken)).every((outcome) => outcome === "failed: evaluation")).toBe(true);
    expect(await sql("SELECT recipient FROM mails WHERE subject LIKE '%\"Broken\" keeps failing'")).toEqual([
      { recipient: "ada@widget.example" },
    ]);
    expect((await get(`/automation_rules/${broken.id}`)).disabled).toBe(false);
  });

  test("AC7: files of a note are copied to the note that a rule adds", async () => {
    const asked = await request();
    const key = await uploadTextFile(admin, "hello.txt", "hello");
    const pass = await rule({
      name: "Pass on",
      request_id: asked.id,
      trigger: "on note added",
      condition: "note.medium = default",
      actions: "a1: add internal note 'Passed on' with attachments note.attachments",
    });
    await patched(`/requests/${asked.id}`, { note: "See there", note_attachments: [{ key }] });
    await settled();
    expect(await runs(pass)).toMatchObject([{ outcome: "done", error: null }]);
    const all = await get(`/requests/${asked.id}/notes?sort=id`);
    const copy = all[1].attachments[0];
    expect(
      all.map(({ attachments }: { attachments: { name: string }[] }) => attachments.map(({ name }) => name)),
    ).toEqual([["hello.txt"], ["hello.txt"]]);
    expect(copy.key).not.toBe(key);
    expect(await (await fetch(copy.uri)).text()).toBe("hello");
  });

  test("AC5: add to and remove from change relations, once per record", async () => {
    const ci = await bodies.reference("ci");
    const asked = await request();
    const template = await kinds.taskTemplate({ subject: "Vote", category: "approval" });
    const workflow = await kinds.workflow();
    const vote = await kinds.task(workflow, { template_id: template.id });
    await create(`/tasks/${vote.id}/approvals`, { approver_id: 3 });
    const relate = await rule({
      name: "Relate",
      request_id: asked.id,
      trigger: "on note added",
      expressions: `item: find(ci, ${ci})\nvote: find(task, ${vote.id})\nsam: find(person, 'sam@widget.example')\nmia: find(person, 9)`,
      actions: [
        "a1: add [item, item] to cis",
        "a2: update vote add [mia, mia] to approvals",
        "a3: update vote remove sam from approvals",
        "a4: add requested_by to watches",
        `a5: update find(workflow, ${workflow.id}) add self to requests`,
      ].join("\n"),
    });
    await patched(`/requests/${asked.id}`, { note: "Go" });
    await settled();
    expect(await runs(relate)).toMatchObject([{ outcome: "done", error: null }]);
    const ids = async (path: string) => (await get(path)).map(({ id }: { id: number }) => id);
    expect(await ids(`/requests/${asked.id}/cis`)).toEqual([ci]);
    expect(
      (await get(`/tasks/${vote.id}/approvals`)).map(({ approver }: { approver: { id: number } }) => approver.id),
    ).toEqual([9]);
    expect((await get(`/requests/${asked.id}/watches`)).length).toBe(1);
    expect(await ids(`/workflows/${workflow.id}/requests`)).toEqual([asked.id]);
    await patched(`/automation_rules/${relate.id}`, {
      actions: "a1: remove item from cis\na2: clear workflow\na3: set team = 1\na4: set member = sam",
    });
    await patched(`/requests/${asked.id}`, { note: "Back" });
    await settled();
    expect(await outcomes(relate)).toEqual(["done", "done"]);
    expect(await ids(`/requests/${asked.id}/cis`)).toEqual([]);
    expect(await get(`/requests/${asked.id}`)).toMatchObject({ workflow: null, team: { id: 1 }, member: { id: 3 } });
  });

  test("other processes learn that a rule has changed", async () => {
    const asked = await request();
    await admin.patch(`/requests/${asked.id}`, { note: "remembered: there is no such rule" });
    const { id } = await rule({
      name: "Heard",
      generic: "request",
      trigger: "on note added",
      condition: `id = ${asked.id}`,
    });
    // Changes the rule as another process would, so that this process has it cached.
    const changeElsewhere = async (disabled: boolean) => {
      await sql("UPDATE automation_rules SET disabled = $2 WHERE id = $1", [id, disabled]);
      const notified = Promise.withResolvers<void>();
      service.identities.pgListener.subscribe(
        "automation_changed",
        (account) => account === "the last" && notified.resolve(),
      );
      await sql("SELECT pg_notify('automation_changed', 'widget-it'), pg_notify('automation_changed', 'the last')");
      await notified.promise;
    };
    await changeElsewhere(true);
    await patched(`/requests/${asked.id}`, { note: "nobody hears" });
    await changeElsewhere(false);
    await settled();
    await patched(`/requests/${asked.id}`, { note: "somebody hears" });
    await settled();
    expect(await outcomes({ id })).toEqual(["done"]);
    await admin.delete(`/automation_rules/${id}`);
  });

  test("X12: archived and deleted records run no rules", async () => {
    const asked = await request({ team_id: serviceDeskTeam });
    const late = await rule({
      name: "Late",
      trigger: "after delay",
      request_id: asked.id,
      actions: "a1: add note 'late'",
    });
    await rule({ name: "Begin", request_id: asked.id, actions: "a1: after 1.day start 'Late'" });
    await patched(`/requests/${asked.id}`, { status: "completed", note: "Done" });
    await settled();
    await create(`/requests/${asked.id}/archive`, {});
    await clock.pass(86_400);
    await settled();
    expect(await outcomes(late)).toEqual(["dropped: evaluation"]);
  });

  test("X16: only people who maintain rules read the log", async () => {
    const { id } = await rule({ name: "Secret", generic: "risk" });
    expect((await as("specialist").get(`/automation_rules/${id}/runs`)).status).toBe(403);
    expect((await as("stranger").get(`/automation_rules/${id}/runs`)).status).toBe(404);
    expect((await admin.get("/automation_rule_runs")).body.length).toBeGreaterThan(20);
    expect((await as("stranger").get("/automation_rule_runs")).body).toEqual([]);
  });
});

describe("dry runs", () => {
  test("X21: shows every value, reports what the actions would do, and does nothing", async () => {
    const asked = await request();
    const { body } = await admin.post("/automation_rule_dry_run", {
      ...{ generic: "request", name: "Try", trigger: "on update", record_id: asked.id },
      expressions: "who: requested_by\ntwice: 2 * 21\nunused: 1 / 0",
      condition: "who and twice = 42",
      actions: "a1: set subject = 'Tried'\na2: add note 'Hello {{who}}'",
    });
    expect(body).toMatchObject({
      outcome: "done",
      expressions: [
        { name: "who", value: "Rita Requester", error: null },
        { name: "twice", value: "42", error: null },
        { name: "unused", value: "", error: "division by zero" },
      ],
      condition: "true",
      actions: [`request ${asked.id}: subject = "Tried", note = "Hello Rita Requester"`],
      error: null,
    });
    expect((await get(`/requests/${asked.id}`)).subject).toBe("A question");
    expect(await texts(`/requests/${asked.id}`)).toEqual([]);
    const wrong = await admin.post("/automation_rule_dry_run", {
      generic: "request",
      record_id: asked.id,
      condition: "(",
    });
    expect(wrong.body).toMatchObject({ outcome: "failed", error: { kind: "parse" } });
    expect((await admin.post("/automation_rule_dry_run", { generic: "request", record_id: 999_999 })).status).toBe(404);
    expect(
      (await as("specialist").post("/automation_rule_dry_run", { generic: "request", record_id: asked.id })).status,
    ).toBe(403);
  });
});

describe("copies", () => {
  test("AK5: a request's new template adds its rules and removes those of the former one", async () => {
    const [first, second] = [
      await bodies.reference("request_template"),
      (await bodies.make(service.engine.types.get("request_template"))).id,
    ];
    await rule({
      name: "First",
      request_template_id: first,
      trigger: "on create",
      actions: "a1: add internal note 'made'",
    });
    await rule({ name: "Second", request_template_id: second });
    const asked = await request({ template_id: first });
    await rule({ name: "Own", request_id: asked.id });
    await settled();
    expect(await texts(`/requests/${asked.id}`)).toContain("made");
    await patched(`/requests/${asked.id}`, { template_id: second });
    const names = (await get(`/requests/${asked.id}/automation_rules`))
      .map(({ name }: { name: string }) => name)
      .sort();
    expect(names).toEqual(["Own", "Second"]);
  });

  test("AK8: an app offering's rules are installed with the app, follow the offering and can't be edited", async () => {
    const offering = await bodies.make(service.engine.types.get("app_offering"));
    const path = "/app_offering_automation_rules";
    const first = await create(path, {
      ...{ app_offering_id: offering.id, name: "Of the app", rulable_type: "Req", trigger: "on note added" },
      ...{
        expressions: "greeting: rule_app_instance.custom_fields.greeting",
        condition: "subject = 'App'",
        actions: "a1: add internal note '{{greeting}}'",
      },
    });
    await sql("UPDATE app_offerings SET published_at = now() WHERE id = $1", [offering.id]);
    const instance = await create("/app_instances", {
      app_offering_id: offering.id,
      enabled_by_customer: true,
      custom_fields: { greeting: "Hello from the app" },
    });
    const listInstalled = async () =>
      await get(`/app_instances/${instance.id}/automation_rules?fields=id,name,generic,disabled`);
    expect(await listInstalled()).toMatchObject([{ name: "Of the app", generic: "request", disabled: false }]);
    const [{ id }] = await listInstalled();
    expect((await admin.patch(`/automation_rules/${id}`, { name: "Mine" })).status).toBe(403);
    expect((await admin.delete(`/automation_rules/${id}`)).status).toBe(403);
    const asked = await request({ subject: "App" });
    await patched(`/requests/${asked.id}`, { note: "Anybody?" });
    await settled();
    expect(await texts(`/requests/${asked.id}`)).toEqual(["Anybody?", "Hello from the app"]);
    await create(path, { app_offering_id: offering.id, name: "Second", rulable_type: "Ci", trigger: "on create" });
    await patched(`${path}/${first.id}`, { name: "Renamed" });
    expect(
      (await listInstalled()).map((one: { name: string; id: number }) => `${one.name} ${one.id === id}`).sort(),
    ).toEqual(["Renamed true", "Second false"]);
    await patched(`/app_instances/${instance.id}`, { suspended: true });
    expect((await listInstalled()).every(({ disabled }: { disabled: boolean }) => disabled)).toBe(true);
    await admin.delete(`${path}/${first.id}`);
    expect((await listInstalled()).map(({ name }: { name: string }) => name)).toEqual(["Second"]);
  });
});
