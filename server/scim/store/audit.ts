import type { ChangeOrigin } from "../../../records/journal/change-origins.ts";
import { statement, type Transaction } from "../../database/database.ts";
import type { Actor } from "../scim-context.ts";

const insert = statement(
  `INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at, origin)
SELECT account, action, type, id, changes, person, person, $2, origin
FROM json_to_recordset($1::json) AS given (account text, action text, type text, id integer, changes jsonb, person integer, origin jsonb)`,
);

type AuditLine = {
  type: "scim_user" | "scim_group";
  id: number;
  action: "create" | "update" | "destroy";
  changes: Readonly<Record<string, readonly [unknown, unknown]>>;
};

export const writeAuditLine = (tx: Transaction, actor: Actor, now: string, line: AuditLine): void =>
  writeAuditLines(tx, now, [{ actor, line }]);

/** The line names the token as the author, because a token is not a person. */
export function writeAuditLines(
  tx: Transaction,
  now: string,
  lines: readonly { actor: Actor; line: AuditLine }[],
): void {
  const given = lines.map(({ actor: { account, name, person }, line: { action, type, id, changes } }) => ({
    ...{ account, action, type, id, person },
    changes: { ...changes, scim: [null, name] },
    origin: { kind: "scim", name } satisfies ChangeOrigin,
  }));
  tx.send(insert, [JSON.stringify(given), now]);
}
