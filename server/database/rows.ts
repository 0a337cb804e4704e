import type { Field, ValueOf } from "../../records/vocabulary/index.ts";
import { type Database, type Row, type Statement, statement, type Transaction, type Value } from "./database.ts";

// PostgreSQL sends every column of a result row as text. These functions give a column its type.

type Column = string | null | undefined;

export const parseNumberOrNull = (text: Column): number | null => (text == null ? null : Number(text));

/** A text column that is NOT NULL. */
export function parseText(text: Column): string {
  if (text == null) throw new Error("a column that must have a value has none");
  return text;
}

export const parseBoolean = (text: Column): boolean => text === "t";

/** The ids that json_agg collected; it gives null for no rows. */
export const parseIds = (text: Column): number[] => JSON.parse(text ?? "[]");

/** A column of JSON that the statement itself built, so its author knows what it is. */
export const parseJson = <T>(text: Column): T => JSON.parse(parseText(text));

/** Records as the serializer writes them, with the selected fields. */
export const parseRecords = <T>(records: readonly string[]): T[] => records.map((json) => JSON.parse(json));

/** A text column with one of these words. */
export function parseWord<W extends string>(words: readonly W[], text: Column): W {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new Error(`"${text}" is none of ${words.join(", ")}`);
  return found;
}

/** The column of a choice field, typed as one of its values. */
export const parseChoice = <F extends Field & { kind: "enum" }>(_field: F, text: Column): ValueOf<F> | null =>
  (text ?? null) as ValueOf<F> | null; // every write of the column was checked against the values of the field

/** The id in the first column of the first row. */
export const parseFirstId = (rows: readonly Row[]): number | null => parseNumberOrNull(rows[0]?.[0]);

// A JSON statement lets PostgreSQL write rows as JSON objects, with numbers, booleans, lists and ISO times. For small
// results that are read by name.

type JsonStatement<T> = Statement & { readonly row?: T };

/** A SELECT, or in a transaction a change with RETURNING, whose rows come as objects. */
export const jsonStatement = <T>(text: string): JsonStatement<T> =>
  statement(`WITH x AS (${text}) SELECT coalesce(json_agg(x), '[]') FROM x`);

export async function queryRows<T>(
  source: Database | Pick<Transaction, "query">,
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

/** Of a statement that always has a row. */
export async function queryOne<T>(
  source: Database | Transaction,
  query: JsonStatement<T>,
  values: readonly Value[] = [],
): Promise<T> {
  const [row] = await queryRows(source, query, values);
  if (row === undefined) throw new Error("a statement that must have a row has none");
  return row;
}

/** SQL for the record of that id as `{id, name}`, or null. `id`: a column; "NULL" where a row has none. */
export const buildReference = (table: string, id: string, name = "name"): string =>
  id === "NULL"
    ? "NULL"
    : `(SELECT json_build_object('id', x.id, 'name', x.${name}) FROM ${table} x WHERE x.id = ${id})`;
