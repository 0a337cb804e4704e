import type { Link } from "../../records/vocabulary/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { acquireLock, buildLockKey } from "../database/advisory-lock.ts";
import { statement } from "../database/database.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { linkColumns } from "../schema/tables/table-names.ts";
import { limitedFields } from "./access.ts";
import { type Caller, listReachableAccounts } from "./caller.ts";
import { createUnchecked, prepareChange } from "./change.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, requireRecord } from "./find.ts";
import type { Value } from "./kinds/kind.ts";
import type { Operation, RecordOperation } from "./operation.ts";
import { publish } from "./publish.ts";
import type { Values } from "./rules.ts";
import type { Clause } from "./sql/clauses.ts";
import type { Type } from "./types.ts";
import { updateInTransaction } from "./update.ts";
import { translateDatabaseError } from "./write/database-errors.ts";
import { type Body, readInput } from "./write/input.ts";
import { lockForChange } from "./write/lock.ts";
import { loadSavedRecord } from "./write/respond.ts";

// Links between records: /teams/:id/members and /people/:id/teams are the two ends of one table; the requests of a
// problem are those that refer to it.

/** `livesWithAccount`: its rows have the account of the record that lives with its account */
type LinkTable = { table: string; here: string; there: string; livesWithAccount: boolean };
export type ResolvedLink = { target: Type; storage: LinkTable | { by: string; column: string } };

export function resolveLink(engine: Engine, type: Type, name: string): ResolvedLink {
  const link = getLink(type, name);
  const target = engine.types.get(link.to);
  if ("by" in link) return { target, storage: { by: link.by, column: target.columns.get(link.by) as string } };
  const livesWithAccount = type.placement === "account" || target.placement === "account";
  if ("table" in link) {
    const [here, there] = linkColumns(type.name, target.name);
    return { target, storage: { table: quoteIdentifier(link.table), here, there, livesWithAccount } };
  }
  const inverse = target.links["inverse" in link ? link.inverse : ""] as { table: string };
  const [there, here] = linkColumns(target.name, type.name);
  return { target, storage: { table: quoteIdentifier(inverse.table), here, there, livesWithAccount } };
}

function getLink(type: Type, name: string): Link {
  const link = type.links[name];
  if (link === undefined) throw new Error(`${type.name} has no link "${name}"`);
  return link;
}

/** The rows linked to a record, for a list of them. */
export const buildLinkedClause = ({ storage }: ResolvedLink, id: number, by: Caller): Clause =>
  "by" in storage
    ? {
        key: `${storage.column} here`,
        sql: (alias, next) => `${alias}.${quoteIdentifier(storage.column)} = ${next()}`,
        values: [id],
      }
    : {
        key: `linked ${storage.table}.${storage.here}`,
        sql(alias, next) {
          const isHere = `${storage.here} = ${next()}`;
          const ofAccounts = storage.livesWithAccount ? ` AND account_id = ANY(${next()}::text[])` : "";
          return `${alias}.id IN (SELECT ${storage.there} FROM ${storage.table} WHERE ${isHere}${ofAccounts})`;
        },
        values: storage.livesWithAccount ? [id, listReachableAccounts(by)] : [id],
      };

/** Some links depend on the values of the record: only an agreement that covers people has people. */
function checkLinkAllowed({ when }: Link, values: Values): void {
  if (when !== undefined && !when.is.includes(values[when.field] as string))
    throw new Invalid([[when.field, "is not valid"]]);
}

type LockedLink = RecordOperation & { participant: string | null; values: Values };

/** Locks the record whose links of that name are about to change. */
async function lockForLink(operation: Operation, id: number, name: string): Promise<LockedLink> {
  const someFields = limitedFields(operation.type, operation.by);
  const locked = await lockForChange(operation, id, "update", { someFields });
  if (locked.onlyFields !== null && !locked.onlyFields.has(name)) throw new Forbidden();
  refuseInactive(locked.lifeCycle);
  const { account, participant, values } = locked;
  return { ...operation, id, account, participant, values };
}

/** Linking needs the right to change this record and to see the other. Linking twice changes nothing. */
export async function link(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number,
): Promise<void> {
  await engine.database.transaction((tx) => linkInTransaction({ engine, tx, by, type }, id, name, otherId));
}

/** The ids of the records that are linked. */
export async function loadLinkedIds({ engine, tx, by, type }: Operation, id: number, name: string): Promise<number[]> {
  const { target, storage } = resolveLink(engine, type, name);
  const rows = await tx.query(
    statement(
      "by" in storage
        ? `SELECT id FROM ${target.table} WHERE ${quoteIdentifier(storage.column)} = $1 AND account_id = ANY($2::text[])`
        : `SELECT ${storage.there} FROM ${storage.table} WHERE ${storage.here} = $1 AND account_id = ANY($2::text[])`,
    ),
    [id, listReachableAccounts(by)],
  );
  return rows.map(([other]) => Number(other));
}

