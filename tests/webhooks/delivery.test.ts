import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, test } from "vitest";
import { type PreparedDelivery, renewLeases } from "../../server/webhooks/prepare.ts";
import { computeNextTry, parseRetryAfter } from "../../server/webhooks/retry-schedule.ts";
import type { Webhooks } from "../../server/webhooks/webhooks-context.ts";
import { until } from "../support/waiting.ts";
import { createActiveWebhook, deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { answerWithStatus, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";
import { type Client, type World, world } from "../support/world.ts";

// Delivery: WH13 to WH18.

let the: World;
let ada: Client;
let there: Receiver;

beforeAll(async () => {
  the = await world();
  ada = the.as("administrator");
  there = await startReceiver();
});
beforeEach(async () => {
  for (const table of ["webhooks", "webhook_deliveries", "webhook_attempts", "mails"])
    await the.sql(`DELETE FROM ${table}`);
  there.clear();
  there.answer = answerWithStatus(200);
});
afterEach(() => {
  there.answer = answerWithStatus(200);
});

let changes = 0;
const change = async (team = 1, remarks = `change ${++changes}`) => {
  const reply = await ada.patch(`/teams/${team}`, { remarks });
  assert.equal(reply.status, 200, reply.text);
};
type Delivery = { id: number; state: string; tries: number; next_try_at: Date; reason: string | null };
const deliveries = () =>
  the.sql<Delivery>(
    "SELECT id::integer, state, tries, next_try_at, reason FROM webhook_deliveries WHERE kind = 'event' ORDER BY id",
  );
const createWebhook = (event = "team.update", path?: string) => createActiveWebhook(the, ada, there, { event }, path);
const now = () => the.clock.now().getTime();

describe("a call", () => {
  test.each([200, 201, 204, 299])("status %i is a success", async (code) => {
    await createWebhook();
    there.answer = answerWithStatus(code);
    await change();
    await deliverDueWebhooks(the);
    assert.equal((await deliveries())[0]?.state, "delivered");
  });

  test.each([301, 302, 307, 400, 404, 410, 429, 500, 503])(
    "WH13: status %i is a failure, and redirects are not followed",
    async (code) => {
      const { id } = await createWebhook();
      there.answer = answerWithStatus(code, { location: `${there.url}/elsewhere` });
      await change();
      await deliverDueWebhooks(the);
      const [row] = await deliveries();
      assert.deepEqual([row?.state, row?.tries], ["waiting", 1]);
      assert.ok(!there.messages.some(({ path }) => path === "/elsewhere"));
      assert.match((await ada.get(`/webhooks/${id}`)).body.last_error, new RegExp(`^${code} `));
    },
  );

  test("WH13: a receiver that doesn't respond within 10 seconds has failed", async () => {
    const { id } = await createWebhook();
    there.answer = () => {};
    await change();
    const begun = performance.now();
    await deliverDueWebhooks(the);
    const took = performance.now() - begun;
    assert.ok(took > 9500, `${took} ms`);
    assert.equal((await ada.get(`/webhooks/${id}`)).body.last_error, "no response within 10 seconds");
  });

  test("a refused or interrupted connection is a failure", async () => {
    const { id } = await createWebhook();
    there.answer = (_message, response) => void response.destroy();
    await change();
    await deliverDueWebhooks(the);
    assert.match((await ada.get(`/webhooks/${id}`)).body.last_error, /connection/);
    await the.sql("UPDATE webhooks SET uri = 'http://127.0.0.1:9/'");
    await change(2);
    await deliverDueWebhooks(the);
    assert.equal((await ada.get(`/webhooks/${id}`)).body.last_error, "connection refused");
  });

  test("only the start of the response is kept", async () => {
    await createWebhook();
    there.answer = (_message, response) => {
      response.writeHead(500, { "x-reason": "broken" });
      response.write("é".repeat(3000));
      const more = setInterval(() => response.write("y".repeat(100_000)), 1);
      response.on("close", () => clearInterval(more));
    };
    await change();
    await deliverDueWebhooks(the);
    const [row] = await the.sql<{ body: string; headers: Record<string, string> }>(
      "SELECT body, headers FROM webhook_attempts ORDER BY id DESC LIMIT 1",
    );
    assert.equal(row?.body, "é".repeat(512));
    assert.equal(row?.headers["x-reason"], "broken");
  });

  test("a status received in time counts, even if the body never ends", async () => {
    await createWebhook();
    there.answer = (_message, response) => {
      response.writeHead(200);
      response.write("and so on");
    };
    await change();
    await deliverDueWebhooks(the);
    assert.equal((await deliveries())[0]?.state, "delivered");
  });

  test("connections are kept alive and reused", async () => {
    await createWebhook();
    const before = there.connections;
    for (let n = 0; n < 20; n++) {
      await change();
      await deliverDueWebhooks(the);
    }
    assert.equal(there.messages.length, 20);
    assert.ok(there.connections - before <= 1, `${there.connections - before} new connections`);
  });
});

describe("retries", () => {
  test("WH14: 14 tries on the schedule with the same delivery id and bytes, then the message is dropped and kept as failed", async () => {
    await createWebhook();
    there.answer = answerWithStatus(500);
    await change();
    await deliverDueWebhooks(the);
    // biome-ignore format: seconds
    const pauses = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 57_600, 86_400, 108_000];
    for (const [index, pause] of pauses.entries()) {
      const [row] = await deliveries();
      assert.deepEqual([row?.state, row?.tries], ["waiting", index + 1]);
      const wait = ((row?.next_try_at.getTime() ?? 0) - now()) / 1000;
      assert.ok(wait >= pause * 0.8 - 1 && wait <= pause * 1.2 + 1, `${wait} s before try ${index + 2}`);
      await the.clock.moveTo(new Date((row as Delivery).next_try_at.getTime() - 1000).toISOString());
      assert.equal(there.messages.length, index + 1, "not before its time");
      await the.clock.moveTo((row as Delivery).next_try_at.toISOString());
      assert.equal(there.messages.length, index + 2);
    }
    const [row] = await deliveries();
    assert.deepEqual([row?.state, row?.tries, row?.reason], ["failed", 14, "14 tries failed"]);
    await the.clock.pass(10 * 86_400);
    assert.equal(there.messages.length, 14);
    assert.equal(new Set(there.messages.map(({ text }) => text)).size, 1);
    assert.equal(new Set(there.messages.map(({ headers }) => headers["x-xurrent-delivery"])).size, 1);
    const attempts = await the.sql("SELECT number FROM webhook_attempts ORDER BY id DESC LIMIT 14");
    assert.deepEqual(
      attempts.map(({ number }) => number),
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    );
  });

  test("WH14: jitter spreads retries by a fifth, and Retry-After only delays them", () => {
    const at = new Date("2025-03-03T08:00:00Z");
    const pauseAfter = (tries: number, wait: number | null, random: number) =>
      ((computeNextTry(tries, at, wait, () => random)?.getTime() ?? 0) - at.getTime()) / 1000;
    assert.deepEqual([pauseAfter(1, null, 0), pauseAfter(1, null, 0.5), pauseAfter(1, null, 1)], [4, 5, 6]);
    assert.deepEqual([pauseAfter(1, 60, 0.5), pauseAfter(3, 60, 0.5), pauseAfter(1, 1e8, 0.5)], [60, 120, 86_400]);
    assert.equal(
      computeNextTry(14, at, null, () => 0),
      null,
    );
    assert.equal(parseRetryAfter("120", at), 120);
    assert.equal(parseRetryAfter("Mon, 03 Mar 2025 08:02:00 GMT", at), 120);
    assert.equal(parseRetryAfter("Mon, 03 Mar 2025 07:00:00 GMT", at), 0);
    assert.equal(parseRetryAfter("soon", at), null);
    assert.equal(parseRetryAfter(undefined, at), null);
  });

  test("Retry-After from an overloaded receiver is respected", async () => {
    await createWebhook();
    there.answer = answerWithStatus(503, { "retry-after": "600" });
    await change();
    await deliverDueWebhooks(the);
    const [row] = await deliveries();
    assert.ok((row?.next_try_at.getTime() ?? 0) - now() >= 600_000);
  });

  test("a retry has the state right after the change, even if the record has changed since", async () => {
    await createWebhook();
    there.answer = answerWithStatus(500);
    await change(1, "first");
    await deliverDueWebhooks(the);
    const [before] = there.messages;
    await ada.patch("/people/1", { name: "Ada Renamed" });
    there.answer = answerWithStatus(200);
    await the.clock.pass(10);
    assert.equal(there.messages[1]?.text, before?.text);
    await ada.patch("/people/1", { name: "Ada Admin" });
  });

  test("after a change of the uri, pending retries wait for the callback and go to the new address", async () => {
    const { id } = await createWebhook();
    there.answer = answerWithStatus(503);
    await change();
    await deliverDueWebhooks(the);
    there.answer = answerWithStatus(200);
    there.clear();
    await ada.patch(`/webhooks/${id}`, { uri: `${there.url}/new` });
    await the.clock.pass(3600);
    assert.deepEqual(
      there.messages.map(({ path, body }) => [path, body.event]),
      [["/new", "webhook.verify"]],
    );
    assert.equal((await fetch(there.messages[0]?.body.payload.callback)).status, 200);
    await deliverDueWebhooks(the);
    assert.deepEqual([there.messages[1]?.path, there.messages[1]?.body.event], ["/new", "team.update"]);
  });

  test("a failed verification is retried until its code expires", async () => {
    there.answer = answerWithStatus(500);
    const { body } = await ada.post("/webhooks", { event: "team.update", uri: `${there.url}/hook` });
    await deliverDueWebhooks(the);
    for (let n = 0; n < 14; n++) {
      const [row] = await the.sql<Delivery>("SELECT * FROM webhook_deliveries WHERE state = 'waiting'");
      if (row === undefined) break;
      await the.clock.moveTo(row.next_try_at.toISOString());
    }
    const [row] = await the.sql("SELECT state, reason, tries FROM webhook_deliveries WHERE webhook_id = $1", [body.id]);
    assert.equal(row?.state, "failed");
    assert.match(row?.reason, /code/);
    assert.ok(row?.tries >= 9 && row?.tries < 14, `${row?.tries} tries`);
    assert.equal(new Set(there.messages.map(({ text }) => text)).size, 1);
  });
});

describe("order", () => {
  const listLines = () => there.messages.map(({ body }) => body.payload.audit_line_id as number);

  test("WH15: messages about a record wait for its failing one, and other records aren't affected", async () => {
    await createWebhook();
    there.answer = (message, response) => void response.writeHead(message.body.object_id === 1 ? 500 : 200).end();
    await change(1);
    await deliverDueWebhooks(the);
    await change(1);
    await change(2);
    await change(1);
    await deliverDueWebhooks(the);
    assert.deepEqual(
      there.messages.map(({ body }) => body.object_id),
      [1, 2],
    );
    there.answer = answerWithStatus(200);
    await the.clock.pass(7);
    const ones = there.messages.filter(({ body }) => body.object_id === 1);
    assert.equal(ones.length, 4);
    assert.deepEqual(
      listLines().slice(2),
      [...listLines().slice(2)].sort((a, b) => a - b),
    );
    assert.equal(listLines()[0], listLines()[2]);
  });

  test("WH15: after 15 minutes later messages overtake the failing one, in their own order", async () => {
    await createWebhook();
    await change(1);
    await deliverDueWebhooks(the);
    there.clear();
    let first: string | null = null;
    there.answer = (message, response) => {
      first ??= message.text;
      response.writeHead(message.text === first ? 500 : 200).end();
    };
    await change(1);
    await deliverDueWebhooks(the);
    await change(1);
    await change(1);
    await the.clock.pass(14 * 60);
    assert.equal(new Set(listLines()).size, 1, "they wait");
    await the.clock.pass(61);
    assert.equal(new Set(listLines()).size, 3);
    assert.deepEqual(
      [...new Set(listLines())],
      [...new Set(listLines())].sort((a, b) => a - b),
    );
    assert.deepEqual(
      (await deliveries()).map(({ state }) => state),
      ["delivered", "waiting", "delivered", "delivered"],
    );
    there.answer = answerWithStatus(200);
    await the.clock.pass(3600);
    assert.ok((await deliveries()).every(({ state }) => state === "delivered"));
  });

  test("two webhooks don't wait for each other", async () => {
    await createWebhook("team.update", "/good");
    await createWebhook("team.update", "/bad");
    there.answer = (message, response) => void response.writeHead(message.path === "/bad" ? 500 : 200).end();
    await change(1);
    await change(1);
    await deliverDueWebhooks(the);
    assert.equal(there.messages.filter(({ path }) => path === "/good").length, 2);
    assert.equal(there.messages.filter(({ path }) => path === "/bad").length, 1);
  });

  test("a record with hundreds of messages doesn't block others", async () => {
    await createWebhook();
    there.answer = (message, response) => void response.writeHead(message.body.object_id === 1 ? 500 : 200).end();
    for (let n = 0; n < 250; n += 10) await Promise.all(Array.from({ length: 10 }, () => change(1)));
    await change(2);
    await deliverDueWebhooks(the);
    assert.equal(there.messages.filter(({ body }) => body.object_id === 2).length, 1);
    there.answer = answerWithStatus(200);
    await the.clock.pass(7);
    await deliverDueWebhooks(the);
    const ones = there.messages
      .filter(({ body }) => body.object_id === 1)
      .map(({ body }) => body.payload.audit_line_id);
    assert.equal(new Set(ones).size, 250);
    assert.deepEqual(
      ones.slice(1),
      [...ones.slice(1)].sort((a, b) => a - b),
    );
  });

  test("an expired lease on a message with a later retry doesn't block the next message", async () => {
    await createWebhook();
    there.answer = answerWithStatus(500);
    await change(1);
    await deliverDueWebhooks(the);
    await the.sql(
      "UPDATE webhook_deliveries SET leased_until = clock_timestamp() - interval '1 second' WHERE tries = 1",
    );
    await change(1);
    await deliverDueWebhooks(the);
    const [first, next] = await deliveries();
    assert.deepEqual(next?.next_try_at, first?.next_try_at, "it waits for the one before it");
    there.answer = answerWithStatus(200);
    await the.clock.pass(7);
    assert.deepEqual(
      listLines(),
      [...new Set(listLines())].flatMap((id, n) => (n === 0 ? [id, id] : [id])),
    );
    assert.ok((await deliveries()).every(({ state }) => state === "delivered"));
  });

  test("the lease is renewed while a message is being sent, and not after it is settled", async () => {
    await createWebhook();
    const leases = () =>
      the.sql<{ id: number; fence: number; leased: boolean }>(
        "SELECT id::integer, fence, leased_until > clock_timestamp() + interval '4 seconds' AS leased FROM webhook_deliveries WHERE kind = 'event'",
      );
    const renew = async () =>
      renewLeases(the.service as unknown as Webhooks, (await leases()) as unknown as PreparedDelivery[]);
    let during: unknown[] = [];
    there.answer = async (_message, response) => {
      await the.sql("UPDATE webhook_deliveries SET leased_until = clock_timestamp() + interval '1 second'");
      await renew();
      during = (await leases()).map(({ leased }) => leased);
      response.writeHead(500).end();
    };
    await change(1);
    await deliverDueWebhooks(the);
    await renew();
    assert.deepEqual([during, (await leases()).map(({ leased }) => leased)], [[true], [null]]);
  });

  test("messages that wait for others of their record don't prevent the retries of those", async () => {
    await createWebhook();
    there.answer = answerWithStatus(500);
    const made = await Promise.all(Array.from({ length: 20 }, () => ada.post("/teams", { name: `Many ${++changes}` })));
    const teams = made.map(({ body }) => body.id as number);
    for (const team of teams) await change(team);
    await deliverDueWebhooks(the);
    for (const team of teams) await change(team);
    await deliverDueWebhooks(the);
    // Simulates that no dispatcher checked them before the first retries were due.
    await the.sql("UPDATE webhook_deliveries SET next_try_at = created_at WHERE tries = 0");
    there.answer = answerWithStatus(200);
    there.clear();
    await the.clock.pass(7);
    await the.clock.pass(1);
    assert.equal(there.messages.length, 40);
    assert.ok((await deliveries()).every(({ state }) => state === "delivered"));
  });
});

describe("failures", () => {
  const loadEmails = () =>
    the.sql<{ recipient: string; subject: string; body: string }>(
      "SELECT recipient, subject, body FROM mails ORDER BY id",
    );

  test("WH16: administrators and mail_exceptions_to are notified, at most once in 20 minutes", async () => {
    await createActiveWebhook(the, ada, there, {
      event: "team.update",
      name: "Chat",
      mail_exceptions_to: "ops@x.example, ADA@widget.example",
    });
    there.answer = answerWithStatus(503);
    await change();
    await deliverDueWebhooks(the);
    const first = await loadEmails();
    assert.deepEqual(first.map(({ recipient }) => recipient.toLowerCase()).sort(), [
      "ada@widget.example",
      "ops@x.example",
    ]);
    assert.match(first[0]?.subject as string, /Chat/);
    assert.match(first[0]?.body as string, /503 Service Unavailable[\s\S]*We'll keep retrying/);
    for (let n = 0; n < 9; n++) {
      await change(2);
      await the.clock.pass(120);
    }
    assert.equal((await loadEmails()).length, 2, "18 minutes later");
    await the.clock.pass(180);
    await change();
    await deliverDueWebhooks(the);
    assert.equal((await loadEmails()).length, 4);
    await the.clock.pass(900);
    assert.equal((await loadEmails()).length, 4);
  });

  const failFor = async (days: number, times: number) => {
    there.answer = answerWithStatus(500);
    for (let n = 0; n < times; n++) {
      await ada.post("/teams", { name: `Failing ${++changes}` });
      await deliverDueWebhooks(the);
      await the.clock.pass((days * 86_400) / Math.max(1, times - 1));
    }
  };
  const loadState = async (id: number) =>
    (await the.sql("SELECT disabled, failures, disabled_reason FROM webhooks WHERE id = $1", [id]))[0] as {
      disabled: boolean;
      failures: number;
      disabled_reason: string | null;
    };

  test("WH17: 20 consecutive failures over more than a week disable it, and an email reports that", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.create" });
    there.answer = answerWithStatus(500);
    await ada.post("/teams", { name: `Doomed ${++changes}` });
    await deliverDueWebhooks(the);
    await the.clock.pass(6.9 * 86_400);
    for (let n = 0; n < 30; n++) await ada.post("/teams", { name: `Doomed ${++changes}` });
    await deliverDueWebhooks(the);
    assert.deepEqual(
      [(await loadState(id)).disabled, (await loadState(id)).failures >= 31],
      [false, true],
      "not within a week",
    );
    await the.clock.pass(0.2 * 86_400);
    const state = await loadState(id);
    assert.equal(state.disabled, true);
    assert.match(state.disabled_reason as string, /failed in a row.*500 Internal Server Error/);
    const shown = (await ada.get(`/webhooks/${id}`)).body;
    assert.deepEqual([shown.disabled, shown.last_error], [true, "500 Internal Server Error"]);
    assert.match((await loadEmails()).at(-1)?.subject as string, /was disabled/);
    const trail = (await ada.get(`/webhooks/${id}/audit`)).body;
    assert.deepEqual([trail[0].changes.disabled, trail[0].created_by ?? null], [[false, true], null]);
    there.clear();
    await ada.post("/teams", { name: `Too late ${++changes}` });
    await the.clock.pass(86_400);
    assert.equal(there.messages.length, 0);
    assert.deepEqual(await the.sql("SELECT 1 FROM webhook_deliveries WHERE state = 'waiting'"), []);
  });

  test("neither fewer than 20 failures in a week nor 20 with a success in between disable it", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.create" });
    there.answer = answerWithStatus(500);
    await the.sql("UPDATE webhooks SET failures = 17, failing_since = $1", [new Date(now() - 8 * 86_400_000)]);
    await ada.post("/teams", { name: `Few ${++changes}` });
    await deliverDueWebhooks(the);
    assert.deepEqual([(await loadState(id)).disabled, (await loadState(id)).failures], [false, 18]);
    there.answer = answerWithStatus(200);
    await the.clock.pass(10);
    assert.deepEqual([(await loadState(id)).disabled, (await loadState(id)).failures], [false, 0]);
    await failFor(0, 3);
    assert.equal((await loadState(id)).disabled, false);
  });

  test("WH9: failed tests are neither counted nor reported", async () => {
    const { id } = await createActiveWebhook(the, ada, there, { event: "team.create" });
    there.answer = answerWithStatus(500);
    await ada.post(`/webhooks/${id}/test`);
    await deliverDueWebhooks(the);
    assert.equal((await loadState(id)).failures, null);
    assert.ok(!("last_error" in (await ada.get(`/webhooks/${id}`)).body));
    assert.equal((await loadEmails()).length, 0);
  });
});

