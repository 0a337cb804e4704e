import { perReceiver } from "./connections.ts";
import type { Outcome } from "./send.ts";

// One receiver, as far as our own behaviour towards it goes: how many messages are under way, and how many of those are
// on the wire. One that answers quickly may have some more in line, so that they can be claimed and settled together;
// one that fails or takes its time gets few.

const inLine = 64;
const whenFailing = 4;
const quick = 50; // milliseconds

export class Receiver {
  private underWay = 0;
  private onWire = 0;
  private usual = Number.POSITIVE_INFINITY;
  private failing = false;
  private readonly queue: (() => void)[] = [];

  private get places(): number {
    return this.failing ? whenFailing : this.usual < quick ? inLine : perReceiver;
  }
  get free(): number {
    return Math.max(1, this.places - this.underWay);
  }
  /** Half of the places: looking for one message at a time would cost more than sending it. */
  get wantsMore(): boolean {
    return this.underWay <= this.places / 2;
  }
  get isIdle(): boolean {
    return this.underWay === 0;
  }

  enter(): void {
    this.underWay++;
  }

  /** The place is free again; what became of the call tells how many there are. */
  leave(outcome: Outcome | null): void {
    this.underWay--;
    if (outcome === null) return;
    this.failing = outcome.error !== null;
    const usual = Number.isFinite(this.usual) ? this.usual : outcome.milliseconds;
    this.usual = usual * 0.8 + outcome.milliseconds * 0.2;
  }

  /** The time of a call begins when it goes on the wire, not when it gets in line. */
  async inTurn<T>(act: () => T | Promise<T>): Promise<T> {
    if (this.onWire >= perReceiver) await new Promise<void>((next) => this.queue.push(next));
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
