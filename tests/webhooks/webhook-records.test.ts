import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe, test } from "vitest";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// WH1 to WH9: the webhook resource and its states.

let the: World;
let ada: Client;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
  there = await startReceiver();
});
beforeEach(async () => {
  await the.sql("DELETE FROM webhooks");
  await the.sql("DELETE FROM webhook_deliveries");
  there.clear();
  there.answer = answerWithStatus(200);
});

const create = async (values: Record<string, unknown> = {}) => {
  const reply = await ada.post("/webhooks", { event: "person.update", uri: `${there.url}/hook`, ...values });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const findCallback = (index = -1) =>
  new URL(there.messagesFor("webhook.verify").at(index)?.body.payload.callback as string);
const isVerified = async (id: number) => (await ada.get(`/webhooks/${id}?fields=verified`)).body.verified;
const changePerson = async (job: string) => {
  const reply = await the.as("directoryAdmin").patch("/people/5", { job_title: job });
  assert.equal(reply.status, 200, reply.text);
  await deliverDueWebhooks(the);
};

describe("resource", () => {
  test("WH1: POST returns 200 with the webhook, and its name defaults to the event", async () => {
    const body = await create({ description: "Tell the chat room", mail_exceptions_to: "a@x.example, b@x.example" });
    assert.equal(body.name, "person.update");
    assert.equal(body.uri, `${there.url}/hook`);
    assert.equal(body.description, "Tell the chat room");
    assert.equal(body.disabled, false);
    assert.equal(body.updated_at, body.created_at);
    assert.ok(!("verified" in body) && !("last_error" in body));
    for (const hidden of ["verification_hash", "failures", "receiver", "sealed_key"])
      assert.ok(!(hidden in body), hidden);
  });

  test("WH1: the list shows six fields, disabled and last_error only where they apply, newest first", async () => {
    const first = await create();
    const second = await create({ event: "team.create", disabled: true });
    await deliverDueWebhooks(the);
    there.answer = answerWithStatus(503);
    await ada.patch(`/webhooks/${first.id}`, { name: "again" });
    await deliverDueWebhooks(the);
    const { status: code, body } = await ada.get("/webhooks");
    assert.equal(code, 200);
    assert.deepEqual(
      body.map(({ id }: { id: number }) => id),
      [second.id, first.id],
    );
    assert.deepEqual(Object.keys(body[0]).sort(), [
      "created_at",
      "disabled",
      "event",
      "id",
      "name",
      "nodeID",
      "updated_at",
      "uri",
    ]);
    assert.equal(body[0].disabled, true);
    assert.deepEqual(Object.keys(body[1]).sort(), [
      "created_at",
      "event",
      "id",
      "last_error",
      "name",
      "nodeID",
      "updated_at",
      "uri",
    ]);
    assert.equal(body[1].last_error, "503 Service Unavailable");
    assert.deepEqual(
      (await ada.get("/webhooks/enabled")).body.map(({ id }: { id: number }) => id),
      [first.id],
    );
    assert.deepEqual(
      (await ada.get("/webhooks/disabled")).body.map(({ id }: { id: number }) => id),
      [second.id],
    );
    assert.deepEqual(
      (await ada.get("/webhooks?state=disabled")).body.map(({ id }: { id: number }) => id),
      [second.id],
    );
    assert.equal((await ada.get("/webhooks?fields=id,verified")).body[0].verified, false);
    assert.equal((await ada.get(`/webhooks/${first.id}`)).body.last_error, "503 Service Unavailable");
  });

  test("WH1: lists can't be filtered or sorted", async () => {
    const filtered = await ada.get("/webhooks?event=person.update");
    assert.deepEqual([filtered.status, filtered.body.message], [400, "Filtering not allowed on fields: event"]);
    const sorted = await ada.get("/webhooks?sort=name");
    assert.deepEqual([sorted.status, sorted.body.message], [400, "Sorting not allowed on fields: name"]);
  });

  // biome-ignore format: a table keeps its columns
  const refused: [string, Record<string, unknown>, string][] = [
    ["an unknown event",                  { event: "change.create" },          "event"],
    ["webhook.verify",                    { event: "webhook.verify" },         "event"],
    ["app_instance.create",               { event: "app_instance.create" },    "event"],
    ["no event",                          { event: null },                     "event"],
    ["no uri",                            { uri: "" },                         "uri"],
    ["a uri that isn't one",              { uri: "example.com/hook" },         "uri"],
    ["a uri of another scheme",           { uri: "ftp://example.com/hook" },   "uri"],
    ["a recipient that isn't an address", { mail_exceptions_to: "a@b.example, nobody" }, "mail_exceptions_to"],
    ["a policy that does not exist",      { webhook_policy_id: 999 },          "webhook_policy"],
  ];
  test.each(refused)("WH2: %s is rejected with 422", async (_, values, field) => {
    const reply = await ada.post("/webhooks", { event: "person.update", uri: `${there.url}/hook`, ...values });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map(([name]: [string]) => name),
      [field],
    );
  });

  test("WH5: only administrators have access", async () => {
    const { id } = await create();
    for (const role of ["specialist", "auditor", "requester", "manager"] as const) {
      const client = the.as(role);
      assert.equal((await client.get("/webhooks")).status, 403, role);
      assert.equal((await client.get(`/webhooks/${id}`)).status, 403, role);
      assert.equal((await client.post("/webhooks", {})).status, 403, role);
      assert.equal((await client.patch(`/webhooks/${id}`, {})).status, 403, role);
      assert.equal((await client.delete(`/webhooks/${id}`)).status, 403, role);
      assert.equal((await client.post(`/webhooks/${id}/test`)).status, 403, role);
      assert.equal((await client.get("/webhook_policies")).status, 403, role);
    }
    assert.equal((await the.as("stranger").get(`/webhooks/${id}`)).status, 404);
    assert.equal((await the.as("directoryAdmin").get("/webhooks")).status, 200);
  });

  test("DELETE returns 204, and removes the webhook with its pending messages", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "person.update" });
    there.answer = answerWithStatus(500);
    await changePerson("Before the end");
    assert.equal((await ada.delete(`/webhooks/${id}`)).status, 204);
    assert.equal((await ada.get(`/webhooks/${id}`)).status, 404);
    const rows = await the.sql(
      "SELECT state, reason FROM webhook_deliveries WHERE webhook_id = $1 AND kind = 'event'",
      [id],
    );
    assert.deepEqual(rows, [{ state: "dropped", reason: "the webhook was deleted" }]);
  });

  test("WH2: credentials in the uri are sent as Basic, and neither the audit trail nor the log contains them", async () => {
    const uri = `${there.url.replace("//", "//ann:s3cr%40t@")}/hook?key=1`;
    const { id } = await create({ uri: `${there.url}/hook?key=1` });
    // Stored before such URLs were rejected.
    await the.sql("UPDATE webhooks SET uri = $1, verified = true WHERE id = $2", [uri, id]);
    await changePerson(`Sent with credentials ${id}`);
    await deliverDueWebhooks(the);
    const [message] = there.messagesFor("person.update");
    assert.equal(message?.path, "/hook?key=1");
    assert.equal(message?.headers.authorization, `Basic ${Buffer.from("ann:s3cr@t").toString("base64")}`);
    there.answer = answerWithStatus(500);
    await ada.patch(`/webhooks/${id}`, { uri: `${there.url}/hook?key=2` });
    await deliverDueWebhooks(the);
    const trail = await ada.get(`/webhooks/${id}/audit`);
    assert.equal(trail.status, 200);
    assert.ok(!/s3cr/.test(trail.text) && /key=2/.test(trail.text), trail.text);
    assert.ok(!the.log.join().includes("s3cr"));
  });
});

