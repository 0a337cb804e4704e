import type { Transaction } from "../storage/database.ts";
import { type Caller, listAccountAndDirectory, loadAccount } from "./caller.ts";

// What happens because time passes is done by nobody: a caller of its own, which may do everything in one account and
// leaves no name behind.

const serviceRoles: ReadonlySet<string> = new Set(["account_administrator"]);

export async function loadServiceCaller(tx: Pick<Transaction, "query">, account: string, now: Date): Promise<Caller> {
  const accountRecord = await loadAccount(tx, account);
  return {
    isService: true,
    account,
    person: 0,
    roles: serviceRoles,
    customFieldsAsArray: false,
    origin: "",
    now,
    me: {
      id: 0,
      name: "",
      account,
      locale: accountRecord.locale,
      zone: "Etc/UTC",
      zoneName: "UTC",
      organization: null,
      site: null,
      roles: new Map([[account, serviceRoles]]),
    },
    accountRecord,
    directoryAccounts: listAccountAndDirectory(accountRecord),
    memberAccounts: [account],
    language: accountRecord.locale,
    zone: "Etc/UTC",
    source: "",
  };
}
