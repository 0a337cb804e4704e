/** One piece of work that takes several turns of the event loop. */
export type Turn = {
  /** the moment of the monotonic clock at which others have their turn */
  readonly end: number;
};

/**
 * Shares the event loop between the long work of several calls: in every turn of the loop one of them goes on for some
 * milliseconds. However many there are, everything else waits for one of them at most.
 */
export class SharedTurns {
  private readonly milliseconds: number;
  private readonly waiting: ((turn: Turn) => void)[] = [];
  private isScheduled = false;

  constructor(milliseconds = 2) {
    this.milliseconds = milliseconds;
  }

  /** Calls the function in a turn of its own, after those that asked before. */
  request(work: (turn: Turn) => void): void {
    this.waiting.push(work);
    this.schedule();
  }

  /** The same for functions that wait. */
  next(): Promise<Turn> {
    return new Promise((resolve) => this.request(resolve));
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const work = this.waiting.shift();
      if (this.waiting.length > 0) this.schedule();
      work?.({ end: performance.now() + this.milliseconds });
    });
  }
}
