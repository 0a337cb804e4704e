import type { Value as SqlValue, Statement } from "../../database/database.ts";
import type { Fragment } from "./clauses.ts";

/** A statement with the values of its placeholders. */
export type Query = { statement: Statement; values: readonly SqlValue[] };

/** Fragments of a statement by name; a part that a statement does without is null. */
export type Parts = Record<string, Fragment | readonly Fragment[] | null>;

/** The SQL of the parts, under their names. */
export type PartsSql<P extends Parts> = {
  readonly [N in keyof P]: P[N] extends infer Part ? PartSql<Part> : never;
};
type PartSql<Part> = Part extends readonly Fragment[] ? readonly string[] : Part extends Fragment ? string : null;

const placeholder = (_alias: string, next: () => string): string => next();

/** One value as a fragment. */
export const value = (given: SqlValue): Fragment => ({ key: "$", sql: placeholder, values: [given] });

/** The fragment for a row of another alias than `a`. */
export const withAlias = (fragment: Fragment, alias: string): Fragment => ({
  key: `${alias}:${fragment.key}`,
  sql: (_alias, next) => fragment.sql(alias, next),
  values: fragment.values,
});

/** Collects the values of a statement while its text is written, so that their order is that of the placeholders. */
export class SqlWriter {
  readonly values: SqlValue[] = [];

  /** Adds a value; returns its placeholder. */
  addValue(given: SqlValue): string {
    this.values.push(given);
    return `$${this.values.length}`;
  }

  /** Adds the values of a fragment; returns its SQL. */
  add(fragment: Fragment, alias = "a"): string {
    let used = 0;
    const sql = fragment.sql(alias, () => this.addValue(fragment.values[used++] as SqlValue));
    if (used !== fragment.values.length)
      throw new Error(`"${fragment.key}" has ${used} placeholders for ${fragment.values.length} values`);
    return sql;
  }
}

/** The text of a statement and its values: placeholders are numbered in the order of the parts. */
export function writeQuery<const P extends Parts>(
  parts: P,
  build: (sql: PartsSql<P>) => string,
): { text: string; values: readonly SqlValue[] } {
  const writer = new SqlWriter();
  const sql: Record<string, string | readonly string[] | null> = {};
  for (const [name, part] of Object.entries(parts))
    sql[name] = part === null ? null : isList(part) ? part.map((each) => writer.add(each)) : writer.add(part);
  return { text: build(sql as PartsSql<P>), values: writer.values };
}

/** The key and the values of the parts: all that a statement needs whose text is cached. */
export function collectValues(name: string, parts: Parts): { key: string; values: SqlValue[] } {
  let key = name;
  const values: SqlValue[] = [];
  for (const part of Object.values(parts)) {
    key += "#";
    if (part === null) continue;
    if (!isList(part)) {
      key += part.key;
      values.push(...part.values);
    } else
      for (const each of part) {
        key += `${each.key};`;
        values.push(...each.values);
      }
  }
  return { key, values };
}

const isList = (part: Fragment | readonly Fragment[]): part is readonly Fragment[] => Array.isArray(part);
