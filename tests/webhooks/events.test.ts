import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe, test } from "vitest";
import { findWebhookByName } from "../../server/automation/webhook-caller.ts";
import { buildNodeId } from "../../server/engine/read/serializer.ts";
import { callWebhook } from "../../server/webhooks/call-webhook.ts";
import { buildPayload } from "../../server/webhooks/message.ts";
import { workflowHelpers } from "../support/records/workflows-and-projects.ts";
import { atScale } from "../support/scale.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// WH10, WH19 to WH24: events, the message body, the Link header, and the accounts that receive an event.

let the: World;
let ada: Client;
let dirk: Client;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  [ada, dirk] = [the.as("administrator"), the.as("directoryAdmin")];
  there = await startReceiver();
});
beforeEach(async () => {
  for (const table of ["webhooks", "webhook_deliveries"]) await the.sql(`DELETE FROM ${table}`);
  there.clear();
  there.answer = answerWithStatus(200);
});

const node = (type: string, id: number) => buildNodeId("steward", type, id);
/** The test types have events, too, but callers can't choose them. */
const createSpecimenWebhook = async (event: string) => {
  const { id } = await createActiveWebhook(the, ada, there, { event: "person.update" }, `/${event}`);
  await the.sql("UPDATE webhooks SET event = $2 WHERE id = $1", [id, event]);
  return id;
};
const succeed = async (reply: Promise<{ status: number; text: string; body: { id: number } }>) => {
  const { status: code, text, body } = await reply;
  assert.ok(code < 300, text);
  await deliverDueWebhooks(the);
  return body;
};

