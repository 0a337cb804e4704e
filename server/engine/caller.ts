import type { EnumerationValue } from "../../records/enumerations/index.ts";
import type { ChangeOrigin } from "../../records/journal/change-origins.ts";
import { toIanaZone } from "../base/time-zones.ts";
import {
  type ClientConnection,
  type Database,
  type ReadMemory,
  type Row,
  statement,
  type Transaction,
} from "../database/database.ts";
import type { Reader } from "./kinds/kind.ts";

/** An account as calls need it. */
export type Account = {
  id: string;
  name: string;
  directory: string | null;
  locale: string;
  time_zone: string;
  time_format_24h: boolean;
  currency: string;
  organization: number | null;
  /** the accounts it trusts */
  trusts: readonly string[];
  /** the accounts that trust it: it may participate in their records */
  trustedBy: readonly string[];
  /** the accounts whose agreements name it as the account of the customer */
  servedBy: readonly string[];
};

const buildTrustsQuery = (wanted: string, given: string) =>
  `(SELECT json_agg(t.${wanted} ORDER BY t.${wanted}) FROM account_trusts t WHERE t.${given} = accounts.id AND t.status = 'accepted')`;
export const accountColumns = `id, name, directory_account_id, locale, time_zone, time_format_24h, organization_id,
  ${buildTrustsQuery("trusted_account_id", "account_id")}, ${buildTrustsQuery("account_id", "trusted_account_id")},
  (SELECT json_agg(DISTINCT s.account_id) FROM slas s WHERE s.customer_account_id = accounts.id AND s.account_id <> accounts.id), currency`;

/** An account from a row of those columns. */
export const parseAccount = (row: Row): Account => ({
  id: row[0] as string,
  name: row[1] as string,
  directory: row[2] ?? null,
  locale: row[3] as string,
  time_zone: row[4] as string,
  time_format_24h: row[5] === "t",
  organization: row[6] == null ? null : Number(row[6]),
  trusts: JSON.parse(row[7] ?? "[]") as string[],
  trustedBy: JSON.parse(row[8] ?? "[]") as string[],
  servedBy: JSON.parse(row[9] ?? "[]") as string[],
  currency: row[10] as string,
});

export const selectAccount = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);

/** For callers whose account id comes from a stored record: the account exists. */
export async function loadAccount(tx: Pick<Transaction, "query">, id: string): Promise<Account> {
  const [row] = await tx.query(selectAccount, [id]);
  if (row === undefined) throw new Error(`no account "${id}"`);
  return parseAccount(row);
}

/** Records that a directory account shares (people, organizations, sites) are visible in its support domains. */
export const listAccountAndDirectory = ({ id, directory }: Pick<Account, "id" | "directory">): string[] =>
  directory === null ? [id] : [id, directory];

/** The same caller in another account. */
export async function loadCallerInAccount(database: Database, by: Caller, id: string): Promise<Caller> {
  const accountRecord = await loadAccount({ query: (query, values) => database.read(query, values) }, id);
  const directoryAccounts = listAccountAndDirectory(accountRecord);
  return { ...by, account: id, accountRecord, directoryAccounts, roles: by.me.roles.get(id) ?? new Set() };
}

/** The person of a caller: what does not depend on the account of the call. */
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

/**
 * People work in their own account, in its directory account, in the support domains of their own account, and in every
 * account in which they have a role. `homeDirectory`: the directory account of the person's own account.
 */
export const mayWorkIn = (
  { account: home, roles }: Pick<Person, "account" | "roles">,
  homeDirectory: string | null,
  { id, directory }: Pick<Account, "id" | "directory">,
): boolean => id === home || roles.has(id) || id === homeDirectory || directory === home;

/** The columns of a person `p`, with the roles. */
export const personColumns = `p.id, p.name, p.account_id, p.locale, p.time_zone, p.organization_id, p.site_id,
  (SELECT json_agg(json_build_array(r.account_id, r.role)) FROM permissions r WHERE r.person_id = p.id)`;

