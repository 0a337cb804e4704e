import { statement, type Transaction, type Value } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";
import type { Engine } from "../engine.ts";
import { isReference } from "../kinds/reference.ts";
import type { Type } from "../types.ts";

/** A column of another table that refers to records of a type. */
export type ReferringColumn = { type: Type; field: string; table: string; column: string };

/** The columns that refer to records of a type, without those of records that belong to it. */
export const listReferringColumns = (engine: Engine, type: Type): ReferringColumn[] =>
  engine.types.all.flatMap((other) =>
    other.ownedBy.includes(type.name)
      ? []
      : Object.entries(other.fields).flatMap(([field, declared]) => {
          const column = other.columns.get(field);
          return isReference(declared) && declared.to === type.name && column !== undefined
            ? [{ type: other, field, table: other.ownTable, column }]
            : [];
        }),
  );

/**
 * The records among these that others refer to, without references among themselves. `ignored`: a condition on further records of
 * the type whose references do not count, with its values from $2 on
 */
export async function findReferredRecords(
  engine: Engine,
  tx: Transaction,
  type: Type,
  ids: readonly number[],
  ignored: { sql: string; values: readonly Value[] } = { sql: "false", values: [] },
): Promise<Set<number>> {
  const columns = listReferringColumns(engine, type);
  if (columns.length === 0 || ids.length === 0) return new Set();
  const parts = columns.map(({ type: other, table, column }) => {
    const isOther = other === type ? ` AND NOT id = ANY($1::integer[]) AND NOT (${ignored.sql})` : "";
    return `SELECT ${quoteIdentifier(column)} FROM ${table} WHERE ${quoteIdentifier(column)} = ANY($1::integer[])${isOther}`;
  });
  const rows = await tx.query(statement(parts.join(" UNION ")), [
    ids,
    ...(columns.some(({ type: other }) => other === type) ? ignored.values : []),
  ]);
  return new Set(rows.map(([id]) => Number(id)));
}