describe("message", () => {
  test("WH10: it names the actor, the action, the record and the account", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.update", name: "Teams" });
    await succeed(the.as("administrator").patch("/teams/2", { remarks: "Changed" }));
    assert.equal(there.messages.length, 1);
    const [message] = there.messages;
    const { payload, ...body } = message?.body ?? {};
    assert.deepEqual(body, {
      webhook_id: id,
      webhook_nodeID: node("Webhook", id),
      account_id: "widget-it",
      account: `${the.url}/a/widget-it`,
      name: "Teams",
      event: "team.update",
      object_id: 2,
      object_nodeID: node("Team", 2),
      person_id: 1,
      person_nodeID: node("Person", 1),
      person_name: "Ada Admin",
    });
    const [line] = await the.sql<{ id: number }>(
      "SELECT max(id) AS id FROM audit_lines WHERE audited = 'team' AND record_id = 2",
    );
    assert.deepEqual(payload, { audit_line_id: line?.id, audit_line_nodeID: node("AuditLine", line?.id as number) });
    assert.equal(
      message?.headers.link,
      `<${the.url}/a/widget-it/teams/2>; rel="canonical", <${the.base}/teams/2>; rel="resource"`,
    );
    assert.equal(message?.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(message?.headers.accept, "*/*");
    assert.match(message?.headers["user-agent"] as string, /^Steward\/1\.0 \(http.*\)$/);
    assert.match(message?.headers["x-xurrent-delivery"] as string, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    assert.equal(message?.headers["x-4me-delivery"], message?.headers["x-xurrent-delivery"]);
    assert.ok(!("custom_url" in body));
  });

  test("source, sourceID, status, team and member are present if the record has them", async () => {
    await createSpecimenWebhook("specimen.create");
    await the.sql(`UPDATE teams SET "sourceID" = 'T-1' WHERE id = 1`);
    const { id } = await succeed(
      ada.post("/specimens", { subject: "One", source: "test", sourceID: "S-1", team_id: 1 }),
    );
    const { audit_line_id, audit_line_nodeID, ...payload } =
      there.messagesFor("specimen.create")[0]?.body.payload ?? {};
    assert.ok(audit_line_id > 0 && audit_line_nodeID.length > 0);
    assert.deepEqual(payload.team, {
      id: 1,
      nodeID: node("Team", 1),
      name: "Service Desk",
      sourceID: "T-1",
      account: { id: "widget-it", name: "Widget IT" },
    });
    assert.deepEqual([payload.source, payload.sourceID, payload.status], ["test", "S-1", "registered"]);
    there.clear();
    await the.sql("UPDATE teams SET disabled = true WHERE id = 1");
    await createSpecimenWebhook("specimen.update");
    await succeed(ada.patch(`/specimens/${id}`, { team_id: 2 }));
    const changed = there.messagesFor("specimen.update")[0]?.body.payload;
    assert.equal(changed.team.id, 2);
    assert.ok(!("sourceID" in changed.team) && !("disabled" in changed.team));
    await the.sql(`UPDATE teams SET disabled = false, "sourceID" = NULL WHERE id = 1`);
  });

  test("WH21: only six events contain previous_status, and disabled members and teams are marked", () => {
    const facts = { status: "assigned", previous_status: "registered", note_id: 7 };
    const member = { id: 3, name: "Sam", sourceID: null, disabled: true, account: { id: "a", name: "A" } };
    const unassigned = { team: null, member: null };
    const payload = buildPayload("d", "task.status-changed", facts, { team: null, member });
    assert.equal(payload.previous_status, "registered");
    assert.deepEqual([payload.note_id, payload.note_nodeID], [7, buildNodeId("d", "Note", 7)]);
    assert.deepEqual(payload.member, {
      id: 3,
      nodeID: buildNodeId("d", "Person", 3),
      name: "Sam",
      disabled: true,
      account: { id: "a", name: "A" },
    });
    for (const event of ["request", "problem", "workflow", "project", "project_task"])
      assert.ok("previous_status" in buildPayload("d", `${event}.status-changed`, facts, unassigned), event);
    for (const event of ["task.update", "risk.status-changed", "release.status-changed", "request.team-changed"])
      assert.ok(!("previous_status" in buildPayload("d", event, facts, unassigned)), event);
    assert.deepEqual(buildPayload("d", "team.update", {}, unassigned), {});
  });

  test("WH10: the added note is the related resource", async () => {
    await createSpecimenWebhook("specimen.update");
    const { id } = await succeed(ada.post("/specimens", { subject: "Noted" }));
    await the.sql(
      "INSERT INTO events (account_id, event, record_type, record_id, payload, created_at) VALUES ('widget-it', 'specimen.update', 'specimen', $1, '{\"note_id\": 44}', $2)",
      [id, the.clock.now()],
    );
    await the.sql(
      "INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, record_id, next_try_at, created_at) SELECT account_id, id, 'event', event, (SELECT max(id) FROM events), $1, $2, $2 FROM webhooks",
      [id, the.clock.now()],
    );
    await deliverDueWebhooks(the);
    const [message] = there.messagesFor("specimen.update");
    assert.equal(message?.body.payload.note_id, 44);
    assert.equal(message?.body.payload.note_nodeID, node("Note", 44));
    assert.ok(!("audit_line_id" in (message?.body.payload ?? {})));
    assert.match(
      message?.headers.link as string,
      new RegExp(`, <${the.base}/specimens/${id}/notes/44>; rel="related"$`),
    );
    assert.deepEqual(
      [message?.body.person_id, message?.body.person_nodeID, message?.body.person_name],
      [null, null, null],
    );
  });

  test("the message about a deleted record contains the whole record", async () => {
    await createSpecimenWebhook("specimen.delete");
    const { id } = await succeed(
      ada.post("/specimens", { subject: "Whole", team_id: 2, price: "87.50", names: ["a", "b"], day: "2025-03-04" }),
    );
    await succeed(ada.delete(`/specimens/${id}`).then((reply) => ({ ...reply, body: { id } })));
    const message = there.messagesFor("specimen.delete")[0]?.body;
    assert.equal(message.object_id, id);
    assert.deepEqual(
      [
        message.payload.id,
        message.payload.subject,
        message.payload.price,
        message.payload.names,
        message.payload.day,
        message.payload.team.name,
      ],
      [id, "Whole", 87.5, ["a", "b"], "2025-03-04", "Networks"],
    );
  });

  test("WH21: an automation rule's message contains exactly the members it names, and links to the rule", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "automation_rule", name: "Badge system" });
    const { engine } = the.service;
    await engine.database.transaction(async (tx) => {
      assert.equal(await findWebhookByName(tx, "widget-it", "Badge system", null), id);
      assert.equal(await findWebhookByName(tx, "widget-it", "Other", null), null);
      const call = { account: "widget-it", rule: 31, person: 3, payload: { room: "B12", label: "PC-0098" } };
      callWebhook(tx, engine.outbox as never, id, call, engine.clock.now());
    });
    await deliverDueWebhooks(the);
    const [message] = there.messagesFor("automation_rule");
    assert.deepEqual(message?.body.payload, { room: "B12", label: "PC-0098" });
    assert.deepEqual([message?.body.object_id, message?.body.object_nodeID], [31, node("AutomationRule", 31)]);
    assert.deepEqual([message?.body.person_id, message?.body.person_name], [3, "Sam Specialist"]);
    assert.match(message?.headers.link as string, /\/automation_rules\/31>; rel="resource"$/);
  });
});

