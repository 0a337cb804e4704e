import { statement } from "../storage/database.ts";
import type { Engine } from "./engine.ts";
import type { Input } from "./input.ts";
import type { Change } from "./rules.ts";
import type { Type } from "./types.ts";

// Files are uploaded first and belong to nobody; a record takes them by naming their keys.

const known = statement(
  "SELECT key, record_id, record_type FROM attachments WHERE key = ANY($1::text[]) AND account_id = $2 FOR UPDATE",
);
const take = statement(
  "UPDATE attachments SET record_type = $1, record_id = $2, field = $3, inline = $4 WHERE key = $5 AND account_id = $6",
);
const drop = statement(
  "DELETE FROM attachments WHERE key = $1 AND account_id = $2 AND record_type = $3 AND record_id = $4",
);

export async function linkAttachments(_engine: Engine, type: Type, change: Change, input: Input): Promise<void> {
  if (input.attachments.size === 0) return;
  const keys = [...input.attachments.values()].flat().map((attachment) => attachment.key);
  const rows = await change.tx.query(known, [keys, change.by.account]);
  const owners = new Map(rows.map((row) => [row[0] as string, row[1] === null ? null : `${row[2]} ${row[1]}`]));
  const self = `${type.name} ${change.id}`;
  for (const [name, list] of input.attachments) {
    const field = type.fields[name];
    const of = field?.kind === "attachmentsOf" ? field.field : name;
    for (const { key, inline, remove } of list) {
      const owner = owners.get(key);
      if (owner === undefined || (owner !== null && owner !== self) || (remove && owner !== self)) {
        change.problem(name, "is not a known attachment");
      } else if (remove) change.tx.send(drop, [key, change.by.account, type.name, change.id]);
      else change.tx.send(take, [type.name, change.id, of, inline, key, change.by.account]);
    }
  }
}
