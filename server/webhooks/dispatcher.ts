import { describeError } from "../base/log.ts";
import { statement } from "../storage/database.ts";
import { Connections } from "./connections.ts";
import type { Webhooks } from "./context.ts";
import { type Prepared, prepare, renewLeases } from "./prepare.ts";
import { Receiver } from "./receiver.ts";
import { type Outcome, send } from "./send.ts";
import { putBack, type Settled, settle } from "./settle.ts";

// Moves messages through the three steps. Every receiver has places of its own, so that one that is slow or hangs fills
// only those. A commit wakes us at once; a look at everything that is due, every second, is the guarantee.

const everyMilliseconds = 1000;
const renewEvery = 1500;
/** A lease that was not renewed for so long may be somebody else's soon. */
const stale = 3500;
const patienceAtStop = 3000;
/** Messages of a webhook we know nothing about yet. */
const firstLook = 16;

// Which webhooks have something due: one step in the index for each that has anything waiting. Where nobody has called
// back yet, events wait.
const waiting = statement(`WITH RECURSIVE w AS (
  (SELECT webhook_id FROM webhook_deliveries WHERE state = 'waiting' ORDER BY webhook_id LIMIT 1)
  UNION ALL SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.webhook_id > w.webhook_id ORDER BY d.webhook_id LIMIT 1)
  FROM w WHERE w.webhook_id IS NOT NULL)
SELECT webhook_id FROM w WHERE webhook_id IS NOT NULL AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.state = 'waiting' AND d.webhook_id = w.webhook_id AND d.next_try_at <= $1
  AND (d.kind <> 'event' OR EXISTS (SELECT 1 FROM webhooks h WHERE h.id = d.webhook_id AND h.verified AND NOT h.disabled)))`);

type UnderWay = { prepared: Prepared; leasedAt: number };

export class Dispatcher {
  private readonly webhooks: Webhooks;
  private readonly connections: Connections;
  private readonly receivers = new Map<string, Receiver>();
  /** the receiver of each webhook, as last seen */
  private readonly receiverOf = new Map<number, string>();
  /** webhooks that may have something due */
  private readonly looks = new Set<number>();
  /** webhooks with messages that wait for one under way */
  private readonly held = new Set<number>();
  private readonly underWay = new Map<number, UnderWay>();
  private outcomes: Settled[] = [];
  private looking: Promise<void> | null = null;
  private settling: Promise<void> | null = null;
  private timers: NodeJS.Timeout[] = [];
  private stopped = true;
  private readonly cancel = new AbortController();

  constructor(webhooks: Webhooks) {
    this.webhooks = webhooks;
    this.connections = new Connections(webhooks.addresses);
    webhooks.outbox.wake = (ids) => this.wake(ids);
  }

  start(): void {
    this.stopped = false;
    const quietly = (act: () => Promise<unknown>) => () =>
      void act().catch((error) => this.webhooks.log.error("webhooks could not be served", describeError(error)));
    this.timers = [
      setInterval(
        quietly(() => this.lookAtAll()),
        everyMilliseconds,
      ),
      setInterval(
        quietly(() => this.renew()),
        renewEvery,
      ),
    ];
    quietly(() => this.lookAtAll())();
  }

  /** These webhooks have something to send. */
  wake(webhooks: Iterable<number>): void {
    for (const id of webhooks) this.looks.add(id);
    this.turn();
  }

  private async lookAtAll(): Promise<void> {
    if (this.stopped) return;
    const rows = await this.webhooks.engine.database.read(waiting, [this.webhooks.engine.clock.now().toISOString()]);
    this.wake(rows.map(([id]) => Number(id)));
  }

  /** Sends everything that is due now and waits for the end of it. */
  async runDue(): Promise<void> {
    for (;;) {
      await this.lookAtAll();
      if (this.looking === null && this.settling === null && this.underWay.size === 0) return;
      while (this.looking !== null || this.settling !== null || this.underWay.size > 0)
        await (this.looking ?? this.settling ?? new Promise((next) => setTimeout(next, 2)));
    }
  }

