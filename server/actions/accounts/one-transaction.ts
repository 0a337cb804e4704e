import { Database, type Row, type Statement, type Transaction, type Value } from "../../database/database.ts";
import type { Engine } from "../../engine/engine.ts";

/**
 * Engine operations commit separately. Here all of them join one transaction: a command takes effect as a whole or not at
 * all.
 */
export function runInOneTransaction<T>(
  engine: Engine,
  work: (engine: Engine, tx: Transaction) => Promise<T>,
): Promise<T> {
  return engine.database.transaction((tx) => work(bindToTransaction(engine, tx), tx));
}

/** An engine whose operations join an open transaction. */
export const bindToTransaction = (engine: Engine, tx: Transaction): Engine => ({
  ...engine,
  database: new JoinedDatabase(engine.database.url, tx),
});

class JoinedDatabase extends Database {
  override readonly isSingleTransaction = true;
  private readonly tx: Transaction;

  constructor(url: string, tx: Transaction) {
    super(url, { readers: 0, writers: 0 });
    this.tx = tx;
  }

  override read(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    return this.tx.query(statement, values);
  }

  override change(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
    return this.tx.query(statement, values);
  }

  override readMany(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return this.tx.query(statement, values);
  }

  /**
   * A failed statement makes all later ones fail, too: throws the first error, which is the cause. Like a commit, it waits for
   * what was sent.
   */
  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let firstError: unknown;
    let lastAnswer: Promise<unknown> = Promise.resolve();
    const query = (statement: Statement, values: readonly Value[] = []): Promise<Row[]> => {
      const result = this.tx.query(statement, values);
      lastAnswer = result.catch((error) => {
        firstError ??= error;
      });
      return result;
    };
    try {
      const result = await work({
        ...this.tx,
        database: this,
        query,
        send: (statement, values) => void query(statement, values),
      });
      await lastAnswer;
      if (firstError !== undefined) throw firstError;
      return result;
    } catch (error) {
      const isAborted = error instanceof Error && "code" in error && error.code === transactionAborted;
      throw isAborted && firstError !== undefined ? firstError : error;
    }
  }
}

const transactionAborted = "25P02";
