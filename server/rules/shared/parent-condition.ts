import { type Clause, never } from "../../engine/sql/clauses.ts";

/** A condition about the record whose list is asked for; nowhere else does it hold for any row. */
export const buildParentCondition =
  (key: string, sql: (row: string, here: string) => string) =>
  (_by: unknown, here?: number): Clause =>
    here === undefined ? never : { key, sql: (alias, next) => sql(alias, `${next()}::integer`), values: [here] };
