import { statement, type Value } from "../database/database.ts";
import { recordFailures } from "./failures.ts";
import { planForFewRows } from "./plan-for-few-rows.ts";
import type { PreparedDelivery } from "./prepare.ts";
import { computeNextTry, holdBackMilliseconds, maxTries, parseRetryAfter } from "./retry-schedule.ts";
import type { CallResult } from "./send.ts";
import type { Webhooks } from "./webhooks-context.ts";

// The third step: records the results of several calls in one transaction. The fence prevents recording a delivery that
// another process took over meanwhile.

export type DeliveryAttempt = { prepared: PreparedDelivery; outcome: CallResult };

type DeliveryDecision = {
  state: "delivered" | "waiting" | "failed";
  nextTryAt: Date | null;
  reason: string | null;
};

// One statement records everything and makes the next delivery of the same record due.
const recordAll = statement(
  `WITH x AS (SELECT * FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[], $8::integer[], $9::integer[])
    AS x(id, fence, state, next_try_at, holds_until, reason, webhook_id, record_id)),
settled AS (
  UPDATE webhook_deliveries d SET state = x.state, tries = d.tries + 1, next_try_at = coalesce(x.next_try_at, d.next_try_at), reason = x.reason,
    holds_until = coalesce(d.holds_until, x.holds_until), finished_at = CASE WHEN x.state <> 'waiting' THEN $7::timestamptz END, leased_until = NULL
  FROM x WHERE d.id = ANY($1::bigint[]) AND d.id = x.id AND d.fence = x.fence AND d.state = 'waiting'
), kept AS (
  INSERT INTO webhook_attempts (account_id, delivery_id, number, started_at, milliseconds, status, error, headers, body, next_try_at)
  SELECT * FROM unnest($10::text[], $1::bigint[], $11::integer[], $12::timestamptz[], $13::integer[], $14::integer[], $15::text[], $16::jsonb[], $17::text[], $4::timestamptz[])
), recovered AS (
  UPDATE webhooks SET failures = 0, failing_since = NULL, last_error = NULL WHERE id = ANY($18::integer[]) AND (failures > 0 OR last_error IS NOT NULL)
), released AS (
  UPDATE webhook_deliveries n SET next_try_at = least(n.next_try_at, $7::timestamptz) FROM x
  WHERE x.state <> 'waiting' AND n.tries = 0 AND n.id <> ALL ($1::bigint[]) AND n.id = (SELECT min(f.id) FROM webhook_deliveries f
    WHERE f.webhook_id = x.webhook_id AND f.record_id = x.record_id AND f.state = 'waiting' AND f.id > x.id)
  RETURNING n.webhook_id
)
SELECT DISTINCT webhook_id FROM released`,
);
const clearLeases = statement(
  `UPDATE webhook_deliveries d SET leased_until = NULL FROM unnest($1::bigint[], $2::integer[]) AS x(id, fence) WHERE d.id = x.id AND d.fence = x.fence`,
);

/** Returns the webhooks for which a waiting delivery became due. */
export async function recordAttempts(webhooks: Webhooks, list: readonly DeliveryAttempt[]): Promise<number[]> {
  const { engine } = webhooks;
  const { recovered, failed } = countFailures(list);
  const values = buildValues(list, engine.clock.now(), recovered);
  const rows = await engine.database.transaction(async (tx) => {
    tx.send(planForFewRows);
    // All code that changes both locks webhooks before deliveries and in the order of their ids, to avoid deadlocks.
    for (const { webhook, ...failure } of failed) await recordFailures(webhooks, tx, webhook, failure);
    return tx.query(recordAll, values);
  });
  return rows.map(([id]) => Number(id));
}

function buildValues(list: readonly DeliveryAttempt[], now: Date, recovered: readonly number[]): Value[] {
  const decisions = list.map(({ prepared, outcome }) => decideNextState(prepared, outcome, now));
  const iso = (moment: Date | null) => moment?.toISOString() ?? null;
  const holdsUntil = new Date(now.getTime() + holdBackMilliseconds).toISOString();
  return [
    list.map(({ prepared }) => prepared.id),
    list.map(({ prepared }) => prepared.fence),
    decisions.map(({ state }) => state),
    decisions.map(({ nextTryAt }) => iso(nextTryAt)),
    decisions.map(({ state }) => (state === "waiting" ? holdsUntil : null)),
    decisions.map(({ reason }) => reason),
    now.toISOString(),
    list.map(({ prepared }) => prepared.webhook.id),
    list.map(({ prepared }) => prepared.recordId),
    list.map(({ prepared }) => prepared.webhook.account),
    list.map(({ prepared }) => prepared.earlierTries + prepared.tries + 1),
    list.map(({ outcome }) => outcome.startedAt.toISOString()),
    list.map(({ outcome }) => outcome.milliseconds),
    list.map(({ outcome }) => outcome.status),
    list.map(({ outcome }) => outcome.error),
    list.map(({ outcome }) => (outcome.headers === null ? null : JSON.stringify(outcome.headers))),
    list.map(({ outcome }) => outcome.body),
    recovered,
  ];
}

type WebhookFailures = { webhook: number; times: number; error: string; afterSuccess: boolean };

/** The webhooks that work, and how many times in a row the others failed. */
function countFailures(list: readonly DeliveryAttempt[]): { recovered: number[]; failed: WebhookFailures[] } {
  // A failed test does not count as a failure of the webhook.
  const counted = list.filter(({ prepared }) => prepared.kind !== "test");
  const byWebhook = Map.groupBy(counted, ({ prepared }) => prepared.webhook.id);
  const [recovered, failed]: [number[], WebhookFailures[]] = [[], []];
  for (const webhook of [...byWebhook.keys()].sort((one, other) => one - other)) {
    const outcomes = (byWebhook.get(webhook) ?? []).map(({ outcome }) => outcome);
    const times = outcomes.length - 1 - outcomes.findLastIndex(({ error }) => error === null);
    if (times === 0) recovered.push(webhook);
    else failed.push({ webhook, times, error: outcomes.at(-1)?.error ?? "", afterSuccess: times < outcomes.length });
  }
  return { recovered, failed };
}

function decideNextState(prepared: PreparedDelivery, { error, headers }: CallResult, now: Date): DeliveryDecision {
  if (error === null) return { state: "delivered", nextTryAt: null, reason: null };
  const tries = prepared.tries + 1;
  const wait = parseRetryAfter(headers?.["retry-after"], now);
  const next = prepared.kind === "test" ? null : computeNextTry(tries, now, wait, Math.random);
  if (next === null)
    return { state: "failed", nextTryAt: null, reason: tries >= maxTries ? `${tries} tries failed` : error };
  if (prepared.expiresAt !== null && next >= prepared.expiresAt)
    return { state: "failed", nextTryAt: null, reason: "the code expires before the next try" };
  return { state: "waiting", nextTryAt: next, reason: null };
}

/** Gives up the leases of deliveries that were not sent, so that another process can send them. */
export async function releaseLeases({ engine }: Webhooks, list: readonly PreparedDelivery[]): Promise<void> {
  if (list.length > 0)
    await engine.database.change(clearLeases, [list.map(({ id }) => id), list.map(({ fence }) => fence)]);
}
