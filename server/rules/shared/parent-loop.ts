import type { Change } from "../../engine/rules.ts";
import { statement } from "../../storage/database.ts";

/** A chain of parents may not come back to where it began. */
export const checkNoParentLoop =
  (table: string) =>
  async ({ tx, id, after, changed, problem }: Change): Promise<void> => {
    if (!changed.has("parent") || after.parent === null) return;
    const rows = await tx.query(
      statement(
        `WITH RECURSIVE chain AS (SELECT id, parent_id FROM ${table} WHERE id = $1 UNION SELECT p.id, p.parent_id FROM ${table} p JOIN chain ON p.id = chain.parent_id) SELECT 1 FROM chain WHERE id = $2`,
      ),
      [after.parent as number, id],
    );
    if (rows.length > 0) problem("parent", "may not contain a loop");
  };
