import {
  clearWorkProgress,
  hasPendingWork,
  pendingWorkFact,
  storeWorkProgress,
} from "../../server/actions/sample-work/work-progress.ts";
import { statement, type Transaction } from "../../server/database/database.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { DemoLoader, type DemoTarget, type RecordLocations } from "./demo-loader.ts";
import { loadWork, type WorkOptions } from "./load-work.ts";

// The work of the demo company takes half a minute to load, so it doesn't block the start: the server starts with the company, and
// loads the work in the background, in one transaction (D-515). An instance fact marks it as pending and contains the data that the
// loader needs to find the records of the company. The same transaction deletes it, so an interrupted load starts over at the
// next start.

const storeFact = statement("INSERT INTO instance_facts (name, value) VALUES ($1, $2)");
/** No row when there is nothing to load, or when another server is loading it. */
const takeFact = statement(
  "DELETE FROM instance_facts WHERE name = (SELECT name FROM instance_facts WHERE name = $1 FOR UPDATE SKIP LOCKED) RETURNING value",
);
/**
 * The past work ignores concurrent changes: a webhook or a rule that a person adds now does not run for
 * it. If both change the same record, the load starts over.
 */
const seeOneState = statement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");

export const storePendingWork = (tx: Transaction, loader: DemoLoader): void =>
  tx.send(storeFact, [pendingWorkFact, JSON.stringify(loader.listLocations())]);

export type LaterWork = { done: Promise<boolean>; stop(): Promise<void> };

/**
 * Begins to load the work that is still to come; null when there is none. It returns when the transaction has begun: what
 * is changed from then on, for example because people sign in, does not get among the work.
 */
export async function beginLaterWork(target: DemoTarget, options: WorkOptions = {}): Promise<LaterWork | null> {
  const { engine } = target;
  if (!(await hasPendingWork(engine.database))) return null;
  const abort = new AbortController();
  const begun = Promise.withResolvers<void>();
  const report = reportProgress(engine);
  const done = engine.database
    .transaction(async (tx) => {
      tx.send(seeOneState);
      const [fact] = await tx.query(takeFact, [pendingWorkFact]);
      begun.resolve();
      if (fact === undefined) return false;
      const loader = new DemoLoader(target, tx);
      loader.restoreLocations(JSON.parse(String(fact[0])) as RecordLocations);
      await loadWork(loader, { progress: report, abortSignal: abort.signal, ...options });
      return true;
    })
    .finally(() => report.end());
  done.catch(() => begun.resolve()); // callers that await the end get the error
  await begun.promise;
  return {
    done,
    async stop() {
      abort.abort(new Error("the server stops"));
      await done.catch(() => {});
    },
  };
}

/** Pages show how far it is. Outside of the transaction, and not for every step. */
function reportProgress(engine: Engine): ((share: number) => void) & { end(): Promise<void> } {
  let reported = -1;
  let writing = Promise.resolve();
  const write = (act: () => Promise<void>) => {
    writing = writing.then(act).catch(() => {}); // it is for the eyes only
    return writing;
  };
  const report = (share: number): void => {
    const percent = Math.floor(share * 50) * 2;
    if (percent <= reported) return;
    reported = percent;
    void write(() => storeWorkProgress(engine.database, percent));
  };
  return Object.assign(report, { end: () => write(() => clearWorkProgress(engine.database)) });
}
