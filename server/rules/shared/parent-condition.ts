import { type Clause, never } from "../../engine/sql/clauses.ts";

/** A condition of the lists under a parent record, whose id is `parent`; without a parent no row meets it. */
export const buildParentCondition =
  (key: string, sql: (row: string, parent: string) => string) =>
  (_by: unknown, parent?: number): Clause =>
    parent === undefined ? never : { key, sql: (alias, next) => sql(alias, `${next()}::integer`), values: [parent] };
