import { statement, type Transaction } from "../storage/database.ts";
import { accountColumns, accountOf, type Caller } from "./caller.ts";

// What happens because time passes is done by nobody: a caller of its own, which may do everything in one account and
// leaves no name behind.

const oneAccount = statement(`SELECT ${accountColumns} FROM accounts WHERE id = $1`);
const roles: ReadonlySet<string> = new Set(["account_administrator"]);

export async function theService(tx: Pick<Transaction, "query">, account: string, now: Date): Promise<Caller> {
  const [row] = await tx.query(oneAccount, [account]);
  if (row === undefined) throw new Error(`no account "${account}"`);
  const accountRecord = accountOf(row);
  const directory = accountRecord.directory === null ? [account] : [account, accountRecord.directory];
  return {
    isService: true,
    account,
    person: 0,
    roles,
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
      roles: new Map([[account, roles]]),
    },
    accountRecord,
    directory,
    parts: [account],
    language: accountRecord.locale,
    zone: "Etc/UTC",
    source: "",
  };
}
