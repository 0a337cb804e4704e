import { statement } from "../storage/database.ts";
import type { Webhooks } from "./context.ts";
import { noteFailures, noteSuccess } from "./failures.ts";
import type { Prepared } from "./prepare.ts";
import { holdBack, maxTries, nextTry, retryAfterIn } from "./retry-schedule.ts";
import type { Outcome } from "./send.ts";

// The third step: what became of the calls, several at once in one transaction. The fence keeps us from settling what
// another process took over meanwhile.

export type Settled = { prepared: Prepared; outcome: Outcome };

type Verdict = {
  state: "delivered" | "waiting" | "failed";
  nextTryAt: Date | null;
  reason: string | null;
};

const settleAll = statement(
  `UPDATE webhook_deliveries d SET state = x.state, tries = d.tries + 1, next_try_at = coalesce(x.next_try_at, d.next_try_at), reason = x.reason,
  holds_until = coalesce(d.holds_until, x.holds_until), finished_at = CASE WHEN x.state <> 'waiting' THEN $7::timestamptz END, leased_until = NULL
FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::text[]) AS x(id, fence, state, next_try_at, holds_until, reason)
WHERE d.id = x.id AND d.fence = x.fence AND d.state = 'waiting'`,
);
const keepAttempts = statement(
  `INSERT INTO webhook_attempts (account_id, delivery_id, number, started_at, milliseconds, status, error, headers, body, next_try_at)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[], $4::timestamptz[], $5::integer[], $6::integer[], $7::text[], $8::jsonb[], $9::text[], $10::timestamptz[])`,
);
// The next message of the same record may go now.
const release = statement(
  `UPDATE webhook_deliveries n SET next_try_at = least(n.next_try_at, $4)
FROM unnest($1::integer[], $2::integer[], $3::bigint[]) AS x(webhook_id, record_id, id)
WHERE n.tries = 0 AND n.id = (SELECT min(f.id) FROM webhook_deliveries f WHERE f.webhook_id = x.webhook_id AND f.record_id = x.record_id AND f.state = 'waiting' AND f.id > x.id)
RETURNING n.webhook_id`,
);
const giveBack = statement(
  `UPDATE webhook_deliveries d SET leased_until = NULL FROM unnest($1::bigint[], $2::integer[]) AS x(id, fence) WHERE d.id = x.id AND d.fence = x.fence`,
);

/** Answers the webhooks that have more to send because of it. */
export async function settle(webhooks: Webhooks, list: readonly Settled[]): Promise<number[]> {
  const { engine } = webhooks;
  return engine.database.transaction(async (tx) => {
    const now = engine.clock.now();
    // Webhooks before deliveries, and in their order, as everybody who changes both does.
    await noteAll(webhooks, tx, list);
    const verdicts = list.map(({ prepared, outcome }) => verdictOn(prepared, outcome, now));
    const iso = (moment: Date | null | undefined) => moment?.toISOString() ?? null;
    tx.send(settleAll, [
      list.map(({ prepared }) => prepared.id),
      list.map(({ prepared }) => prepared.fence),
      verdicts.map(({ state }) => state),
      verdicts.map(({ nextTryAt }) => iso(nextTryAt)),
      verdicts.map(({ state }) => (state === "waiting" ? iso(new Date(now.getTime() + holdBack)) : null)),
      verdicts.map(({ reason }) => reason),
      now.toISOString(),
    ]);
    tx.send(keepAttempts, [
      list.map(({ prepared }) => prepared.webhook.account),
      list.map(({ prepared }) => prepared.id),
      list.map(({ prepared }) => prepared.earlierTries + prepared.tries + 1),
      list.map(({ outcome }) => outcome.startedAt.toISOString()),
      list.map(({ outcome }) => outcome.milliseconds),
      list.map(({ outcome }) => outcome.status),
      list.map(({ outcome }) => outcome.error),
      list.map(({ outcome }) => (outcome.headers === null ? null : JSON.stringify(outcome.headers))),
      list.map(({ outcome }) => outcome.body),
      verdicts.map(({ nextTryAt }) => iso(nextTryAt)),
    ]);
    const ended = list.flatMap(({ prepared }, index) =>
      verdicts[index]?.state !== "waiting" && prepared.recordId !== null ? [prepared] : [],
    );
    if (ended.length === 0) return [];
    const released = await tx.query(release, [
      ended.map(({ webhook }) => webhook.id),
      ended.map(({ recordId }) => recordId),
      ended.map(({ id }) => id),
      now.toISOString(),
    ]);
    return [...new Set(released.map(([id]) => Number(id)))];
  });
}

async function noteAll(
  webhooks: Webhooks,
  tx: Parameters<typeof noteSuccess>[0],
  list: readonly Settled[],
): Promise<void> {
  // A test says nothing about the messages that matter.
  const counted = list.filter(({ prepared }) => prepared.kind !== "test");
  const byWebhook = Map.groupBy(counted, ({ prepared }) => prepared.webhook.id);
  const recovered: number[] = [];
  for (const id of [...byWebhook.keys()].sort((one, other) => one - other)) {
    const outcomes = (byWebhook.get(id) ?? []).map(({ outcome }) => outcome);
    // The failures after the last success are those in a row.
    const times = outcomes.length - 1 - outcomes.findLastIndex(({ error }) => error === null);
    if (times === 0) recovered.push(id);
    else {
      if (times < outcomes.length) noteSuccess(tx, [id]);
      await noteFailures(webhooks, tx, id, { times, error: outcomes.at(-1)?.error ?? "" });
    }
  }
  noteSuccess(tx, recovered);
}

function verdictOn(prepared: Prepared, { error, headers }: Outcome, now: Date): Verdict {
  if (error === null) return { state: "delivered", nextTryAt: null, reason: null };
  const tries = prepared.tries + 1;
  const wait = retryAfterIn(headers?.["retry-after"], now);
  const next = prepared.kind === "test" ? null : nextTry(tries, now, wait, Math.random);
  if (next === null)
    return { state: "failed", nextTryAt: null, reason: tries >= maxTries ? `${tries} tries failed` : error };
  if (prepared.expiresAt !== null && next >= prepared.expiresAt)
    return { state: "failed", nextTryAt: null, reason: "the code expires before the next try" };
  return { state: "waiting", nextTryAt: next, reason: null };
}

/** Those that were not sent after all: somebody else will. */
export async function putBack({ engine }: Webhooks, list: readonly Prepared[]): Promise<void> {
  if (list.length > 0) await engine.database.read(giveBack, [list.map(({ id }) => id), list.map(({ fence }) => fence)]);
}
