import type { Value as SqlValue } from "../../storage/database.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";

/**
 * A piece of a WHERE. The key tells its shape: pieces with equal keys have equal SQL and differ in values only, so a
 * statement is built once per combination of keys.
 */
export type Clause = {
  key: string;
  /** `alias` is the row's table; `next()` gives the placeholder of the next value */
  sql: (alias: string, next: () => string) => string;
  values: readonly SqlValue[];
  /** what it is put together from */
  any?: readonly Clause[];
  all?: readonly Clause[];
};

export const always: Clause = { key: "true", sql: () => "true", values: [] };
export const never: Clause = { key: "false", sql: () => "false", values: [] };

export function anyOf(clauses: readonly Clause[]): Clause {
  if (clauses.length === 1) return clauses[0] as Clause;
  return {
    key: `(${clauses.map((clause) => clause.key).join("|")})`,
    sql: (alias, next) => `(${clauses.map((clause) => clause.sql(alias, next)).join(" OR ")})`,
    values: clauses.flatMap((clause) => clause.values),
    any: clauses,
  };
}

export function allOf(clauses: readonly Clause[]): Clause {
  if (clauses.length === 0) return always;
  if (clauses.length === 1) return clauses[0] as Clause;
  return {
    key: `(${clauses.map((clause) => clause.key).join("&")})`,
    sql: (alias, next) => `(${clauses.map((clause) => clause.sql(alias, next)).join(" AND ")})`,
    values: clauses.flatMap((clause) => clause.values),
    all: clauses,
  };
}

/** The same as several clauses of which one must hold, each simple enough to be found through an index. */
export function alternatives(clause: Clause): readonly Clause[] {
  if (clause.any !== undefined) return clause.any.flatMap(alternatives);
  if (clause.all === undefined) return [clause];
  const [first = [always], ...others] = clause.all.map(alternatives);
  return others.reduce((found, next) => found.flatMap((one) => next.map((other) => allOf([one, other]))), first);
}

/** column in one or several values of an account: one is the common case and gets the plain comparison */
export function oneOfAccounts(column: string, accounts: readonly string[]): Clause {
  return {
    key: `${column}@${accounts.length}`,
    sql: (alias, next) =>
      accounts.length === 1
        ? `${alias}.${quoteIdentifier(column)} = ${next()}`
        : `${alias}.${quoteIdentifier(column)} IN (${accounts.map(() => next()).join(", ")})`,
    values: accounts,
  };
}
