import type { Statement } from "../../postgres/connection.ts";
import { type LaneCounts, ReadLanes } from "../lanes/read-lanes.ts";

// One read replica: how far it has replayed the log of the primary, and its connections. It is polled several times a
// second, and not used after a second without a response, until it responds again.

const askInterval = 250;
const maxSilence = 1000;
/** How long a read waits for a replica to reach what it must contain; then the primary answers. */
const maxWait = 30;
const waitPause = 2;

/**
 * Null from a server that replays nothing: it was promoted, or lost the server that it follows. A replica that has replayed
 * what its new primary never had would otherwise look fresh after a failover.
 */
const selectReplayed: Statement = {
  text: `SELECT CASE WHEN pg_is_in_recovery() AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver WHERE status IS NULL OR status = 'streaming')
THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') END`,
  name: "select_replayed",
};

export class Replica {
  readonly lanes: ReadLanes;
  private replayed: bigint | null = null;
  private answeredAt = Number.NEGATIVE_INFINITY;
  private asking: { since: number; answer: Promise<void> } | null = null;
  private timer: NodeJS.Timeout | null = null;

  /** A replica allows as many connections as its primary, so the same counts fit. */
  constructor(url: string, counts: LaneCounts) {
    this.lanes = new ReadLanes(url, { ...counts, readers: 1 });
  }

  start(): void {
    this.timer ??= setInterval(() => this.watch(), askInterval).unref();
    this.watch();
  }

  /** It replays the log, and has said so within the last second. */
  get isUsable(): boolean {
    return this.replayed !== null && performance.now() - this.answeredAt < maxSilence;
  }

  hasReplayed(position: bigint): boolean {
    return this.isUsable && (this.replayed as bigint) >= position;
  }

  /** False: it takes too long. */
  async reach(position: bigint): Promise<boolean> {
    for (const end = performance.now() + maxWait; !this.hasReplayed(position); ) {
      const left = end - performance.now();
      if (left <= 0 || !this.isUsable) return false;
      await Promise.race([this.ask(), pause(left)]);
      if (!this.hasReplayed(position)) await pause(waitPause);
    }
    return true;
  }

  /** After an error: not used until it answers again. */
  leaveOut(): void {
    this.replayed = null;
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    await this.lanes.close();
  }

  private watch(): void {
    void this.ask();
    // Reads that it has begun would wait for its timeout: they fail now, and the primary answers them.
    if (this.asking !== null && performance.now() - this.asking.since > maxSilence) this.lanes.abandon();
  }

  private ask(): Promise<void> {
    this.asking ??= {
      since: performance.now(),
      answer: this.lanes
        .readQuickly(selectReplayed, [], "UTC")
        .then(
          ([row]) => {
            const text = row?.[0] ?? null;
            this.replayed = text === null ? null : BigInt(text as string);
            this.answeredAt = performance.now();
          },
          () => this.leaveOut(),
        )
        .finally(() => {
          this.asking = null;
        }),
    };
    return this.asking.answer;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resume) => setTimeout(resume, milliseconds));
