import type { AnswerOf } from "../../records/answers/answer-of.ts";
import type { webhookDeliveryDetails, webhookState } from "../../records/answers/webhook-deliveries.ts";
import { Invalid, NotFound } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { parseText } from "../database/rows.ts";
import type { Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { stripCredentials } from "../engine/kinds/string.ts";
import type { Page } from "../engine/list.ts";
import { byInteger, isEqual, listNewestFirst } from "../engine/newest-first.ts";
import type { ListQuery } from "../engine/read/list-query.ts";
import { allOf } from "../engine/sql/clauses.ts";
import { maxTries } from "./retry-schedule.ts";
import type { Webhooks } from "./webhooks-context.ts";

// Webhooks for administrators, beyond the REST resource: their state, their deliveries and attempts, and redelivery. The
// route checks the permission.

const selectStates = statement(
  `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (SELECT w.id, w.name, w.event, w.uri, w.disabled, w.verified, w.last_error, coalesce(w.failures, 0) AS failures,
  date_trunc('second', w.failing_since) AS failing_since, w.disabled_reason, date_trunc('second', w.verification_expires_at) AS verification_expires_at,
  w.created_at, w.updated_at,
  (SELECT count(*) FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.account_id = w.account_id AND d.state = 'waiting') AS waiting
FROM webhooks w WHERE w.account_id = $1 AND ($2::integer IS NULL OR w.id = $2)) x`,
);

type WebhookState = AnswerOf<typeof webhookState>;

export async function loadWebhookStates({ engine }: Webhooks, by: Caller, id: number | null): Promise<WebhookState[]> {
  const [row] = await engine.database.read(selectStates, [by.account, id], by.zone);
  const list = JSON.parse(row?.[0] ?? "[]") as Omit<WebhookState, "state">[];
  // Readers of a list of webhooks need not see the passwords in their addresses.
  return list.map((webhook) => ({ ...webhook, uri: stripCredentials(webhook.uri), state: pickState(webhook) }));
}

function pickState({ disabled, verified, last_error }: Omit<WebhookState, "state">): WebhookState["state"] {
  if (disabled) return "disabled";
  if (!verified) return "unverified";
  return last_error !== null ? "failing" : "active";
}

export async function loadWebhookState(webhooks: Webhooks, by: Caller, id: number): Promise<WebhookState> {
  const [found] = await loadWebhookStates(webhooks, by, id);
  if (found === undefined) throw new NotFound();
  return found;
}

export const deliveryStates = ["waiting", "delivered", "failed", "dropped"];

/** The deliveries of one webhook, newest first, each with the outcome of its last attempt. */
export const listDeliveries = (engine: Engine, by: Caller, webhook: number, query: ListQuery): Promise<Page> =>
  listNewestFirst(engine, by, query, {
    name: "deliveries",
    table: "webhook_deliveries a",
    joins: `LEFT JOIN LATERAL (SELECT * FROM webhook_attempts t WHERE t.delivery_id = a.id AND t.account_id = a.account_id ORDER BY t.id DESC LIMIT 1) t ON true`,
    columns: `a.id, a.uuid, a.kind, a.event, a.record_id, a.state, a.reason, a.earlier_tries + a.tries AS tries,
  CASE WHEN a.state = 'waiting' THEN date_trunc('second', a.next_try_at) END AS next_try_at, date_trunc('second', a.created_at) AS created_at, date_trunc('second', a.finished_at) AS finished_at, t.status, t.error, t.milliseconds`,
    where: allOf([isEqual("account_id", by.account), isEqual("webhook_id", webhook)]),
    filters: { event: (text) => isEqual("event", text), record: byInteger("record_id") },
    states: deliveryStates,
  });

const selectDelivery = statement(
  `SELECT json_build_object('id', d.id, 'uuid', d.uuid, 'kind', d.kind, 'event', d.event, 'record_id', d.record_id, 'state', d.state, 'reason', d.reason,
  'tries', d.earlier_tries + d.tries, 'max_tries', d.earlier_tries + ${maxTries}, 'next_try_at', CASE WHEN d.state = 'waiting' THEN date_trunc('second', d.next_try_at) END, 'created_at', date_trunc('second', d.created_at), 'finished_at', date_trunc('second', d.finished_at),
  'link', d.link, 'body', d.body, 'attempts', (SELECT coalesce(json_agg(json_build_object('number', t.number, 'started_at', date_trunc('second', t.started_at), 'milliseconds', t.milliseconds,
    'status', t.status, 'error', t.error, 'headers', t.headers, 'body', t.body, 'next_try_at', date_trunc('second', t.next_try_at)) ORDER BY t.id DESC), '[]') FROM webhook_attempts t WHERE t.delivery_id = d.id AND t.account_id = d.account_id))
FROM webhook_deliveries d WHERE d.id = $3 AND d.webhook_id = $2 AND d.account_id = $1`,
);

type DeliveryDetails = AnswerOf<typeof webhookDeliveryDetails>;

export async function loadDelivery(
  { engine }: Webhooks,
  by: Caller,
  webhook: number,
  id: number,
): Promise<DeliveryDetails> {
  const [row] = await engine.database.read(selectDelivery, [by.account, webhook, id], by.zone);
  if (row === undefined) throw new NotFound();
  const delivery: DeliveryDetails = JSON.parse(parseText(row[0]));
  // Only the receiver may know the code, else its callback would prove nothing.
  if (delivery.kind !== "verify" || delivery.body === null) return delivery;
  return { ...delivery, body: maskCode(delivery.body) };
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
  const { ids: wanted, failed_since: moment } = selection;
  if (wanted == null && moment == null) throw new Invalid([["ids", "can't be blank"]]);
  const ids = Array.isArray(wanted) ? wanted.map(Number) : [];
  const isList = wanted == null || (Array.isArray(wanted) && ids.every((id) => Number.isSafeInteger(id)));
  if (!isList || ids.length > 1000) throw new Invalid([["ids", "is not valid"]]);
  const since = moment == null ? null : new Date(typeof moment === "string" ? moment : Number.NaN);
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
