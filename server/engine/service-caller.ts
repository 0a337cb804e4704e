import { statement, type Transaction } from "../storage/database.ts";
import { accountColumns, type Caller, parseAccount } from "./caller.ts";

// Changes by timers and rules have no actor: the service is a caller of its own with all rights in one account.

const selectAccount = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);
const serviceRoles: ReadonlySet<string> = new Set(["account_administrator"]);

export async function loadServiceCaller(tx: Pick<Transaction, "query">, account: string, now: Date): Promise<Caller> {
  const [row] = await tx.query(selectAccount, [account]);
  if (row === undefined) throw new Error(`no account "${account}"`);
  const accountRecord = parseAccount(row);
  const directory = accountRecord.directory === null ? [account] : [account, accountRecord.directory];
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
    directoryAccounts: directory,
    memberAccounts: [account],
    language: accountRecord.locale,
    zone: "Etc/UTC",
    source: "",
  };
}
