import { statement, type Transaction } from "../../storage/database.ts";
import type { Actor } from "../context.ts";

const insert = statement(
  "INSERT INTO audit_lines (account_id, action, audited, record_id, changes, created_by_id, user_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $6, $7)",
);

type AuditLine = {
  type: "scim_user" | "scim_group";
  id: number;
  action: "create" | "update" | "destroy";
  changes: Readonly<Record<string, readonly [unknown, unknown]>>;
};

/** Who made a change stands in it: a token is no person. */
export function writeAuditLine(tx: Transaction, actor: Actor, now: string, line: AuditLine): void {
  const changes = { ...line.changes, scim: [null, actor.name] };
  const values = [actor.account, line.action, line.type, line.id, JSON.stringify(changes), actor.person, now];
  tx.send(insert, values);
}
