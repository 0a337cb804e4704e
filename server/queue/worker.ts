import type { Clock } from "../base/clock.ts";
import { describeError, type Log } from "../base/log.ts";
import { getRetryDelaySeconds } from "../base/retry-delay.ts";
import { leaveSpan, withSpan } from "../base/tracing/spans.ts";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { type Database, type Row, statement } from "../database/database.ts";
import { parsePayload } from "./jobs.ts";

// Claims due jobs under a lease and runs them. A job of a crashed process is claimed again when its lease expires; the
// fence prevents a slow process from finishing a job that another one has taken over. Our clock decides what is due, the
// clock of the database what is leased.

/** The claimed row of a running job. */
export type JobClaim = { id: number; fence: number; attempts: number };
export type JobHandler = (payload: never, claim: JobClaim) => Promise<void>;
/** Runs several jobs of a kind together. If that fails, each of them runs alone. */
export type JobsHandler = (payloads: never[]) => Promise<void>;

/** How many jobs of a kind run together at most. */
const maxTogether = 100;

const leaseSeconds = 5;
/**
 * A job that fails this often is dead: with the pauses that is a week, longer than any handler keeps trying by itself (emails
 * for five days). Crashes count as attempts, so that a job that kills the process ends, too.
 */
export const maxAttempts = 180;

const claimDueJobs = statement(
  `UPDATE jobs SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds', fence = fence + 1, attempts = attempts + 1
WHERE id IN (SELECT id FROM jobs WHERE run_at <= $1 AND dead_at IS NULL AND kind = ANY($2::text[]) AND (leased_until IS NULL OR leased_until < clock_timestamp())
  ORDER BY run_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING id, kind, payload, fence, attempts`,
);
/** Kinds whose jobs run one after another, with a job that is due. */
const selectDueKinds = statement(
  "SELECT DISTINCT kind FROM jobs WHERE kind = ANY($2::text[]) AND run_at <= $1 AND dead_at IS NULL",
);
/** None while another process runs one of the kind. Under a lock: two processes must not take the first and the second. */
const claimNextJob = statement(
  `UPDATE jobs SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds', fence = fence + 1, attempts = attempts + 1
WHERE id = (SELECT id FROM jobs WHERE kind = $2 AND run_at <= $1 AND dead_at IS NULL ORDER BY run_at, id LIMIT 1)
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = $2 AND leased_until >= clock_timestamp())
RETURNING id, kind, payload, fence, attempts`,
);
const renewLeases = statement(
  `UPDATE jobs SET leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
FROM unnest($1::integer[], $2::integer[]) AS held (id, fence) WHERE jobs.id = held.id AND jobs.fence = held.fence`,
);
const deleteDoneJobs = statement(
  "DELETE FROM jobs USING unnest($1::integer[], $2::integer[]) AS done (id, fence) WHERE jobs.id = done.id AND jobs.fence = done.fence",
);
const rescheduleJob = statement(
  "UPDATE jobs SET leased_until = NULL, run_at = $3, last_error = $4 WHERE id = $1 AND fence = $2",
);

const markDead = statement(
  "UPDATE jobs SET leased_until = NULL, dead_at = $3, last_error = $4 WHERE id = $1 AND fence = $2",
);

type WorkerOptions = {
  oneAtATime?: readonly string[];
  together?: Readonly<Record<string, JobsHandler>>;
  concurrency?: number;
};
type ClaimedJob = { kind: string; payload: string; claim: JobClaim };

export class Worker {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly handlers: Readonly<Record<string, JobHandler>>;
  private readonly kinds: readonly string[];
  private readonly oneAtATime: readonly string[];
  private readonly together: Readonly<Record<string, JobsHandler>>;
  private readonly busy = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private polling: Promise<void> | null = null;
  private readonly running = new Set<Promise<void>>();
  private stopped = true;
  private pause = 1000;
  private woken = false;
  /** the last claim filled all slots: there may be more to do */
  private isFull = false;
  private readonly concurrency: number;
  /** `performance.now()` of the last successful claim, for the readiness check; set back or forward clocks do not matter */
  lastPollAt = Number.NEGATIVE_INFINITY;

