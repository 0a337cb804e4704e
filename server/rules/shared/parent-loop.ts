import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";

/** Refuses a parent that has the record among its own ancestors. */
export const checkNoParentLoop =
  (table: string) =>
  async ({ tx, id, after, changed, problem }: Change): Promise<void> => {
    if (!changed.has("parent") || typeof after.parent !== "number") return;
    const rows = await tx.query(
      statement(
        `WITH RECURSIVE chain AS (SELECT id, parent_id FROM ${table} WHERE id = $1 UNION SELECT p.id, p.parent_id FROM ${table} p JOIN chain ON p.id = chain.parent_id) SELECT 1 FROM chain WHERE id = $2`,
      ),
      [after.parent, id],
    );
    if (rows.length > 0) problem("parent", "may not contain a loop");
  };
