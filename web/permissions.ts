import { type AccessOperation, administrators, grants } from "../records/people/roles.ts";
import type { RecordType } from "../records/vocabulary/index.ts";

// What to offer somebody. The same table that the server decides by; a grant with a condition is offered too, and the
// server says no where the condition does not hold.

export function may(roles: readonly string[], operation: AccessOperation, type: RecordType): boolean {
  if (operation !== "read" && type.journal) return false;
  return ["everyone", ...roles].some(
    (role) =>
      type.onlyRoles?.includes(role) !== false &&
      (grants[role] ?? []).some(
        ({ on, may: allowed }) =>
          allowed.includes(operation) && (on === type.name || on === "everything" || (on === "*" && !type.restricted)),
      ),
  );
}

export const isAdministrator = (roles: readonly string[]): boolean =>
  roles.some((role) => administrators.includes(role));
