import { ofReachableAccounts } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { type Clause, never } from "../../engine/sql/clauses.ts";

/** A condition of the lists under a parent record, whose id is `parent`; without a parent no row meets it. */
export const buildParentCondition =
  (key: string, sql: (row: string, parent: string) => string) =>
  (_by: unknown, parent?: number): Clause =>
    parent === undefined ? never : { key, sql: (alias, next) => sql(alias, `${next()}::integer`), values: [parent] };

/** The table that links both, its columns with their ids, and a further condition on its rows. */
type LinkToParent = { table: string; own: string; parent: string; where?: string };

/** The same for rows that a table links to the parent; it lives with the account of the records that it links. */
export const buildLinkedToParentCondition =
  (key: string, { table, own, parent: column, where }: LinkToParent) =>
  (by: Caller, parent?: number): Clause => {
    if (parent === undefined) return never;
    const ofAccounts = ofReachableAccounts(by);
    const further = where === undefined ? "" : ` AND ${where}`;
    return {
      key: `${key} ${ofAccounts.key}`,
      sql: (alias, next) =>
        `${alias}.id IN (SELECT l.${own} FROM ${table} l WHERE l.${column} = ${next()}::integer AND ${ofAccounts.sql("l", next)}${further})`,
      values: [parent, ...ofAccounts.values],
    };
  };
