import { statement, type Transaction } from "../database/database.ts";
import { parseFirstId } from "../database/rows.ts";

// AC8: calls of webhooks. assemble-engine.ts passes in the function that sends the message.

export type RuleCall = { account: string; rule: number; person: number | null; payload: Record<string, unknown> };

export type WebhookCaller = {
  /** the oldest webhook with that name that a rule may call */
  findByName(tx: Transaction, account: string, name: string, appInstance: number | null): Promise<number | null>;
  /** sends the message after the commit */
  call(tx: Transaction, webhook: number, call: RuleCall, now: Date): void;
};

/** In rules of an app offering: the webhook of the app instance. */
export const appWebhookPlaceholder = "{app_offering_webhook}";

const selectByName = statement(
  `SELECT id FROM webhooks WHERE account_id = $1 AND name = $2 AND event = 'automation_rule' AND verified AND NOT disabled
ORDER BY id LIMIT 1`,
);
const selectOfInstance = statement(
  "SELECT w.id FROM app_instances i JOIN webhooks w ON w.id = i.webhook_id WHERE i.id = $1 AND w.account_id = $2 AND w.verified AND NOT w.disabled",
);

export const findWebhookByName: WebhookCaller["findByName"] = async (tx, account, name, appInstance) => {
  const isAppWebhook = name === appWebhookPlaceholder && appInstance !== null;
  const rows = isAppWebhook
    ? await tx.query(selectOfInstance, [appInstance, account])
    : await tx.query(selectByName, [account, name]);
  return parseFirstId(rows);
};
