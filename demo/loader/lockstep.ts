import type { Row, Statement, Transaction, Value } from "../../server/database/database.ts";
import { type AddedJob, readAddedJob } from "../../server/queue/jobs.ts";

/**
 * Makes concurrent operations in one transaction deterministic: a result is delivered only after everything that the
 * previous result caused has been sent. The timing of the network then has no influence, and ids are the same every time.
 */
function inLockstep(tx: Transaction): Transaction {
  const results: (() => void)[] = [];
  let isDelivering = false;
  const deliverNext = (): void => {
    const next = results.shift();
    isDelivering = next !== undefined;
    if (next === undefined) return;
    setImmediate(deliverNext);
    next();
  };
  const enqueue = (act: () => void): void => {
    results.push(act);
    if (isDelivering) return;
    isDelivering = true;
    setImmediate(deliverNext);
  };
  return {
    ...tx,
    query: (statement: Statement, values: readonly Value[] = []): Promise<Row[]> =>
      new Promise((resolve, reject) => {
        tx.query(statement, values).then(
          (rows) => enqueue(() => resolve(rows)),
          (error) => enqueue(() => reject(error)),
        );
      }),
  };
}

/** Reports the jobs that are added. */
function watchJobs(tx: Transaction, onJob: (job: AddedJob) => void): Transaction {
  const report = (statement: Statement, values: readonly Value[] = []): void => {
    const job = readAddedJob(statement, values);
    if (job !== null) onJob(job);
  };
  return {
    ...tx,
    query(statement, values) {
      report(statement, values);
      return tx.query(statement, values);
    },
    send(statement, values) {
      report(statement, values);
      tx.send(statement, values);
    },
  };
}

/** The same ids every time, and no emails. */
export const prepareBulk = (tx: Transaction, onJob: (job: AddedJob) => void): Transaction => ({
  ...inLockstep(watchJobs(tx, onJob)),
  suppressMail: true,
});
