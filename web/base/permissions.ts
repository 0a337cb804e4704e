import { grants } from "virtual:grants";
import { type AccessOperation, administrators, pickGrants } from "../../records/people/grants.ts";
import type { TypeEntry } from "./type-index.ts";

// Decides which actions to offer, by the same table that the server uses. A grant with a condition is offered too; the
// server rejects the call if the condition doesn't hold.

export function may(roles: readonly string[], operation: AccessOperation, type: TypeEntry): boolean {
  if (operation !== "read" && type.storage?.journal) return false;
  return pickGrants(grants, type, operation, roles).length > 0;
}

export const isAdministrator = (roles: readonly string[]): boolean =>
  roles.some((role) => administrators.includes(role));

/** The roles that may perform an operation on a type, to name the missing ones. */
export const rolesThatMay = (operation: AccessOperation, type: TypeEntry): string[] =>
  Object.keys(grants).filter((role) => role !== "everyone" && may([role], operation, type));
