import type { Clock } from "../base/clock.ts";
import { describeError, type Log } from "../base/log.ts";
import { getRetryDelaySeconds } from "../base/retry-delay.ts";
import { type Database, type Row, statement } from "../storage/database.ts";

// Claims due jobs under a lease and runs them. A job of a process that died is claimed again when its lease has run
// out; the fence number keeps a slow process from settling a job that somebody else took over. What is due is decided
// by our clock, what is leased by the database's.

/** The row behind a job that runs; the fence tells whether it still is ours. */
export type JobClaim = { id: number; fence: number; attempts: number };
export type JobHandler = (payload: never, claim: JobClaim) => Promise<void>;

const leaseSeconds = 5;

const claimDueJobs = statement(
  `UPDATE jobs SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds', fence = fence + 1, attempts = attempts + 1
WHERE id IN (SELECT id FROM jobs WHERE run_at <= $1 AND kind = ANY($2::text[]) AND (leased_until IS NULL OR leased_until < clock_timestamp())
  ORDER BY run_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id, kind, payload, fence, attempts`,
);
const renewLease = statement(
  `UPDATE jobs SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds' WHERE id = $1 AND fence = $2`,
);
const deleteDoneJob = statement("DELETE FROM jobs WHERE id = $1 AND fence = $2");
const rescheduleJob = statement(
  "UPDATE jobs SET leased_until = NULL, run_at = $3, last_error = $4 WHERE id = $1 AND fence = $2",
);

export class Worker {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly handlers: Readonly<Record<string, JobHandler>>;
  private readonly kinds: readonly string[];
  private readonly oneAtATime: readonly string[];
  private readonly busy = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> | null = null;
  private readonly running = new Set<Promise<void>>();
  private stopped = true;
  private pause = 1000;
  private woken = false;
  /** how many jobs run at the same time */
  private readonly concurrency: number;
  /** when the last look for jobs succeeded: readiness asks */
  lastPollAt = 0;

  /**
   * `oneAtATime`: kinds of jobs that this process runs one after the other, in the order in which they are due; `concurrency`:
   * how many of the others run at the same time
   */
  constructor(
    database: Database,
    clock: Clock,
    log: Log,
    handlers: Readonly<Record<string, JobHandler>>,
    { oneAtATime = [], concurrency = 16 }: { oneAtATime?: readonly string[]; concurrency?: number } = {},
  ) {
    this.concurrency = concurrency;
    this.database = database;
    this.clock = clock;
    this.log = log;
    this.handlers = handlers;
    this.oneAtATime = oneAtATime;
    this.kinds = Object.keys(handlers).filter((kind) => !oneAtATime.includes(kind));
  }

  start(everyMilliseconds = 1000): void {
    this.stopped = false;
    this.pause = everyMilliseconds;
    this.schedulePoll();
  }

  /** A job was added that is due: no need to wait for the next look. */
  wake(): void {
    if (this.stopped) return;
    if (this.polling !== null) this.woken = true;
    else {
      if (this.timer !== null) clearTimeout(this.timer);
      this.schedulePoll();
    }
  }

  private schedulePoll(): void {
    this.woken = false;
    this.polling = this.poll()
      .catch((error) => this.log.error("jobs could not be claimed", describeError(error)))
      .finally(() => {
        this.polling = null;
        if (!this.stopped) this.timer = setTimeout(() => this.schedulePoll(), this.woken ? 0 : this.pause);
      });
  }

  private async poll(): Promise<void> {
    // A job that takes long keeps its place; the others go on beside it.
    while (!this.stopped && this.running.size < this.concurrency && (await this.claimSome()) > 0)
      await Promise.race([...this.running, undefined]);
  }

  /** Runs everything that is due now and waits for it; answers how many jobs ran. */
  async runDue(): Promise<number> {
    let ran = 0;
    for (;;) {
      const claimed = await this.claimSome();
      ran += claimed;
      if (claimed === 0 && this.running.size === 0) return ran;
      await Promise.race(this.running);
    }
  }

  /** Takes as many due jobs as there are free slots and starts them. */
  private async claimSome(): Promise<number> {
    const free = this.concurrency - this.running.size;
    if (free <= 0) return 0;
    const lone = this.oneAtATime.filter((kind) => !this.busy.has(kind));
    const claims = [this.claimDue(this.kinds, free), ...lone.map((kind) => this.claimDue([kind], 1))];
    const rows = (await Promise.all(claims)).flat();
    this.lastPollAt = Date.now();
    for (const [id, kind, payload, fence, attempts] of rows) {
      const job = this.run(Number(id), kind as string, payload as string, Number(fence), Number(attempts));
      this.running.add(job);
      const isLone = this.oneAtATime.includes(kind as string);
      if (isLone) this.busy.add(kind as string);
      void job.finally(() => {
        this.running.delete(job);
        if (isLone) {
          this.busy.delete(kind as string);
          this.wake();
        }
      });
    }
    return rows.length;
  }

  private claimDue(kinds: readonly string[], most: number): Promise<Row[]> {
    return this.database.read(claimDueJobs, [this.clock.now().toISOString(), kinds, most]);
  }

  private async run(id: number, kind: string, payload: string, fence: number, attempts: number): Promise<void> {
    const heart = setInterval(
      () => void this.database.read(renewLease, [id, fence]).catch(() => {}),
      (leaseSeconds * 1000) / 3,
    );
    try {
      await this.handlers[kind]?.(JSON.parse(payload) as never, { id, fence, attempts });
      await this.database.read(deleteDoneJob, [id, fence]);
    } catch (error) {
      this.log.error(`job ${kind} failed`, { id, attempts, ...describeError(error) });
      const next = new Date(this.clock.now().getTime() + getRetryDelaySeconds(attempts) * 1000).toISOString();
      await this.database
        .read(rescheduleJob, [id, fence, next, describeReason(error)])
        .catch((failure) => this.log.error(`job ${kind} could not be put back`, { id, ...describeError(failure) }));
    } finally {
      clearInterval(heart);
    }
  }

  /** Takes no further job and waits for those that run. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.polling;
    await Promise.all(this.running);
  }
}

/** Whatever was thrown, as text that can be stored. */
const describeReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").toWellFormed().slice(0, 500);