/** A person from a row of those columns. */
export function parsePerson(row: Row): Person {
  const roles = new Map<string, Set<string>>();
  for (const [account, role] of JSON.parse(row[7] ?? "[]") as [string, string][])
    roles.set(account, (roles.get(account) ?? new Set()).add(role));
  return {
    id: Number(row[0]),
    name: row[1] as string,
    account: row[2] as string,
    locale: row[3] ?? "en-US",
    zoneName: row[4] ?? "UTC",
    zone: toIanaZone(row[4] ?? null),
    organization: row[5] == null ? null : Number(row[5]),
    site: row[6] == null ? null : Number(row[6]),
    roles,
  };
}

type CallerOptions = Pick<Caller, "zone" | "now" | "source" | "changeOrigin"> &
  Partial<Pick<Caller, "language" | "customFieldsAsArray" | "origin" | "client">>;

/** A person in an account; `directory`: the directory account of the person's own account. */
export function buildCaller(
  me: Person,
  directory: string | null,
  accountRecord: Account,
  options: CallerOptions,
): Caller {
  const account = accountRecord.id;
  return {
    me,
    person: me.id,
    account,
    accountRecord,
    directoryAccounts: listAccountAndDirectory(accountRecord),
    memberAccounts: [...new Set([me.account, ...me.roles.keys(), ...(directory === null ? [] : [directory])])],
    roles: me.roles.get(account) ?? new Set(),
    language: me.locale,
    customFieldsAsArray: false,
    origin: "",
    ...options,
  };
}

const selectDirectoryAccount = statement("SELECT directory_account_id FROM accounts WHERE id = $1");

/** The caller for work on behalf of a person outside a request, such as rendering an email. */
export async function loadCaller(
  tx: Pick<Transaction, "query">,
  me: Person,
  accountRecord: Account,
  options: CallerOptions,
): Promise<Caller> {
  const [row] = await tx.query(selectDirectoryAccount, [me.account]);
  return buildCaller(me, row?.[0] ?? null, accountRecord, options);
}

/**
 * The accounts that records belong to which a caller can know of: those of the person, and those that share records with the
 * account of the call. Other conditions decide what the caller may do with them.
 */
export const listReachableAccounts = (by: Caller): readonly string[] => {
  const { trusts, trustedBy, servedBy } = by.accountRecord;
  const sharing = [...trusts, ...trustedBy, ...servedBy];
  return [...new Set([by.account, ...by.memberAccounts, ...by.directoryAccounts, ...sharing])];
};

/** The caller: the person, the account of the call, and the roles. */
export type Caller = Reader & {
  /** the automation rule that acts on behalf of this person */
  rule?: { id: number; name: string };
  /** the rule turns what an identity provider sent into people */
  isProvisioning?: true;
  /** a timer or another part of the service, not a person */
  isService?: true;
  /** changes of this call send no emails: bulk work */
  suppressMail?: true;
  /** the medium of the notes that this call adds, where that is not the default */
  medium?: EnumerationValue<"note.medium">;
  me: Person;
  /** the account of the call */
  accountRecord: Account;
  /** the accounts whose shared records (people, organizations, sites) are visible in this call */
  directoryAccounts: readonly string[];
  /** every account this person belongs to or has roles in */
  memberAccounts: readonly string[];
  language: string;
  zone: string;
  /** default of `source` for records created by this call */
  source: string;
  /** the origin of its changes, which their audit lines contain */
  changeOrigin: ChangeOrigin;
  /** who waits for the answer; expensive reads end when it goes away */
  client?: ClientConnection;
  /** counts the rows that are loaded for the caller; absent: not counted */
  memory?: ReadMemory;
};

/** The person behind a change. Changes by rules and timers have no actor. */
export const getActor = (by: Caller | null): number | null =>
  by === null || by.isService || by.rule !== undefined ? null : by.person;
