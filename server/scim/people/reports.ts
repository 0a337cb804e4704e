import { statement, type Transaction } from "../../database/database.ts";
import { enqueueUsers } from "../jobs.ts";
import type { Scim } from "../scim-context.ts";

const selectReports = statement(
  "SELECT id FROM scim_users WHERE account_id = $1 AND enterprise #>> '{manager,value}' = ANY($2::text[]) AND NOT deleted",
);

/** Providers may name a manager who has no person yet: when there is one, the rules of those who report to them run again. */
export async function processReports(
  { engine, wake }: Pick<Scim, "engine" | "wake">,
  tx: Transaction,
  account: string,
  managers: readonly number[],
): Promise<void> {
  if (managers.length === 0) return;
  const rows = await tx.query(selectReports, [account, managers.map(String)]);
  if (rows.length === 0) return;
  enqueueUsers(
    tx,
    account,
    rows.map(([id]) => Number(id)),
    engine.clock.now(),
  );
  tx.afterCommit(() => wake());
}
