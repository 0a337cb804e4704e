import { Invalid } from "../../base/errors.ts";
import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { RowOutcome } from "../import/upsert-row.ts";
import { buildKeyWithAccountSql } from "../natural-keys.ts";
import { readCell, requireNamedRecord } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

type View = { team: number | null; name: string };

/** Stores a view of a team or, without a team, of the account; the texts are its definitions before and after. */
export type SaveView = (
  tx: Transaction,
  by: Caller,
  view: View & { definition: Readonly<Record<string, unknown>> },
) => Promise<{ outcome: RowOutcome; before: string | null; after: string }>;

/** Restores a view's definition, or removes it if it had none; false: it has been changed since. */
export type RestoreView = (
  tx: Transaction,
  by: Caller,
  view: View & { before: string | null; after: string },
) => Promise<boolean>;

/** The saved views of the web interface that people share; those of single people are their own business. */
export const buildCustomViewsFile = (saveView: SaveView, restoreView: RestoreView): RowFile => ({
  name: "custom_views",
  columns: { name: "Name", team: "Team", definition: "Definition" },
  key: ["team", "name"],
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
    const definition = parseDefinition(readCell(cells, "definition"));
    const { outcome, before, after } = await saveView(tx, context.by, { team, name, definition });
    return { outcome, trace: { team, name, before, after } };
  },
  async undo({ by }, tx, { team, name, before, after }) {
    const view = { team: team === null ? null : Number(team), name: String(name) };
    const isRestored = await restoreView(tx, by, {
      ...{ ...view, before: before === null ? null : String(before), after: String(after) },
    });
    return isRestored ? [] : [["base", "was changed since"]];
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
