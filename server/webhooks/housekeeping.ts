import { statement } from "../database/database.ts";
import { addJob } from "../queue/jobs.ts";
import { removeExpiredSandboxes } from "./sandbox/sandboxes.ts";
import type { Webhooks } from "./webhooks-context.ts";

// Deliveries, attempts and events are dropped with their partitions (database/journal-partitions.ts).

const days = 30;
const everySeconds = 3600;

/** The webhook was not verified for a month. */
const giveUp = statement(
  "UPDATE webhook_deliveries SET state = 'dropped', reason = 'it waited for 30 days', finished_at = $2 WHERE created_at < $1 AND state = 'waiting'",
);

export const removeOldDeliveriesJob = "remove old deliveries";

export async function removeOldDeliveries(webhooks: Webhooks): Promise<void> {
  const { database, clock } = webhooks.engine;
  const now = clock.now();
  const limit = new Date(now.getTime() - days * 86_400_000).toISOString();
  await database.change(giveUp, [limit, now.toISOString()]);
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
