import type { person } from "../../../records/people/person.ts";
import { administrators } from "../../../records/people/roles.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Change } from "../../engine/rules.ts";

// D-781: no second way to the rights of an administrator. A caller who changes how a person signs in can sign in as that
// person, so the caller must administer all accounts that the person administers.

/** By these an email with a link, or an identity provider, finds the person. */
export const identityFields = ["primary_email", "authenticationID"] as const;

export const identityRefusal = "can only be changed by a person who administers the same accounts";

const powerfulRoles: ReadonlySet<string> = new Set([...administrators, "account_owner"]);

const selectRoles = statement(
  `SELECT r.account_id, r.role FROM permissions r WHERE r.person_id = $1
UNION ALL SELECT a.id, 'account_owner' FROM accounts a WHERE a.owner_id = $1`,
);

export async function mayChangeSignIn(tx: Pick<Transaction, "query">, by: Caller, person: number): Promise<boolean> {
  // Anonymized people lose their roles and never sign in again.
  if (by.changeOrigin.kind === "privacy") return true;
  if (by.rule === undefined && by.person === person) return true;
  const roles = await tx.query(selectRoles, [person]);
  const powerful = roles.filter(([, role]) => powerfulRoles.has(role ?? ""));
  // A rule has the rights of the account owner, but designers write rules; identity providers have a rule of their own.
  if (by.rule !== undefined) return (by.isProvisioning ? powerful : roles).length === 0;
  return powerful.every(([account]) => isAdministrator(by, account ?? ""));
}

export async function refuseIdentityChange(change: Change<typeof person>): Promise<void> {
  if (change.before === null) return;
  const fields = identityFields.filter((field) => change.changed.has(field));
  if (fields.length === 0 || (await mayChangeSignIn(change.tx, change.by, change.id))) return;
  for (const field of fields) change.problem(field, identityRefusal);
}
