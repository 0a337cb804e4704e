import { statement } from "../../database/database.ts";
import type { Change } from "../../engine/rules.ts";

/** A child without a position goes behind the last one of its parent. */
export const setNextPosition =
  (table: string, parent: string, field = "position") =>
  async ({ tx, after, by }: Change): Promise<void> => {
    const parentId = after[parent];
    if (after[field] !== null || typeof parentId !== "number") return;
    const rows = await tx.query(
      statement(`SELECT coalesce(max(${field}), 0) + 1 FROM ${table} WHERE ${parent}_id = $1 AND account_id = $2`),
      [parentId, by.account],
    );
    after[field] = Number(rows[0]?.[0] ?? 1);
  };
