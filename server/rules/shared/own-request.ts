import { statement, type Transaction } from "../../database/database.ts";

const selectRequest = statement("SELECT 1 FROM requests WHERE id = $1 AND account_id = $2");

type ReferringChange = {
  tx: Transaction;
  account: string;
  after: { readonly request?: unknown };
  changed: ReadonlySet<string>;
  cause: unknown;
  problem(field: "request", message: string): void;
};

/** Refuses a request that another account shares: what happens between the record and its request happens in one account. */
export async function checkOwnRequest({ tx, account, after, changed, cause, problem }: ReferringChange): Promise<void> {
  if (cause !== null || !changed.has("request") || typeof after.request !== "number") return;
  if ((await tx.query(selectRequest, [after.request, account])).length === 0) problem("request", "is not valid");
}