describe("occurrences", () => {
  test("C5, WH19: a change fires each matching event once, in order, and a call without a change fires none", async () => {
    for (const event of ["specimen.create", "specimen.update", "specimen.status-changed", "specimen.team-changed"])
      await createSpecimenWebhook(event);
    const { id } = await succeed(ada.post("/specimens", { subject: "Events", status: "assigned", team_id: 1 }));
    assert.deepEqual(
      there.messages.map(({ body }) => body.event),
      ["specimen.create"],
    );
    there.clear();
    await succeed(ada.patch(`/specimens/${id}`, { status: "waiting_for", team_id: 2, subject: "Changed" }));
    assert.deepEqual(there.messages.map(({ body }) => body.event).sort(), [
      "specimen.status-changed",
      "specimen.team-changed",
      "specimen.update",
    ]);
    there.clear();
    await succeed(ada.patch(`/specimens/${id}`, { subject: "Changed" }));
    assert.equal(there.messages.length, 0);
  });

  test("several webhooks for one event each get their own delivery, and a rejected change causes none", async () => {
    await createActiveWebhook(the, ada, there, { event: "team.create" }, "/one");
    await createActiveWebhook(the, ada, there, { event: "team.create" }, "/two");
    await createActiveWebhook(the, ada, there, { event: "team.update" }, "/three");
    await succeed(ada.post("/teams", { name: "Told twice" }));
    assert.deepEqual(there.messages.map(({ path }) => path).sort(), ["/one", "/two"]);
    assert.equal(new Set(there.messages.map(({ headers }) => headers["x-4me-delivery"])).size, 2);
    there.clear();
    assert.equal((await ada.post("/teams", {})).status, 422);
    await deliverDueWebhooks(the);
    assert.equal(there.messages.length, 0);
  });

  test("WH20: events of directory records are delivered in the directory and in its support domains, each in its own language", async () => {
    await createActiveWebhook(the, ada, there, { event: "person.update" }, "/it");
    await createActiveWebhook(the, dirk, there, { event: "person.update" }, "/directory");
    await createActiveWebhook(the, the.as("stranger"), there, { event: "person.update" }, "/stranger");
    await createActiveWebhook(the, the.as("provider"), there, { event: "person.update" }, "/provider");
    await succeed(dirk.patch("/people/5", { job_title: "Told in two accounts" }));
    assert.deepEqual(there.messages.map(({ path }) => path).sort(), ["/directory", "/it"]);
    const [it] = there.messages.filter(({ path }) => path === "/it");
    assert.deepEqual([it?.body.account_id, it?.body.account], ["widget-it", `${the.url}/a/widget-it`]);
    there.clear();
    await succeed(ada.patch("/people/3", { job_title: "Of the support domain" }));
    assert.deepEqual(
      there.messages.map(({ path }) => path),
      ["/it"],
    );
  });

  test("WH23: a trusted account receives the events of a shared record, but not those of records it may not read", async () => {
    const provider = the.as("provider");
    await createActiveWebhook(the, provider, there, { event: "organization.update" }, "/provider");
    await createActiveWebhook(the, the.as("stranger"), there, { event: "organization.update" }, "/stranger");
    await createActiveWebhook(the, ada, there, { event: "organization.update" }, "/it");
    assert.equal((await ada.get("/organizations/4")).status, 200);
    await succeed(provider.patch("/organizations/4", { remarks: "Shared by the provider" }));
    assert.deepEqual(there.messages.map(({ path }) => path).sort(), ["/it", "/provider"]);
    there.clear();
    assert.equal((await provider.get("/organizations/6")).status, 404);
    await succeed(ada.patch("/organizations/6", { remarks: "Printers" }));
    assert.deepEqual(
      there.messages.map(({ path }) => path),
      ["/it"],
    );
    assert.deepEqual(await the.sql("SELECT 1 FROM webhook_deliveries WHERE state = 'waiting'"), []);
  });

  test("WH24: an SLA fires sla.update in the provider account and in the customer account", async () => {
    const provider = the.as("provider");
    const { id: service_id } = await succeed(provider.post("/services", { name: "Cloud", provider_id: 4 }));
    const { id: service_offering_id } = await succeed(
      provider.post("/service_offerings", { name: "Gold", service_id }),
    );
    const shared = { name: "Cloud", service_offering_id, customer_id: 4, customer_account_id: "widget-it" };
    const [{ id }, { id: own }] = [
      await succeed(provider.post("/slas", shared)),
      await succeed(provider.post("/slas", { ...shared, customer_account_id: null })),
    ];
    await createActiveWebhook(the, provider, there, { event: "sla.update" }, "/provider");
    await createActiveWebhook(the, ada, there, { event: "sla.update" }, "/customer");
    await createActiveWebhook(the, the.as("stranger"), there, { event: "sla.update" }, "/stranger");
    for (const each of [id, own]) await succeed(provider.patch(`/slas/${each}`, { name: "Clouds" }));
    const deliveries = there.messages.map(({ path, body }) => `${path} ${body?.object_id}`).sort();
    assert.deepEqual(deliveries, [`/customer ${id}`, `/provider ${id}`, `/provider ${own}`].sort());
  });

  test("a webhook of an app works while both parties enable it", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.update" });
    await the.sql(
      "SET session_replication_role = replica; INSERT INTO app_instances (account_id, app_offering_id, webhook_id, disabled, suspended, enabled_by_customer, created_at, updated_at) VALUES ('widget-it', 1, " +
        id +
        ", false, true, true, now(), now())",
    );
    await succeed(ada.patch("/teams/1", { remarks: "Suspended" }));
    assert.equal(there.messages.length, 0);
    await the.sql("UPDATE app_instances SET suspended = false");
    await succeed(ada.patch("/teams/1", { remarks: "Wanted" }));
    assert.equal(there.messages.length, 1);
    await the.sql("DELETE FROM app_instances");
  });

  test("WH22: tasks created in bulk cause exactly one delivery each for task.create", async () => {
    await createActiveWebhook(the, ada, there, { event: "task.create" });
    const before = there.connections;
    const { workflow, task } = workflowHelpers(ada);
    const flows = [];
    const perFlow = atScale(20, 50);
    for (let n = 0; n < 20; n++) flows.push(await workflow());
    const ids: number[] = [];
    for (let n = 0; n < perFlow; n++)
      ids.push(...(await Promise.all(flows.map(async (flow) => (await task(flow)).id))));
    await deliverDueWebhooks(the);
    assert.equal(there.messagesFor("task.create").length, 20 * perFlow);
    assert.deepEqual(new Set(there.messages.map(({ body }) => body.object_id)), new Set(ids));
    assert.ok(there.connections - before <= 16, `${there.connections - before} connections were opened`);
    const states = await the.sql(
      "SELECT state, count(*)::integer AS n FROM webhook_deliveries WHERE kind = 'event' GROUP BY state",
    );
    assert.deepEqual(states, [{ state: "delivered", n: 20 * perFlow }]);
  });
});

