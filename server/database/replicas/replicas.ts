import type { Statement, Value } from "../../postgres/connection.ts";
import type { LaneCounts, ReadLanes } from "../lanes/read-lanes.ts";
import { Replica } from "./replica.ts";

// Chooses a replica for a read of many rows. It must contain everything that any process committed before the read began:
// the primary is asked for its position in the log, and a replica is used only if it has replayed that much (D-603). So a
// client always reads its own writes.

/** Commits that wait for the disk are flushed before they are acknowledged; otherwise the end of the log counts. */
const selectPosition: Statement = {
  text: `SELECT pg_wal_lsn_diff(CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn()
ELSE pg_current_wal_flush_lsn() END, '0/0')`,
  name: "select_position",
};
const noValues: readonly Value[] = [];

export class Replicas {
  private readonly primary: ReadLanes;
  private readonly replicas: readonly Replica[];
  private isStarted = false;
  private turn = 0;
  private asking: Promise<bigint> | null = null;

  constructor(urls: readonly string[], primary: ReadLanes, counts: LaneCounts) {
    this.primary = primary;
    this.replicas = urls.map((url) => new Replica(url, counts));
  }

  /** Null: the primary has to answer. */
  async pick(): Promise<Replica | null> {
    if (!this.isStarted) {
      this.isStarted = true;
      for (const replica of this.replicas) replica.start();
    }
    if (!this.replicas.some((replica) => replica.isUsable)) return null;
    const position = await this.askPosition().catch(() => null);
    if (position === null) return null; // a read of the primary says why
    this.turn = (this.turn + 1) % this.replicas.length;
    const inTurn = [...this.replicas.slice(this.turn), ...this.replicas.slice(0, this.turn)];
    const fresh = inTurn.find((replica) => replica.hasReplayed(position));
    if (fresh !== undefined) return fresh;
    const next = inTurn.find((replica) => replica.isUsable);
    return next !== undefined && (await next.reach(position)) ? next : null;
  }

  /** Simultaneous reads share a query for the position; a read that comes while one is pending needs another. */
  private askPosition(): Promise<bigint> {
    this.asking ??= Promise.resolve().then(async () => {
      this.asking = null;
      const [row] = await this.primary.readQuickly(selectPosition, noValues, "UTC");
      return BigInt(row?.[0] as string);
    });
    return this.asking;
  }

  async close(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }
}
