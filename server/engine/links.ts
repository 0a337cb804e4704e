import type { Link } from "../../records/vocabulary/index.ts";
import { Forbidden, Invalid, NotFound } from "../base/errors.ts";
import { statement, type Transaction } from "../storage/database.ts";
import { linkColumns } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { limitedFields } from "./access.ts";
import { announce } from "./announce.ts";
import type { Caller } from "./caller.ts";
import type { Clause } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, requireRecord } from "./find.ts";
import { type Body, readInput } from "./input.ts";
import type { Value } from "./kinds/kind.ts";
import type { Values } from "./rules.ts";
import { asProblem, shownAfter } from "./save.ts";
import type { Type } from "./types.ts";
import { type Locked, rowForChange, updateIn } from "./update.ts";
import { changeOf, createWithin } from "./within.ts";

// Records joined to records: /teams/:id/members and /people/:id/teams are two ends of one table; the requests of a
// problem are those that refer to it.

type Joint = { table: string; here: string; there: string };
export type Ends = { target: Type; joint: Joint | { by: string; column: string } };

export function endsOf(engine: Engine, type: Type, name: string): Ends {
  const link = linkOf(type, name);
  const target = engine.types.named(link.to);
  if ("by" in link) return { target, joint: { by: link.by, column: target.columns.get(link.by) as string } };
  if ("table" in link) {
    const [here, there] = linkColumns(type.name, target.name);
    return { target, joint: { table: quoted(link.table), here, there } };
  }
  const inverse = target.links["inverse" in link ? link.inverse : ""] as { table: string };
  const [there, here] = linkColumns(target.name, type.name);
  return { target, joint: { table: quoted(inverse.table), here, there } };
}

function linkOf(type: Type, name: string): Link {
  const link = type.links[name];
  if (link === undefined) throw new Error(`${type.name} has no link "${name}"`);
  return link;
}

/** The rows linked to a record, for a list of them. */
export const linkedTo = ({ joint }: Ends, id: number): Clause =>
  "by" in joint
    ? {
        key: `${joint.column} here`,
        sql: (alias, next) => `${alias}.${quoted(joint.column)} = ${next()}`,
        values: [id],
      }
    : {
        key: `linked ${joint.table}.${joint.here}`,
        sql: (alias, next) =>
          `${alias}.id IN (SELECT ${joint.there} FROM ${joint.table} WHERE ${joint.here} = ${next()})`,
        values: [id],
      };

/** Some links make sense in some states only: the people of an agreement that covers people. */
function refuseUnlessFitting({ when }: Link, values: Values): void {
  if (when !== undefined && !when.is.includes(values[when.field] as string))
    throw new Invalid([[when.field, "is not valid"]]);
}

/** The record whose links of that name are about to change, locked. */
async function rowToLink(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
): Promise<Locked> {
  const row = await rowForChange(engine, tx, by, type, id, "update", { someFields: limitedFields(type, by) });
  if (row.onlyFields !== null && !row.onlyFields.has(name)) throw new Forbidden();
  refuseInactive(row.life);
  return row;
}

/** Linking needs the right to change this record and to see the other. Linking twice changes nothing. */
export function link(engine: Engine, by: Caller, type: Type, id: number, name: string, otherId: number): Promise<void> {
  return engine.database.transaction((tx) => linkIn(engine, tx, by, type, id, name, otherId));
}

/** The same inside a transaction that is under way. */
export async function linkIn(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number,
): Promise<void> {
  const { target, joint } = endsOf(engine, type, name);
  if ("by" in joint) {
    // The other record is the one that changes, so the right to change that one counts.
    await requireRecord(engine, by, type, id, "link to", tx);
    await changeOther(engine, tx, by, target, otherId, { [joint.by]: id });
    return;
  }
  await requireRecord(engine, by, target, otherId, "link to", tx);
  const { account, side, values } = await rowToLink(engine, tx, by, type, id, name);
  refuseUnlessFitting(linkOf(type, name), values);
  await join(engine, tx, by, type, { id, account, side, values }, name, joint, otherId);
}

