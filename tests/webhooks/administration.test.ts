import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, inject, test } from "vitest";
import { until } from "../support/waiting.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// What administrators see of webhooks: states, deliveries, and the receiver of the command line.

let the: World;
let ada: Client;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
  there = await startReceiver();
});
beforeEach(async () => {
  for (const table of ["webhooks", "webhook_deliveries", "webhook_attempts"]) await the.sql(`DELETE FROM ${table}`);
  there.clear();
  there.answer = answerWithStatus(200);
});

const at = "/webhooks";
const change = async () => {
  await ada.patch("/teams/1", { remarks: `Seen ${Math.random()}` });
  await deliverDueWebhooks(the);
};

describe("states and deliveries", () => {
  test("webhooks are listed with their state, without the passwords in their URLs", async () => {
    const { body } = await ada.post("/webhooks", { event: "team.update", uri: `${there.url}/hook` });
    const uri = `${there.url.replace("//", "//ann:secret@")}/hook`; // stored before such URLs were rejected
    await the.sql("UPDATE webhooks SET uri = $1 WHERE id = $2", [uri, body.id]);
    await deliverDueWebhooks(the);
    const [unverified] = (await ada.get("/webhook_states")).body;
    assert.deepEqual(
      [unverified.state, unverified.verified, unverified.uri],
      ["unverified", false, `${there.url}/hook`],
    );
    await fetch(there.messagesFor("webhook.verify")[0]?.body.payload.callback);
    assert.equal((await ada.get(`${at}/${body.id}/state`)).body.state, "active");
    there.answer = answerWithStatus(500);
    await change();
    const failing = (await ada.get(`${at}/${body.id}/state`)).body;
    assert.deepEqual(
      [failing.state, failing.last_error, failing.failures, failing.waiting],
      ["failing", "500 Internal Server Error", 1, 1],
    );
    await ada.patch(`/webhooks/${body.id}`, { disabled: true });
    assert.equal((await ada.get(`${at}/${body.id}/state`)).body.state, "disabled");
    assert.equal((await ada.get(`${at}/999999/state`)).status, 404);
  });

  test("a code can be resent while the last one is valid, and the old one becomes invalid", async () => {
    const { body } = await ada.post("/webhooks", { event: "team.update", uri: `${there.url}/hook` });
    await deliverDueWebhooks(the);
    const old = there.messagesFor("webhook.verify")[0]?.body.payload.callback;
    assert.equal((await ada.post(`${at}/${body.id}/verification`, {})).status, 204);
    await deliverDueWebhooks(the);
    const fresh = there.messagesFor("webhook.verify")[1]?.body.payload.callback;
    assert.equal((await fetch(old)).status, 404);
    const expires = (shift: string) =>
      the.sql(
        `UPDATE webhooks SET verification_expires_at = verification_expires_at ${shift} interval '1 day 1 second'`,
      );
    await expires("-");
    assert.equal((await ada.post(`${at}/${body.id}/verification`, {})).status, 422);
    await expires("+");
    assert.equal((await fetch(fresh)).status, 200);
    assert.equal((await ada.post(`${at}/${body.id}/verification`, {})).status, 422, "it is verified");
  });

  test("WH18: every try is kept with its response, and a verification code isn't shown", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.update" });
    there.answer = (_message, response) => void response.writeHead(503, { "x-why": "tired" }).end("come back later");
    await change();
    await the.clock.pass(7);
    const list = (await ada.get(`${at}/${id}/deliveries`)).body;
    assert.deepEqual(
      list.map(({ kind }: { kind: string }) => kind),
      ["event", "verify"],
    );
    assert.deepEqual(
      [list[0].state, list[0].tries, list[0].status, list[0].error, list[0].record_id],
      ["waiting", 2, 503, "503 Service Unavailable", 1],
    );
    const one = (await ada.get(`${at}/${id}/deliveries/${list[0].id}`)).body;
    assert.equal(one.body, there.messages[0]?.text);
    assert.equal(one.link, there.messages[0]?.headers.link);
    assert.deepEqual(
      one.attempts.map(({ number }: { number: number }) => number),
      [2, 1],
    );
    assert.deepEqual(
      [one.attempts[0].headers["x-why"], one.attempts[0].body, one.attempts[0].status],
      ["tired", "come back later", 503],
    );
    assert.ok(one.attempts[0].next_try_at > one.attempts[0].started_at);
    const code = (await ada.get(`${at}/${id}/deliveries/${list[1].id}`)).body;
    assert.match(code.body, /code=\.\.\./);
    assert.deepEqual((await ada.get(`${at}/${id}/deliveries?state=delivered`)).body.length, 1);
    assert.deepEqual((await ada.get(`${at}/${id}/deliveries?record=2`)).body, []);
    assert.equal((await ada.get(`${at}/${id}/deliveries?record=x`)).status, 400);
  });

  test("WH18: one, some, or all deliveries that failed since a time are resent, byte for byte", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.update" });
    await change();
    await change();
    const rows = await the.sql<{ id: number }>(
      "SELECT id::integer FROM webhook_deliveries WHERE kind = 'event' ORDER BY id",
    );
    const send = (body: unknown) => ada.post(`${at}/${id}/redeliveries`, body);
    assert.deepEqual((await send({ ids: [rows[0]?.id] })).body, { redelivered: 1 });
    await deliverDueWebhooks(the);
    assert.equal(there.messages.length, 3);
    assert.equal(there.messages[2]?.text, there.messages[0]?.text);
    assert.equal(there.messages[2]?.headers["x-4me-delivery"], there.messages[0]?.headers["x-4me-delivery"]);
    await the.sql("UPDATE webhook_deliveries SET state = 'failed' WHERE id = $1", [rows[1]?.id]);
    const since = new Date(the.clock.now().getTime() - 60_000).toISOString();
    assert.deepEqual((await send({ failed_since: since })).body, { redelivered: 1 });
    await deliverDueWebhooks(the);
    assert.equal(there.messages.length, 4);
    assert.deepEqual((await send({ failed_since: since })).body, { redelivered: 0 });
    assert.equal((await send({ ids: ["x"] })).status, 422);
    const attempts = await the.sql("SELECT number FROM webhook_attempts WHERE delivery_id = $1 ORDER BY id", [
      rows[0]?.id,
    ]);
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [1, 2],
    );
    await ada.patch(`/webhooks/${id}`, { disabled: true });
    assert.equal((await send({ ids: [rows[0]?.id] })).status, 422);
  });

  test("deliveries are paged like records, and other accounts and people have no access", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.update" });
    for (let i = 0; i < 3; i++) await change();
    const path = `${at}/${id}/deliveries`;
    const first = await ada.get(`${path}?per_page=2`);
    assert.equal(first.headers.get("x-pagination-total-entries"), "4");
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] as string;
    const second = await ada.get(next.slice(the.base.length));
    const ids = [...first.body, ...second.body].map((each: { id: number }) => each.id);
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    );
    assert.equal(new Set(ids).size, 4);
    assert.equal(second.headers.get("x-pagination-current-page"), "2");
    const back = await ada.get(`${path}?per_page=2&search_before=${second.headers.get("x-pagination-start-cursor")}`);
    assert.deepEqual(back.body, first.body);
    for (const query of ["sort=id", "fields=colour", "state=lost", "search_after=x", "colour=red"])
      assert.equal((await ada.get(`${path}?${query}`)).status, 400, query);
    assert.equal((await ada.post(`${at}/${id}/redeliveries`, {})).status, 422);
    const sam = the.as("specialist");
    for (const each of ["/webhook_states", path, `${path}/${ids[0]}`, `${at}/${id}/state`])
      assert.ok([403, 404].includes((await sam.get(each)).status), each);
    const stranger = the.as("stranger");
    for (const each of [path, `${path}/${ids[0]}`, `${at}/${id}/state`])
      assert.ok([403, 404].includes((await stranger.get(each)).status), each);
    assert.equal((await the.nobody.get(path)).status, 401);
  });
});

