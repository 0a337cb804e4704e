import type { Row, Statement, Transaction, Value } from "../../server/storage/database.ts";

/**
 * Several verbs of the engine take part in one transaction at the same time, and still do the same in the same order
 * every time: answers come in the order of their statements, and one is handed out when all that the one before it led to
 * has been sent. How the network cuts them into pieces decides nothing then, and ids fall as they did the last time.
 */
export function inLockstep(tx: Transaction): Transaction {
  const arrived: (() => void)[] = [];
  let isHandingOut = false;
  const handOut = (): void => {
    const next = arrived.shift();
    isHandingOut = next !== undefined;
    if (next === undefined) return;
    setImmediate(handOut);
    next();
  };
  const arrive = (act: () => void): void => {
    arrived.push(act);
    if (isHandingOut) return;
    isHandingOut = true;
    setImmediate(handOut);
  };
  return {
    ...tx,
    query: (statement: Statement, values: readonly Value[] = []): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        tx.query(statement, values).then(
          (rows) => arrive(() => resolve(rows)),
          (error) => arrive(() => reject(error)),
        );
      }),
  };
}
