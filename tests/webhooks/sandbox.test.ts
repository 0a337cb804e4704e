import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { until } from "../support/waiting.ts";
import { deliverDueWebhooks } from "../support/webhooks/active-webhook.ts";
import { world } from "../support/world.ts";

// Sandbox receivers for trying out webhooks, an account's deliveries, and key rotation without interruption.

const here = await world();
const admin = here.as("administrator");

async function makeSandbox(): Promise<{ key: string; uri: string }> {
  const { status, body, text } = await admin.post("/webhook_sandboxes", {});
  expect(status, text).toBe(201);
  return body;
}
const loadMessages = async (key: string) =>
  (await admin.get(`/webhook_sandboxes/${key}/messages`)).body as {
    body: string;
    answered_status: number;
    headers: Record<string, string>;
  }[];

/** Creates a webhook and confirms its verification in the sandbox. */
async function makeWebhook(sandbox: { key: string; uri: string }, members: Record<string, unknown> = {}) {
  const { status, body, text } = await admin.post("/webhooks", { event: "team.update", uri: sandbox.uri, ...members });
  expect(status, text).toBe(200);
  await deliverDueWebhooks(here);
  const [verification] = await loadMessages(sandbox.key);
  const sent = JSON.parse(verification?.body ?? "{}");
  const { payload } =
    sent.jwt === undefined ? sent : JSON.parse(Buffer.from(sent.jwt.split(".")[1], "base64url").toString()).data;
  expect((await fetch(payload.callback, { method: "POST" })).status).toBe(200);
  return body as { id: number };
}

describe("a sandbox", () => {
  test("shows received messages, responds as configured, and the failed message is redelivered", async () => {
    const sandbox = await makeSandbox();
    const webhook = await makeWebhook(sandbox);
    expect((await admin.post(`/webhooks/${webhook.id}/test`, {})).status).toBe(204);
    await deliverDueWebhooks(here);
    expect(JSON.parse((await loadMessages(sandbox.key))[0]?.body ?? "{}")).toMatchObject({
      event: "team.update",
      object_id: 12345,
    });
    expect((await loadMessages(sandbox.key))[0]?.headers["X-4me-Delivery"]).toMatch(/^[0-9a-f-]{36}$/);

    const since = here.clock.now().toISOString();
    expect((await admin.patch(`/webhook_sandboxes/${sandbox.key}`, { status: 500 })).body.status).toBe(500);
    const { body: team } = await admin.post("/teams", { name: "Sandbox team" });
    await admin.patch(`/teams/${team.id}`, { remarks: "Changed" });
    await deliverDueWebhooks(here);
    const list = async (query: string) =>
      (await admin.get(`/webhook_deliveries?webhook_id=${webhook.id}&${query}`)).body;
    expect(await list("state=waiting")).toMatchObject([{ event: "team.update", status: 500, tries: 1 }]);
    expect((await list("state=waiting"))[0].next_try_at).not.toBeNull();
    await here.sql("UPDATE webhook_deliveries SET state = 'failed' WHERE webhook_id = $1 AND state = 'waiting'", [
      webhook.id,
    ]);
    const recover = (members: object) => admin.post("/webhook_redeliveries", { failed_since: since, ...members });
    // Failures older than an hour aren't in the statistics of the last hour, but still in the list.
    await here.clock.pass(7200);
    const statistics = await admin.get(`/webhook_delivery_statistics?webhook_id=${webhook.id}&hours=1`);
    expect(statistics.body).toMatchObject({ failed: 0, kept: { failed: 1, waiting: 0 } });
    expect(await list("state=failed")).toHaveLength(1);
    expect((await recover({ dry_run: true })).body).toEqual({ count: 1, redelivered: 0 });
    await admin.patch(`/webhook_sandboxes/${sandbox.key}`, { status: 200 });
    expect((await recover({ webhook_id: webhook.id })).body).toEqual({ count: 1, redelivered: 1 });
    await deliverDueWebhooks(here);
    await until(async () => (await list("state=delivered")).length === 3);
    const { body: figures } = await admin.get(`/webhook_delivery_statistics?webhook_id=${webhook.id}`);
    expect(figures).toMatchObject({ delivered: 3, failed: 0, waiting: 0 });
    expect(figures.hours.reduce((sum: number, hour: { delivered: number }) => sum + hour.delivered, 0)).toBe(3);
  });

  test("belongs to its account, accepts hostile input, keeps a limited number, and makes no other address reachable", async () => {
    const { key, uri } = await makeSandbox();
    const other = here.as("provider");
    expect((await other.get(`/webhook_sandboxes/${key}/messages`)).status).toBe(404);
    expect((await other.patch(`/webhook_sandboxes/${key}`, { status: 500 })).status).toBe(404);
    expect((await other.delete(`/webhook_sandboxes/${key}`)).status).toBe(404);
    expect((await here.as("requester").post("/webhook_sandboxes", {})).status).toBe(403);
    for (const wrong of [{ status: 99 }, { status: "x" }, { delay: -1 }, { delay: 60_000 }, { status: {} }])
      expect((await admin.patch(`/webhook_sandboxes/${key}`, wrong)).status).toBe(422);
    const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
      fetch(uri, { method: "POST", body: body as string, headers });
    const answers = [
      await send("<script>alert(1)</script>"),
      await send("\0\uD800"),
      await send(Buffer.from([0xff, 0xfe, 0])),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await answers[0]?.text()).toBe("sandbox");
    expect((await send("x".repeat(70_000))).status).toBe(413);
    expect((await fetch(`${here.url}/sandbox/${"0".repeat(32)}`, { method: "POST", body: "x" })).status).toBe(404);
    await Promise.all(Array.from({ length: 205 }, (_, index) => send(String(index))));
    expect((await loadMessages(key)).length).toBeLessThanOrEqual(200);
    expect(
      Number(
        (
          await here.sql(
            "SELECT count(*) FROM sandbox_messages m JOIN webhook_sandboxes s ON s.id = m.sandbox_id WHERE s.key = $1",
            [key],
          )
        )[0]?.count,
      ),
    ).toBeLessThanOrEqual(220);
    const refused = await admin.post("/webhooks", {
      event: "team.update",
      uri: `http://10.1.2.3/sandbox/${"0".repeat(32)}`,
    });
    expect(refused.status).toBe(422);
    const foreign = await other.post("/webhooks", { event: "team.update", uri: `http://10.1.2.3/sandbox/${key}` });
    expect(foreign.status).toBe(422);
  });

  test("is deleted with its messages", async () => {
    const { key, uri } = await makeSandbox();
    expect((await admin.delete(`/webhook_sandboxes/${key}`)).status).toBe(204);
    expect((await admin.get(`/webhook_sandboxes/${key}/messages`)).status).toBe(404);
    expect((await fetch(uri, { method: "POST", body: "late" })).status).toBe(404);
  });
});

