import { Invalid } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import { buildKeyWithAccountSql } from "../natural-keys.ts";
import { readCell, requireNamedRecord } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

/** Stores a view of a team or, without a team, of the account. */
export type SaveView = (
  tx: Transaction,
  by: Caller,
  view: { team: number | null; name: string; definition: Readonly<Record<string, unknown>> },
) => Promise<"created" | "updated" | "unchanged">;

/** The saved views of the web interface that people share; those of single people are their own business. */
export const buildCustomViewsFile = (saveView: SaveView): RowFile => ({
  name: "custom_views",
  columns: { name: "Name", team: "Team", definition: "Definition" },
  buildSelect: (types) =>
    `SELECT i.key, ${buildKeyWithAccountSql(types.get("team"), "t", "i.account_id")}, i.value
FROM kept_items i LEFT JOIN teams t ON t.id = i.team_id WHERE i.account_id = $1 AND i.kind = 'view' AND i.person_id IS NULL
ORDER BY i.owner, i.key`,
  async save(context, tx, cells) {
    const name = readCell(cells, "name");
    if (name === "") throw new Invalid([["name", "can't be blank"]]);
    const team =
      readCell(cells, "team") === ""
        ? null
        : await requireNamedRecord(context, tx, cells, { name: "team", type: "team" });
    return saveView(tx, context.by, { team, name, definition: parseDefinition(readCell(cells, "definition")) });
  },
});

function parseDefinition(text: string): Readonly<Record<string, unknown>> {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // refused below
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Invalid([["definition", "is not a valid object"]]);
  return value as Readonly<Record<string, unknown>>;
}
