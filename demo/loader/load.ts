import { OperatorError } from "../../server/base/errors.ts";
import { bindToTransaction, runInOneTransaction } from "../../server/commands/database/one-transaction.ts";
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

/** Loads the demo company, and three months of its work unless told otherwise, as a whole or not at all. Answers false when it is there already. */
export function loadDemo(
  engine: Engine,
  say: (line: string) => void = () => {},
  { withWork = true }: { withWork?: boolean } = {},
): Promise<boolean> {
  return runInOneTransaction(engine, async (_, tx) => {
    await tx.query(acquireLock, [buildLockKey("demo company")]); // two servers that start together load it once
    const [row] = await tx.query(countAccounts, [accounts.map(({ id }) => id)]);
    const [all, ours] = [Number(row?.[0]), Number(row?.[1])];
    if (ours === accounts.length) return false;
    if (ours > 0)
      throw new OperatorError("Accounts of yours have the ids of the demo company: it cannot be loaded here.");
    // An attempt that was cut short has used up numbers; the company of an empty database begins with 1.
    if (all === 0) await tx.query(restartSequences, [listSequences(engine)]);
    const steady: Transaction = { ...inLockstep(tx), suppressMail: true };
    const loading = new DemoLoader(bindToTransaction(engine, steady), steady);
    await loading.createAccounts(accounts);
    for (const table of companyTables) await loading.addTable(table);
    await loading.applyPending();
    for (const table of tablesAfterLinks) await loading.addTable(table);
    tx.send(analyze);
    if (!withWork) return true;
    // Nobody else reads an empty database.
    const aside = all === 0 ? mostWrittenTables : [];
    for (const text of buildIndexDrops(aside)) await tx.query(statement(text));
    const time = new Timeline(loading);
    planWork(time);
    const month = reportMonths(time.now, say);
    let steps = 0;
    await time.run((at) => {
      month(at);
      // Plans that were made when the tables were empty read them from end to end.
      if ([100, 500, 2500].includes(++steps)) tx.send(analyze);
    });
    for (const text of recreateIndexes) await tx.query(statement(text));
    return true;
  });
}

const mostWrittenTables = ["requests", "notes", "audit_lines", "events"];

const listSequences = (engine: Engine): string[] =>
  [...engine.types.all.map(({ collection }) => collection), "events"].map((table) => `${table}_id_seq`);

/** The work of three months passes in seconds: one line for each month. */
function reportMonths(now: Date, say: (line: string) => void): (at: Date) => void {
  let told = 4;
  return (at) => {
    const ahead = Math.ceil((now.getTime() - at.getTime()) / (30 * 86_400_000));
    if (ahead >= told) return;
    told = ahead;
    if (told > 0) say(`  what happened in the ${["last month", "month before", "month before that"][told - 1]} ...`);
  };
}
