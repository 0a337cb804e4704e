import { enumerations } from "../../../records/enumerations/index.ts";
import { person } from "../../../records/people/person.ts";
import { BadRequest } from "../../base/errors.ts";
import { rulesFor } from "../../engine/rules.ts";
import type { Clause } from "../../engine/sql/clauses.ts";
import { statement } from "../../storage/database.ts";
import { isInternal, isMineOrBelow } from "./organization.ts";

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

export const personRules = rulesFor(person, {
  conditions: {
    "works for an internal organization": (by) => isInternal("organization_id", by),
    "works for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
  },
  filters: { roles: (value, by) => holdsRole(by.account, parseRoles(value)) },
});