/** Returns false where they were linked already. */
export async function linkInTransaction(
  operation: Operation,
  id: number,
  name: string,
  otherId: number,
): Promise<boolean> {
  const { engine, tx, by, type } = operation;
  const { target, storage } = resolveLink(engine, type, name);
  if ("by" in storage) {
    // The other record is the one that changes, so the caller needs the right to change that one.
    await requireRecord(engine, by, type, id, "link to", tx);
    await updateLinkedRecord({ engine, tx, by, type: target }, otherId, { [storage.by]: id });
    return true;
  }
  await requireRecord(engine, by, target, otherId, "link to", tx);
  const locked = await lockForLink(operation, id, name);
  checkLinkAllowed(getLink(type, name), locked.values);
  return insertLink(locked, name, storage, otherId);
}

async function updateLinkedRecord(operation: Operation, id: number, fixed: Values): Promise<void> {
  try {
    await updateInTransaction(operation, id, { members: {} }, { fixed });
  } catch (error) {
    throw translateDatabaseError(operation.type, error);
  }
}

/** Links the record of that name, and creates it when there is none; returns it as JSON. */
export async function linkByName(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  body: Body,
): Promise<string> {
  const { target } = resolveLink(engine, type, name);
  return engine.database.transaction(async (tx) => {
    const { otherId, account } = await linkByNameInTransaction({ engine, tx, by, type }, id, name, body);
    return (await loadSavedRecord(engine, tx, by, target, { id: otherId, account })).json;
  }, by.zone);
}

export async function linkByNameInTransaction(
  operation: Operation,
  id: number,
  name: string,
  body: Body,
): Promise<{ otherId: number; account: string; isNew: boolean }> {
  const { engine, tx, by, type } = operation;
  const { target, storage } = resolveLink(engine, type, name);
  if ("by" in storage) throw new Error(`${type.name}.${name} cannot be linked by name`);
  const { values: given, problems } = readInput(target, body, by, "create");
  const locked = await lockForLink(operation, id, name);
  const { account } = locked;
  // Two callers who use a new name at the same moment mean the same record.
  await tx.query(acquireLock, [buildLockKey("create by name", target.name, account)]);
  const [row] = await tx.query(
    statement(
      `SELECT id FROM ${target.table} WHERE account_id = $1 AND lower(${quoteIdentifier(target.display)}) = lower($2)`,
    ),
    [account, (given[target.display] ?? null) as string | null],
  );
  const otherId =
    row === undefined
      ? await createUnchecked({ engine, tx, by, type: target }, given, { account, problems })
      : Number(row[0]);
  return { otherId, account, isNew: await insertLink(locked, name, storage, otherId) };
}

/** Returns false where they were linked already. */
async function insertLink(locked: LockedLink, name: string, storage: LinkTable, otherId: number): Promise<boolean> {
  const rows = await locked.tx.query(
    statement(
      `INSERT INTO ${storage.table} (account_id, ${storage.here}, ${storage.there}) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
    ),
    [locked.account, locked.id, otherId],
  );
  if (rows.length > 0) await publishLinkChange(locked, name, [null, otherId]);
  return rows.length > 0;
}

/** Unlinks one record, or all when no id is given. A record that is not linked cannot be unlinked: 404. */
export function unlink(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  return engine.database.transaction((tx) => unlinkInTransaction({ engine, tx, by, type }, id, name, otherId));
}

export async function unlinkInTransaction(
  operation: Operation,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  const { engine, tx, by, type } = operation;
  const { target, storage } = resolveLink(engine, type, name);
  if ("by" in storage) {
    await requireRecord(engine, by, type, id, "link to", tx);
    const rows = await tx.query(
      statement(
        `SELECT id FROM ${target.table} WHERE ${quoteIdentifier(storage.column)} = $1 AND ($2::integer IS NULL OR id = $2) AND account_id = ANY($3::text[])`,
      ),
      [id, otherId, listReachableAccounts(by)],
    );
    if (otherId !== null && rows.length === 0) throw new NotFound();
    for (const [other] of rows)
      await updateLinkedRecord({ engine, tx, by, type: target }, Number(other), { [storage.by]: null });
    return;
  }
  const locked = await lockForLink(operation, id, name);
  const removed = await tx.query(
    statement(
      `DELETE FROM ${storage.table} WHERE ${storage.here} = $1 AND ($2::integer IS NULL OR ${storage.there} = $2) AND account_id = $3 RETURNING ${storage.there}`,
    ),
    [id, otherId, locked.account],
  );
  if (otherId !== null && removed.length === 0) throw new NotFound();
  if (removed.length === 0) return;
  await publishLinkChange(locked, name, [otherId ?? removed.map((row) => Number(row[0])), null]);
}

/** Runs the hook of the link, then publishes the change of the link like any other. */
async function publishLinkChange(locked: LockedLink, name: string, values: readonly [Value, Value]): Promise<void> {
  const { engine, tx, by, type, id, account, participant, values: before } = locked;
  const change = prepareChange(locked, { id, account, before }, {}, { participant });
  await engine.rules.forType(type.name).afterLinkChange?.[name]?.({ tx, by, id, values: before, account, change });
  await change.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account: participant ?? account,
      participant,
      action: "update",
      changes: { [name]: values },
      before,
      after: before,
      events: type.events.includes("update") ? [`${type.name}.update`] : [],
    }),
  );
}
