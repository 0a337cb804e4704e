import type { Transaction } from "../database/database.ts";

const announced = new WeakSet<Transaction>();

/** Calls `announce` once after the commit of every transaction that changed records. */
export const announceAfterCommit =
  (announce: () => void) =>
  (tx: Transaction): void => {
    if (announced.has(tx)) return;
    announced.add(tx);
    tx.afterCommit(announce);
  };