  private turn(): void {
    if (this.stopped || this.looking !== null) return;
    const lanes = [...this.looks].filter((id) => this.receiverWith(id)?.wantsMore ?? true);
    if (lanes.length === 0) return;
    for (const id of lanes) this.looks.delete(id);
    this.looking = this.look(lanes)
      .catch((error) => this.webhooks.log.error("webhooks could not be looked at", describeError(error)))
      .finally(() => {
        this.looking = null;
        this.turn();
      });
  }

  private receiverWith(webhook: number): Receiver | undefined {
    const origin = this.receiverOf.get(webhook);
    return origin === undefined ? undefined : this.receivers.get(origin);
  }

  private async look(lanes: readonly number[]): Promise<void> {
    const leasedAt = performance.now();
    const free = Math.max(...lanes.map((id) => this.receiverWith(id)?.free ?? firstLook));
    const batch = await prepare(this.webhooks, lanes, free);
    for (const id of batch.more) this.looks.add(id);
    for (const id of batch.blocked) this.held.add(id);
    for (const prepared of batch.prepared) void this.deliver(prepared, leasedAt);
  }

  private receiver(origin: string): Receiver {
    let state = this.receivers.get(origin);
    if (state === undefined) {
      if (this.receivers.size > 5000)
        for (const [other, { isIdle }] of this.receivers) if (isIdle) this.receivers.delete(other);
      state = new Receiver();
      this.receivers.set(origin, state);
    }
    return state;
  }

  private async deliver(prepared: Prepared, leasedAt: number): Promise<void> {
    const { webhooks } = this;
    const origin = originOf(prepared.uri);
    const receiver = this.receiver(origin);
    this.receiverOf.set(prepared.webhook.id, origin);
    receiver.enter();
    this.underWay.set(prepared.id, { prepared, leasedAt });
    let outcome: Outcome | null = null;
    try {
      const options = { agent: agentOf(webhooks), now: webhooks.engine.clock.now(), cancel: this.cancel.signal };
      outcome = await receiver.inTurn(() => {
        const { leasedAt: since } = this.underWay.get(prepared.id) as UnderWay;
        // Held up for so long that somebody else may have taken it over.
        return performance.now() - since < stale ? send(this.connections, prepared, options) : null;
      });
    } catch {
      // We are stopping: whoever comes next sends it again.
    }
    receiver.leave(outcome);
    if (outcome === null) {
      await putBack(webhooks, [prepared]).catch(() => {}); // or its lease ends
      this.underWay.delete(prepared.id);
    } else {
      this.outcomes.push({ prepared, outcome });
      this.settleSome();
    }
    this.turn();
  }

  /** While one settlement is written, the next ones gather. */
  private settleSome(): void {
    if (this.settling !== null || this.outcomes.length === 0) return;
    const list = this.outcomes;
    this.outcomes = [];
    this.settling = settle(this.webhooks, list)
      .then((released) => {
        for (const id of released) this.looks.add(id);
        for (const { prepared } of list) if (this.held.delete(prepared.webhook.id)) this.looks.add(prepared.webhook.id);
      })
      // What could not be settled is sent again when its lease has ended: twice is better than never.
      .catch((error) => this.webhooks.log.error("webhook calls could not be settled", describeError(error)))
      .finally(() => {
        for (const { prepared } of list) this.underWay.delete(prepared.id);
        this.settling = null;
        this.settleSome();
        this.turn();
      });
  }

  private async renew(): Promise<void> {
    const list = [...this.underWay.values()];
    const at = performance.now();
    await renewLeases(
      this.webhooks,
      list.map(({ prepared }) => prepared),
    );
    for (const each of list) each.leasedAt = at;
  }

  /** Takes nothing more; calls that do not end soon are broken off and made again by whoever comes next. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearInterval(timer);
    const limit = setTimeout(() => this.cancel.abort(), patienceAtStop);
    while (this.looking !== null || this.settling !== null || this.underWay.size > 0)
      await (this.looking ?? this.settling ?? new Promise((next) => setTimeout(next, 5)));
    clearTimeout(limit);
    await this.connections.close();
  }
}

const originOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).origin : uri);
const agentOf = ({ origin }: Webhooks): string => `Steward/1.0 (${origin()}/docs/api)`;
