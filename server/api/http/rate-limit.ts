import type { Clock } from "../../base/clock.ts";

// Per person or client address: a fixed window of an hour that begins with the first request, and a burst limit.

export type RateLimits = { perHour: number; burst: { requests: number; seconds: number } | null };
export type RateLimitStatus = { limit: number; remaining: number; reset: number; retryAfter: number | null };

/** The interface in the browser makes many small calls for one person: its tokens have a bucket of their own. */
export const forBrowserSession = ({ perHour, burst }: RateLimits): RateLimits => ({
  perHour: perHour === 0 ? 0 : Math.max(perHour, 20_000),
  burst: burst === null ? null : { requests: Math.max(burst.requests, 100), seconds: 2 },
});

export const windowSeconds = 3600;
const unlimited = 2_147_483_647;

type RateWindow = { start: number; count: number; recent: number[]; next: number };

/** The values of the three X-RateLimit headers. */
export function buildRateLimitStatus(
  { perHour }: RateLimits,
  window: Pick<RateWindow, "start" | "count">,
  now: number,
): RateLimitStatus {
  if (perHour === 0)
    return { limit: unlimited, remaining: unlimited, reset: Math.floor(now / 1000) + windowSeconds, retryAfter: null };
  return {
    limit: perHour,
    remaining: Math.max(0, perHour - window.count),
    reset: Math.floor(window.start / 1000) + windowSeconds,
    retryAfter: null,
  };
}

/** How long a client waits for the next window. */
export const secondsUntilEnd = (start: number, now: number): number =>
  Math.max(1, Math.ceil((start + windowSeconds * 1000 - now) / 1000));

export class RateLimiter {
  private readonly windows = new Map<string, RateWindow>();
  private readonly lastStatusCalls = new Map<string, number>();
  private readonly clock: Clock;
  private readonly limits: RateLimits;
  private lastSweep = 0;

  constructor(clock: Clock, limits: RateLimits) {
    this.clock = clock;
    this.limits = limits;
  }

  /** Counts one request; `retryAfter` is set when it exceeds a limit. */
  count(key: string, limits = this.limits): RateLimitStatus {
    const now = this.clock.now().getTime();
    const window = this.window(key, now);
    window.count++;
    const status = buildRateLimitStatus(limits, window, now);
    const { perHour, burst } = limits;
    if (perHour > 0 && window.count > perHour) return { ...status, retryAfter: secondsUntilEnd(window.start, now) };
    if (burst !== null) {
      const oldest = window.recent[window.next] ?? Number.NEGATIVE_INFINITY;
      const freeAt = oldest + burst.seconds * 1000;
      // A clock that was set back must not block the client.
      if (freeAt > now && oldest <= now)
        return { ...status, retryAfter: Math.max(1, Math.ceil((freeAt - now) / 1000)) };
      window.recent[window.next] = now;
      window.next = (window.next + 1) % burst.requests;
    }
    return status;
  }

  /** Counts the points of a call, unless they exceed those of an hour: then `retryAfter` is set. */
  spend(key: string, points: number, perHour: number): RateLimitStatus {
    const now = this.clock.now().getTime();
    const window = this.window(key, now);
    const isRefused = perHour > 0 && window.count + points > perHour;
    if (!isRefused) window.count += points;
    const status = buildRateLimitStatus({ perHour, burst: null }, window, now);
    return isRefused ? { ...status, retryAfter: secondsUntilEnd(window.start, now) } : status;
  }

  /** Reading the status is not counted and begins no window. It is allowed once a second. */
  status(key: string, limits = this.limits): RateLimitStatus {
    const now = this.clock.now().getTime();
    const current = this.windows.get(key);
    const isOver = current === undefined || now - current.start >= windowSeconds * 1000 || now < current.start;
    const status = buildRateLimitStatus(limits, isOver ? { start: now, count: 0 } : current, now);
    const last = this.lastStatusCalls.get(key) ?? Number.NEGATIVE_INFINITY;
    if (limits.perHour > 0 && now - last < 1000 && now >= last) return { ...status, retryAfter: 1 };
    this.lastStatusCalls.set(key, now);
    return status;
  }

  /** The counts that move to the database when a second process starts. */
  getOpenWindows(): { key: string; start: number; count: number }[] {
    const now = this.clock.now().getTime();
    return [...this.windows]
      .filter(([, window]) => now - window.start < windowSeconds * 1000)
      .map(([key, { start, count }]) => ({ key, start, count }));
  }

  private window(key: string, now: number): RateWindow {
    this.sweep(now);
    let window = this.windows.get(key);
    if (window === undefined || now - window.start >= windowSeconds * 1000 || now < window.start) {
      window = {
        start: now,
        count: 0,
        recent: window?.recent ?? [],
        next: window?.next ?? 0,
      };
      this.windows.set(key, window);
    }
    return window;
  }

  /** Deletes expired windows, so that requests from many addresses cannot exhaust the memory. */
  private sweep(now: number): void {
    const interval = this.windows.size + this.lastStatusCalls.size < 100_000 ? 60_000 : 1000;
    if (Math.abs(now - this.lastSweep) < interval) return;
    this.lastSweep = now;
    for (const [key, last] of this.lastStatusCalls) if (now - last >= 1000) this.lastStatusCalls.delete(key);
    for (const [key, window] of this.windows) if (now - window.start >= windowSeconds * 1000) this.windows.delete(key);
  }
}
