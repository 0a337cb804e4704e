import { keepSampleRanges } from "../../server/actions/sample-work/sample-work.ts";
import { OperatorError } from "../../server/base/errors.ts";
import { bindToTransaction, runInOneTransaction } from "../../server/actions/accounts/one-transaction.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { acquireLock, buildLockKey } from "../../server/storage/advisory-lock.ts";
import { statement, type Transaction } from "../../server/storage/database.ts";
import { buildIndexDrops, recreateIndexes } from "../../server/storage/deferred-indexes.ts";
import { accounts } from "../data/accounts.ts";
import { companyTables, tablesAfterLinks } from "../data/company.ts";
import { planWork } from "../work/plan.ts";
import { Timeline } from "../work/timeline.ts";
import { DemoLoader } from "./demo-loader.ts";
import { inLockstep } from "./lockstep.ts";

const analyze = statement("ANALYZE");
const countAccounts = statement("SELECT count(*), count(*) FILTER (WHERE id = ANY($1::text[])) FROM accounts");
const restartSequences = statement(
  "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND relname = ANY($1::text[])",
);

/**
 * Loads the demo company in one transaction; `withWork`: also three months of its work, or what was done by the moment
 * `workUntil`. False when it exists already.
 */
export function loadDemo(
  engine: Engine,
  say: (line: string) => void = () => {},
  { withWork = true, workUntil }: { withWork?: boolean; workUntil?: Date } = {},
): Promise<boolean> {
  return runInOneTransaction(engine, async (_, tx) => {
    await tx.query(acquireLock, [buildLockKey("demo company")]); // two servers that start together load it once
    const [row] = await tx.query(countAccounts, [accounts.map(({ id }) => id)]);
    const [accountCount, demoCount] = [Number(row?.[0]), Number(row?.[1])];
    if (demoCount === accounts.length) return false;
    if (demoCount > 0)
      throw new OperatorError("Accounts of yours have the ids of the demo company: it cannot be loaded here.");
    // An interrupted attempt has consumed ids; in an empty database they begin with 1 again.
    if (accountCount === 0) await tx.query(restartSequences, [listSequences(engine)]);
    const lockstepTx: Transaction = { ...inLockstep(tx), suppressMail: true };
    const loader = new DemoLoader(bindToTransaction(engine, lockstepTx), lockstepTx);
    await loader.createAccounts(accounts);
    for (const table of companyTables) await loader.addTable(table);
    await loader.applyPending();
    for (const table of tablesAfterLinks) await loader.addTable(table);
    tx.send(analyze);
    if (!withWork) return true;
    // Dropping indexes is safe while nobody else reads: only in an empty database.
    const unindexedTables = accountCount === 0 ? mostWrittenTables : [];
    for (const text of buildIndexDrops(unindexedTables)) await tx.query(statement(text));
    const time = new Timeline(loader, workUntil);
    const before = await loadLastIds(engine, tx);
    planWork(time);
    const reportMonth = reportMonths(time.now, say);
    let steps = 0;
    await time.run((at) => {
      reportMonth(at);
      // Query plans from the time of empty tables use sequential scans.
      if ([100, 500, 2500].includes(++steps)) tx.send(analyze);
    });
    for (const text of recreateIndexes) await tx.query(statement(text));
    const after = await loadLastIds(engine, tx);
    keepSampleRanges(
      (...fact) => tx.send(...fact),
      sampleTypes.map((type, at) => [type, before[at] ?? 0, after[at] ?? 0]),
    );
    return true;
  });
}

const mostWrittenTables = ["requests", "notes", "audit_lines", "events"];

/** The work that an administrator can remove, in the order in which it goes: time entries refer to the others. */
const sampleTypes = ["time_entry", "request", "problem", "workflow", "project"];

async function loadLastIds(engine: Engine, tx: Transaction): Promise<number[]> {
  const tables = sampleTypes.map((type) => engine.types.get(type).ownTable);
  const [row = []] = await tx.query(
    statement(`SELECT ${tables.map((table) => `(SELECT coalesce(max(id), 0) FROM ${table})`).join(", ")}`),
  );
  return row.map(Number);
}

const listSequences = (engine: Engine): string[] =>
  [...engine.types.all.map(({ collection }) => collection), "events"].map((table) => `${table}_id_seq`);

/** Reports progress with one line per month. */
function reportMonths(now: Date, say: (line: string) => void): (at: Date) => void {
  let reported = 4;
  return (at) => {
    const monthsAgo = Math.ceil((now.getTime() - at.getTime()) / (30 * 86_400_000));
    if (monthsAgo >= reported) return;
    reported = monthsAgo;
    if (reported > 0)
      say(`  what happened in the ${["last month", "month before", "month before that"][reported - 1]} ...`);
  };
}
