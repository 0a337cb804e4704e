import { addJob } from "../queue/jobs.ts";
import { statement } from "../storage/database.ts";
import type { Webhooks } from "./context.ts";
import { removeExpiredSandboxes } from "./sandbox/sandboxes.ts";

// Deliveries, attempts and events are kept for 30 days.

const days = 30;
const everySeconds = 3600;
const maxRowsPerStatement = 20_000;

const cleanupStatements = [
  `DELETE FROM webhook_attempts WHERE delivery_id IN (SELECT id FROM webhook_deliveries WHERE created_at < $1 AND state <> 'waiting' ORDER BY id LIMIT ${maxRowsPerStatement})`,
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE created_at < $1 AND state <> 'waiting' ORDER BY id LIMIT ${maxRowsPerStatement})`,
  // The webhook was not verified for a month.
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'it waited for 30 days', finished_at = $2 WHERE created_at < $1 AND state = 'waiting'",
  `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE created_at < $1 ORDER BY id LIMIT ${maxRowsPerStatement})`,
].map(statement);

export const removeOldDeliveriesJob = "remove old deliveries";

export async function removeOldDeliveries(webhooks: Webhooks): Promise<void> {
  const { database, clock } = webhooks.engine;
  const now = clock.now();
  const limit = new Date(now.getTime() - days * 86_400_000).toISOString();
  for (const cleanup of cleanupStatements)
    await database.change(cleanup, cleanup.text.includes("$2") ? [limit, now.toISOString()] : [limit]);
  await removeExpiredSandboxes(database, now);
  await scheduleRemoval(webhooks, everySeconds);
}

/** One job per instance: adding it again only moves it. */
export async function scheduleRemoval({ engine }: Webhooks, after = 0): Promise<void> {
  await engine.database.transaction(async (tx) => {
    const runAt = new Date(engine.clock.now().getTime() + after * 1000);
    addJob(tx, { kind: removeOldDeliveriesJob, key: "all", account: null, payload: {}, runAt });
  });
}
