import type { Link } from "../../records/vocabulary/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { linkColumns } from "../storage/schema/derive.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";
import { limitedFields } from "./access.ts";
import type { Caller } from "./caller.ts";
import { createUnchecked, prepareChange } from "./change.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, requireRecord } from "./find.ts";
import type { Value } from "./kinds/kind.ts";
import { publish } from "./publish.ts";
import type { Values } from "./rules.ts";
import type { Clause } from "./sql/clauses.ts";
import type { Type } from "./types.ts";
import { type LockedRecord, lockForChange, updateInTransaction } from "./update.ts";
import { type Body, readInput } from "./write/input.ts";
import { loadSavedJson, translateDatabaseError } from "./write/save.ts";

// Records joined to records: /teams/:id/members and /people/:id/teams are two ends of one table; the requests of a
// problem are those that refer to it.

type LinkTable = { table: string; here: string; there: string };
export type ResolvedLink = { target: Type; storage: LinkTable | { by: string; column: string } };

export function resolveLink(engine: Engine, type: Type, name: string): ResolvedLink {
  const link = getLink(type, name);
  const target = engine.types.get(link.to);
  if ("by" in link) return { target, storage: { by: link.by, column: target.columns.get(link.by) as string } };
  if ("table" in link) {
    const [here, there] = linkColumns(type.name, target.name);
    return { target, storage: { table: quoteIdentifier(link.table), here, there } };
  }
  const inverse = target.links["inverse" in link ? link.inverse : ""] as { table: string };
  const [there, here] = linkColumns(target.name, type.name);
  return { target, storage: { table: quoteIdentifier(inverse.table), here, there } };
}

function getLink(type: Type, name: string): Link {
  const link = type.links[name];
  if (link === undefined) throw new Error(`${type.name} has no link "${name}"`);
  return link;
}

/** The rows linked to a record, for a list of them. */
export const buildLinkedClause = ({ storage: joint }: ResolvedLink, id: number): Clause =>
  "by" in joint
    ? {
        key: `${joint.column} here`,
        sql: (alias, next) => `${alias}.${quoteIdentifier(joint.column)} = ${next()}`,
        values: [id],
      }
    : {
        key: `linked ${joint.table}.${joint.here}`,
        sql: (alias, next) =>
          `${alias}.id IN (SELECT ${joint.there} FROM ${joint.table} WHERE ${joint.here} = ${next()})`,
        values: [id],
      };

/** Some links make sense in some states only: the people of an agreement that covers people. */
function checkLinkAllowed({ when }: Link, values: Values): void {
  if (when !== undefined && !when.is.includes(values[when.field] as string))
    throw new Invalid([[when.field, "is not valid"]]);
}

/** The record whose links of that name are about to change, locked. */
async function lockForLink(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
): Promise<LockedRecord> {
  const row = await lockForChange(engine, tx, by, type, id, "update", { someFields: limitedFields(type, by) });
  if (row.onlyFields !== null && !row.onlyFields.has(name)) throw new Forbidden();
  refuseInactive(row.lifeCycle);
  return row;
}

/** Linking needs the right to change this record and to see the other. Linking twice changes nothing. */
export function link(engine: Engine, by: Caller, type: Type, id: number, name: string, otherId: number): Promise<void> {
  return engine.database.transaction((tx) => linkInTransaction(engine, tx, by, type, id, name, otherId));
}

/** The same inside a transaction that is under way. */
export async function linkInTransaction(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number,
): Promise<void> {
  const { target, storage: joint } = resolveLink(engine, type, name);
  if ("by" in joint) {
    // The other record is the one that changes, so the right to change that one counts.
    await requireRecord(engine, by, type, id, "link to", tx);
    await updateLinkedRecord(engine, tx, by, target, otherId, { [joint.by]: id });
    return;
  }
  await requireRecord(engine, by, target, otherId, "link to", tx);
  const { account, participant: side, values } = await lockForLink(engine, tx, by, type, id, name);
  checkLinkAllowed(getLink(type, name), values);
  await insertLink(engine, tx, by, type, { id, account, side, values }, name, joint, otherId);
}

