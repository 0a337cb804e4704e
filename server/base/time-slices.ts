import { setImmediate as yieldTurn } from "node:timers/promises";

/** Divides long work on the event loop, so that others are served in between: call `pause` between its steps. */
export class TimeSlices {
  private readonly milliseconds: number;
  private end: number;

  constructor(milliseconds = 8) {
    this.milliseconds = milliseconds;
    this.end = performance.now() + milliseconds;
  }

  /** Lets others have their turn when the slice is used up. */
  async pause(): Promise<void> {
    if (performance.now() < this.end) return;
    await yieldTurn();
    this.end = performance.now() + this.milliseconds;
  }
}
