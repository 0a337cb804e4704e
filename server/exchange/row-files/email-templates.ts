import type { Caller } from "../../engine/caller.ts";
import type { Transaction } from "../../storage/database.ts";
import type { RowOutcome } from "../import/upsert-row.ts";
import { readCell } from "./named-record.ts";
import type { RowFile } from "./row-file.ts";

/** Stores the words of a mail in a language, with the checks of the API. */
export type SaveMailWording = (
  tx: Transaction,
  by: Caller,
  wording: { name: string; language: string; title: string; text: string },
) => Promise<RowOutcome>;

/** The words that the account has changed, one language of one mail per row. Those that no row names stay. */
export const buildEmailTemplatesFile = (saveWording: SaveMailWording): RowFile => ({
  name: "email_templates",
  columns: { name: "Name", language: "Language", title: "Subject", text: "Text" },
  buildSelect: () =>
    "SELECT w.name, w.language, w.title, w.text FROM mail_wordings w WHERE w.account_id = $1 ORDER BY w.name, w.language",
  save: ({ by }, tx, cells) =>
    saveWording(tx, by, {
      name: readCell(cells, "name"),
      language: readCell(cells, "language").toLowerCase(),
      title: readCell(cells, "title"),
      text: readCell(cells, "text"),
    }),
});
