import { statement, type Transaction } from "../storage/database.ts";
import type { Oauth } from "./context.ts";

const kill = statement("DELETE FROM tokens WHERE code_id = $1");

/** Every token that came from a code, directly or through refreshes, dies. */
export function killFamily(oauth: Oauth, tx: Transaction, code: number): void {
  tx.send(kill, [code]);
  tx.afterCommit(() => oauth.identities.forget());
}
