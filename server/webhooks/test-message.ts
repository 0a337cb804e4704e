import { toTimestamp } from "../base/clock.ts";
import { statement } from "../database/database.ts";
import type { Caller } from "../engine/caller.ts";
import type { Webhooks } from "./webhooks-context.ts";

const add = statement(
  `INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, payload, next_try_at, created_at)
SELECT account_id, id, 'test', event, $2, $3, $3 FROM webhooks WHERE id = $1 AND account_id = $4`,
);

/** Sends a message without an event, also to unverified and disabled webhooks. The route checks the permission. */
export async function sendTestMessage(
  { engine, outbox }: Webhooks,
  by: Pick<Caller, "person" | "me" | "account">,
  id: number,
) {
  const payload = JSON.stringify({ person: { id: by.person, name: by.me.name } });
  await engine.database.transaction(async (tx) => {
    tx.send(add, [id, payload, toTimestamp(engine.clock.now()), by.account]);
    tx.afterCommit(() => outbox.onCommitted([id]));
  });
}
