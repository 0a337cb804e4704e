import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../base/errors.ts";
import { isTracing, withInnerSpan } from "../base/tracing/spans.ts";
import { Connection, type Row, type Statement, type Value } from "../postgres/connection.ts";
import { isCanceled, isConflict, isOutdatedPlan, isTransient, translateError } from "../postgres/database-errors.ts";
import { listServers } from "../postgres/servers/server-list.ts";
import { listMarkedParameters } from "../schema/layout/account-tables.ts";
import { PartitionChoice } from "../schema/layout/partition-choice.ts";
import { accessChannel, changesAccess } from "./access-changes/access-changes.ts";
import { type ConnectionCounts, fullCounts } from "./lanes/connection-counts.ts";
import type { ReadOwner } from "./lanes/expensive-lane.ts";
import { type ReadCost, ReadLanes } from "./lanes/read-lanes.ts";
import { createReadAhead, type IncludedRead, isPlainRead } from "./read-ahead.ts";
import type { Replica } from "./replicas/replica.ts";
import { Replicas } from "./replicas/replicas.ts";

export type { Batch, ReadMemory, Row, Statement, Value } from "../postgres/connection.ts";
export type { ConnectionCounts } from "./lanes/connection-counts.ts";
export type { ClientConnection } from "./lanes/expensive-lane.ts";
export type { IncludedRead } from "./read-ahead.ts";

// All SQL goes through this class. Reads are divided into lanes by their cost (lanes/read-lanes.ts); cheap ones share a few
// pipelined connections: a statement is sent without waiting for the ones before it. A transaction has its own connection,
// also pipelined, so that statements whose answers are not needed for the next one cost no round trip.

const namedStatements = new Map<string, Statement>();
const maxNamedStatements = 5000;

const nameStatement = (text: string): string => `s${createHash("sha1").update(text).digest("base64url")}`;

/** A named statement: PostgreSQL parses and plans it once per connection. */
export function statement(text: string): Statement {
  let named = namedStatements.get(text);
  if (named === undefined) {
    named = { ...unnamedStatement(text), name: nameStatement(text) };
    // The name of a text is always the same, so that nothing depends on what is kept.
    if (namedStatements.size >= maxNamedStatements) namedStatements.clear();
    namedStatements.set(text, named);
  }
  return named;
}
/** For statements that are rarely repeated: parsed each time, nothing is cached. */
export function unnamedStatement(text: string): Statement {
  const built: Statement = { text, name: "" };
  if (isPlainRead(text)) built.isPlainRead = true;
  if (changesAccess(text)) built.changesAccess = true;
  const markedParameters = listMarkedParameters(text);
  if (markedParameters !== undefined) built.markedParameters = markedParameters;
  return built;
}

/** The statement with another text that means the same, under a name of its own if it has one. */
const withText = (text: string, { markedParameters: _, ...original }: Statement): Statement => ({
  ...original,
  text,
  name: original.name === "" ? "" : nameStatement(text),
});

