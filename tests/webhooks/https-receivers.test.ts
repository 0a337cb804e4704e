import assert from "node:assert/strict";
import { beforeAll, test } from "vitest";
import { type ServerProcess, type ServerProcesses, serverProcesses } from "../support/processes/server-processes.ts";
import { tokenFor } from "../support/seed.ts";
import { until } from "../support/waiting.ts";
import { certificateFile, type Receiver, startReceiver } from "../support/webhooks/receiver.ts";

// Receivers with HTTPS. A process reads the trusted authorities at startup, so these tests start their own server.

let the: ServerProcesses;
let server: ServerProcess;
const headers = {
  Authorization: `Bearer ${tokenFor("administrator")}`,
  account: "widget-it",
  "Content-Type": "application/json",
};

beforeAll(async () => {
  the = await serverProcesses({ WEBHOOK_ALLOW: "127.0.0.0/8", NODE_EXTRA_CA_CERTS: certificateFile("authority.pem") });
  server = await the.start();
});

/** Creates a webhook for the receiver. Its first message is the verification. */
async function createWebhook(there: Receiver): Promise<number> {
  const body = JSON.stringify({ event: "team.create", uri: `${there.url}/hook` });
  const reply = await fetch(`${server.base}/webhooks`, { method: "POST", headers, body });
  assert.equal(reply.status, 200, await reply.clone().text());
  return ((await reply.json()) as { id: number }).id;
}

const loadError = async (webhook: number): Promise<string> => {
  let reason: string | undefined;
  await until(async () => {
    const { rows } = await the.sql.query(
      "SELECT a.error FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = $1 AND a.error IS NOT NULL",
      [webhook],
    );
    reason = rows[0]?.error;
    return reason !== undefined;
  });
  return reason ?? "";
};

test("a receiver with a trusted certificate is verified, and gets events over a kept-alive connection", async () => {
  const there = await startReceiver(undefined, "receiver");
  await createWebhook(there);
  const verification = await there.next(({ body }) => body?.event === "webhook.verify");
  assert.equal((await fetch(verification.body.payload.callback)).status, 200);
  for (const name of ["Over HTTPS", "Over HTTPS again"]) {
    const reply = await fetch(`${server.base}/teams`, { method: "POST", headers, body: JSON.stringify({ name }) });
    assert.equal(reply.status, 201);
    const { id } = (await reply.json()) as { id: number };
    await there.next(({ body }) => body?.event === "team.create" && body.object_id === id);
  }
  assert.equal(there.connections, 1);
});

test("an untrusted certificate gets no message, and the log of deliveries shows the reason", async () => {
  const there = await startReceiver(undefined, "stranger");
  assert.match(await loadError(await createWebhook(there)), /the certificate is not trusted/);
  assert.equal(there.messages.length, 0);
});

test("a certificate for another name gets no message, and the log of deliveries shows the reason", async () => {
  const there = await startReceiver(undefined, "other");
  assert.match(await loadError(await createWebhook(there)), /the certificate is for a different host name/);
  assert.equal(there.messages.length, 0);
});
