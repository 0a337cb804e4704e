import type { Audience, Outbox } from "../engine/engine.ts";

// Every event becomes deliveries in the statement that writes it, so that none is lost and none invented. An account
// hears of the records it can see: its own, those of its directory, and what trusted accounts share with it. Whether a
// shared record is really visible there is found out when the message is prepared.

/** The webhook of an app works while both parties want it to. */
const selectDisabledApp =
  "SELECT 1 FROM app_instances i WHERE i.webhook_id = w.id AND (i.disabled OR i.suspended OR i.enabled_by_customer IS NOT TRUE)";

// One statement for each, so that PostgreSQL plans it once and for all.
const directory = "SELECT id FROM accounts WHERE id = $1 OR directory_account_id = $1";
const subscribedAccounts: Record<Audience, string> = {
  own: "SELECT $1",
  directory,
  trusted: `${directory} UNION SELECT account_id FROM account_trusts WHERE trusted_account_id = $1
    UNION SELECT trusted_account_id FROM account_trusts WHERE account_id = $1`,
};

/** Told which webhooks have something to send; whoever sends sets `wake`. */
export class WebhookOutbox implements Outbox {
  buildSql(reach: Audience, record: string, onlookers: string | null): string {
    const hears =
      reach === "own" && onlookers === null
        ? "= $1"
        : `= ANY (ARRAY(${subscribedAccounts[reach]}${onlookers === null ? "" : ` UNION ${onlookers}`}))`;
    return `INSERT INTO webhook_deliveries (account_id, webhook_id, kind, event, event_id, record_id, next_try_at, created_at)
SELECT w.account_id, w.id, 'event', t.event, t.id, ${record}, $5, $5 FROM told t
JOIN webhooks w ON w.event = t.event AND w.verified AND NOT w.disabled AND w.account_id ${hears}
WHERE NOT EXISTS (${selectDisabledApp}) ORDER BY t.id, w.id RETURNING webhook_id`;
  }

  wake: (webhooks: readonly number[]) => void = () => {};
  onCommitted(webhooks: readonly number[]): void {
    this.wake(webhooks);
  }
}
