import { enumerations } from "../../../records/enumerations/index.ts";
import { person } from "../../../records/people/person.ts";
import { BadRequest } from "../../base/errors.ts";
import { statement } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { isInternal, isMineOrBelow } from "./organization.ts";
import { refuseIdentityChange } from "./sign-in-identity.ts";

const knownRoles: readonly string[] = enumerations["permission.role"];

/** Splits "specialist, auditor" into names without repetition, whether or not such roles exist. */
export const parseCommaSeparated = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  ),
];

export const insertPermissions = statement(
  "INSERT INTO permissions (account_id, person_id, role, created_at) SELECT $1, $2, unnest($3::text[]), $4 ON CONFLICT DO NOTHING",
);

export function parseRoles(text: string): string[] {
  const roles = parseCommaSeparated(text);
  if (roles.length === 0 || roles.some((role) => !knownRoles.includes(role)))
    throw new BadRequest("Invalid value for field 'roles'");
  return roles;
}

/** People who hold at least one of the roles in an account. */
export const holdsRole = (account: string, roles: readonly string[]): Clause => ({
  key: "holds a role",
  sql: (alias, next) =>
    `${alias}.id IN (SELECT person_id FROM permissions WHERE account_id = ${next()} AND role = ANY(${next()}::text[]))`,
  values: [account, roles],
});

/** CO33: `a,b` are people with one of these roles, `!a,b` those with none of them, a blank those without any role. */
function filterByRoles(value: string, by: Caller): Clause {
  const isNegated = value.startsWith("!");
  const names = isNegated ? value.slice(1) : value;
  if (names.trim() === "")
    return isNegated ? holdsRole(by.account, knownRoles) : negate(holdsRole(by.account, knownRoles));
  const holders = holdsRole(by.account, parseRoles(names));
  return isNegated ? negate(holders) : holders;
}

const negate = ({ key, sql, values }: Clause): Clause => ({
  key: `not ${key}`,
  sql: (alias, next) => `NOT (${sql(alias, next)})`,
  values,
});

export const personRules = rulesFor(person, {
  conditions: {
    "works for an internal organization": (by) => isInternal("organization_id", by),
    "works for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
  },
  filters: { roles: filterByRoles },
  beforeSave: refuseIdentityChange,
});
