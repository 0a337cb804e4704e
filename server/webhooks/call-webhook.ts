import { toTimestamp } from "../base/clock.ts";
import { statement, type Transaction } from "../storage/database.ts";
import type { WebhookOutbox } from "./outbox.ts";

// For automation rules: AC8. service.ts hands it to them.

const add = statement(
  `WITH told AS (INSERT INTO events (account_id, event, record_type, record_id, person_id, payload, created_at)
  VALUES ($1, 'automation_rule', 'automation_rule', $3, $4, $5, $6) RETURNING id)
INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, next_try_at, created_at)
SELECT $1, $2, 'event', 'automation_rule', id, $6, $6 FROM told`,
);

export type RuleCall = { account: string; rule: number; person: number | null; payload: Record<string, unknown> };

/** As text: a jsonb column would put the members in an order of its own. */
const serializeInOrder = (payload: Record<string, unknown>): string => JSON.stringify(payload);

/** Sent once the transaction is committed. */
export function callWebhook(tx: Transaction, outbox: WebhookOutbox, webhook: number, call: RuleCall, now: Date): void {
  const { account, rule, person, payload } = call;
  tx.send(add, [account, webhook, rule, person, JSON.stringify({ call: serializeInOrder(payload) }), toTimestamp(now)]);
  tx.afterCommit(() => outbox.onCommitted([webhook]));
}
