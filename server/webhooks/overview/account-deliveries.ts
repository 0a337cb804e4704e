import { Invalid } from "../../base/errors.ts";
import { statement, type Value } from "../../database/database.ts";
import { parseText } from "../../database/rows.ts";
import type { Caller } from "../../engine/caller.ts";
import { deliveryStates } from "../deliveries.ts";
import type { Webhooks } from "../webhooks-context.ts";

// The deliveries of all webhooks of an account: a list with filters, figures by hour, and sending again what failed. Every
// statement takes one index step per webhook, so that it needs no index by account on the busiest table. D-476

export type DeliveryFilter = {
  webhook?: number;
  /** the origin of the address */
  receiver?: string;
  state?: string;
  event?: string;
  record?: number;
  before?: number;
};

export const deliveryPageSize = 50;
const maxWebhooks = 500;

/** The part that picks webhooks, and the one that picks deliveries of each. */
function buildConditions(account: string, filter: DeliveryFilter, values: Value[]) {
  const next = (value: Value) => `$${values.push(value)}`;
  const ofAccount = `account_id = ${next(account)}`;
  const webhooks = [ofAccount];
  if (filter.webhook !== undefined) webhooks.push(`id = ${next(filter.webhook)}`);
  if (filter.receiver !== undefined) webhooks.push(`receiver = ${next(filter.receiver)}`);
  const deliveries = ["d.webhook_id = w.id", `d.${ofAccount}`];
  if (filter.state !== undefined) {
    // Written out, because the partial indexes are for single states.
    if (!deliveryStates.includes(filter.state)) throw new Invalid([["state", "is not included in the list"]]);
    deliveries.push(`d.state = '${filter.state}'`);
  }
  if (filter.event !== undefined) deliveries.push(`d.event = ${next(filter.event)}`);
  if (filter.record !== undefined) deliveries.push(`d.record_id = ${next(filter.record)}`);
  if (filter.before !== undefined) deliveries.push(`d.id < ${next(filter.before)}`);
  return {
    webhooks: `SELECT id, name, receiver FROM webhooks WHERE ${webhooks.join(" AND ")} ORDER BY id DESC LIMIT ${maxWebhooks}`,
    deliveries: deliveries.join(" AND "),
    ofAccount,
  };
}

/** A page of deliveries, newest first, each with the outcome of its last attempt. */
export async function listAccountDeliveries({ engine }: Webhooks, by: Caller, filter: DeliveryFilter): Promise<string> {
  const values: Value[] = [];
  const { webhooks, deliveries, ofAccount } = buildConditions(by.account, filter, values);
  const list = statement(
    `SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]') FROM (
  SELECT d.id, d.uuid, d.kind, d.event, d.record_id, d.state, d.reason, d.tries, d.next_try_at, d.created_at, d.finished_at, d.webhook_id, d.webhook_name,
    t.status, t.error, t.milliseconds
  FROM (SELECT * FROM (${webhooks}) w, LATERAL (
      SELECT d.id AS delivery, d.uuid, d.kind, d.event, d.record_id, d.state, d.reason, d.earlier_tries + d.tries AS tries,
        CASE WHEN d.state = 'waiting' THEN date_trunc('second', d.next_try_at) END AS next_try_at,
        date_trunc('second', d.created_at) AS created_at, date_trunc('second', d.finished_at) AS finished_at
      FROM webhook_deliveries d WHERE ${deliveries} ORDER BY d.id DESC LIMIT ${deliveryPageSize}) one
    ORDER BY delivery DESC LIMIT ${deliveryPageSize}) AS d (webhook_id, webhook_name, receiver, id, uuid, kind, event, record_id, state, reason, tries, next_try_at, created_at, finished_at)
  LEFT JOIN LATERAL (SELECT * FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.${ofAccount} ORDER BY a.id DESC LIMIT 1) t ON true) x`,
  );
  const [row] = await engine.database.read(list, values, by.zone);
  return row?.[0] ?? "[]";
}

/** Beyond this number per webhook, figures are those of the newest deliveries. */
const maxCounted = 20_000;
const maxTimed = 500;

