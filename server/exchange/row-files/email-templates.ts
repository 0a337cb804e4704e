import type { Transaction } from "../../database/database.ts";
import type { Caller } from "../../engine/caller.ts";
import type { RowOutcome } from "../import/upsert-row.ts";
import { readCell } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

type Place = { name: string; language: string };
/** The own words of the account before and after a row; null: none. */
type Stored = { before: string | null; after: string | null };

/** Stores the words of a mail in a language, with the checks of the API. */
export type SaveMailWording = (
  tx: Transaction,
  by: Caller,
  wording: Place & { title: string; text: string },
) => Promise<Stored & { outcome: RowOutcome }>;

/** Restores the texts of an email; false: they have been changed since. */
export type RestoreMailWording = (tx: Transaction, by: Caller, wording: Place & Stored) => Promise<boolean>;

/** The words that the account has changed, one language of one mail per row. Those that no row names stay. */
export const buildEmailTemplatesFile = (saveWording: SaveMailWording, restoreWording: RestoreMailWording): RowFile => ({
  name: "email_templates",
  columns: { name: "Name", language: "Language", title: "Subject", text: "Text" },
  key: ["name", "language"],
  buildSelect: () =>
    "SELECT w.name, w.language, w.title, w.text FROM mail_wordings w WHERE w.account_id = $1 ORDER BY w.name, w.language",
  async save({ by }, tx, cells) {
    const place = { name: readCell(cells, "name"), language: readCell(cells, "language").toLowerCase() };
    const words = { title: readCell(cells, "title"), text: readCell(cells, "text") };
    const { outcome, before, after } = await saveWording(tx, by, { ...place, ...words });
    return { outcome, trace: { ...place, before, after } };
  },
  async undo({ by }, tx, { name, language, before, after }) {
    const isRestored = await restoreWording(tx, by, {
      ...{ name: String(name), language: String(language) },
      ...{ before: before === null ? null : String(before), after: after === null ? null : String(after) },
    });
    return isRestored ? [] : [["base", "was changed since"]];
  },
});
