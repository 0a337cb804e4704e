/** One piece of work that takes several turns of the event loop. */
export type Turn = {
  /** the moment of the monotonic clock at which others have their turn */
  readonly end: number;
};

/**
 * Shares the event loop between the long work of several calls: in every turn of the loop one of them runs for some
 * milliseconds. Other work waits for at most one of them, however many there are. Work that cannot be divided may
 * take longer; the loop is then free for others for as long as it took.
 */
export class SharedTurns {
  private readonly milliseconds: number;
  private readonly waiting: ((turn: Turn) => void)[] = [];
  private isScheduled = false;
  /** no turn begins before this moment of the monotonic clock */
  private restsUntil = 0;

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

  /** Runs work that cannot be divided. */
  run<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) =>
      this.request(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const rest = this.restsUntil - performance.now();
    if (rest > 0) setTimeout(() => this.begin(), rest);
    else setImmediate(() => this.begin());
  }

  private begin(): void {
    const begun = performance.now();
    try {
      this.waiting.shift()?.({ end: begun + this.milliseconds });
    } finally {
      const ended = performance.now();
      if (ended - begun > 2 * this.milliseconds) this.restsUntil = ended + (ended - begun);
      this.isScheduled = false;
      if (this.waiting.length > 0) this.schedule();
    }
  }
}
