import type { Value as SqlValue } from "../../database/database.ts";
import { quoteIdentifier } from "../../schema/tables/model.ts";

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
 * `forAll`: the same condition for statements that read all of its rows, where `sql` is faster for the first ones.
 */
export type Clause = Fragment & {
  any?: readonly Clause[];
  disjoint?: boolean;
  all?: readonly Clause[];
  keyed?: Clause;
  forAll?: Clause;
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

/** The same as branches, each of which is simple enough for an index. `wants`: the first rows in some order, or all. */
export function splitClause(clause: Clause, wants: "first" | "all"): Branches {
  const other = clause.keyed ?? (wants === "all" ? clause.forAll : undefined);
  if (other !== undefined) return splitClause(other, wants);
  if (clause.any !== undefined) {
    const parts = clause.any.map((part) => splitClause(part, wants));
    return {
      clauses: parts.flatMap(({ clauses }) => clauses),
      disjoint: clause.disjoint === true && parts.every(({ disjoint }) => disjoint),
    };
  }
  if (clause.all === undefined) return { clauses: [clause], disjoint: true };
  const parts = clause.all.map((part) => splitClause(part, wants));
  const [first = [always], ...others] = parts.map(({ clauses }) => clauses);
  return {
    clauses: others.reduce((result, list) => result.flatMap((a) => list.map((b) => allOf([a, b]))), first),
    disjoint: parts.every(({ disjoint }) => disjoint),
  };
}

/** The clause as one that is not split; where all rows are wanted, `forAll` is split instead. */
export const unsplit = ({ key, sql, values }: Clause, forAll?: Clause): Clause =>
  forAll === undefined ? { key, sql, values } : { key, sql, values, forAll };

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