/** Counts by hour and the usual duration of an attempt, as JSON. `kept`: as many as a list by state shows, of any age. */
export async function countDeliveries(
  { engine }: Webhooks,
  by: Caller,
  filter: Pick<DeliveryFilter, "webhook" | "receiver">,
  hours: number,
): Promise<string> {
  const values: Value[] = [];
  const { webhooks, ofAccount } = buildConditions(by.account, filter, values);
  const since = `$${values.push(new Date(by.now.getTime() - hours * 3_600_000).toISOString())}::timestamptz`;
  // Written out, because the partial indexes are for single states.
  const countKept = (state: "failed" | "waiting") => `(SELECT count(*) FROM w, LATERAL (
    SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.${ofAccount} AND d.state = '${state}' LIMIT ${maxCounted}) one)`;
  const count = statement(
    `WITH w AS MATERIALIZED (${webhooks}), d AS MATERIALIZED (
  SELECT one.* FROM w, LATERAL (SELECT d.id, d.state, d.created_at, d.tries FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.${ofAccount}
    ORDER BY d.id DESC LIMIT ${maxCounted}) one WHERE one.created_at >= ${since}
), timed AS MATERIALIZED (
  SELECT t.milliseconds FROM (SELECT id FROM d WHERE state = 'delivered' ORDER BY id DESC LIMIT ${maxTimed}) n
  JOIN LATERAL (SELECT milliseconds FROM webhook_attempts a WHERE a.delivery_id = n.id AND a.${ofAccount} ORDER BY a.id DESC LIMIT 1) t ON true
) SELECT json_build_object(
  'delivered', (SELECT count(*) FROM d WHERE state = 'delivered'), 'failed', (SELECT count(*) FROM d WHERE state = 'failed'),
  'waiting', (SELECT count(*) FROM d WHERE state = 'waiting'), 'retrying', (SELECT count(*) FROM d WHERE state = 'waiting' AND tries > 0),
  'dropped', (SELECT count(*) FROM d WHERE state = 'dropped'),
  'kept', json_build_object('failed', ${countKept("failed")}, 'waiting', ${countKept("waiting")}),
  'median', (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY milliseconds) FROM timed),
  'p95', (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY milliseconds) FROM timed),
  'hours', (SELECT coalesce(json_agg(h ORDER BY h.hour), '[]') FROM (SELECT date_trunc('hour', created_at) AS hour,
    count(*) FILTER (WHERE state = 'delivered') AS delivered, count(*) FILTER (WHERE state = 'failed') AS failed,
    count(*) FILTER (WHERE state = 'waiting') AS waiting FROM d GROUP BY 1) h))`,
  );
  const [row] = await engine.database.read(count, values, by.zone);
  return parseText(row?.[0]);
}

/** Redelivers this many at a time, so that no transaction holds many rows. */
const batchSize = 1000;
const maxRecovered = 50_000;

const selectFailed = `d.kind <> 'verify' AND d.state = 'failed' AND d.body IS NOT NULL AND w.verified AND NOT w.disabled`;

/** Counts, or sends again, everything that failed since a moment, for all webhooks or those of one receiver. */
export async function recoverDeliveries(
  { engine, outbox }: Webhooks,
  account: string,
  members: Readonly<Record<string, unknown>>,
): Promise<{ count: number; redelivered: number }> {
  const { failed_since: moment, receiver, webhook_id: webhook, dry_run: isDry } = members;
  const since = new Date(typeof moment === "string" ? moment : Number.NaN);
  if (Number.isNaN(since.getTime())) throw new Invalid([["failed_since", "is not valid"]]);
  if (receiver != null && typeof receiver !== "string") throw new Invalid([["receiver", "is not valid"]]);
  if (webhook != null && !(Number.isSafeInteger(webhook) && Math.abs(webhook as number) < 2 ** 31))
    throw new Invalid([["webhook_id", "is not valid"]]);
  const values: Value[] = [
    account,
    since.toISOString(),
    (receiver ?? null) as string | null,
    (webhook ?? null) as number | null,
  ];
  const from = `FROM webhooks w JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.account_id = $1
WHERE w.account_id = $1 AND ($3::text IS NULL OR w.receiver = $3) AND ($4::integer IS NULL OR w.id = $4) AND d.created_at >= $2 AND ${selectFailed}`;
  if (isDry === true) {
    const [row] = await engine.database.read(
      statement(`SELECT count(*) FROM (SELECT 1 ${from} LIMIT ${maxRecovered}) x`),
      values,
    );
    return { count: Number(row?.[0] ?? 0), redelivered: 0 };
  }
  const requeue = statement(
    `WITH failed AS (SELECT d.id ${from} ORDER BY d.id LIMIT ${batchSize} FOR UPDATE OF d SKIP LOCKED)
UPDATE webhook_deliveries d SET state = 'waiting', earlier_tries = earlier_tries + tries, tries = 0, next_try_at = $5, holds_until = $5, finished_at = NULL, reason = NULL
FROM failed WHERE d.id = failed.id AND d.account_id = $1 RETURNING d.webhook_id`,
  );
  let redelivered = 0;
  while (redelivered < maxRecovered) {
    const rows = await engine.database.transaction(async (tx) => {
      const moved = await tx.query(requeue, [...values, engine.clock.now().toISOString()]);
      tx.afterCommit(() => outbox.onCommitted([...new Set(moved.map(([id]) => Number(id)))]));
      return moved;
    });
    redelivered += rows.length;
    if (rows.length < batchSize) break;
  }
  return { count: redelivered, redelivered };
}