  /**
   * `oneAtATime`: kinds whose jobs run sequentially, by due time; `together`: kinds whose due jobs run as one, and those that
   * become due meanwhile as the next one; `concurrency`: how many other jobs run at a time
   */
  constructor(
    database: Database,
    clock: Clock,
    log: Log,
    handlers: Readonly<Record<string, JobHandler>>,
    { oneAtATime = [], together = {}, concurrency = 16 }: WorkerOptions = {},
  ) {
    this.concurrency = concurrency;
    this.database = database;
    this.clock = clock;
    this.log = log;
    this.handlers = handlers;
    this.oneAtATime = oneAtATime;
    this.together = together;
    this.kinds = Object.keys(handlers).filter((kind) => !oneAtATime.includes(kind) && !(kind in together));
  }

  start(everyMilliseconds = 1000): void {
    this.stopped = false;
    this.pause = everyMilliseconds;
    this.schedulePoll();
  }

  /** Polls immediately, for a job that was added and is due. */
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
    this.polling = leaveSpan(() => this.poll())
      .catch((error) => this.log.error("jobs could not be claimed", describeError(error)))
      .finally(() => {
        this.polling = null;
        if (!this.stopped) this.timer = setTimeout(() => this.schedulePoll(), this.woken ? 0 : this.pause);
      });
  }

  private async poll(): Promise<void> {
    // A long job keeps its slot while others run.
    while (!this.stopped && this.running.size < this.concurrency && (await this.claimSome()) > 0)
      await Promise.race([...this.running, undefined]);
  }

  /** Runs everything that is due now, waits for it and returns the number of jobs. */
  async runDue(): Promise<number> {
    let ran = 0;
    for (;;) {
      // Jobs that the timer's poll has claimed must count as running, and a job that ends during the claim may have added others.
      await this.polling;
      const wasIdle = this.running.size === 0;
      const claimed = await this.claimSome();
      ran += claimed;
      if (claimed === 0 && wasIdle && this.running.size === 0 && this.polling === null) return ran;
      if (this.running.size > 0) await Promise.race(this.running);
    }
  }

  /** Claims and starts as many due jobs as there are free slots. */
  private async claimSome(): Promise<number> {
    const free = this.concurrency - this.running.size;
    if (free <= 0) return 0;
    const idle = (kinds: readonly string[]) => kinds.filter((kind) => !this.busy.has(kind));
    const [several, next, ...groups] = await Promise.all([
      this.claimDue(this.kinds, free),
      this.claimSequential(idle(this.oneAtATime)),
      ...idle(Object.keys(this.together)).map((kind) => this.claimDue([kind], maxTogether)),
    ]);
    this.lastPollAt = performance.now();
    this.isFull = several.length >= free;
    for (const job of several) this.launch(this.run(job));
    for (const job of next) this.launch(this.run(job), job.kind);
    for (const jobs of groups) if (jobs[0] !== undefined) this.launch(this.runTogether(jobs), jobs[0].kind);
    return [several, next, ...groups].flat().length;
  }

  /** `busyKind`: no other job of the kind is claimed meanwhile */
  private launch(job: Promise<void>, busyKind: string | null = null): void {
    this.running.add(job);
    if (busyKind !== null) this.busy.add(busyKind);
    void job.finally(() => {
      this.running.delete(job);
      if (busyKind !== null) this.busy.delete(busyKind);
      if (busyKind !== null || this.isFull) this.wake();
    });
  }

  private async claimDue(kinds: readonly string[], limit: number): Promise<ClaimedJob[]> {
    return (await this.database.change(claimDueJobs, [this.clock.now().toISOString(), kinds, limit])).map(parseClaim);
  }

  /** The next job of every kind that no process is working on. */
  private async claimSequential(kinds: readonly string[]): Promise<ClaimedJob[]> {
    if (kinds.length === 0) return [];
    const now = this.clock.now().toISOString();
    const due = await this.database.read(selectDueKinds, [now, kinds]);
    const claims = due.map(([kind]) =>
      this.database.transaction((tx) => {
        tx.send(acquireLock, [buildLockKey("claim", kind)]);
        return tx.query(claimNextJob, [now, kind as string]);
      }),
    );
    return (await Promise.all(claims)).flat().map(parseClaim);
  }

  private async run({ kind, payload, claim }: ClaimedJob): Promise<void> {
    const stopRenewing = this.keepLeases([claim]);
    try {
      if (claim.attempts > maxAttempts) throw new Error("the process ended whenever the job ran");
      const { payload: content, traceparent } = parsePayload(payload);
      const attributes = { "steward.job": claim.id, "steward.attempt": claim.attempts };
      await withSpan(`job ${kind}`, { kind: "consumer", attributes, parent: traceparent }, async () =>
        this.handlers[kind]?.(content as never, claim),
      );
      await this.database.change(deleteDoneJobs, toHeldValues([claim]));
    } catch (error) {
      await this.handleFailure(kind, claim, error);
    } finally {
      stopRenewing();
    }
  }

  /** A job that failed before runs alone: it may be the one that failed the others, or the process. */
  private async runTogether(jobs: readonly ClaimedJob[]): Promise<void> {
    const fresh = jobs.filter(({ claim }) => claim.attempts === 1);
    const stopRenewing = this.keepLeases(jobs.map(({ claim }) => claim));
    let alone: readonly ClaimedJob[] = jobs.filter((job) => !fresh.includes(job));
    try {
      const payloads = fresh.map(({ payload }) => parsePayload(payload).payload as never);
      const { kind } = jobs[0] as ClaimedJob;
      // They come from several traces, and belong to none of them.
      const span = { kind: "consumer", attributes: { "steward.jobs": payloads.length }, parent: null } as const;
      if (payloads.length > 0) await withSpan(`jobs ${kind}`, span, async () => this.together[kind]?.(payloads));
      await this.database.change(deleteDoneJobs, toHeldValues(fresh.map(({ claim }) => claim)));
    } catch (error) {
      this.log.info("jobs that failed together run one by one", { jobs: fresh.length, ...describeError(error) });
      alone = jobs;
    }
    for (const job of alone) await this.run(job);
    stopRenewing();
  }

  /** Until the function that it returns is called. */
  private keepLeases(claims: readonly JobClaim[]): () => void {
    const renew = () => void this.database.change(renewLeases, toHeldValues(claims)).catch(() => {});
    const heartbeat = setInterval(renew, (leaseSeconds * 1000) / 3);
    return () => clearInterval(heartbeat);
  }

  private async handleFailure(kind: string, { id, fence, attempts }: JobClaim, error: unknown): Promise<void> {
    const isDead = attempts >= maxAttempts;
    this.log.error(`job ${kind} failed`, { id, attempts, ...(isDead ? { dead: true } : {}), ...describeError(error) });
    const now = this.clock.now();
    const moment = isDead ? now : new Date(now.getTime() + getRetryDelaySeconds(attempts) * 1000);
    await this.database
      .change(isDead ? markDead : rescheduleJob, [id, fence, moment.toISOString(), describeReason(error)])
      .catch((failure) => this.log.error(`job ${kind} could not be put back`, { id, ...describeError(failure) }));
  }

  /** Claims nothing more and waits for running jobs. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.polling;
    await Promise.all(this.running);
  }
}

const parseClaim = ([id, kind, payload, fence, attempts]: Row): ClaimedJob => ({
  kind: kind as string,
  payload: payload as string,
  claim: { id: Number(id), fence: Number(fence), attempts: Number(attempts) },
});

const toHeldValues = (claims: readonly JobClaim[]) => [claims.map(({ id }) => id), claims.map(({ fence }) => fence)];

/** A handler may throw anything; the text must be storable. */
const describeReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll("\0", "").toWellFormed().slice(0, 500);
