import { type Database, type Statement, statement, type Transaction, type Value } from "../storage/database.ts";

// The tables of this room are small and read by name: PostgreSQL writes the rows as JSON objects, with numbers,
// booleans, lists and ISO times as they are wanted here and on the wire.

type JsonStatement<Row> = Statement & { readonly row?: Row };

/** A SELECT, or a change with RETURNING, whose rows come as objects. */
export const jsonStatement = <Row>(text: string): JsonStatement<Row> =>
  statement(`WITH x AS (${text}) SELECT coalesce(json_agg(x), '[]') FROM x`);

export async function queryRows<Row>(
  on: Database | Transaction,
  wanted: JsonStatement<Row>,
  values: readonly Value[] = [],
): Promise<Row[]> {
  const rows = "query" in on ? await on.query(wanted, values) : await on.read(wanted, values);
  return JSON.parse(rows[0]?.[0] ?? "[]") as Row[];
}

export async function queryFirst<Row>(
  on: Database | Transaction,
  wanted: JsonStatement<Row>,
  values: readonly Value[] = [],
): Promise<Row | null> {
  return (await queryRows(on, wanted, values))[0] ?? null;
}
