import assert from "node:assert/strict";
import type { Client, Reply, World } from "../world.ts";
import type { Receiver } from "./receiver.ts";

/** Sends all due messages and records their results. */
export const deliverDueWebhooks = (the: World): Promise<void> => the.service.webhookDispatcher.runDue();

/** Creates a webhook and confirms its verification as a receiver would. */
export async function createActiveWebhook(
  the: World,
  by: Client,
  receiver: Receiver,
  values: Record<string, unknown> & { event: string },
  path = "/hook",
): Promise<Reply["body"]> {
  const created = await by.post("/webhooks", { uri: `${receiver.url}${path}`, ...values });
  assert.equal(created.status, 200, created.text);
  await deliverDueWebhooks(the);
  const { id } = created.body;
  const sent = receiver.messages.findLast(({ path: at }) => at.startsWith(path));
  const callback = sent?.body?.payload?.callback ?? readCallback(sent?.body?.jwt);
  if (callback !== undefined && sent?.body !== undefined) {
    const answer = await fetch(callback);
    assert.equal(answer.status, 200);
  }
  receiver.clear();
  return { ...created.body, id };
}

export const readCallback = (jwt: string | undefined): string | undefined =>
  jwt === undefined
    ? undefined
    : JSON.parse(Buffer.from(jwt.split(".")[1] as string, "base64url").toString()).data.payload.callback;