test("listen prints messages, responds to the verification and checks signatures", async () => {
  const made = (await ada.post("/webhook_policies", { jwt_alg: "hs256" })).body;
  const folder = mkdtempSync(join(tmpdir(), "steward-listen-"));
  writeFileSync(join(folder, "key"), made.public_key_pem);
  const program = inject("serverProgram");
  const child = spawn(process.execPath, [program, "listen", "--port", "0", "--key", join(folder, "key")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const waitForLine = async (pattern: RegExp) => {
    await until(() => pattern.test(said), { what: () => `${pattern} in ${said}` });
    return pattern.exec(said) as RegExpExecArray;
  };
  try {
    const [, uri] = await waitForLine(/Listening on (http:\S+)/);
    // The test clock is in another year. A signature without expiry is still valid.
    const reply = await ada.post("/webhooks", { event: "team.update", uri, webhook_policy_id: made.id });
    assert.equal(reply.status, 200, reply.text);
    await waitForLine(
      /webhook\.verify \d+ by the service \(HS256, signature verified\)[\s\S]*verified; events will now be delivered/,
    );
    await ada.patch("/teams/1", { remarks: `Listened to ${Math.random()}` });
    await waitForLine(/team\.update 1 by Ada Admin \(HS256, signature verified\)/);
  } finally {
    child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
});
