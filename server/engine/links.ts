import { NotFound } from "../base/errors.ts";
import { statement } from "../storage/database.ts";
import { linkColumns } from "../storage/schema/derive.ts";
import { quoted } from "../storage/schema/model.ts";
import { announce } from "./announce.ts";
import type { Caller } from "./caller.ts";
import type { Clause } from "./clauses.ts";
import type { Engine } from "./engine.ts";
import { refuseInactive, requireRecord } from "./find.ts";
import type { Type } from "./types.ts";
import { rowForChange } from "./update.ts";

// Records joined to records: /teams/:id/members and /people/:id/teams are two ends of one table.

export type Ends = { table: string; here: string; there: string; target: Type; owner: Type };

export function endsOf(engine: Engine, type: Type, name: string): Ends {
  const link = type.links[name];
  if (link === undefined) throw new Error(`${type.name} has no link "${name}"`);
  const target = engine.types.named(link.to);
  if ("table" in link) {
    const [here, there] = linkColumns(type.name, target.name);
    return { table: quoted(link.table), here, there, target, owner: type };
  }
  const inverse = target.links["inverse" in link ? link.inverse : ""] as { table: string };
  const [there, here] = linkColumns(target.name, type.name);
  return { table: quoted(inverse.table), here, there, target, owner: target };
}

/** The rows linked to a record, for a list of them. */
export const linkedTo = (ends: Ends, id: number): Clause => ({
  key: `linked ${ends.table}.${ends.here}`,
  sql: (alias, next) => `${alias}.id IN (SELECT ${ends.there} FROM ${ends.table} WHERE ${ends.here} = ${next()})`,
  values: [id],
});

/** Linking needs the right to change this record and to see the other. Linking twice changes nothing. */
export async function link(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number,
): Promise<void> {
  const ends = endsOf(engine, type, name);
  await requireRecord(engine, by, ends.target, otherId, "link to");
  await engine.database.transaction(async (tx) => {
    const { account, life, values } = await rowForChange(engine, tx, by, type, id, "update");
    refuseInactive(life);
    const rows = await tx.query(
      statement(
        `INSERT INTO ${ends.table} (account_id, ${ends.here}, ${ends.there}) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`,
      ),
      [account, id, otherId],
    );
    if (rows.length > 0)
      await announce(engine, tx, by, {
        type,
        id,
        account,
        action: "update",
        changes: { [name]: [null, otherId] },
        before: values,
        after: values,
        events: updateEvent(type),
      });
  });
}

/** Unlinks one record, or all when no id is given. What is not linked cannot be unlinked: 404. */
export async function unlink(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  name: string,
  otherId: number | null,
): Promise<void> {
  const ends = endsOf(engine, type, name);
  await engine.database.transaction(async (tx) => {
    const { account, life, values } = await rowForChange(engine, tx, by, type, id, "update");
    refuseInactive(life);
    const removed =
      otherId === null
        ? await tx.query(statement(`DELETE FROM ${ends.table} WHERE ${ends.here} = $1 RETURNING ${ends.there}`), [id])
        : await tx.query(
            statement(
              `DELETE FROM ${ends.table} WHERE ${ends.here} = $1 AND ${ends.there} = $2 RETURNING ${ends.there}`,
            ),
            [id, otherId],
          );
    if (otherId !== null && removed.length === 0) throw new NotFound();
    const gone = removed.map((row) => Number(row[0]));
    if (gone.length > 0)
      await announce(engine, tx, by, {
        type,
        id,
        account,
        action: "update",
        changes: { [name]: [otherId ?? gone, null] },
        before: values,
        after: values,
        events: updateEvent(type),
      });
  });
}

const updateEvent = (type: Type): string[] => (type.events.includes("update") ? [`${type.name}.update`] : []);
