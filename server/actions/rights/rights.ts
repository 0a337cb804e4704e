import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { reason, right } from "../../../records/answers/permissions.ts";
import { type AccessOperation, type Grant, grantsFor } from "../../../records/people/roles.ts";
import type { Condition } from "../../../records/vocabulary/index.ts";
import { pickAccounts, rolesIn } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Type } from "../../engine/types.ts";

// A person's permissions on a type, and their grants: the same table by which the engine decides, with the role of
// each grant (D-462).

export const operations = {
  see: "read",
  create: "create",
  change: "update",
  delete: "delete",
  archive: "archive",
} as const satisfies Record<string, AccessOperation>;
type RightName = keyof typeof operations;

/** A value for each right. */
export const mapRights = <T>(build: (name: RightName) => T): Record<RightName, T> => ({
  see: build("see"),
  create: build("create"),
  change: build("change"),
  delete: build("delete"),
  archive: build("archive"),
});

/** The reason for a permission. `condition`: the row must meet one of them; empty: every row. */
export type Reason = AnswerOf<typeof reason>;
export type Right = AnswerOf<typeof right>;

/** "manager" for a field that must name the person, the name of a rule for anything else. */
export function describeCondition(condition: Condition): string[] {
  if ("any" in condition) return condition.any.flatMap(describeCondition);
  if ("rule" in condition) return [`rule:${condition.rule}`];
  return Object.keys(condition.fields).map((name) => `field:${name}`);
}

export type RoleGrant = { role: string; account: string; grant: Grant };

/** The grants of a person on a type, each with the role that gives it and the account in which the person has that role. */
export function listRoleGrants(type: Type, operation: AccessOperation, by: Caller): RoleGrant[] {
  const found: RoleGrant[] = [];
  const accounts = operation === "create" ? [by.account] : pickAccounts(type, by);
  const ofEverybody = grantsFor(type, operation, []);
  for (const grant of ofEverybody) found.push({ role: "everyone", account: by.account, grant });
  for (const account of accounts) {
    // Reading a shared record needs a role in either account, changing it one in its own.
    const here = operation === "read" ? new Set([...by.roles, ...rolesIn(by, account)]) : rolesIn(by, account);
    for (const role of here)
      for (const grant of grantsFor(type, operation, [role]).slice(ofEverybody.length))
        if (!found.some((other) => other.role === role && other.grant === grant))
          found.push({ role, account: rolesIn(by, account).has(role) ? account : by.account, grant });
  }
  return found;
}

export const toReason = ({ role, account, grant }: RoleGrant): Reason => ({
  role,
  account,
  condition: grant.where === undefined ? [] : describeCondition(grant.where),
  fields: grant.fields ?? null,
});

/** Fields of the grants together; null as soon as one of them is not limited. */
export const joinFields = (grants: readonly RoleGrant[]): readonly string[] | null =>
  grants.some(({ grant }) => grant.fields === undefined)
    ? null
    : [...new Set(grants.flatMap(({ grant }) => grant.fields ?? []))];
