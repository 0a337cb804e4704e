import { type Database, type Statement, statement, type Transaction, type Value } from "../storage/database.ts";

// The tables of this room are small and read by name: PostgreSQL writes the rows as JSON objects, with numbers,
// booleans, lists and ISO times as they are wanted here and on the wire.

type Objects<Row> = Statement & { readonly row?: Row };

/** A SELECT, or a change with RETURNING, whose rows come as objects. */
export const objects = <Row>(text: string): Objects<Row> =>
  statement(`WITH x AS (${text}) SELECT coalesce(json_agg(x), '[]') FROM x`);

export async function every<Row>(
  on: Database | Transaction,
  wanted: Objects<Row>,
  values: readonly Value[] = [],
): Promise<Row[]> {
  const rows = "query" in on ? await on.query(wanted, values) : await on.read(wanted, values);
  return JSON.parse(rows[0]?.[0] ?? "[]") as Row[];
}

export async function first<Row>(
  on: Database | Transaction,
  wanted: Objects<Row>,
  values: readonly Value[] = [],
): Promise<Row | null> {
  return (await every(on, wanted, values))[0] ?? null;
}
