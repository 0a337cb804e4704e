import { maxCallsPerReceiver } from "./connection-pools.ts";
import type { CallResult } from "./send.ts";

// One receiver, as far as our own behaviour towards it goes: how many messages are under way, and how many of those are
// on the wire. One that answers quickly may have some more in line, so that they can be claimed and settled together;
// one that fails or takes its time gets few.

const fastSlots = 64;
const failingSlots = 4;
const fastMilliseconds = 50; // milliseconds

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
  /** Half of the places: looking for one message at a time would cost more than sending it. */
  get wantsMore(): boolean {
    return this.inFlight <= this.slots / 2;
  }
  get isIdle(): boolean {
    return this.inFlight === 0;
  }

  enter(): void {
    this.inFlight++;
  }

  /** The place is free again; what became of the call tells how many there are. */
  leave(outcome: CallResult | null): void {
    this.inFlight--;
    if (outcome === null) return;
    this.failing = outcome.error !== null;
    const usual = Number.isFinite(this.averageMilliseconds) ? this.averageMilliseconds : outcome.milliseconds;
    this.averageMilliseconds = usual * 0.8 + outcome.milliseconds * 0.2;
  }

  /** The time of a call begins when it goes on the wire, not when it gets in line. */
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
