import { systemOrigin } from "../../records/journal/change-origins.ts";
import type { Transaction } from "../database/database.ts";
import { type Caller, listAccountAndDirectory, loadAccount } from "./caller.ts";

// Changes by timers and rules have no actor: the service is a caller of its own with all rights in one account.

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
    changeOrigin: systemOrigin,
  };
}