async function updateLinkedRecord(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  target: Type,
  otherId: number,
  fixed: Values,
): Promise<void> {
  try {
    await updateInTransaction(engine, tx, by, target, otherId, { members: {} }, undefined, fixed);
  } catch (error) {
    throw translateDatabaseError(target, error);
  }
}

/** Links the record of that name, which is made when there is none; answers it as JSON. */
export async function linkByName(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  body: Body,
): Promise<string> {
  const { target, storage: joint } = resolveLink(engine, type, name);
  if ("by" in joint) throw new Error(`${type.name}.${name} cannot be linked by name`);
  const { values: given, problems } = readInput(target, body, by, "create");
  return engine.database.transaction(async (tx) => {
    const { account, participant: side, values } = await lockForLink(engine, tx, by, type, id, name);
    // Two callers who use a new name at the same moment mean the same record.
    await tx.query(advisoryLock, [`${target.name} ${account}`]);
    const [row] = await tx.query(
      statement(
        `SELECT id FROM ${target.table} WHERE account_id = $1 AND lower(${quoteIdentifier(target.display)}) = lower($2)`,
      ),
      [account, (given[target.display] ?? null) as string | null],
    );
    const otherId =
      row === undefined ? await createUnchecked(engine, tx, by, target, given, { account, problems }) : Number(row[0]);
    await insertLink(engine, tx, by, type, { id, account, side, values }, name, joint, otherId);
    return loadSavedJson(engine, tx, by, target, otherId);
  }, by.zone);
}

const advisoryLock = statement("SELECT pg_advisory_xact_lock(hashtext($1))");

type LinkedRow = { id: number; account: string; side: string | null; values: Values };

async function insertLink(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  row: LinkedRow,
  name: string,
  joint: LinkTable,
  otherId: number,
): Promise<void> {
  const rows = await tx.query(
    statement(
      `INSERT INTO ${joint.table} (account_id, ${joint.here}, ${joint.there}) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
    ),
    [row.account, row.id, otherId],
  );
  if (rows.length > 0) await publishLinkChange(engine, tx, by, type, row, name, [null, otherId]);
}

/** Unlinks one record, or all when no id is given. What is not linked cannot be unlinked: 404. */
export function unlink(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  return engine.database.transaction((tx) => unlinkInTransaction(engine, tx, by, type, id, name, otherId));
}

/** The same inside a transaction that is under way. */
export async function unlinkInTransaction(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  const { target, storage: joint } = resolveLink(engine, type, name);
  if ("by" in joint) {
    await requireRecord(engine, by, type, id, "link to", tx);
    const rows = await tx.query(
      statement(
        `SELECT id FROM ${target.table} WHERE ${quoteIdentifier(joint.column)} = $1 AND ($2::integer IS NULL OR id = $2)`,
      ),
      [id, otherId],
    );
    if (otherId !== null && rows.length === 0) throw new NotFound();
    for (const [other] of rows) await updateLinkedRecord(engine, tx, by, target, Number(other), { [joint.by]: null });
    return;
  }
  const { account, participant: side, values } = await lockForLink(engine, tx, by, type, id, name);
  const removed = await tx.query(
    statement(
      `DELETE FROM ${joint.table} WHERE ${joint.here} = $1 AND ($2::integer IS NULL OR ${joint.there} = $2) RETURNING ${joint.there}`,
    ),
    [id, otherId],
  );
  if (otherId !== null && removed.length === 0) throw new NotFound();
  if (removed.length === 0) return;
  const gone = otherId ?? removed.map((row) => Number(row[0]));
  await publishLinkChange(engine, tx, by, type, { id, account, side, values }, name, [gone, null]);
}

/** The record's own rules have a say, then the change of the link is told like any other. */
async function publishLinkChange(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  { id, account, side, values }: LinkedRow,
  name: string,
  change: readonly [Value, Value],
): Promise<void> {
  const under = prepareChange(engine, tx, by, type, { id, account, before: values }, {}, { participant: side });
  await engine.rules.forType(type.name).afterLinkChange?.[name]?.({ tx, by, id, values, account, change: under });
  await under.publishInOrder(() =>
    publish(engine, tx, by, {
      type,
      id,
      account: side ?? account,
      participant: side,
      action: "update",
      changes: { [name]: change },
      before: values,
      after: values,
      events: type.events.includes("update") ? [`${type.name}.update`] : [],
    }),
  );
}
