import { statement, type Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import { updateUnchecked } from "../../engine/change.ts";
import { loadServiceCaller } from "../../engine/service-caller.ts";
import type { Scim } from "../scim-context.ts";

const selectProtection = statement(
  `SELECT c.owner_id = $2 OR (
  EXISTS (SELECT 1 FROM permissions r WHERE r.account_id = $1 AND r.person_id = $2 AND r.role = 'account_administrator')
  AND NOT EXISTS (SELECT 1 FROM permissions r JOIN people p ON p.id = r.person_id
    WHERE r.account_id = $1 AND r.role = 'account_administrator' AND p.id <> $2 AND NOT p.disabled AND p.life_cycle = 'active'))
FROM accounts c WHERE c.id = $1`,
);

/** The owner of the account and its last administrator are never disabled: no one could let them in again. */
export const isProtected = async (tx: Transaction, account: string, person: number): Promise<boolean> =>
  (await tx.query(selectProtection, [account, person]))[0]?.[0] === "t";

/** Disables a person of the account, which ends sessions and tokens in the same transaction. */
export async function disablePerson(
  { engine, log }: Pick<Scim, "engine" | "log">,
  tx: Transaction,
  account: string,
  person: number,
): Promise<void> {
  if (await isProtected(tx, account, person)) {
    log.info("provisioning did not disable the owner or last administrator of an account", { account, person });
    return;
  }
  const by: Caller = {
    ...(await loadServiceCaller(tx, account, engine.clock.now())),
    changeOrigin: { kind: "scim" },
  };
  await updateUnchecked({ engine, tx, by, type: engine.types.get("person") }, person, { disabled: true }, { account });
}
