import { statement, type Transaction } from "../database/database.ts";

// ML1. The local part of an address names the account and, before a dot, a team.

export type Destination = { account: string; team: number | null };

const selectAccount = statement(
  `SELECT a.id, EXISTS (SELECT 1 FROM accounts d WHERE d.directory_account_id = a.id) FROM accounts a WHERE a.id = $1`,
);
const selectTeam = statement(
  "SELECT id FROM teams WHERE account_id = $1 AND lower(inbound_email_local_part) = $2 AND NOT disabled ORDER BY id LIMIT 1",
);

export type Queryable = Pick<Transaction, "query">;

/** Null: the address belongs to no account. */
export async function findDestination(reader: Queryable, address: string): Promise<Destination | null> {
  const local = address.slice(0, Math.max(address.lastIndexOf("@"), 0)).toLowerCase();
  if (local === "" || local.length > 130 || /[^\x21-\x7e]/.test(local)) return null;
  // The id of an account has no dot in it.
  const dot = local.lastIndexOf(".");
  const [row] = await reader.query(selectAccount, [local.slice(dot + 1)]);
  // A directory account has no requests of its own.
  if (row === undefined || row[1] === "t") return null;
  const account = row[0] as string;
  if (dot < 0) return { account, team: null };
  const [team] = await reader.query(selectTeam, [account, local.slice(0, dot)]);
  return team === undefined ? null : { account, team: Number(team[0]) };
}
