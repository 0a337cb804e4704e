import { toTimestamp } from "../base/clock.ts";
import { statement, type Transaction } from "../database/database.ts";
import type { WebhookOutbox } from "./outbox.ts";

// AC8: the webhook call of an automation rule. assemble-engine.ts passes it to the automation module.

const add = statement(
  `WITH new_event AS (INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
  VALUES ($1, 'automation_rule', 'automation_rule', $3, $4, $5, $6) RETURNING id)
INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, next_try_at, created_at)
SELECT $1, $2, 'event', 'automation_rule', id, $6, $6 FROM new_event`,
);

export type RuleCall = { account: string; rule: number; person: number | null; payload: Record<string, unknown> };

/** Stored as text: a jsonb column would reorder the members. */
const serializeInOrder = (payload: Record<string, unknown>): string => JSON.stringify(payload);

/** The message is sent after the commit. */
export function callWebhook(tx: Transaction, outbox: WebhookOutbox, webhook: number, call: RuleCall, now: Date): void {
  const { account, rule, person, payload } = call;
  tx.send(add, [account, webhook, rule, person, JSON.stringify({ call: serializeInOrder(payload) }), toTimestamp(now)]);
  tx.afterCommit(() => outbox.onCommitted([webhook]));
}
