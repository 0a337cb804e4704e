import { Unavailable } from "../base/errors.ts";
import {
  currentJoint,
  type Database,
  type Joint,
  type Row,
  type Statement,
  statement,
  type Transaction,
  type Value,
} from "./database.ts";

// Several transactions of one call that commit together (D-193). It begins with the first of them, so that a call waits
// for its body without a connection. Every transaction of the call is a savepoint in it: the call may catch the failure
// of one, and a conflict repeats that one only. Reads between them see what they wrote.

const setZone = statement("SELECT set_config('TimeZone', $1, true)");

class JointTransaction implements Joint {
  private readonly database: Database;
  private readonly prepare: (tx: Transaction) => Promise<void>;
  private begun: Promise<Transaction> | null = null;
  private committed: Promise<void> = Promise.resolve();
  private isOpen = true;
  private isCommitted = false;
  private isPrepared = false;
  private lastPart: Promise<unknown> = Promise.resolve();
  private readonly end = Promise.withResolvers<void>();
  private readonly afterCommits: (() => void)[] = [];

  constructor(database: Database, prepare: (tx: Transaction) => Promise<void>) {
    this.database = database;
    this.prepare = prepare;
    this.end.promise.catch(() => {});
  }

  get hasBegun(): boolean {
    return this.begun !== null;
  }

  includes(database: Database): boolean {
    return this.isOpen && database === this.database;
  }

  read(statement: Statement, values: readonly Value[], zone: string): Promise<Row[]> {
    return this.attempt((part) => part.query(statement, values), zone);
  }

  /** One part at a time, because savepoints of one connection nest. What a part calls does not join again. */
  attempt<T>(work: (tx: Transaction) => Promise<T>, zone: string): Promise<T> {
    const result = this.lastPart.then(async () => {
      const tx = await this.begin();
      return currentJoint.run(null, () =>
        tx.savepoint((part) => {
          part.send(setZone, [zone]);
          return work(part);
        }),
      );
    });
    this.lastPart = result.catch(() => {});
    return result;
  }

  private begin(): Promise<Transaction> {
    if (this.begun !== null) return this.begun;
    const { promise, resolve, reject } = Promise.withResolvers<Transaction>();
    this.begun = promise;
    const run = async (tx: Transaction) => {
      // A conflict at the commit must not repeat the transaction without its parts.
      if (this.isPrepared) throw new Unavailable("the changes could not be committed");
      await this.prepare(tx);
      this.isPrepared = true;
      resolve(tx);
      await this.end.promise;
    };
    this.committed = currentJoint.run(null, () => this.database.transaction(run));
    this.committed.catch((error) => {
      this.isOpen = false;
      reject(error);
    });
    return promise;
  }

  afterCommit(act: () => void): void {
    if (this.isCommitted) currentJoint.run(null, act);
    else this.afterCommits.push(act);
  }

  async commit(finish: (tx: Transaction) => void): Promise<void> {
    await this.lastPart;
    const tx = await this.begin();
    this.isOpen = false;
    finish(tx);
    this.end.resolve();
    await this.committed;
    this.isCommitted = true;
    currentJoint.run(null, () => {
      for (const act of this.afterCommits) act();
    });
  }

  async rollBack(): Promise<void> {
    this.isOpen = false;
    await this.lastPart;
    this.end.reject(new Error("the call has failed"));
    await this.committed.catch(() => {});
  }
}

type JointWork<T> = {
  /** runs first within the transaction */
  prepare(tx: Transaction): Promise<void>;
  work(): Promise<T>;
  /** adds statements that commit with everything else */
  finish(tx: Transaction, result: T): void;
};

/** All transactions of `work` commit together at its end, or not at all when it fails. */
export async function runJointly<T>(database: Database, { prepare, work, finish }: JointWork<T>): Promise<T> {
  const joint = new JointTransaction(database, prepare);
  try {
    const result = await currentJoint.run(joint, work);
    await joint.commit((tx) => finish(tx, result));
    return result;
  } catch (error) {
    await joint.rollBack();
    throw error;
  }
}

/**
 * For work that others do with what the call commits, such as its jobs. It must not begin before the commit, and not within
 * the call: what it writes would join the transaction of the call.
 */
export function afterJointCommit(act: () => void): void {
  const joint = currentJoint.getStore() ?? null;
  if (joint === null) act();
  else joint.afterCommit(act);
}

/** For changes that must be committed immediately, even if the call fails. */
export const runIndependently = <T>(work: () => Promise<T>): Promise<T> => currentJoint.run(null, work);