describe("a new key", () => {
  test("is published before it is used, so that receivers accept both in the meantime", async () => {
    const { body: policy } = await admin.post("/webhook_policies", { jwt_alg: "hs256" });
    const old = policy.public_key_pem as string;
    const sandbox = await makeSandbox();
    const webhook = await makeWebhook(sandbox, { webhook_policy_id: policy.id });
    const isSignedWith = async (secret: string) => {
      await admin.post(`/webhooks/${webhook.id}/test`, {});
      await deliverDueWebhooks(here);
      const { jwt } = JSON.parse((await loadMessages(sandbox.key))[0]?.body ?? "{}");
      const [head, claims, signature] = jwt.split(".");
      return createHmac("sha256", secret).update(`${head}.${claims}`).digest("base64url") === signature;
    };
    expect(await isSignedWith(old)).toBe(true);
    const path = `/webhook_policies/${policy.id}/rotation`;
    const { body: rotated, text } = await admin.post(path, { overlap_hours: 24 });
    const fresh = rotated.public_key_pem as string;
    expect(fresh, text).toMatch(/^[0-9a-f]{64}$/);
    expect(await isSignedWith(old)).toBe(true);
    expect((await admin.get(path)).body).toMatchObject({ next_key_id: rotated.next_key_id });
    expect((await admin.patch(path, {})).body.next_key_id).toBeNull();
    expect(await isSignedWith(fresh)).toBe(true);
    expect((await admin.delete(path)).status).toBe(422);
    expect((await admin.post(path, { overlap_hours: -1 })).status).toBe(422);
    expect((await here.as("requester").post(path, {})).status).toBe(403);
  });

  test("can be canceled while it is pending, and the old key stays in use", async () => {
    const { body: policy } = await admin.post("/webhook_policies", { jwt_alg: "hs256" });
    const path = `/webhook_policies/${policy.id}/rotation`;
    const { body: rotated } = await admin.post(path, { overlap_hours: 24 });
    const canceled = await admin.delete(path);
    expect(canceled.status, canceled.text).toBe(200);
    expect(canceled.body).toEqual({ alg: "hs256", key_id: rotated.key_id, next_key_id: null, next_from: null });
    expect((await admin.get(path)).body).toEqual(canceled.body);
  });
});
