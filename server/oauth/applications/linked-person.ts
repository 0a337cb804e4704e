import { Invalid } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { isAdministratorOf } from "../../engine/access.ts";
import { listAccountAndDirectory, type Person } from "../../engine/caller.ts";

// The person that a client-credentials application acts as. Linking a person gives the application all rights of that
// person, so administrators may link only people whose roles are all in accounts that they administer themselves.

type LinkCandidate = { id: number; account_id: string; accounts: string[] | null };

const selectCandidate = jsonStatement<LinkCandidate>(
  `SELECT p.id, p.account_id, (SELECT array_agg(DISTINCT r.account_id) FROM permissions r WHERE r.person_id = p.id) AS accounts
FROM people p WHERE (lower(p.primary_email) = lower($1) OR p.id = $2) AND p.account_id = ANY($3::text[])
  AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.account_id = $4 DESC LIMIT 1`,
);

/** By email address or id, in the account or its directory account. Without `by` (command line) roles are not checked. */
export async function resolveLinkedPerson(
  tx: Transaction,
  input: unknown,
  account: { id: string; directory: string | null },
  by: Person | null,
): Promise<number> {
  if (input === undefined || input === null || input === "") throw new Invalid([["person", "can't be blank"]]);
  const id = typeof input === "number" && Number.isInteger(input) && input > 0 && input < 2 ** 31 ? input : -1;
  const email = typeof input === "string" && !input.includes("\0") ? input.trim() : "";
  const accounts = listAccountAndDirectory(account);
  const [person] = await queryRows(tx, selectCandidate, [email, id, accounts, account.id]);
  if (person === undefined) throw new Invalid([["person", "is not an enabled person of this account"]]);
  const notAdministered = (person.accounts ?? []).filter((id) => by !== null && !isAdministratorOf(by, id));
  if (notAdministered.length > 0) throw new Invalid([["person", "has roles in accounts that you do not administer"]]);
  return person.id;
}
