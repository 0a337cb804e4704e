import { statement, type Transaction } from "../../database/database.ts";
import { folderPrefix, parseGrantedKey } from "../../files/index.ts";

// The web interface stores what a person has begun to write, with the keys of its files. An upload that a draft names is not
// removed, however old it is (D-751).

export const unusedUploadLifetime = 86_400_000; // milliseconds

// The folder of an upload is unguessable: a draft that contains it names the file.
const selectDraft = statement(
  "SELECT 1 FROM kept_items WHERE account_id = $1 AND owner = $2 AND kind = 'draft' AND position($3 IN value) > 0 LIMIT 1",
);

/** Whether a draft of the person who uploaded the file still names it. */
export async function isUsedByDraft(tx: Transaction, key: string): Promise<boolean> {
  const grant = parseGrantedKey(key);
  if (!grant.ok) return false;
  const values = [grant.accountNumber, `me ${grant.personId}`, folderPrefix(key)];
  return (await tx.query(selectDraft, values)).length > 0;
}
