import type { Database } from "../../database/database.ts";
import { jsonStatement, queryRows } from "../../database/rows.ts";
import { recordSecurityEvent } from "../security-trail.ts";

const disable = jsonStatement<{ id: number; reference: string; name: string }>(
  `UPDATE identity_providers SET disabled = true, updated_at = $3
WHERE account_id = $1 AND ($2::text IS NULL OR reference = $2) AND NOT disabled RETURNING id, reference, name`,
);

/** For the command line: with a provider that is switched off, passwords work again. Returns those that were on. */
export function disableProviders(database: Database, now: Date, account: string, reference: string | null) {
  return database.transaction(async (tx) => {
    const disabled = await queryRows(tx, disable, [account, reference, now.toISOString()]);
    for (const { id, name } of disabled)
      recordSecurityEvent(tx, now.toISOString(), {
        ...{ account, person: null, event: "identity-provider-changed" as const },
        details: { provider: id, name, changes: { disabled: [false, true] }, by: "command line" },
      });
    return disabled;
  });
}