test("WH18: sent messages are kept for 30 days, and dropped with their month", async () => {
  await createWebhook();
  await change();
  await deliverDueWebhooks(the);
  await the.clock.pass(29 * 86_400);
  assert.equal((await deliveries()).length, 1);
  await the.clock.pass(33 * 86_400); // by then a month is over, plus another 30 days
  const journals = ["webhook_deliveries", "webhook_attempts", "events"];
  for (const journal of journals) assert.deepEqual(await the.sql(`SELECT 1 FROM ${journal}`), [], journal);
});

test("every month has a partition before it begins, and rows written without one are moved there", async () => {
  const partitions = () =>
    the.sql<{ name: string; rows: number }>(
      "SELECT tableoid::regclass::text AS name, count(*)::integer AS rows FROM events GROUP BY 1 ORDER BY 1",
    );
  const first = new Date(the.clock.now());
  first.setUTCDate(1);
  const monthAt = (months: number) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, 1));
  const nameAt = (months: number) => `events_${monthAt(months).toISOString().slice(0, 7).replace("-", "_")}`;
  await the.clock.moveTo(new Date(monthAt(1).getTime() - 86_400_000).toISOString());
  await the.sql("DELETE FROM events");
  const isThere = await the.sql("SELECT 1 FROM pg_class WHERE relname = $1 AND relispartition", [nameAt(1)]);
  assert.equal(isThere.length, 1);
  await the.clock.moveTo(monthAt(1).toISOString());
  await change();
  assert.deepEqual(await partitions(), [{ name: nameAt(1), rows: 1 }]);
  // Simulates a clock jump: a row of a month without a partition.
  const early = [new Date(monthAt(3).getTime() + 5000).toISOString()];
  await the.sql(
    "INSERT INTO events (account_id, event, record_type, record_id, payload, created_at) VALUES ('widget-it', 'team.update', 'team', 1, '{}', $1)",
    early,
  );
  assert.deepEqual(await partitions(), [
    { name: nameAt(1), rows: 1 },
    { name: "events_other", rows: 1 },
  ]);
  await the.clock.moveTo(new Date(monthAt(3).getTime() + 6000).toISOString());
  assert.deepEqual(await partitions(), [{ name: nameAt(3), rows: 1 }]);
});