export type Transaction = {
  /** the database that it changes, for caches of data that is read outside of the transaction */
  readonly database: Database;
  query(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** Sends without waiting; an error surfaces at the commit. */
  send(statement: Statement, values?: readonly Value[]): void;
  /**
   * Sends a read that a later `query` of the same statement and values will want, unless a change comes between them. `included`:
   * other reads that its rows answer.
   */
  readAhead(statement: Statement, values: readonly Value[], included?: readonly IncludedRead[]): void;
  /** False: no statement of this transaction has written to the table. Absent: writes are not tracked. */
  mayHaveWritten?(table: string): boolean;
  /** bulk work: its changes send no notifications */
  readonly suppressMail?: true;
  /** Runs right before the commit; statements sent there travel with it. */
  beforeCommit(act: (tx: Pick<Transaction, "send">) => void): void;
  /** Runs after a successful commit, in this process. */
  afterCommit(act: () => void): void;
  /** Runs a part that may fail alone: only its own changes are rolled back. */
  savepoint<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
};

/** Several transactions that commit together (joint-transaction.ts). */
export type Joint = {
  /** whether statements and transactions of this database belong to it now */
  includes(database: Database): boolean;
  readonly hasBegun: boolean;
  read(statement: Statement, values: readonly Value[], zone: string): Promise<Row[]>;
  attempt<T>(work: (tx: Transaction) => Promise<T>, zone: string): Promise<T>;
  /** outside of it, and not when it is rolled back */
  afterCommit(act: () => void): void;
};

/** The joint transaction of the running call; null within its parts. */
export const currentJoint = new AsyncLocalStorage<Joint | null>();

export type WriteObstacle = "read-only" | "full";

type BeforeCommitAction = Parameters<Transaction["beforeCommit"]>[0];

const writerTimeout = 10_000; // how long a change waits for a connection
/** After a replica broke an export off, exports use the primary for so long: what they were in the way of may come again. */
const snapshotPause = 600_000;
/** How long a change that meets others is tried again: as long as one that finds no connection waits for it. */
const retryTimeout = writerTimeout;
const touchFact = statement("UPDATE instance_facts SET value = value WHERE name = 'domain'");
const begin = statement("BEGIN");
const snapshot = statement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
const commit = statement("COMMIT");
const rollback = statement("ROLLBACK");
const notifyAccessChanged = statement(`NOTIFY ${accessChannel}`);
/** By depth: a transaction that is part of a joint one has savepoints of its own. */
const savepoints = [1, 2].map((depth) => ({
  begin: statement(`SAVEPOINT part${depth}`),
  release: statement(`RELEASE SAVEPOINT part${depth}`),
  rollBack: statement(`ROLLBACK TO SAVEPOINT part${depth}`),
}));

export class Database {
  readonly url: string;
  /** everything that is read through it was written through it, as within one transaction */
  readonly isSingleTransaction: boolean = false;
  private readonly lanes: ReadLanes;
  private readonly replicas: Replicas | null;
  private snapshotsOnPrimaryUntil = 0;
  private readonly partitions = new PartitionChoice((asked, values) => this.lanes.readQuickly(asked, values, "UTC"));
  private obstacle: WriteObstacle | null = null;
  private readonly idleWriters: Connection[] = [];
  private readonly waiting: ((writer: Connection) => void)[] = [];
  private writers = 0;
  private readonly maxWriters: number;
  private closed = false;

  constructor(url: string, counts: Partial<ConnectionCounts> = {}, replicaUrls: readonly string[] = []) {
    const all = { ...fullCounts, ...counts };
    this.url = url;
    this.maxWriters = all.writers;
    this.lanes = new ReadLanes(url, all);
    this.replicas = replicaUrls.length === 0 ? null : new Replicas(replicaUrls, this.lanes, all);
  }

  /** One statement outside a transaction that finds its rows by a key; timestamps come back in the given zone. */
  read(statement: Statement, values: readonly Value[] = [], zone = "UTC"): Promise<Row[]> {
    return this.runQuickly(statement, values, zone);
  }

  /** One statement that changes a few rows, in a transaction of its own: claims, leases, progress, notifications. */
  change(statement: Statement, values: readonly Value[] = [], zone = "UTC"): Promise<Row[]> {
    return this.runQuickly(statement, values, zone);
  }

  private async runQuickly(given: Statement, values: readonly Value[], zone: string): Promise<Row[]> {
    const joint = this.findJoint();
    try {
      if (joint?.hasBegun) return await joint.read(given, values, zone);
      const statement = this.partitions.pick(given, values, withText);
      // A transaction notifies of it.
      if (statement.changesAccess)
        return await currentJoint.run(null, () => this.transaction((tx) => tx.query(statement, values), zone));
      if (!isTracing()) return await this.lanes.readQuickly(statement, values, zone);
      const run = () => this.lanes.readQuickly(statement, values, zone);
      return await withInnerSpan("statement", describeStatement(statement), run);
    } catch (error) {
      this.noteObstacle(error);
      throw translateError(error);
    }
  }

  /**
   * A statement that may read many rows, on behalf of a person. It never delays those of `read`. A replica may answer it, so
   * that it must not change anything, and no change may depend on it.
   */
  async readMany(
    statement: Statement,
    values: readonly Value[],
    owner: ReadOwner,
    cost: ReadCost = "unknown",
  ): Promise<Row[]> {
    const joint = this.findJoint();
    try {
      if (joint?.hasBegun) return await joint.read(statement, values, owner.zone);
      const replica = this.replicas === null ? null : await this.replicas.pick();
      if (replica !== null)
        try {
          const run = () => replica.lanes.readMany(statement, values, owner, cost);
          return await withInnerSpan("statement", describeStatement(statement), run);
        } catch (error) {
          if (!leaveOutReplica(replica, error)) throw error;
        }
      const run = () => this.lanes.readMany(statement, values, owner, cost);
      return await withInnerSpan("statement", describeStatement(statement), run);
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Sends a read to every connection for reads by key. */
  async warmUp(statement: Statement, values: readonly Value[]): Promise<void> {
    if (!this.closed) await this.lanes.warmUp(statement, values);
  }

  /** Whether tables are in partitions, so that a statement on one account is much cheaper than one on several (D-696). */
  get isDivided(): boolean {
    return this.partitions.isDivided;
  }

  /** Of several servers none took changes when they were asked last. */
  get isLost(): boolean {
    return listServers(this.url).isLost;
  }

  /** The reason why the last change failed, if the database is not writable at present; a probe clears it (`probeWrite`). */
  get writeObstacle(): WriteObstacle | null {
    return this.obstacle;
  }

  private noteObstacle(error: unknown): void {
    const code = (error as { code?: string }).code;
    if (code === "25006") {
      this.obstacle = "read-only";
      this.retireConnections();
    }
    if (code === "53100") this.obstacle = "full";
  }

  /** Connections to a server that became read-only would stay read-only; new ones may reach another server. */
  retireConnections(): void {
    this.lanes.retire();
    for (const writer of this.idleWriters) writer.retire();
  }

  /** Whether the database accepts changes. It writes a row, so it is called only after a change failed. */
  async probeWrite(): Promise<boolean> {
    try {
      await this.transaction((tx) => tx.query(touchFact));
      this.obstacle = null;
      return true;
    } catch {
      return false;
    }
  }

  /** All statements of the function commit together or not at all; conflicts with other transactions are retried. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, zone = "UTC"): Promise<T> {
    const joint = this.findJoint();
    const began = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        if (joint !== null) return await joint.attempt(work, zone);
        return await withInnerSpan("transaction", describeTransaction(attempt), () => this.attempt(work, zone));
      } catch (error) {
        // Within a joint transaction the statement would meet the same connection again.
        const mayRetry = isConflict(error) || (isOutdatedPlan(error) && joint === null);
        if (!mayRetry || performance.now() - began > retryTimeout) throw translateError(error);
        // A random pause keeps two conflicting transactions from meeting again.
        await sleep(Math.random() * Math.min(20 * attempt, 200));
      }
    }
  }

  private findJoint(): Joint | null {
    const joint = currentJoint.getStore() ?? null;
    return joint?.includes(this) ? joint : null;
  }

  /** Reads one state of the database for a long time, on a connection of its own lane: changes never wait for it. */
  async readSnapshot<T>(work: (tx: Transaction) => Promise<T>, zone = "UTC"): Promise<T> {
    const readFirst = async (tx: Transaction): Promise<T> => {
      await tx.query(snapshot);
      return work(tx);
    };
    const mayUseReplica = performance.now() >= this.snapshotsOnPrimaryUntil;
    const replica = this.replicas !== null && mayUseReplica ? await this.replicas.pick() : null;
    const lanes = replica?.lanes ?? this.lanes;
    try {
      return await lanes.withSnapshotConnection((connection) => this.runOn(connection, readFirst, zone));
    } catch (error) {
      // The work may have had effects, so the caller decides whether to retry it.
      if (replica !== null && leaveOutReplica(replica, error)) {
        this.snapshotsOnPrimaryUntil = performance.now() + snapshotPause;
        throw new Unavailable("the replica could not finish", { cause: error });
      }
      throw translateError(error);
    }
  }

  private async attempt<T>(work: (tx: Transaction) => Promise<T>, zone: string): Promise<T> {
    const writer = await this.checkOut();
    try {
      return await this.runOn(writer, work, zone);
    } finally {
      this.checkIn(writer);
    }
  }

  private async runOn<T>(writer: Connection, work: (tx: Transaction) => Promise<T>, zone: string): Promise<T> {
    const sent: Promise<unknown>[] = [];
    const last: BeforeCommitAction[] = [];
    const after: (() => void)[] = [];
    let isOpen = true;
    let isAccessChanged = false;
    const writes = new Set<string>();
    let failure: { error: unknown } | undefined;
    const noteFailure = (error: unknown) => {
      failure ??= { error };
    };
    const keep = <P>(promise: Promise<P>): Promise<P> => {
      promise.catch(noteFailure);
      sent.push(promise);
      return promise;
    };
    let generation: number | undefined;
    try {
      const opened = await writer.ready();
      generation = opened;
      // Statements still in progress at the end must not get into the next transaction of the connection.
      const ask = (statement: Statement, values: readonly Value[] = []) => {
        if (!isOpen) return Promise.reject(new Error("the transaction has ended"));
        isAccessChanged ||= statement.changesAccess === true;
        if (!statement.isPlainRead) writes.add(statement.text);
        return writer.query(this.partitions.pick(statement, values, withText), values, zone, opened);
      };
      const run: typeof ask = (statement, values) => keep(ask(statement, values));
      run(begin);
      const { query, readAhead, forget } = createReadAhead(run);
      const result = await work({
        database: this,
        query,
        readAhead,
        mayHaveWritten: (table) => [...writes].some((text) => text.includes(table)),
        send: (statement, values) => void query(statement, values),
        beforeCommit: (act) => last.push(act),
        afterCommit: (act) => after.push(act),
        savepoint: (inner) => {
          forget();
          return this.runSavepoint(inner, run, ask, after);
        },
      });
      for (const act of last) act({ send: (statement, values) => void run(statement, values) });
      if (isAccessChanged) run(notifyAccessChanged);
      isOpen = false;
      // The commit is sent behind the statements before it. If one of them fails, PostgreSQL turns it into a rollback.
      // Statements are answered in their order, so all that were sent before it have been answered then.
      await writer.query(commit, [], zone, opened);
      if (failure !== undefined) throw (failure as { error: unknown }).error;
      for (const act of after) act();
      // A failover would lose the change, so it is not acknowledged (D-602).
      if (writer.takeUnconfirmed()) throw new Unavailable("no standby confirmed the change in time");
      return result;
    } catch (caught) {
      isOpen = false;
      const error = await findFirstFailure(caught, sent);
      // A connection that was lost took its transaction with it.
      if (generation !== undefined) await writer.query(rollback, [], zone, generation).catch(() => writer.discard());
      this.noteObstacle(error);
      if (this.obstacle === "read-only") writer.retire();
      throw error;
    }
  }

  /** An error in `run` fails the transaction; one in `attempt` only the savepoint. */
  private async runSavepoint<T>(
    work: (tx: Transaction) => Promise<T>,
    run: Transaction["query"],
    attempt: Transaction["query"],
    after: (() => void)[],
    depth = 0,
  ): Promise<T> {
    const savepoint = savepoints[depth];
    if (savepoint === undefined) throw new Error("savepoints are nested too deeply");
    const sent: Promise<unknown>[] = [];
    const acts: (() => void)[] = [];
    const { query, readAhead, forget } = createReadAhead((statement, values) => {
      const promise = attempt(statement, values);
      promise.catch(() => {});
      sent.push(promise);
      return promise;
    });
    const send: Transaction["send"] = (statement, values) => void query(statement, values);
    const last: BeforeCommitAction[] = [];
    void run(savepoint.begin);
    try {
      const result = await work({
        database: this,
        query,
        readAhead,
        send,
        beforeCommit: (act) => last.push(act),
        afterCommit: (act) => acts.push(act),
        savepoint: (inner) => {
          forget();
          return this.runSavepoint(inner, query, attempt, acts, depth + 1);
        },
      });
      for (const act of last) act({ send });
      await Promise.all(sent);
      void run(savepoint.release);
      after.push(...acts);
      return result;
    } catch (caught) {
      const error = await findFirstFailure(caught, sent);
      await Promise.allSettled(sent);
      await run(savepoint.rollBack);
      throw error;
    }
  }

  private async checkOut(): Promise<Connection> {
    const idle = this.idleWriters.pop();
    if (idle !== undefined) return idle;
    if (this.writers < this.maxWriters) {
      this.writers++;
      return new Connection(this.url);
    }
    return new Promise((resolve, reject) => {
      const give = (writer: Connection) => {
        clearTimeout(timer);
        resolve(writer);
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(give), 1);
        reject(new Unavailable("too many changes wait for the database"));
      }, writerTimeout);
      this.waiting.push(give);
    });
  }

  private checkIn(writer: Connection): void {
    const next = this.waiting.shift();
    if (next !== undefined) next(writer);
    else if (this.closed) void writer.close();
    else this.idleWriters.push(writer);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.partitions.settle();
    await Promise.all([
      this.lanes.close(),
      this.replicas?.close(),
      ...this.idleWriters.map((connection) => connection.close()),
    ]);
  }
}

/** Texts contain no values of clients: those are parameters. */
const describeStatement =
  ({ text }: Statement) =>
  () => ({ "db.system.name": "postgresql", "db.query.text": text.slice(0, maxTracedText) });
const maxTracedText = 1000;
const describeTransaction = (attempt: number) => () => ({ "db.system.name": "postgresql", "steward.attempt": attempt });

/** Whether the primary can serve a read that failed on the replica. A replica that fails is left out; a conflict is no failure. */
function leaveOutReplica(replica: Replica, error: unknown): boolean {
  if (isCanceled(error) || !(isTransient(error) || isConflict(error))) return false;
  if (!isConflict(error)) replica.leaveOut();
  return true;
}

/** After a failed statement all later ones of its transaction fail as well: the first failure is the cause. */
async function findFirstFailure(error: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> {
  if ((error as { code?: string }).code !== "25P02") return error;
  const failures = (await Promise.allSettled(sent)).filter((result) => result.status === "rejected");
  return failures[0]?.reason ?? error;
}

/** Takes row locks immediately or fails; the transaction is then rolled back and retried. `account`: that of all the rows. */
export async function lockRowsNoWait(
  tx: Transaction,
  table: string,
  ids: readonly number[],
  account: string,
): Promise<void> {
  if (ids.length === 0) return;
  const built = statement(
    `SELECT id FROM ${table} WHERE id = ANY($1::integer[]) AND account_id = $2 ORDER BY id FOR NO KEY UPDATE NOWAIT`,
  );
  await tx.query(built, [ids, account]);
}
