import { Invalid } from "../../base/errors.ts";
import { isAdministratorOf } from "../../engine/access.ts";
import { listAccountAndDirectory, type Person } from "../../engine/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import { jsonStatement, queryRows } from "../../storage/rows.ts";

// The person a client-credentials application acts as. Whoever links a person can do what that person can, so an
// administrator may link only somebody whose roles are all in accounts that this administrator administers.

type LinkCandidate = { id: number; account_id: string; accounts: string[] | null };

const find = jsonStatement<LinkCandidate>(
  `SELECT p.id, p.account_id, (SELECT array_agg(DISTINCT r.account_id) FROM permissions r WHERE r.person_id = p.id) AS accounts
FROM people p WHERE (lower(p.primary_email) = lower($1) OR p.id = $2) AND p.account_id = ANY($3::text[])
  AND NOT p.disabled AND p.life_cycle = 'active' ORDER BY p.account_id = $4 DESC LIMIT 1`,
);

/** By e-mail address or id, in the account or its directory account; without an administrator nothing is held back. */
export async function resolveLinkedPerson(
  tx: Transaction,
  named: unknown,
  account: { id: string; directory: string | null },
  by: Person | null,
): Promise<number> {
  if (named === undefined || named === null || named === "") throw new Invalid([["person", "can't be blank"]]);
  const id = typeof named === "number" && Number.isInteger(named) && named > 0 && named < 2 ** 31 ? named : -1;
  const email = typeof named === "string" && !named.includes("\0") ? named.trim() : "";
  const accounts = listAccountAndDirectory(account);
  const [person] = await queryRows(tx, find, [email, id, accounts, account.id]);
  if (person === undefined) throw new Invalid([["person", "is not an enabled person of this account"]]);
  const beyond = (person.accounts ?? []).filter((at) => by !== null && !isAdministratorOf(by, at));
  if (beyond.length > 0) throw new Invalid([["person", "has roles in accounts that you do not administer"]]);
  return person.id;
}
