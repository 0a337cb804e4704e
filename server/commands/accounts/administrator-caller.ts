import { OperatorError } from "../../base/errors.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import { type Account, accountColumns, type Caller, parseAccount } from "../../engine/caller.ts";
import { type Database, statement } from "../../storage/database.ts";

// What is done at the command line is done by nobody in particular: the audit trail names no person for it.
const noPerson = null as unknown as number;

const administratorRoles: ReadonlySet<string> = new Set(["account_administrator", "directory_administrator"]);

/** May do everything in the account and in its directory account. */
export function buildAdministratorCaller(account: Account, source: string, now: Date): Caller {
  const accounts = account.directory === null ? [account.id] : [account.id, account.directory];
  const zone = toIanaZone(account.time_zone);
  return {
    me: {
      id: noPerson,
      name: source,
      account: account.id,
      locale: account.locale,
      zone,
      zoneName: account.time_zone,
      organization: account.organization,
      site: null,
      roles: new Map(accounts.map((id) => [id, administratorRoles])),
    },
    person: noPerson,
    account: account.id,
    accountRecord: account,
    directoryAccounts: accounts,
    memberAccounts: accounts,
    roles: administratorRoles,
    language: account.locale,
    zone,
    now,
    source,
    customFieldsAsArray: false,
    origin: "",
  };
}

const selectAccount = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);

export async function loadAccount(database: Database, id: string): Promise<Account | null> {
  const [row] = await database.read(selectAccount, [id]);
  return row === undefined ? null : parseAccount(row);
}

export async function requireAccount(database: Database, id: string): Promise<Account> {
  const account = await loadAccount(database, id);
  if (account === null) throw new OperatorError(`There is no account ${id}.`);
  return account;
}

/** `source` of what is created at the command line */
export const commandLineSource = "Steward command line";
