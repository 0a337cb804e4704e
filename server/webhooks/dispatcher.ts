import { describeError } from "../base/log.ts";
import { leaveSpan } from "../base/tracing/spans.ts";
import { statement } from "../database/database.ts";
import { ConnectionPools } from "./connection-pools.ts";
import { type PreparedDelivery, prepareDeliveries, renewLeases } from "./prepare.ts";
import { ReceiverLimiter } from "./receiver-limiter.ts";
import { type DeliveryAttempt, recordAttempts, releaseLeases } from "./record-attempts.ts";
import { deliverToSandbox } from "./sandbox/receive.ts";
import { type CallResult, sendDelivery } from "./send.ts";
import type { Webhooks } from "./webhooks-context.ts";

// Takes deliveries through prepare, send and record. Every receiver has its own slots, so a slow or hanging receiver does
// not delay others. A commit wakes the dispatcher immediately; a scan every second finds deliveries whose wake-up was lost.

const scanInterval = 1000;
const renewInterval = 1500;
/** A delivery whose lease was not renewed for this long is not sent: another process may take it over soon. */
const staleLeaseMilliseconds = 3500;
const stopTimeout = 3000;
/** While more attempts than these wait to be recorded, nothing is claimed: a slow database must not pile them up. */
const maxUnrecorded = 200;
/** How many deliveries to claim for a webhook whose receiver is not known yet. */
const initialClaimSize = 16;

// Webhooks with due deliveries. The recursion takes one index step per webhook with anything waiting. Events wait until
// the webhook is verified. The limit keeps PostgreSQL from joining everything that waits: EXISTS has none.
const selectWebhooksWithDue = statement(`WITH RECURSIVE w AS (
  (SELECT webhook_id FROM webhook_deliveries WHERE state = 'waiting' ORDER BY webhook_id LIMIT 1)
  UNION ALL SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.webhook_id > w.webhook_id ORDER BY d.webhook_id LIMIT 1)
  FROM w WHERE w.webhook_id IS NOT NULL)
SELECT webhook_id FROM w WHERE webhook_id IS NOT NULL AND (SELECT true FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.webhook_id = w.webhook_id AND d.next_try_at <= $1
  AND (d.kind <> 'event' OR EXISTS (SELECT 1 FROM webhooks h WHERE h.id = d.webhook_id AND h.verified AND NOT h.disabled)) LIMIT 1)`);

type InFlightDelivery = { prepared: PreparedDelivery; leasedAt: number };

export class WebhookDispatcher {
  private readonly webhooks: Webhooks;
  private readonly connections: ConnectionPools;
  private readonly limiters = new Map<string, ReceiverLimiter>();
  /** the receiver of each webhook, as last seen */
  private readonly originByWebhook = new Map<number, string>();
  /** webhooks that may have something due */
  private readonly webhooksToScan = new Set<number>();
  /** webhooks with deliveries that wait for an earlier one of the same record */
  private readonly blockedWebhooks = new Set<number>();
  private readonly inFlight = new Map<number, InFlightDelivery>();
  private finishedAttempts: DeliveryAttempt[] = [];
  private scanning: Promise<void> | null = null;
  private recording: Promise<void> | null = null;
  private timers: NodeJS.Timeout[] = [];
  private stopped = true;
  private readonly cancel = new AbortController();

  constructor(webhooks: Webhooks) {
    this.webhooks = webhooks;
    this.connections = new ConnectionPools(webhooks.addresses);
    webhooks.outbox.wake = (ids) => this.wake(ids);
  }

  start(): void {
    this.stopped = false;
    const logErrors = (act: () => Promise<unknown>) => () =>
      void act().catch((error) => this.webhooks.log.error("webhooks could not be served", describeError(error)));
    this.timers = [
      setInterval(
        logErrors(() => this.scanDue()),
        scanInterval,
      ),
      setInterval(
        logErrors(() => this.renew()),
        renewInterval,
      ),
    ];
    logErrors(() => this.scanDue())();
  }

  /** Scans these webhooks for due deliveries. */
  wake(webhooks: Iterable<number>): void {
    for (const id of webhooks) this.webhooksToScan.add(id);
    leaveSpan(() => this.scanNext());
  }

  private async scanDue(): Promise<void> {
    if (this.stopped) return;
    const rows = await this.webhooks.engine.database.read(selectWebhooksWithDue, [
      this.webhooks.engine.clock.now().toISOString(),
    ]);
    this.wake(rows.map(([id]) => Number(id)));
  }

  /** Sends everything that is due now and waits until it is recorded. */
  async runDue(): Promise<void> {
    for (;;) {
      await this.scanDue();
      if (this.scanning === null && this.recording === null && this.inFlight.size === 0) return;
      while (this.scanning !== null || this.recording !== null || this.inFlight.size > 0)
        await (this.scanning ?? this.recording ?? new Promise((next) => setTimeout(next, 2)));
    }
  }

