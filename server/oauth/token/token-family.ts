import { statement, type Transaction } from "../../storage/database.ts";
import type { Oauth } from "../context.ts";

const deleteFamily = statement("DELETE FROM tokens WHERE code_id = $1");

/** Every token that came from a code, directly or through refreshes, dies. */
export function revokeTokenFamily(oauth: Oauth, tx: Transaction, code: number): void {
  tx.send(deleteFamily, [code]);
  tx.afterCommit(() => oauth.identities.invalidate());
}