describe("work", () => {
  const request = async (members: Record<string, unknown>) =>
    succeed(ada.post("/requests", { category: "other", subject: "Told", ...members }));

  test("a note fires note-added and update, with the note as related resource and without an audit line", async () => {
    await createActiveWebhook(the, ada, there, { event: "request.note-added" }, "/note");
    await createActiveWebhook(the, ada, there, { event: "request.update" }, "/update");
    const { id } = await request({ note: "Part of the creation" });
    assert.equal(there.messages.length, 0);
    await succeed(ada.post(`/requests/${id}/notes`, { text: "Hello" }));
    assert.deepEqual(there.messages.map(({ body }) => body.event).sort(), ["request.note-added", "request.update"]);
    const added = there.messagesFor("request.note-added")[0];
    const { payload } = added?.body ?? {};
    const note = (await ada.get(`/requests/${id}/notes`)).body.find(({ text }: { text: string }) => text === "Hello");
    assert.deepEqual([payload.note_id, payload.note_nodeID], [note.id, node("Note", note.id)]);
    assert.ok(!("audit_line_id" in payload));
    assert.equal(added?.body.object_nodeID, (await ada.get(`/requests/${id}`)).body.nodeID);
    assert.match(
      added?.headers.link as string,
      new RegExp(`<${the.base}/requests/${id}/notes/${note.id}>; rel="related"$`),
    );
  });

  test("two notes in one call fire two events, each with its own note", async () => {
    await createActiveWebhook(the, ada, there, { event: "request.note-added" }, "/note");
    await createActiveWebhook(the, ada, there, { event: "request.update" }, "/update");
    const { id } = await request({});
    await succeed(ada.patch(`/requests/${id}`, { note: "For everybody", internal_note: "For us" }));
    const [open, internal] = (await ada.get(`/requests/${id}/notes`)).body.map((note: { id: number }) => note.id);
    const notes = (event: string) => there.messagesFor(event).map(({ body }) => body.payload.note_id);
    assert.deepEqual([notes("request.note-added"), notes("request.update")], [[open, internal], [open]]);
  });

  test("a change of status fires status-changed with the previous one, and member and team with their accounts", async () => {
    await createActiveWebhook(the, ada, there, { event: "request.status-changed" }, "/status");
    await createActiveWebhook(the, ada, there, { event: "request.update" }, "/update");
    const { id } = await request({ team_id: 1, member_id: 3 });
    await succeed(ada.patch(`/requests/${id}`, { status: "in_progress" }));
    const changed = there.messagesFor("request.status-changed")[0]?.body.payload;
    assert.equal(changed.status, "in_progress");
    assert.ok(typeof changed.previous_status === "string" && changed.previous_status !== "in_progress");
    assert.deepEqual(changed.member.account, { id: "widget-it", name: "Widget IT" });
    assert.deepEqual([changed.team.id, changed.team.account.id], [1, "widget-it"]);
    assert.equal(there.messagesFor("request.update")[0]?.body.payload.previous_status, undefined);
  });

  test("an event about an out-of-office period contains the whole period, even when it is deleted", async () => {
    await createActiveWebhook(the, ada, there, { event: "out_of_office_period.delete" });
    const period = {
      person_id: 3,
      start_at: "2025-06-01T08:00:00Z",
      end_at: "2025-06-08T08:00:00Z",
      reason: "Holiday",
    };
    const { id } = await succeed(ada.post("/out_of_office_periods", period));
    assert.equal((await ada.delete(`/out_of_office_periods/${id}`)).status, 204);
    await deliverDueWebhooks(the);
    const { payload } = there.messagesFor("out_of_office_period.delete")[0]?.body ?? {};
    assert.deepEqual(
      [payload.id, payload.person.id, payload.person.name, payload.reason],
      [id, 3, "Sam Specialist", "Holiday"],
    );
    for (const name of [
      "start_at",
      "end_at",
      "approval_delegate",
      "effort_class",
      "time_allocation",
      "created_at",
      "updated_at",
    ])
      assert.ok(name in payload, name);
  });
});
