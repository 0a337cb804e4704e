import { administrators, type Grant, grants, type Operation } from "../../records/people/roles.ts";
import type { Caller } from "./caller.ts";
import { allOf, always, anyOf, type Clause, never, oneOfAccounts } from "./clauses.ts";
import { conditionClause } from "./conditions.ts";
import type { Rules } from "./rules.ts";
import type { Type } from "./types.ts";

// The one place that decides who may do what. Both forms read records/people/roles.ts: `rowsFor` as an SQL condition
// for lists, look-ups and links, `mayCreate` before there is a row.

export type { Operation } from "../../records/people/roles.ts";

const none: ReadonlySet<string> = new Set();
export const rolesIn = (by: Caller, account: string): ReadonlySet<string> => by.me.roles.get(account) ?? none;

/** What the roles grant on a type: everything, some rows, or nothing. */
function granted(type: Type, operation: Operation, roles: ReadonlySet<string>): readonly Grant[] | "all rows" {
  const found: Grant[] = [];
  for (const role of ["everyone", ...roles])
    for (const grant of grants[role] ?? []) {
      if (!covers(grant.on, type) || !grant.may.includes(operation)) continue;
      if (grant.where === undefined) return "all rows";
      found.push(grant);
    }
  return found;
}

const covers = (on: string, type: Type): boolean =>
  on === type.name || on === "everything" || (on === "*" && !type.restricted);

function rowsOf(type: Type, operation: Operation, by: Caller, roles: ReadonlySet<string>, rules: Rules): Clause {
  const list = granted(type, operation, roles);
  if (list === "all rows") return always;
  if (list.length === 0) return never;
  return anyOf(list.map((grant) => conditionClause(type, grant.where ?? { any: [] }, by, rules)));
}

/** The accounts whose rows of this type a call can touch at all. */
export const accountsOf = (type: Type, by: Caller): readonly string[] =>
  type.sharedByDirectory ? by.directory : [by.account];

/**
 * The rows of the call's accounts that the caller may read or change. Reading shared records of the directory account
 * needs rights in the account of the call; changing them needs rights in the directory account itself.
 */
export function rowsFor(type: Type, operation: Operation, by: Caller, rules: Rules): Clause {
  const accounts = accountsOf(type, by);
  if (operation === "read")
    return allOf(
      [oneOfAccounts(type.accountColumn, accounts), rowsOf(type, operation, by, by.roles, rules)].filter(
        (clause) => clause !== always,
      ),
    );
  return anyOf(
    accounts.map((account) => {
      const rows = rowsOf(type, operation, by, rolesIn(by, account), rules);
      return rows === always
        ? oneOfAccounts(type.accountColumn, [account])
        : allOf([oneOfAccounts(type.accountColumn, [account]), rows]);
    }),
  );
}

/** Whether there is any row the caller could do this to; lists of types without any are a 403. */
export function mayAtAll(type: Type, operation: Operation, by: Caller): boolean {
  const accounts = operation === "read" ? [by.account] : accountsOf(type, by);
  return accounts.some((account) => granted(type, operation, rolesIn(by, account)).length > 0);
}

/** Creating needs a grant without a row condition, or, under a parent, the right to change the parent. */
export const mayCreate = (type: Type, by: Caller): boolean => granted(type, "create", by.roles).length > 0;

export const isAdministrator = (by: Caller, account: string): boolean =>
  administrators.some((role) => rolesIn(by, account).has(role));
