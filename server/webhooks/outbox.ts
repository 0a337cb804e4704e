import type { Audience, Outbox } from "../engine/engine.ts";

// The statement that writes an event also writes its deliveries, so none is lost or duplicated. An account gets events of
// its own records, those of its directory, and records that trusted accounts share with it. Whether a shared record is
// visible to the account is checked when the message is prepared.

/** The webhook of an app is active while both provider and customer enable the app. */
const selectDisabledApp =
  "SELECT 1 FROM app_instances i WHERE i.webhook_id = w.id AND (i.disabled OR i.suspended OR i.enabled_by_customer IS NOT TRUE)";

// One statement per audience, so that PostgreSQL keeps one plan for each.
const directory = "SELECT id FROM accounts WHERE id = $1 OR directory_account_id = $1";
const subscribedAccounts: Record<Audience, string> = {
  own: "SELECT $1",
  directory,
  trusted: `${directory} UNION SELECT account_id FROM account_trusts WHERE trusted_account_id = $1
    UNION SELECT trusted_account_id FROM account_trusts WHERE account_id = $1`,
};

/** The dispatcher sets `wake`. */
export class WebhookOutbox implements Outbox {
  /** `viewers`: SQL of the accounts with read-only access to the record */
  buildSql(audience: Audience, record: string, viewers: string | null): string {
    const isSubscribed =
      audience === "own" && viewers === null
        ? "= $1"
        : `= ANY (ARRAY(${subscribedAccounts[audience]}${viewers === null ? "" : ` UNION ALL ${viewers}`}))`;
    return `INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, record_id, next_try_at, created_at)
SELECT w.account_id, w.id, 'event', t.event, t.id, ${record}, $5, $5 FROM told t
JOIN webhooks w ON w.event = t.event AND w.verified AND NOT w.disabled AND w.account_id ${isSubscribed}
WHERE NOT EXISTS (${selectDisabledApp}) ORDER BY t.id, w.id RETURNING webhook_id`;
  }

  wake: (webhooks: readonly number[]) => void = () => {};
  onCommitted(webhooks: readonly number[]): void {
    this.wake(webhooks);
  }
}
