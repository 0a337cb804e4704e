import { type Database, type Row, statement } from "../storage/database.ts";
import type { Viewer } from "./kinds/kind.ts";

/** An account as calls need it, kept in memory. */
export type Account = {
  id: string;
  name: string;
  directory: string | null;
  locale: string;
  time_zone: string;
  time_format_24h: boolean;
  organization: number | null;
  /** the accounts it trusts */
  trusts: readonly string[];
  /** the accounts that trust it: it may work on records of theirs */
  trustedBy: readonly string[];
};

const trusts = (wanted: string, given: string) =>
  `(SELECT json_agg(t.${wanted} ORDER BY t.${wanted}) FROM account_trusts t WHERE t.${given} = accounts.id AND t.status = 'accepted')`;
export const accountColumns = `id, name, directory_account_id, locale, time_zone, time_format_24h, organization_id,
  ${trusts("trusted_account_id", "account_id")}, ${trusts("account_id", "trusted_account_id")}`;

/** An account from a row of those columns. */
export const accountOf = (row: Row): Account => ({
  id: row[0] as string,
  name: row[1] as string,
  directory: row[2] ?? null,
  locale: row[3] as string,
  time_zone: row[4] as string,
  time_format_24h: row[5] === "t",
  organization: row[6] == null ? null : Number(row[6]),
  trusts: JSON.parse(row[7] ?? "[]") as string[],
  trustedBy: JSON.parse(row[8] ?? "[]") as string[],
});

const accountById = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);

/** The same person, in another account. */
export async function callerIn(database: Database, by: Caller, id: string): Promise<Caller> {
  const [row] = await database.read(accountById, [id]);
  if (row === undefined) throw new Error(`no account "${id}"`);
  const accountRecord = accountOf(row);
  const directory = accountRecord.directory === null ? [id] : [id, accountRecord.directory];
  return { ...by, account: id, accountRecord, directory, roles: by.me.roles.get(id) ?? new Set() };
}

/** The person a call is made as: what does not depend on the account of the call. */
export type Person = {
  id: number;
  name: string;
  account: string;
  locale: string;
  /** IANA zone */
  zone: string;
  zoneName: string;
  organization: number | null;
  site: number | null;
  /** roles by account */
  roles: ReadonlyMap<string, ReadonlySet<string>>;
};

/** Who is calling, in which account, as whom it may act. */
export type Caller = Viewer & {
  /** nobody: a timer */
  isService?: true;
  me: Person;
  /** the account of the call */
  accountRecord: Account;
  /** the accounts whose shared records (people, organizations, sites) are visible in this call */
  directory: readonly string[];
  /** every account this person has a part in */
  parts: readonly string[];
  language: string;
  zone: string;
  /** default of `source` for records created by this call */
  source: string;
};
