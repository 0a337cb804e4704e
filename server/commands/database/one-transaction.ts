import type { Engine } from "../../engine/engine.ts";
import { Database, type Row, type Statement, type Transaction, type Value } from "../../storage/database.ts";

/**
 * The engine's verbs commit each for itself. Here they all take part in one transaction: what a command does is there
 * as a whole or not at all, however the command ends.
 */
export function runInOneTransaction<T>(
  engine: Engine,
  work: (engine: Engine, tx: Transaction) => Promise<T>,
): Promise<T> {
  return engine.database.transaction((tx) => work(bindToTransaction(engine, tx), tx));
}

/** The engine, with all it does as part of a transaction that is under way. */
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

  /** A statement sent without waiting for its answer fails those after it: its error is the one to tell. */
  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    let first: unknown;
    const query = (statement: Statement, values: readonly Value[] = []): Promise<Row[]> => {
      const answer = this.tx.query(statement, values);
      answer.catch((error) => {
        first ??= error;
      });
      return answer;
    };
    try {
      return await work({
        ...this.tx,
        database: this,
        query,
        send: (statement, values) => void query(statement, values),
      });
    } catch (error) {
      throw (error as { code?: string }).code === transactionAborted && first !== undefined ? first : error;
    }
  }
}

const transactionAborted = "25P02";
