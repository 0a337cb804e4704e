import { OperatorError } from "../../server/base/errors.ts";
import { acquireLock, buildLockKey } from "../../server/database/advisory-lock.ts";
import { statement } from "../../server/database/database.ts";
import type { Engine } from "../../server/engine/engine.ts";
import { buildIndexDrops, recreateIndexes } from "../../server/schema/deferred-indexes.ts";
import { accounts } from "../data/accounts.ts";
import { companyTables, tablesAfterLinks } from "../data/company.ts";
import type { Table } from "../data/table.ts";
import { DemoLoader, type DemoTarget } from "./demo-loader.ts";
import { storePendingWork } from "./later-work.ts";
import { loadWork } from "./load-work.ts";

const analyze = statement("ANALYZE");
const countAccounts = statement("SELECT count(*), count(*) FILTER (WHERE id = ANY($1::text[])) FROM accounts");
const restartSequences = statement(
  "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND relname = ANY($1::text[])",
);

/**
 * "with it": three months of its work come in the same transaction, or what was done by the moment `workUntil`. "later":
 * the server starts with the company alone, and the work arrives behind its pages (later-work.ts).
 */
type LoadOptions = { work?: "with it" | "later" | "none"; workUntil?: Date; abortSignal?: AbortSignal };

/** Loads the demo company in one transaction. False when it exists already. */
export function loadDemo(
  target: DemoTarget,
  say: (line: string) => void = () => {},
  { work = "with it", workUntil, abortSignal }: LoadOptions = {},
): Promise<boolean> {
  const { engine } = target;
  return engine.database.transaction(async (tx) => {
    await tx.query(acquireLock, [buildLockKey("demo company")]); // two servers that start together load it once
    const [row] = await tx.query(countAccounts, [accounts.map(({ id }) => id)]);
    const [accountCount, demoCount] = [Number(row?.[0]), Number(row?.[1])];
    if (demoCount === accounts.length) return false;
    if (demoCount > 0)
      throw new OperatorError("Can't load the demo company: this database already has accounts with the same IDs.");
    // An interrupted attempt has consumed ids; in an empty database they begin with 1 again.
    if (accountCount === 0) await tx.query(restartSequences, [listSequences(engine)]);
    const loader = new DemoLoader(target, tx);
    await loader.createAccounts(accounts);
    const addTables = async (tables: readonly Table[]) => {
      for (const table of tables) {
        abortSignal?.throwIfAborted(); // nothing of it is there then
        await loader.addTable(table);
      }
    };
    await addTables(companyTables);
    await loader.applyPending();
    await addTables(tablesAfterLinks);
    tx.send(analyze);
    if (work === "later") storePendingWork(tx, loader);
    if (work !== "with it") return true;
    // Dropping indexes is safe only while no one else reads: in an empty database.
    const unindexedTables = accountCount === 0 ? mostWrittenTables : [];
    for (const text of buildIndexDrops(unindexedTables)) await tx.query(statement(text));
    await loadWork(loader, { say, workUntil });
    for (const text of recreateIndexes) await tx.query(statement(text));
    return true;
  });
}

const mostWrittenTables = ["requests", "notes", "audit_lines", "events"];

const listSequences = (engine: Engine): string[] =>
  [...engine.types.all.map(({ collection }) => collection), "events"].map((table) => `${table}_id_seq`);