  private scanNext(): void {
    if (this.stopped || this.scanning !== null || this.finishedAttempts.length > maxUnrecorded) return;
    const webhookIds = [...this.webhooksToScan].filter((id) => this.findLimiter(id)?.wantsMore ?? true);
    if (webhookIds.length === 0) return;
    for (const id of webhookIds) this.webhooksToScan.delete(id);
    this.scanning = this.claimAndSend(webhookIds)
      .catch((error) => this.webhooks.log.error("webhooks could not be looked at", describeError(error)))
      .finally(() => {
        this.scanning = null;
        this.scanNext();
      });
  }

  private findLimiter(webhook: number): ReceiverLimiter | undefined {
    const origin = this.originByWebhook.get(webhook);
    return origin === undefined ? undefined : this.limiters.get(origin);
  }

  private async claimAndSend(webhookIds: readonly number[]): Promise<void> {
    const leasedAt = performance.now();
    const free = Math.max(...webhookIds.map((id) => this.findLimiter(id)?.freeSlots ?? initialClaimSize));
    const batch = await prepareDeliveries(this.webhooks, webhookIds, free);
    for (const id of batch.more) this.webhooksToScan.add(id);
    for (const id of batch.blocked) this.blockedWebhooks.add(id);
    for (const prepared of batch.prepared) void this.deliver(prepared, leasedAt);
  }

  private getLimiter(origin: string): ReceiverLimiter {
    let state = this.limiters.get(origin);
    if (state === undefined) {
      if (this.limiters.size > 5000)
        for (const [other, { isIdle }] of this.limiters) if (isIdle) this.limiters.delete(other);
      state = new ReceiverLimiter();
      this.limiters.set(origin, state);
    }
    return state;
  }

  private async deliver(prepared: PreparedDelivery, leasedAt: number): Promise<void> {
    const { webhooks } = this;
    const origin = getOrigin(prepared.uri);
    const receiver = this.getLimiter(origin);
    this.originByWebhook.set(prepared.webhook.id, origin);
    receiver.enter();
    this.inFlight.set(prepared.id, { prepared, leasedAt });
    let outcome: CallResult | null = null;
    try {
      const options = { agent: buildUserAgent(webhooks), now: webhooks.engine.clock.now(), cancel: this.cancel.signal };
      outcome = await receiver.runInTurn(() => {
        const { leasedAt: since } = this.inFlight.get(prepared.id) as InFlightDelivery;
        // Null: the lease is stale, another process may have taken the delivery over.
        return performance.now() - since < staleLeaseMilliseconds ? this.send(prepared, options) : null;
      });
    } catch {
      // The dispatcher is stopping: the next process sends it again.
    }
    receiver.leave(outcome);
    if (outcome === null) {
      await releaseLeases(webhooks, [prepared]).catch(() => {}); // or its lease ends
      this.inFlight.delete(prepared.id);
    } else {
      this.finishedAttempts.push({ prepared, outcome });
      this.recordFinished();
    }
    this.scanNext();
  }

  private async send(prepared: PreparedDelivery, options: Parameters<typeof sendDelivery>[2]): Promise<CallResult> {
    return (
      (await deliverToSandbox(this.webhooks, prepared, options)) ?? sendDelivery(this.connections, prepared, options)
    );
  }

  /** Attempts that end while others are recorded are recorded together afterwards. */
  private recordFinished(): void {
    if (this.recording !== null || this.finishedAttempts.length === 0) return;
    const list = this.finishedAttempts;
    this.finishedAttempts = [];
    this.recording = recordAttempts(this.webhooks, list)
      .then((released) => {
        for (const id of released) this.webhooksToScan.add(id);
        for (const { prepared } of list)
          if (this.blockedWebhooks.delete(prepared.webhook.id)) this.webhooksToScan.add(prepared.webhook.id);
      })
      // A delivery that could not be recorded is sent again when its lease ends: twice is better than never.
      .catch((error) => this.webhooks.log.error("webhook calls could not be settled", describeError(error)))
      .finally(() => {
        for (const { prepared } of list) this.inFlight.delete(prepared.id);
        this.recording = null;
        this.recordFinished();
        this.scanNext();
      });
  }

  private async renew(): Promise<void> {
    const list = [...this.inFlight.values()];
    const at = performance.now();
    await renewLeases(
      this.webhooks,
      list.map(({ prepared }) => prepared),
    );
    for (const delivery of list) delivery.leasedAt = at;
  }

  /** Claims nothing more; calls that take too long are aborted, and the next process makes them again. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    const limit = setTimeout(() => this.cancel.abort(), stopTimeout);
    while (this.scanning !== null || this.recording !== null || this.inFlight.size > 0)
      await (this.scanning ?? this.recording ?? new Promise((next) => setTimeout(next, 5)));
    clearTimeout(limit);
    await this.connections.close();
  }
}

const getOrigin = (uri: string): string => (URL.canParse(uri) ? new URL(uri).origin : uri);
const buildUserAgent = ({ origin }: Webhooks): string => `Steward/1.0 (${origin()}/docs/api)`;
