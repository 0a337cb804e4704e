import { maxCallsPerReceiver } from "./connection-pools.ts";
import type { CallResult } from "./send.ts";

// Limits the deliveries of one receiver: how many are in flight, and how many of those are on the wire. A fast receiver
// gets more slots, so that its deliveries are claimed and recorded in batches; a slow or failing one gets few.

const fastSlots = 64;
const failingSlots = 4;
const fastMilliseconds = 50;

export class ReceiverLimiter {
  private inFlight = 0;
  private onWire = 0;
  private averageMilliseconds = Number.POSITIVE_INFINITY;
  private failing = false;
  private readonly queue: (() => void)[] = [];

  private get slots(): number {
    return this.failing ? failingSlots : this.averageMilliseconds < fastMilliseconds ? fastSlots : maxCallsPerReceiver;
  }
  get freeSlots(): number {
    return Math.max(1, this.slots - this.inFlight);
  }
  /** True once half of the slots are free: claiming one delivery at a time would cost more than sending it. */
  get wantsMore(): boolean {
    return this.inFlight <= this.slots / 2;
  }
  get isIdle(): boolean {
    return this.inFlight === 0;
  }

  enter(): void {
    this.inFlight++;
  }

  /** Frees the slot; the outcome decides how many slots there are. */
  leave(outcome: CallResult | null): void {
    this.inFlight--;
    if (outcome === null) return;
    this.failing = outcome.error !== null;
    const usual = Number.isFinite(this.averageMilliseconds) ? this.averageMilliseconds : outcome.milliseconds;
    this.averageMilliseconds = usual * 0.8 + outcome.milliseconds * 0.2;
  }

  /** Waits for a free connection first, so that waiting does not count towards the time limit of the call. */
  async runInTurn<T>(act: () => T | Promise<T>): Promise<T> {
    if (this.onWire >= maxCallsPerReceiver) await new Promise<void>((next) => this.queue.push(next));
    else this.onWire++;
    try {
      return await act();
    } finally {
      const next = this.queue.shift();
      if (next === undefined) this.onWire--;
      else next();
    }
  }
}
