import type { Clock } from "../../base/clock.ts";
import { describeError, type Log } from "../../base/log.ts";
import { type Database, type Row, statement } from "../../storage/database.ts";
import {
  buildRateLimitStatus,
  RateLimiter,
  type RateLimitStatus,
  type RateLimits,
  windowSeconds,
} from "./rate-limit.ts";

// One process counts in its memory. As soon as a second one serves the same database, both count in the database
// instead: one statement per request, exact under concurrency. What was counted before is handed over.

const countProcesses = statement(
  "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'steward listener'",
);

const over = "($2::timestamptz >= w.started_at + interval '1 hour' OR $2::timestamptz < w.started_at)";
const tooMany = `(NOT ${over} AND $3::integer > 0 AND w.count >= $3)`;
// The burst is full when as many requests as it allows were let through within its seconds.
const oldest = "w.recent[$4::integer]";
const tooFast = `($4 > 0 AND ${oldest} IS NOT NULL AND ${oldest} + $5::integer * interval '1 second' > $2 AND ${oldest} <= $2)`;
const countInDatabase = statement(
  `INSERT INTO rate_windows AS w (key, started_at, count, recent, free_at) VALUES ($1, $2, 1, ARRAY[$2::timestamptz], NULL)
ON CONFLICT (key) DO UPDATE SET
  started_at = CASE WHEN ${over} THEN $2 ELSE w.started_at END,
  count = CASE WHEN ${over} THEN 1 ELSE w.count + 1 END,
  recent = CASE WHEN ${tooMany} OR ${tooFast} OR $4 = 0 THEN w.recent ELSE (array_prepend($2::timestamptz, w.recent))[1:$4] END,
  free_at = CASE WHEN ${tooMany} THEN w.started_at + interval '1 hour' WHEN ${tooFast} THEN ${oldest} + $5 * interval '1 second' END
RETURNING extract(epoch FROM started_at) * 1000, count, extract(epoch FROM free_at) * 1000`,
);
const selectWindow = statement("SELECT extract(epoch FROM started_at) * 1000, count FROM rate_windows WHERE key = $1");
const mergeWindows = statement(
  `INSERT INTO rate_windows AS w (key, started_at, count, recent) SELECT key, to_timestamp(started), n, '{}' FROM unnest($1::text[], $2::double precision[], $3::integer[]) AS t (key, started, n)
ON CONFLICT (key) DO UPDATE SET count = w.count + excluded.count, started_at = least(w.started_at, excluded.started_at)`,
);
export class SharedRateLimiter {
  /** for requests that end before anything asynchronous can happen, and while we are the only process */
  readonly local: RateLimiter;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly limits: RateLimits;
  private readonly log: Log;
  private isShared = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(database: Database, clock: Clock, limits: RateLimits, log: Log) {
    this.database = database;
    this.clock = clock;
    this.limits = limits;
    this.log = log;
    this.local = new RateLimiter(clock, limits);
  }

  /** Looks for other processes now and then; the answer decides where the next requests are counted. */
  async start(everyMilliseconds = 1000): Promise<void> {
    if (this.limits.perHour === 0 && this.limits.burst === null) return;
    await this.detectOtherProcesses();
    if (!this.isShared) this.timer = setTimeout(() => void this.start(everyMilliseconds), everyMilliseconds).unref();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
  }

  private async detectOtherProcesses(): Promise<void> {
    try {
      const [row] = await this.database.read(countProcesses);
      if (Number(row?.[0] ?? 1) < 2) return;
      this.isShared = true; // for good: going back would need an agreement about who goes first
      const windows = this.local.getOpenWindows();
      await this.database.read(mergeWindows, [
        windows.map(({ key }) => key),
        windows.map(({ start }) => start / 1000),
        windows.map((window) => window.count),
      ]);
    } catch (error) {
      this.log.error("other processes could not be looked for", describeError(error));
    }
  }

  /** Counts one request; retryAfter is set when it is one too many. */
  count(key: string): RateLimitStatus | Promise<RateLimitStatus> {
    return this.isShared ? this.countShared(key) : this.local.count(key);
  }

  private async countShared(key: string): Promise<RateLimitStatus> {
    const now = this.clock.now();
    const { perHour, burst } = this.limits;
    const [row] = await this.database.read(countInDatabase, [
      key,
      now.toISOString(),
      perHour,
      burst?.requests ?? 0,
      burst?.seconds ?? 0,
    ]);
    const [started, counted, freeAt] = row as Row;
    const standing = buildRateLimitStatus(
      this.limits,
      { start: Number(started), count: Number(counted) },
      now.getTime(),
    );
    if (freeAt === null || freeAt === undefined) return standing;
    return { ...standing, retryAfter: Math.max(1, Math.ceil((Number(freeAt) - now.getTime()) / 1000)) };
  }

  /** The status call costs nothing, begins no window, and may be made once a second (and process). */
  async status(key: string): Promise<RateLimitStatus> {
    const own = this.local.status(key);
    if (!this.isShared) return own;
    const [row] = await this.database.read(selectWindow, [key]);
    const now = this.clock.now().getTime();
    const isOver = row === undefined || now - Number(row[0]) >= windowSeconds * 1000;
    const standing = buildRateLimitStatus(
      this.limits,
      isOver ? { start: now, count: 0 } : { start: Number(row[0]), count: Number(row[1]) },
      now,
    );
    return { ...standing, retryAfter: own.retryAfter };
  }
}
