import { account } from "../../../records/people/account.ts";
import { rulesFor } from "../../engine/rules.ts";

type BuildUrl = (origin: string, account: string) => string;

export const buildAccountRules = (buildUrl: BuildUrl) =>
  rulesFor(account, {
    compute: { "address of the account": (id, { origin }) => buildUrl(origin, id) },
    conditions: {
      "is its directory account or one it trusts": (by) => ({
        key: "directory or trusted",
        sql: (alias, next) =>
          `(${alias}.id = ${next()} OR ${alias}.id IN (SELECT t.trusted_account_id FROM account_trusts t WHERE t.account_id = ${next()} AND t.status = 'accepted'))`,
        values: [by.accountRecord.directory ?? by.account, by.account],
      }),
    },
  });

/** If accounts have no hosts. */
export const accountRules = buildAccountRules((origin, id) => `${origin}/a/${id}`);