describe("states", () => {
  test("WH6: a new webhook is unverified, and a message with a code is sent immediately", async () => {
    const { id, name } = await create({ name: "Chat" });
    await deliverDueWebhooks(the);
    const [message] = there.messagesFor("webhook.verify");
    assert.ok(message !== undefined);
    assert.equal(message.method, "POST");
    assert.equal(message.headers["content-type"], "application/json; charset=utf-8");
    assert.equal(message.body.webhook_id, id);
    assert.equal(message.body.object_id, id);
    assert.equal(message.body.object_nodeID, message.body.webhook_nodeID);
    assert.equal(message.body.name, name);
    assert.equal(message.body.account_id, "widget-it");
    assert.equal(message.body.account, `${the.url}/a/widget-it`);
    assert.deepEqual(Object.keys(message.body.payload), ["callback"]);
    const url = findCallback();
    assert.equal(url.origin + url.pathname, `${the.url}/a/widget-it/webhooks/${id}/verify`);
    assert.match(url.searchParams.get("code") as string, /^[\w-]{24}$/);
    assert.equal(Number(url.searchParams.get("expires_at")), the.clock.now().getTime() / 1000 + 86_400);
    assert.equal(
      message.headers.link,
      `<${the.url}/a/widget-it/webhooks/${id}>; rel="canonical", <${the.base}/webhooks/${id}>; rel="resource"`,
    );
    assert.equal(await isVerified(id), false);
    await changePerson("Nobody hears of it");
    assert.equal(there.messagesFor("person.update").length, 0);
  });

  test.each(["GET", "POST"])(
    "WH7: calling back by %s makes it active, and a second call also returns 200",
    async (method) => {
      const { id } = await create();
      await deliverDueWebhooks(the);
      const first = await fetch(findCallback(), { method });
      assert.deepEqual([first.status, await first.text()], [200, "Verification successful"]);
      assert.match(first.headers.get("content-type") as string, /^text\/plain/);
      assert.equal(await isVerified(id), true);
      assert.equal((await fetch(findCallback(), { method })).status, 200);
      await changePerson(`Heard of by ${method}`);
      assert.equal(there.messagesFor("person.update").length, 1);
    },
  );

  test("a wrong code, another webhook's, or no code returns 404, and nothing changes", async () => {
    const one = await create();
    const other = await create({ uri: `${there.url}/other` });
    await deliverDueWebhooks(the);
    const url = new URL(there.messages.find(({ path }) => path === "/hook")?.body.payload.callback);
    const wrong = new URL(url);
    wrong.searchParams.set("code", "x".repeat(24));
    assert.equal((await fetch(wrong)).status, 404);
    assert.equal((await fetch(String(url).replace(`/${one.id}/`, `/${other.id}/`))).status, 404);
    assert.equal((await fetch(String(url).split("?")[0] as string)).status, 404);
    assert.equal((await fetch(String(url).replace("widget-it", "widget-hr"))).status, 404);
    await fetch(url, { method: "HEAD" }); // a link checker is no receiver
    assert.deepEqual([await isVerified(one.id), await isVerified(other.id)], [false, false]);
  });

  test("WH7: a code is valid for 24 hours", async () => {
    const start = the.clock.now();
    const { id } = await create();
    await deliverDueWebhooks(the);
    const url = findCallback();
    await the.clock.pass(86_401);
    assert.equal((await fetch(url)).status, 404);
    assert.equal(await isVerified(id), false);
    await the.clock.moveTo(start.toISOString());
    assert.equal((await fetch(url)).status, 200);
  });

  test("WH6: updating an unverified webhook sends a new code, and the old one becomes invalid", async () => {
    const { id } = await create();
    await deliverDueWebhooks(the);
    const old = findCallback();
    await ada.patch(`/webhooks/${id}`, { description: "changed" });
    await deliverDueWebhooks(the);
    assert.equal(there.messagesFor("webhook.verify").length, 2);
    assert.notEqual(findCallback().href, old.href);
    assert.equal((await fetch(old)).status, 404);
    assert.equal((await fetch(findCallback())).status, 200);
    await ada.patch(`/webhooks/${id}`, { description: "changed again" });
    await deliverDueWebhooks(the);
    assert.equal(there.messagesFor("webhook.verify").length, 2, "a verified one is left alone");
  });

  test("WH8: the exact uri of a verified webhook in the account needs no verification; another account's does", async () => {
    await createActiveWebhook(the, ada, there, { event: "team.create" });
    const { id } = await create();
    assert.equal(await isVerified(id), true);
    const { id: other } = await create({ uri: `${there.url}/hook?x=1` });
    assert.equal(await isVerified(other), false);
    const foreign = await the.as("stranger").post("/webhooks", { event: "team.create", uri: `${there.url}/hook` });
    assert.equal((await the.as("stranger").get(`/webhooks/${foreign.body.id}?fields=verified`)).body.verified, false);
    await deliverDueWebhooks(the);
    assert.equal(there.messagesFor("webhook.verify").length, 2);
    await changePerson("Heard of at once");
    assert.equal(there.messagesFor("person.update").length, 1);
  });

  test("WH8: deleting the last webhook with a uri ends the exemption", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.create" });
    await ada.delete(`/webhooks/${id}`);
    const again = await create();
    assert.equal(await isVerified(again.id), false);
  });

  test("a new uri makes it inactive until the callback, and events in the meantime aren't delivered", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "person.update" });
    await ada.patch(`/webhooks/${id}`, { uri: `${there.url}/new` });
    await deliverDueWebhooks(the);
    assert.equal(await isVerified(id), false);
    assert.deepEqual(
      there.messages.map(({ path }) => path),
      ["/new"],
    );
    await changePerson("Meanwhile");
    assert.equal(there.messagesFor("person.update").length, 0);
    assert.equal((await fetch(findCallback())).status, 200);
    await changePerson("Afterwards");
    assert.deepEqual(
      there.messagesFor("person.update").map(({ path }) => path),
      ["/new"],
    );
  });

  test("WH17: disabling it stops events and drops pending ones; enabling makes it active and resets the failure count", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "person.update" });
    there.answer = answerWithStatus(500);
    await changePerson("Fails");
    assert.equal((await ada.patch(`/webhooks/${id}`, { disabled: true })).body.disabled, true);
    there.answer = answerWithStatus(200);
    there.clear();
    await changePerson("While disabled");
    await the.clock.pass(60);
    assert.equal(there.messages.length, 0);
    await ada.patch(`/webhooks/${id}`, { disabled: false });
    assert.deepEqual(await the.sql("SELECT failures, verified FROM webhooks WHERE id = $1", [id]), [
      { failures: 0, verified: true },
    ]);
    await changePerson("Enabled again");
    assert.equal(there.messagesFor("person.update").length, 1);
    assert.equal(there.messagesFor("webhook.verify").length, 0);
    assert.ok(!("last_error" in (await ada.get(`/webhooks/${id}`)).body), "a call that works ends the failure");
  });

  test("the test operation delivers in any state, and doesn't change it", async () => {
    const { id } = await create();
    await deliverDueWebhooks(the);
    there.clear();
    assert.equal((await ada.post(`/webhooks/${id}/test`)).status, 204);
    await deliverDueWebhooks(the);
    await ada.patch(`/webhooks/${id}`, { disabled: true });
    await deliverDueWebhooks(the);
    there.clear();
    const reply = await ada.post(`/webhooks/${id}/test`);
    assert.deepEqual([reply.status, reply.text], [204, ""]);
    await deliverDueWebhooks(the);
    const [message] = there.messagesFor("person.update");
    assert.equal(message?.body.object_id, 12_345);
    assert.deepEqual(message?.body.payload, {});
    assert.match(message?.headers.link as string, /\/people\/12345>; rel="canonical"/);
    assert.equal(await isVerified(id), false);
    assert.equal((await ada.get(`/webhooks/${id}`)).body.disabled, true);
    there.answer = answerWithStatus(500);
    there.clear();
    await ada.post(`/webhooks/${id}/test`);
    await deliverDueWebhooks(the);
    await the.clock.pass(3600);
    assert.equal(there.messagesFor("person.update").length, 1, "a test is not tried again");
    assert.equal((await ada.post("/webhooks/999999/test")).status, 404);
  });
});
