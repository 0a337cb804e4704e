import type { Clock } from "../../base/clock.ts";
import { describeError, type Log } from "../../base/log.ts";
import { type Database, type Row, statement } from "../../database/database.ts";
import { isListenerSql } from "../../schema/compatible-programs.ts";
import {
  buildRateLimitStatus,
  RateLimiter,
  type RateLimitStatus,
  type RateLimits,
  secondsUntilEnd,
  windowSeconds,
} from "./rate-limit.ts";

// A single process counts requests in memory. Once a second process serves the same database, both count in the database:
// one statement per request, exact under concurrency. The counts in memory are transferred.

const countProcesses = statement(
  `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND ${isListenerSql}`,
);

const isWindowOver = "($2::timestamptz >= w.started_at + interval '1 hour' OR $2::timestamptz < w.started_at)";
const exceedsWindow = `(NOT ${isWindowOver} AND $3::integer > 0 AND w.count >= $3)`;
// `recent` holds the latest accepted requests: the burst is exhausted while the oldest of them is recent enough.
const oldestRecent = "w.recent[$4::integer]";
const exceedsBurst = `($4 > 0 AND ${oldestRecent} IS NOT NULL AND ${oldestRecent} + $5::integer * interval '1 second' > $2 AND ${oldestRecent} <= $2)`;
const countInDatabase = statement(
  `INSERT INTO rate_windows AS w (key, started_at, count, recent, free_at) VALUES ($1, $2, 1, ARRAY[$2::timestamptz], NULL)
ON CONFLICT (key) DO UPDATE SET
  started_at = CASE WHEN ${isWindowOver} THEN $2 ELSE w.started_at END,
  count = CASE WHEN ${isWindowOver} THEN 1 ELSE w.count + 1 END,
  recent = CASE WHEN ${exceedsWindow} OR ${exceedsBurst} OR $4 = 0 THEN w.recent ELSE (array_prepend($2::timestamptz, w.recent))[1:$4] END,
  free_at = CASE WHEN ${exceedsWindow} THEN w.started_at + interval '1 hour' WHEN ${exceedsBurst} THEN ${oldestRecent} + $5 * interval '1 second' END
RETURNING extract(epoch FROM started_at) * 1000, count, extract(epoch FROM free_at) * 1000`,
);
// A call that exceeds the points of the hour is not counted.
const exceedsPoints = `(CASE WHEN ${isWindowOver} THEN 0 ELSE w.count END + $3::integer > $4::integer)`;
const spendInDatabase = statement(
  `INSERT INTO rate_windows AS w (key, started_at, count, recent, free_at)
SELECT $1, $2, CASE WHEN $3::integer > $4::integer THEN 0 ELSE $3 END, '{}', CASE WHEN $3 > $4 THEN $2::timestamptz END
ON CONFLICT (key) DO UPDATE SET
  started_at = CASE WHEN ${isWindowOver} THEN $2 ELSE w.started_at END,
  count = CASE WHEN ${isWindowOver} THEN 0 ELSE w.count END + CASE WHEN ${exceedsPoints} THEN 0 ELSE $3 END,
  free_at = CASE WHEN ${exceedsPoints} THEN $2::timestamptz END
RETURNING extract(epoch FROM started_at) * 1000, count, extract(epoch FROM free_at) * 1000`,
);
const selectWindow = statement("SELECT extract(epoch FROM started_at) * 1000, count FROM rate_windows WHERE key = $1");
const mergeWindows = statement(
  `INSERT INTO rate_windows AS w (key, started_at, count, recent) SELECT key, to_timestamp(started), n, '{}' FROM unnest($1::text[], $2::double precision[], $3::integer[]) AS t (key, started, n)
ON CONFLICT (key) DO UPDATE SET count = w.count + excluded.count, started_at = least(w.started_at, excluded.started_at)`,
);
export class SharedRateLimiter {
  /** for requests that are refused synchronously, and while this is the only process */
  readonly local: RateLimiter;
  private readonly database: Database;
  private readonly clock: Clock;
  readonly limits: RateLimits;
  private readonly pointsPerHour: number;
  private readonly log: Log;
  private isShared = false;
  private timer: NodeJS.Timeout | null = null;

