import { administrators } from "../../../records/people/roles.ts";
import { OperatorError } from "../../base/errors.ts";
import { toIanaZone } from "../../base/time-zones.ts";
import type { Database } from "../../database/database.ts";
import {
  type Account,
  type Caller,
  listAccountAndDirectory,
  parseAccount,
  selectAccount,
} from "../../engine/caller.ts";

// Changes by the command line have no actor: the audit trail shows no person.
const noPerson = null as unknown as number;

const administratorRoles: ReadonlySet<string> = new Set(administrators);

/** The sources of changes without a person: the command line, a setup, sample data. */
export type AccountSource = Pick<Caller, "source" | "changeOrigin">;

/** May do everything in the account and in its directory account. */
export function buildAdministratorCaller(account: Account, { source, changeOrigin }: AccountSource, now: Date): Caller {
  const accounts = listAccountAndDirectory(account);
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
    changeOrigin,
    customFieldsAsArray: false,
    origin: "",
  };
}

export async function findAccount(database: Database, id: string): Promise<Account | null> {
  const [row] = await database.read(selectAccount, [id]);
  return row === undefined ? null : parseAccount(row);
}

export async function requireAccount(database: Database, id: string): Promise<Account> {
  const account = await findAccount(database, id);
  if (account === null) throw new OperatorError(`Account not found: ${id}`);
  return account;
}

export const commandLineSource: AccountSource = {
  source: "Steward command line",
  changeOrigin: { kind: "command_line" },
};
