import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe, test } from "vitest";
import { AddressFilter, loopbackRanges, parseRanges } from "../../server/webhooks/address-filter.ts";
import { deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { startNameServer } from "../support/webhooks/name-server.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// WH3: only public receivers are allowed, checked when a webhook is saved and again for the address that is called.

let the: World;
let ada: Client;
let there: Receiver;
let answers: (name: string, family: 4 | 6) => readonly string[] = () => [];

beforeAll(async () => {
  const server = await startNameServer((name, family) => answers(name, family));
  the = await world({ env: { ENVIRONMENT: "production", WEBHOOK_ALLOW: "127.0.0.77/32" }, nameServers: [server] });
  ada = the.as("administrator");
  there = await startReceiver("0.0.0.0");
});
beforeEach(async () => {
  for (const table of ["webhooks", "webhook_deliveries"]) await the.sql(`DELETE FROM ${table}`);
  there.clear();
  there.answer = answerWithStatus(200);
  answers = () => [];
});

// biome-ignore format: one of each kind
const inside = [
  "http://127.0.0.1/", "http://127.1/", "http://127.255.255.254/", "http://localhost/", "http://LOCALHOST./", "http://x.localhost/",
  "http://0/", "http://0.0.0.0/", "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/",
  "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.255/", "http://192.168.1.1/", "http://3232235777/", "http://012.0.0.1/",
  "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://100.64.0.1/", "http://198.18.0.1/", "http://192.0.0.1/", "http://192.0.2.1/",
  "http://198.51.100.1/", "http://203.0.113.1/", "http://224.0.0.1/", "http://239.255.255.255/", "http://240.0.0.1/", "http://255.255.255.255/",
  "http://[::]/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::ffff:10.0.0.1]/",
  "http://[::127.0.0.1]/", "http://[::ffff:0:127.0.0.1]/", "http://[64:ff9b::7f00:1]/", "http://[64:ff9b::169.254.169.254]/", "http://[2002:7f00:1::]/",
  "http://[2001:0:7f00:1::]/", "http://[fe80::1]/", "http://[fec0::1]/", "http://[fc00::1]/", "http://[fd00:ec2::254]/", "http://[ff02::1]/",
  "http://[2001:db8::1]/", "http://[100::1]/", "http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/",
];
test.each(inside)("%s is rejected when the webhook is saved", async (uri) => {
  const reply = await ada.post("/webhooks", { event: "team.update", uri });
  assert.equal(reply.status, 422, reply.text);
  assert.deepEqual(
    reply.body.errors.map(([name]: [string]) => name),
    ["uri"],
  );
});

test("public addresses and names are accepted, and so are names that don't resolve yet", async () => {
  answers = (name, family) =>
    name === "public.example" ? (family === 4 ? ["8.8.8.8"] : ["2001:4860:4860::8888"]) : [];
  for (const uri of [
    "http://8.8.8.8/",
    "https://[2001:4860:4860::8888]/x",
    "https://public.example/",
    "https://later.invalid/",
  ]) {
    const reply = await ada.post("/webhooks", { event: "team.update", uri, disabled: true });
    assert.equal(reply.status, 200, `${uri} ${reply.text}`);
  }
  await the.sql("DELETE FROM webhook_deliveries");
});

test("WH3: WEBHOOK_ALLOW allows the listed receivers, and only those", async () => {
  const uri = `http://127.0.0.77:${there.port}/`;
  assert.equal((await ada.post("/webhooks", { event: "team.update", uri })).status, 200);
  await deliverDueWebhooks(the);
  assert.equal(there.messages.length, 1);
  assert.equal(
    (await ada.post("/webhooks", { event: "team.update", uri: `http://[::ffff:127.0.0.77]:${there.port}/` })).status,
    200,
  );
  await deliverDueWebhooks(the);
  assert.equal(there.messages.length, 2);
  assert.equal((await ada.post("/webhooks", { event: "team.update", uri: uri.replace(".77", ".78") })).status, 422);
});

test("a name that resolves to an internal address is rejected when saved, even if another of its addresses is public", async () => {
  answers = (name, family) =>
    name === "inside.example" ? (family === 4 ? ["8.8.8.8", "10.1.2.3"] : []) : family === 6 ? ["::1"] : [];
  for (const uri of ["http://inside.example/", "http://six.example/"])
    assert.equal((await ada.post("/webhooks", { event: "team.update", uri })).status, 422, uri);
});

const loadLastError = async () =>
  (await the.sql<{ last_error: string }>("SELECT last_error FROM webhooks"))[0]?.last_error;

test("WH3: a name that is rebound to an internal address after saving isn't called", async () => {
  let asked = 0;
  answers = (name, family) =>
    family === 6 || name !== "rebinding.example" ? [] : asked++ === 0 ? ["8.8.8.8"] : ["127.0.0.1"];
  const reply = await ada.post("/webhooks", { event: "team.update", uri: `http://rebinding.example:${there.port}/` });
  assert.equal(reply.status, 200, reply.text);
  await deliverDueWebhooks(the);
  assert.equal(there.messages.length, 0);
  assert.equal(await loadLastError(), "the address is not allowed");
  assert.ok(asked > 1);
});

test("internal addresses stored earlier aren't called, in any notation", async () => {
  for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "0", "localhost"]) {
    await the.sql("DELETE FROM webhooks");
    await the.sql("DELETE FROM webhook_deliveries");
    assert.equal((await ada.post("/webhooks", { event: "team.update", uri: "http://later.invalid/" })).status, 200);
    await the.sql("UPDATE webhooks SET uri = $1", [`http://${host}:${there.port}/`]);
    await deliverDueWebhooks(the);
    await ada.post(`/webhooks/${(await the.sql<{ id: number }>("SELECT id FROM webhooks"))[0]?.id}/test`);
    await deliverDueWebhooks(the);
    assert.equal(there.messages.length, 0, host);
  }
});

test("redirects aren't followed", async () => {
  const uri = `http://127.0.0.77:${there.port}/start`;
  there.answer = answerWithStatus(302, { location: `http://127.0.0.1:${there.port}/inside` });
  await ada.post("/webhooks", { event: "team.update", uri });
  await deliverDueWebhooks(the);
  assert.deepEqual(
    there.messages.map(({ path }) => path),
    ["/start"],
  );
  assert.equal(await loadLastError(), "302 Found");
});

test("a name is called at the checked address, with its own host name", async () => {
  answers = (name, family) => (name === "receiver.example" && family === 4 ? ["127.0.0.77"] : []);
  const uri = `http://receiver.example:${there.port}/hook`;
  assert.equal((await ada.post("/webhooks", { event: "team.update", uri })).status, 200);
  await deliverDueWebhooks(the);
  assert.equal(there.messages[0]?.headers.host, `receiver.example:${there.port}`);
});

describe("ranges", () => {
  test("the demo allows loopback, in either notation", () => {
    const demo = new AddressFilter(loopbackRanges);
    for (const address of ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "93.184.216.34", "2606:4700::1111"])
      assert.ok(demo.isAllowed(address), address);
    for (const address of ["10.0.0.1", "::ffff:10.0.0.1", "169.254.169.254", "nonsense", "", "fe80::1%eth0"])
      assert.ok(!demo.isAllowed(address), address);
  });
  test("several ranges are separated by commas and blanks", () => {
    const some = new AddressFilter(parseRanges("10.0.0.0/8, fd00::/8"));
    assert.ok(some.isAllowed("10.200.0.1") && some.isAllowed("fd12::1") && !some.isAllowed("127.0.0.1"));
  });
});
