import { Forbidden, NotFound } from "../../base/errors.ts";
import { buildReadBatch } from "../../database/batch.ts";
import type { Batch, Row, Transaction } from "../../database/database.ts";
import { type AccessOperation, buildAccessClause, isAdministrator } from "../access.ts";
import type { Engine } from "../engine.ts";
import type { RowScope } from "../list.ts";
import type { Operation } from "../operation.ts";
import {
  buildOverlayRow,
  exceptViewers,
  lockRecordStatement,
  onlyRecordAccount,
  recordAccountColumn,
} from "../overlays.ts";
import { buildLookupText, listLookups } from "../read/record-lookup.ts";
import type { Values } from "../rules.ts";
import { allOf, always, type Clause, never } from "../sql/clauses.ts";
import { tableOfAccount } from "../sql/placement.ts";
import type { Type } from "../types.ts";
import { readRow, storedColumn, storedFields } from "./stored-row.ts";

// A writer holds the lock of the record's own row until the end of the transaction, so delivery order equals commit order.

export type LockedRecord = {
  account: string;
  /** the participating account whose overlay `values` shows; null: the values of the record's own account */
  participant: string | null;
  lifeCycle: string;
  /** the count of its changes; null where the type counts none */
  revision: number | null;
  values: Values;
  /** set when the caller may change these fields of the row and no others */
  onlyFields: ReadonlySet<string> | null;
};

/** For statements whose first part is the id: several calls that differ in the id only become one. */
export const batchById = (text: string): Batch => buildReadBatch(text, { 1: "integer" });

type LockOptions = {
  scope?: RowScope | undefined;
  someFields?: ReadonlySet<string> | null;
  /** of the body of the change */
  members?: Readonly<Record<string, unknown>>;
};

/** Locks a record that a caller wants to change. A write answers 403 and 404 from here and nowhere else. */
export async function lockForChange(
  { engine, tx, by, type }: Operation,
  id: number,
  access: AccessOperation,
  options: LockOptions = {},
): Promise<LockedRecord> {
  const { scope, someFields = null, members = {} } = options;
  const rules = engine.rules.forType(type.name);
  await rules.lockFirst?.(tx, { account: by.account, id, members });
  let row: Row | undefined;
  for (const lookup of listLookups(engine, by, type, id, scope)) {
    const { shared, parts } = lookup;
    const isPlain = shared === null && type.storage.bidirectional === null;
    const allowed = (rows: Clause): Clause =>
      shared === null || access === "read"
        ? rows
        : allOf([rows, access === "update" ? exceptViewers : onlyRecordAccount]);
    // The rights on a child are those on its parent, which the caller of this function has checked.
    const whole =
      scope?.rights === "of the parent" ? always : allowed(buildAccessClause(type, access, by, engine.rules));
    const partly = someFields === null ? never : allowed(buildAccessClause(type, access, by, engine.rules, () => true));
    const query = engine.statements.prepare(
      `${type.name}#lock`,
      { ...parts, whole, partly },
      (sql) => {
        const life = type.deletion.archivable === null ? "'active'" : "a.life_cycle";
        const account = recordAccountColumn(type, shared);
        const columns = storedFields(type).map((name) => storedColumn(type, name, account));
        const revision = type.hasRevision ? "a.revision" : "NULL";
        const head = [`a.${account}`, "a.account_id", life, revision];
        const selected = [sql.whole, sql.partly, ...head, ...columns];
        return `${buildLookupText(type, lookup, selected, sql)}${isPlain ? " FOR NO KEY UPDATE OF a" : ""}`;
      },
      batchById,
    );
    if (!isPlain) tx.send(lockRecordStatement(engine, type), [id, by.account]);
    const answer = tx.query(query.statement, query.values);
    if (access === "update") rules.readAhead?.ofUpdate?.(tx, { by, id, members });
    row = (await answer)[0] as Row | undefined;
    const owner = row?.[2] ?? by.account;
    // A row is locked in its own account. Only where another one owns the record, it must be read again under that lock.
    if (!isPlain && owner !== by.account) {
      tx.send(lockRecordStatement(engine, type), [id, owner]);
      row = (await tx.query(query.statement, query.values))[0] as Row | undefined;
    }
    if (row !== undefined) break;
  }
  if (row === undefined) throw new NotFound();
  const [mayWhole, mayPartly, account, seenIn, lifeCycle] = row as [string, string, string, string, string];
  if (mayWhole !== "t" && mayPartly !== "t") throw new Forbidden();
  if (lifeCycle !== "active" && !isAdministrator(by, account)) throw new Forbidden();
  return {
    account,
    participant: seenIn === account ? null : seenIn,
    lifeCycle,
    revision: row[5] == null ? null : Number(row[5]),
    values: readRow(type, row, 6),
    onlyFields: mayWhole === "t" ? null : someFields,
  };
}

/** The values of an active record; null when there is none. */
export async function loadActiveValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
  lock: "" | " FOR NO KEY UPDATE OF a" = "",
): Promise<Values | null> {
  const built = engine.statements.get(`${type.name}#values${lock}`, () => {
    const columns = storedFields(type).map((name) => storedColumn(type, name));
    const active = type.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
    return `SELECT ${["a.id", ...columns].join(", ")} FROM ${tableOfAccount(type, "$2")} a WHERE a.id = $1 AND a.account_id = $2${active}${lock}`;
  });
  const [row] = await tx.query(built, [id, account]);
  return row === undefined ? null : readRow(type, row as Row, 1);
}

/** Locks an active record without a check of rights, for changes by rules and timers. */
export async function lockActiveValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  id: number,
  account: string,
): Promise<Values | null> {
  await engine.rules.forType(type.name).lockFirst?.(tx, { account, id });
  return loadActiveValues(engine, tx, type, id, account, " FOR NO KEY UPDATE OF a");
}

/** The same with the overlay of a participating account; `account` is the one that the record belongs to. */
export async function lockOverlayValues(
  engine: Engine,
  tx: Transaction,
  type: Type,
  { id, account }: { id: number; account: string },
  participant: string,
): Promise<Values | null> {
  const select = engine.statements.get(`${type.name}#overlay values`, () => {
    const columns = storedFields(type).map((name) => storedColumn(type, name, "home_account_id"));
    const active = type.deletion.archivable === null ? "" : " AND a.life_cycle = 'active'";
    return `SELECT ${["a.id", ...columns].join(", ")} FROM ${buildOverlayRow(type)} a WHERE a.id = $1${active}`;
  });
  tx.send(lockRecordStatement(engine, type), [id, account]);
  const [row] = await tx.query(select, [id, participant, account]);
  return row === undefined ? null : readRow(type, row as Row, 1);
}