test("a receiver that hangs or is slow doesn't delay a fast one", async () => {
  const [slow, hanging] = [await startReceiver(), await startReceiver()];
  const fast = there;
  await createActiveWebhook(the, ada, slow, { event: "team.create" }, "/slow");
  await createActiveWebhook(the, ada, hanging, { event: "team.create" }, "/hanging");
  await createActiveWebhook(the, ada, fast, { event: "team.create" }, "/fast");
  slow.answer = (_message, response) => void setTimeout(() => response.end(), 2000);
  const unanswered = new Set<ServerResponse>();
  hanging.answer = (_message, response) => {
    unanswered.add(response);
    response.on("close", () => unanswered.delete(response));
  };
  const begin = performance.now();
  for (let n = 0; n < 100; n++) await ada.post("/teams", { name: `Fast ${++changes}` });
  await fast.next(() => fast.messages.length >= 100);
  // A call times out after ten seconds and frees its slot.
  const turns = 1 + Math.floor((performance.now() - begin) / 10_000);
  assert.ok(hanging.messages.length <= 16 * turns, "a receiver has 16 slots");
  // A message overtakes earlier calls that have no response yet. On a very busy machine it may take longer than the ten
  // seconds after which those calls time out; then a later message shows it.
  for (let overtook = false; !overtook; ) {
    await until(() => unanswered.size > 0);
    const before = [...unanswered];
    const { body } = await ada.post("/teams", { name: `Fast ${++changes}` });
    await fast.next((message) => message.body.object_id === body.id);
    overtook = before.some((response) => unanswered.has(response));
  }
  await the.sql("UPDATE webhook_deliveries SET state = 'dropped' WHERE state = 'waiting'");
  slow.answer = answerWithStatus(200);
});
