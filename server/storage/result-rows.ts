import { type Database, type Row, type Statement, statement, type Transaction, type Value } from "./database.ts";

// Typed results. Rows come from the connection as lists of texts; a JSON statement lets PostgreSQL write them as JSON
// objects instead, with numbers, booleans, lists and ISO times. For small results that are read by name.

type JsonStatement<T> = Statement & { readonly row?: T };

/** A SELECT, or a change with RETURNING, whose rows come as objects. */
export const jsonStatement = <T>(text: string): JsonStatement<T> =>
  statement(`WITH x AS (${text}) SELECT coalesce(json_agg(x), '[]') FROM x`);

export async function queryRows<T>(
  source: Database | Transaction,
  query: JsonStatement<T>,
  values: readonly Value[] = [],
): Promise<T[]> {
  const rows = "query" in source ? await source.query(query, values) : await source.read(query, values);
  return JSON.parse(rows[0]?.[0] ?? "[]") as T[];
}

export async function queryFirst<T>(
  source: Database | Transaction,
  query: JsonStatement<T>,
  values: readonly Value[] = [],
): Promise<T | null> {
  return (await queryRows(source, query, values))[0] ?? null;
}

/** The id in the first column of the first row. */
export const parseFirstId = (rows: readonly Row[]): number | null => (rows[0]?.[0] == null ? null : Number(rows[0][0]));