async function changeOther(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  target: Type,
  otherId: number,
  fixed: Values,
): Promise<void> {
  try {
    await updateIn(engine, tx, by, target, otherId, { members: {} }, undefined, fixed);
  } catch (error) {
    throw asProblem(target, error);
  }
}

/** Links the record of that name, which is made when there is none; answers it as JSON. */
export async function linkNamed(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  body: Body,
): Promise<string> {
  const { target, joint } = endsOf(engine, type, name);
  if ("by" in joint) throw new Error(`${type.name}.${name} cannot be linked by name`);
  const { values: given, problems } = readInput(target, body, by, "create");
  return engine.database.transaction(async (tx) => {
    const { account, side, values } = await rowToLink(engine, tx, by, type, id, name);
    // Two callers who use a new name at the same moment mean the same record.
    await tx.query(oneAtATime, [`${target.name} ${account}`]);
    const [row] = await tx.query(
      statement(
        `SELECT id FROM ${target.table} WHERE account_id = $1 AND lower(${quoted(target.display)}) = lower($2)`,
      ),
      [account, (given[target.display] ?? null) as string | null],
    );
    const otherId =
      row === undefined ? await createWithin(engine, tx, by, target, given, { account, problems }) : Number(row[0]);
    await join(engine, tx, by, type, { id, account, side, values }, name, joint, otherId);
    return shownAfter(engine, tx, by, target, otherId);
  }, by.zone);
}

const oneAtATime = statement("SELECT pg_advisory_xact_lock(hashtext($1))");

type LinkedRow = { id: number; account: string; side: string | null; values: Values };

async function join(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  row: LinkedRow,
  name: string,
  joint: Joint,
  otherId: number,
): Promise<void> {
  const rows = await tx.query(
    statement(
      `INSERT INTO ${joint.table} (account_id, ${joint.here}, ${joint.there}) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
    ),
    [row.account, row.id, otherId],
  );
  if (rows.length > 0) await linkChanged(engine, tx, by, type, row, name, [null, otherId]);
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
  return engine.database.transaction((tx) => unlinkIn(engine, tx, by, type, id, name, otherId));
}

/** The same inside a transaction that is under way. */
export async function unlinkIn(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  const { target, joint } = endsOf(engine, type, name);
  if ("by" in joint) {
    await requireRecord(engine, by, type, id, "link to", tx);
    const rows = await tx.query(
      statement(
        `SELECT id FROM ${target.table} WHERE ${quoted(joint.column)} = $1 AND ($2::integer IS NULL OR id = $2)`,
      ),
      [id, otherId],
    );
    if (otherId !== null && rows.length === 0) throw new NotFound();
    for (const [other] of rows) await changeOther(engine, tx, by, target, Number(other), { [joint.by]: null });
    return;
  }
  const { account, side, values } = await rowToLink(engine, tx, by, type, id, name);
  const removed = await tx.query(
    statement(
      `DELETE FROM ${joint.table} WHERE ${joint.here} = $1 AND ($2::integer IS NULL OR ${joint.there} = $2) RETURNING ${joint.there}`,
    ),
    [id, otherId],
  );
  if (otherId !== null && removed.length === 0) throw new NotFound();
  if (removed.length === 0) return;
  const gone = otherId ?? removed.map((row) => Number(row[0]));
  await linkChanged(engine, tx, by, type, { id, account, side, values }, name, [gone, null]);
}

/** The record's own rules have a say, then the change of the link is told like any other. */
async function linkChanged(
  engine: Engine,
  tx: Transaction,
  by: Caller,
  type: Type,
  { id, account, side, values }: LinkedRow,
  name: string,
  change: readonly [Value, Value],
): Promise<void> {
  const under = changeOf(engine, tx, by, type, { id, account, before: values }, {}, { side });
  await engine.rules.of(type.name).linked?.[name]?.({ tx, by, id, values, account, change: under });
  await under.announced(() =>
    announce(engine, tx, by, {
      type,
      id,
      account: side ?? account,
      side,
      action: "update",
      changes: { [name]: change },
      before: values,
      after: values,
      events: type.events.includes("update") ? [`${type.name}.update`] : [],
    }),
  );
}
