import { Overloaded } from "../../base/errors.ts";
import {
  Connection,
  type ConnectionSettings,
  defaultSettings,
  type Row,
  type Statement,
  type Value,
} from "../../postgres/connection.ts";
import { isCanceled } from "../../postgres/database-errors.ts";
import type { ConnectionCounts } from "./connection-counts.ts";
import { CostEstimates } from "./cost-estimates.ts";
import { ExpensiveLane, type LaneLimits, type ReadOwner } from "./expensive-lane.ts";
import { lowerPriority } from "./lower-priority.ts";
import { SnapshotLane } from "./snapshot-lane.ts";

// Connections for reads, in lanes by expected cost (D-180). A read never waits for one of a more expensive lane:
//
//   quick       rows by their key: by id, by token, jobs. Pipelined, not limited per person.
//   list        lists that were fast in this account so far, and those of small tables. Pipelined. A list that takes longer
//               than expected is canceled and runs again in the next lane.
//   expensive   searches, totals, and lists that are slow or unknown. One statement per connection, shared fairly.
//   snapshot    exports. A connection each, for minutes.

/** "low": fast by declaration; "unknown": as fast as it was so far; "high": expensive by declaration */
export type ReadCost = "low" | "unknown" | "high";

const maxPipelinedQuick = 1000;
const maxPipelinedList = 16;
/** A quick connection whose statement runs longer gets no further ones while others are free. */
const quickStall = 15;
const listStall = 250;
/** Lists that take longer, in milliseconds, are expensive. */
const maxListCost = 250;
const listSettings: ConnectionSettings = { statementTimeout: 1000 };
// One expensive read uses one core at most.
const expensiveSettings: ConnectionSettings = {
  statementTimeout: 30_000,
  session: "SET max_parallel_workers_per_gather TO 0;",
  onOpen: lowerPriority,
};
/** One connection is left to other people, and one to other accounts, where there are several. */
const limitExpensive = (connections: number): LaneLimits => ({
  connections,
  perPerson: Math.max(1, Math.min(2, connections - 1)),
  perAccount: Math.max(1, Math.min(3, connections - 1)),
  waiting: 400,
  waitingPerPerson: 100,
  wait: 15_000,
});

const cancelBackend: Statement = { text: "SELECT pg_cancel_backend($1)", name: "cancel_backend" };

export type LaneCounts = Omit<ConnectionCounts, "writers">;

export class ReadLanes {
  private readonly quick: readonly Connection[];
  private readonly lists: readonly Connection[];
  private readonly expensive: ExpensiveLane;
  private readonly estimates = new CostEstimates();
  private readonly snapshots: SnapshotLane;

  constructor(url: string, counts: LaneCounts) {
    const open = (count: number, settings: ConnectionSettings) =>
      Array.from({ length: count }, () => new Connection(url, settings));
    this.quick = open(counts.readers, defaultSettings);
    this.lists = open(counts.lists, listSettings);
    this.expensive = new ExpensiveLane(url, expensiveSettings, limitExpensive(counts.expensive), (backend) =>
      this.readQuickly(cancelBackend, [backend], "UTC"),
    );
    this.snapshots = new SnapshotLane(url, expensiveSettings, counts.snapshots);
  }

  readQuickly(statement: Statement, values: readonly Value[], zone: string): Promise<Row[]> {
    const now = performance.now();
    let chosen = this.quick[0] as Connection;
    let least = Number.POSITIVE_INFINITY;
    for (const connection of this.quick) {
      const load = connection.pending + (connection.getRunningTime(now) > quickStall ? maxPipelinedQuick : 0);
      if (load < least) [chosen, least] = [connection, load];
    }
    if (chosen.pending >= maxPipelinedQuick) return Promise.reject(new Overloaded("too many reads wait"));
    return chosen.query(statement, values, zone);
  }

  async warmUp(statement: Statement, values: readonly Value[]): Promise<void> {
    await Promise.all(this.quick.map((connection) => connection.query(statement, values, "UTC")));
  }

  async readMany(statement: Statement, values: readonly Value[], owner: ReadOwner, cost: ReadCost): Promise<Row[]> {
    const observe = (milliseconds: number) => this.estimates.observe(statement.text, owner.account, milliseconds);
    const connection = this.isCheap(statement, owner, cost) ? this.pickListConnection() : null;
    if (connection !== null)
      try {
        return await connection.query(statement, values, owner.zone, undefined, { observe, memory: owner.memory });
      } catch (error) {
        if (!isCanceled(error)) throw error;
        // The reads behind it are not expected to be slow, but would wait for their own limit if they are of the same list.
        connection.abandon();
      }
    return this.expensive.read(owner, statement, values, observe);
  }

  private isCheap({ text }: Statement, { account }: ReadOwner, cost: ReadCost): boolean {
    if (cost === "high") return false;
    const estimate = this.estimates.get(text, account);
    return estimate === undefined ? cost === "low" : estimate <= maxListCost;
  }

  /** Null: all are busy, and the read waits in the fair queue instead. */
  private pickListConnection(): Connection | null {
    const now = performance.now();
    let chosen: Connection | null = null;
    for (const connection of this.lists)
      if (connection.pending < (chosen?.pending ?? maxPipelinedList) && connection.getRunningTime(now) <= listStall)
        chosen = connection;
    return chosen;
  }

  withSnapshotConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.snapshots.use(work);
  }

  retire(): void {
    for (const connection of [...this.quick, ...this.lists]) connection.retire();
    this.expensive.retire();
    this.snapshots.retire();
  }

  /** Gives the server up: everything pending fails. Exports have a connection each, which notices by itself. */
  abandon(): void {
    for (const connection of [...this.quick, ...this.lists]) connection.abandon("08006");
    this.expensive.abandon();
  }

  async close(): Promise<void> {
    await Promise.all([
      ...[...this.quick, ...this.lists].map((connection) => connection.close()),
      this.expensive.close(),
      this.snapshots.close(),
    ]);
  }
}
