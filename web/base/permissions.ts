import { grants } from "virtual:grants";
import { type AccessOperation, administrators, pickGrants } from "../../records/people/grants.ts";
import type { TypeEntry } from "./type-index.ts";

// What to offer somebody. The same table that the server decides by; a grant with a condition is offered too, and the
// server says no where the condition does not hold.

export function may(roles: readonly string[], operation: AccessOperation, type: TypeEntry): boolean {
  if (operation !== "read" && type.storage?.journal) return false;
  return pickGrants(grants, type, operation, roles).length > 0;
}

export const isAdministrator = (roles: readonly string[]): boolean =>
  roles.some((role) => administrators.includes(role));

/** The roles that may do something with a type, for telling somebody which one they lack. */
export const rolesThatMay = (operation: AccessOperation, type: TypeEntry): string[] =>
  Object.keys(grants).filter((role) => role !== "everyone" && may([role], operation, type));
