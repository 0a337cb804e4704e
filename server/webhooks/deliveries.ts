import { BadRequest, Invalid, NotFound } from "../base/errors.ts";
import { stripCredentials } from "../engine/kinds/string.ts";
import { statement } from "../storage/database.ts";
import { jsonStatement, queryRows } from "../storage/rows.ts";
import type { Webhooks } from "./context.ts";

// Webhooks for administrators, beyond the REST resource: their state, their deliveries and attempts, and redelivery. The
// route checks the permission.

const selectStates = statement(
  `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (SELECT w.id, w.name, w.event, w.uri, w.disabled, w.verified, w.last_error, coalesce(w.failures, 0) AS failures,
  w.failing_since, w.disabled_reason, w.verification_expires_at, w.created_at, w.updated_at,
  (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.state = 'waiting') AS waiting
FROM webhooks w WHERE w.account_id = $1 AND ($2::integer IS NULL OR w.id = $2)) x`,
);

type WebhookState = Record<string, unknown> & { id: number; uri: string; state: string };

export async function loadWebhookStates(
  { engine }: Webhooks,
  account: string,
  id: number | null,
): Promise<WebhookState[]> {
  const [row] = await engine.database.read(selectStates, [account, id]);
  const list = JSON.parse(row?.[0] ?? "[]") as (WebhookState & { disabled: boolean; verified: boolean })[];
  // Readers of a list of webhooks need not see the passwords in their addresses.
  return list.map((webhook) => ({ ...webhook, uri: stripCredentials(webhook.uri), state: pickState(webhook) }));
}

function pickState({
  disabled,
  verified,
  last_error,
}: WebhookState & { disabled: boolean; verified: boolean }): string {
  if (disabled) return "disabled";
  if (!verified) return "unverified";
  return last_error !== null ? "failing" : "active";
}

export async function loadWebhookState(webhooks: Webhooks, account: string, id: number): Promise<WebhookState> {
  const [found] = await loadWebhookStates(webhooks, account, id);
  if (found === undefined) throw new NotFound();
  return found;
}

const perPage = 50;
const selectDeliveries = jsonStatement<Record<string, unknown>>(
  `SELECT d.id, d.uuid, d.kind, d.event, d.record_id, d.state, d.reason, d.earlier_tries + d.tries AS tries,
  CASE WHEN d.state = 'waiting' THEN d.next_try_at END AS next_try_at, d.created_at, d.finished_at, a.status, a.error, a.milliseconds
FROM webhook_deliveries d LEFT JOIN LATERAL (SELECT * FROM webhook_attempts t WHERE t.delivery_id = d.id ORDER BY t.id DESC LIMIT 1) a ON true
WHERE d.webhook_id = $2 AND d.account_id = $1 AND ($3::text IS NULL OR d.state = $3) AND ($4::text IS NULL OR d.event = $4)
  AND ($5::integer IS NULL OR d.record_id = $5) AND ($6::bigint IS NULL OR d.id < $6) ORDER BY d.id DESC LIMIT ${perPage}`,
);

/** Filters: ?state=, ?event=, ?record=; ?before= takes the last id of the previous page. */
export async function listDeliveries({ engine }: Webhooks, account: string, webhook: number, query: URLSearchParams) {
  const number = (name: string) => {
    const text = query.get(name);
    if (text === null || text === "") return null;
    if (!/^\d{1,9}$/.test(text)) throw new BadRequest(`Invalid value for parameter '${name}'`);
    return Number(text);
  };
  const filters = [query.get("state") || null, query.get("event") || null, number("record"), number("before")];
  return queryRows(engine.database, selectDeliveries, [account, webhook, ...filters]);
}

const selectDelivery = statement(
  `SELECT json_build_object('id', d.id, 'uuid', d.uuid, 'kind', d.kind, 'event', d.event, 'record_id', d.record_id, 'state', d.state, 'reason', d.reason,
  'tries', d.earlier_tries + d.tries, 'next_try_at', CASE WHEN d.state = 'waiting' THEN d.next_try_at END, 'created_at', d.created_at, 'finished_at', d.finished_at,
  'link', d.link, 'body', d.body, 'attempts', (SELECT coalesce(json_agg(json_build_object('number', t.number, 'started_at', t.started_at, 'milliseconds', t.milliseconds,
    'status', t.status, 'error', t.error, 'headers', t.headers, 'body', t.body, 'next_try_at', t.next_try_at) ORDER BY t.id DESC), '[]') FROM webhook_attempts t WHERE t.delivery_id = d.id))
FROM webhook_deliveries d WHERE d.id = $3 AND d.webhook_id = $2 AND d.account_id = $1`,
);

export async function loadDelivery({ engine }: Webhooks, account: string, webhook: number, id: number) {
  const [row] = await engine.database.read(selectDelivery, [account, webhook, id]);
  if (row === undefined) throw new NotFound();
  const delivery = JSON.parse(row[0] as string) as Record<string, unknown> & { kind: string; body: string | null };
  // Only the receiver may know the code, else its callback would prove nothing.
  if (delivery.kind === "verify" && delivery.body !== null) delivery.body = maskCode(delivery.body);
  return delivery;
}

const maskCode = (body: string): string =>
  body.startsWith('{"jwt":') ? '{"jwt":"..."}' : body.replace(/code=[\w-]+/, "code=...");

const requeueDeliveries = statement(
  `UPDATE webhook_deliveries SET state = 'waiting', earlier_tries = earlier_tries + tries, tries = 0, next_try_at = $4, holds_until = $4, finished_at = NULL, reason = NULL
WHERE account_id = $1 AND webhook_id = $2 AND kind <> 'verify' AND state <> 'waiting' AND body IS NOT NULL
  AND (id = ANY($3::bigint[]) OR ($5::timestamptz IS NOT NULL AND state = 'failed' AND created_at >= $5)) RETURNING id`,
);
const selectWebhookState = statement("SELECT verified, disabled FROM webhooks WHERE id = $1 AND account_id = $2");

/** Sends the same bytes again: of the given deliveries, or of all that failed since a moment. */
export async function redeliver(
  { engine, outbox }: Webhooks,
  account: string,
  webhook: number,
  selection: { ids?: unknown; failed_since?: unknown },
): Promise<{ redelivered: number }> {
  const ids = Array.isArray(selection.ids) ? selection.ids.map(Number) : [];
  const since = typeof selection.failed_since === "string" ? new Date(selection.failed_since) : null;
  if (ids.some((id) => !Number.isSafeInteger(id)) || ids.length > 1000) throw new Invalid([["ids", "is not valid"]]);
  if (since !== null && Number.isNaN(since.getTime())) throw new Invalid([["failed_since", "is not valid"]]);
  return engine.database.transaction(async (tx) => {
    const [row] = await tx.query(selectWebhookState, [webhook, account]);
    if (row === undefined) throw new NotFound();
    if (row[0] !== "t" || row[1] === "t") throw new Invalid([["base", "the webhook is not active"]]);
    const now = engine.clock.now().toISOString();
    const rows = await tx.query(requeueDeliveries, [account, webhook, ids, now, since?.toISOString() ?? null]);
    tx.afterCommit(() => outbox.onCommitted([webhook]));
    return { redelivered: rows.length };
  });
}
