import { statement, type Transaction } from "../../database/database.ts";
import type { Oauth } from "../oauth-context.ts";

const deleteFamily = statement("DELETE FROM tokens WHERE code_id = $1");

/** Deletes every token that was issued for a code, directly or by refreshing. */
export function revokeTokenFamily(oauth: Oauth, tx: Transaction, code: number): void {
  tx.send(deleteFamily, [code]);
  tx.afterCommit(() => oauth.identities.invalidate());
}