  /** `pointsPerHour`: what calls of the graph may cost; 0: unlimited */
  constructor(database: Database, clock: Clock, limits: RateLimits, log: Log, pointsPerHour = 0) {
    this.pointsPerHour = pointsPerHour;
    this.database = database;
    this.clock = clock;
    this.limits = limits;
    this.log = log;
    this.local = new RateLimiter(clock, limits);
  }

  /** Checks for other processes in intervals. */
  async start(everyMilliseconds = 1000): Promise<void> {
    if (this.limits.perHour === 0 && this.limits.burst === null && this.pointsPerHour === 0) return;
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
      this.isShared = true; // never switched back: the processes would have to agree on the moment
      const windows = this.local.getOpenWindows();
      await this.database.change(mergeWindows, [
        windows.map(({ key }) => key),
        windows.map(({ start }) => start / 1000),
        windows.map((window) => window.count),
      ]);
    } catch (error) {
      this.log.error("other processes could not be looked for", describeError(error));
    }
  }

  /** Counts one request; `retryAfter` is set when it exceeds a limit. */
  count(key: string, limits = this.limits): RateLimitStatus | Promise<RateLimitStatus> {
    const isUnlimited = limits.perHour === 0 && limits.burst === null;
    return this.isShared && !isUnlimited ? this.countShared(key, limits) : this.local.count(key, limits);
  }

  private async countShared(key: string, limits: RateLimits): Promise<RateLimitStatus> {
    const now = this.clock.now();
    const { perHour, burst } = limits;
    const [row] = await this.database.change(countInDatabase, [
      key,
      now.toISOString(),
      perHour,
      burst?.requests ?? 0,
      burst?.seconds ?? 0,
    ]);
    const [started, counted, freeAt] = row as Row;
    const status = buildRateLimitStatus(limits, { start: Number(started), count: Number(counted) }, now.getTime());
    if (freeAt === null || freeAt === undefined) return status;
    return { ...status, retryAfter: Math.max(1, Math.ceil((Number(freeAt) - now.getTime()) / 1000)) };
  }

  /** Counts the points of a call of the graph, unless they exceed those of an hour: then `retryAfter` is set. */
  spend(key: string, points: number): RateLimitStatus | Promise<RateLimitStatus> {
    const { pointsPerHour } = this;
    return this.isShared && pointsPerHour > 0
      ? this.spendShared(key, points, pointsPerHour)
      : this.local.spend(key, points, pointsPerHour);
  }

  private async spendShared(key: string, points: number, perHour: number): Promise<RateLimitStatus> {
    const now = this.clock.now();
    const [row] = await this.database.change(spendInDatabase, [key, now.toISOString(), points, perHour]);
    const [started, counted, freeAt] = row as Row;
    const start = Number(started);
    const limits = { perHour, burst: null };
    const status = buildRateLimitStatus(limits, { start, count: Number(counted) }, now.getTime());
    return freeAt === null ? status : { ...status, retryAfter: secondsUntilEnd(start, now.getTime()) };
  }

  /** Reading the status is not counted. It is allowed once a second per process. */
  async status(key: string, limits = this.limits): Promise<RateLimitStatus> {
    const localStatus = this.local.status(key, limits);
    if (!this.isShared) return localStatus;
    const [row] = await this.database.read(selectWindow, [key]);
    const now = this.clock.now().getTime();
    const isOver = row === undefined || now - Number(row[0]) >= windowSeconds * 1000;
    const status = buildRateLimitStatus(
      limits,
      isOver ? { start: now, count: 0 } : { start: Number(row[0]), count: Number(row[1]) },
      now,
    );
    return { ...status, retryAfter: localStatus.retryAfter };
  }
}
