import { enumerations } from "../../records/enumerations/index.ts";
import { BadRequest } from "../base/errors.ts";
import type { Clause } from "../engine/clauses.ts";
import type { TypeRules } from "../engine/rules.ts";
import { isInternal, isMineOrBelow } from "./organization.ts";

const known: readonly string[] = enumerations["permission.role"];

export function rolesIn(text: string): string[] {
  const roles = text
    .split(",")
    .map((role) => role.trim())
    .filter((role) => role !== "");
  if (roles.length === 0 || roles.some((role) => !known.includes(role)))
    throw new BadRequest("Invalid value for field 'roles'");
  return [...new Set(roles)];
}

/** People who hold at least one of the roles in an account. */
export const holdsRole = (account: string, roles: readonly string[]): Clause => ({
  key: "holds a role",
  sql: (alias, next) =>
    `${alias}.id IN (SELECT person_id FROM permissions WHERE account_id = ${next()} AND role = ANY(${next()}::text[]))`,
  values: [account, roles],
});

export const personRules: TypeRules = {
  conditions: {
    "works for an internal organization": (by) => isInternal("organization_id", by),
    "works for my organization or one below it": (by) => isMineOrBelow("organization_id", by),
  },
  filters: { roles: (value, by) => holdsRole(by.account, rolesIn(value)) },
};
