import type { Value as SqlValue } from "../../storage/database.ts";
import { quoteIdentifier } from "../../storage/schema/model.ts";

/**
 * A piece of SQL that carries the values of its placeholders. Fragments with equal keys have equal SQL and differ in
 * values only, so a statement is built once per combination of keys.
 */
export type Fragment = {
  key: string;
  /** `alias` names the row; `next()` returns the placeholder of the next value */
  sql: (alias: string, next: () => string) => string;
  values: readonly SqlValue[];
};

/**
 * A condition of a WHERE; `any` and `all` hold the conditions it combines. `disjoint`: no row meets two of `any`. `keyed`:
 * the same condition written so that its rows are found through an index, where `sql` tests a row that was found already.
 */
export type Clause = Fragment & {
  any?: readonly Clause[];
  disjoint?: boolean;
  all?: readonly Clause[];
  keyed?: Clause;
};

export const always: Clause = { key: "true", sql: () => "true", values: [] };
export const never: Clause = { key: "false", sql: () => "false", values: [] };

export function anyOf(clauses: readonly Clause[], disjoint = false): Clause {
  if (clauses.length === 0) return never;
  if (clauses.length === 1) return clauses[0] as Clause;
  return {
    key: `(${clauses.map((clause) => clause.key).join("|")})`,
    sql: (alias, next) => `(${clauses.map((clause) => clause.sql(alias, next)).join(" OR ")})`,
    values: clauses.flatMap((clause) => clause.values),
    any: clauses,
    disjoint,
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

/** Clauses of which one must hold; `disjoint`: no row meets two of them. */
export type Branches = { clauses: readonly Clause[]; disjoint: boolean };

/** The same as branches, each of which is simple enough for an index. */
export function splitClause(clause: Clause): Branches {
  if (clause.any !== undefined) {
    const parts = clause.any.map(splitClause);
    return {
      clauses: parts.flatMap(({ clauses }) => clauses),
      disjoint: clause.disjoint === true && parts.every(({ disjoint }) => disjoint),
    };
  }
  if (clause.all === undefined) return { clauses: [clause.keyed ?? clause], disjoint: true };
  const parts = clause.all.map(splitClause);
  const [first = [always], ...others] = parts.map(({ clauses }) => clauses);
  return {
    clauses: others.reduce((result, list) => result.flatMap((a) => list.map((b) => allOf([a, b]))), first),
    disjoint: parts.every(({ disjoint }) => disjoint),
  };
}

/** The clause as one that is not split. */
export const unsplit = ({ key, sql, values }: Clause): Clause => ({ key, sql, values });

/** The account column has one of these values. One account is the common case and gets the plain comparison. */
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
