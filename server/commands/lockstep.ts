import type { Row, Statement, Transaction, Value } from "../storage/database.ts";

/**
 * Several verbs of the engine take part in one transaction at the same time, and still do the same in the same order
 * every time: no answer is handed out before all that are under way have come. How the network cuts them into pieces
 * decides nothing then, and ids fall as they did the last time.
 */
export function inLockstep(tx: Transaction): Transaction {
  let held: (() => void)[] = [];
  let underWay = 0;
  const arrived = (): void => {
    if (--underWay > 0) return;
    const all = held;
    held = [];
    for (const handOut of all) handOut();
  };
  return {
    ...tx,
    query(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
      underWay++;
      return new Promise((resolve, reject) => {
        const turn = held.push(() => {}) - 1;
        const round = held;
        tx.query(statement, values).then(
          (rows) => {
            round[turn] = () => resolve(rows);
            arrived();
          },
          (error) => {
            round[turn] = () => reject(error);
            arrived();
          },
        );
      });
    },
  };
}
