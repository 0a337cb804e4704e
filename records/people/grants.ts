import type { Condition } from "../vocabulary/conditions.ts";

// How the table of roles.ts is read, by the server and by the interface, which has the table without its conditions.

export type AccessOperation = "read" | "create" | "update" | "delete" | "archive";
export type Grant = {
  on: string;
  may: readonly AccessOperation[];
  /** only these rows */
  where?: Condition;
  /** only these fields, when creating or updating, and these links and children */
  fields?: readonly string[];
  /** rows of other accounts, too, when they meet the condition */
  acrossAccounts?: true;
};

/** The roles that may archive, trash and restore, and change source and sourceID. */
export const administrators = ["account_administrator", "directory_administrator"];

export type GrantedType = {
  readonly name: string;
  readonly access?: { readonly restricted: boolean; readonly onlyRoles: readonly string[] | null };
};

/** The grants of "everyone" and of the given roles on a record type. */
export function pickGrants<Entry extends Pick<Grant, "on" | "may">>(
  grants: Readonly<Record<string, readonly Entry[]>>,
  type: GrantedType,
  operation: AccessOperation,
  roles: Iterable<string>,
): Entry[] {
  const isCovered = (on: string) => on === type.name || on === "everything" || (on === "*" && !type.access?.restricted);
  return ["everyone", ...roles]
    .filter((role) => type.access?.onlyRoles?.includes(role) !== false)
    .flatMap((role) => (grants[role] ?? []).filter((grant) => isCovered(grant.on) && grant.may.includes(operation)));
}
