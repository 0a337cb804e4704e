import type { Wording } from "../../../records/notifications/index.ts";
import { Forbidden, Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { statement, type Transaction } from "../../database/database.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import {
  findDefinition,
  parseWording,
  pickOwnWording,
  requireLanguage,
  resetWording,
  storeWording,
} from "./wording-settings.ts";

const select = statement("SELECT title, text FROM mail_wordings WHERE account_id = $1 AND name = $2 AND language = $3");

/** A name or a language that does not exist is a fault of its cell. */
function checkCell(field: string, check: () => unknown): Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof NotFound) return [[field, "is not valid"]];
    throw error;
  }
}

type Place = { name: string; language: string };
/** The words of the account before and after a row, as JSON; null: it had, or has, none of its own. */
type Stored = { before: string | null; after: string | null };

const selectStored = async (tx: Transaction, by: Caller, { name, language }: Place): Promise<string | null> => {
  const [row] = await tx.query(select, [by.account, name, language]);
  return row === undefined ? null : JSON.stringify({ title: row[0], text: row[1] });
};

function requireAdministrator(by: Caller): void {
  if (!isAdministrator(by, by.account)) throw new Forbidden();
}

/** Stores a row of a file, for administrators. */
export async function importWording(
  tx: Transaction,
  by: Caller,
  row: Place & { title: string; text: string },
): Promise<Stored & { outcome: "created" | "updated" | "unchanged" }> {
  requireAdministrator(by);
  const { name, language, title, text } = row;
  const problems = [
    ...checkCell("name", () => findDefinition(name)),
    ...checkCell("language", () => requireLanguage(language)),
  ];
  if (problems.length > 0) throw new Invalid(problems);
  const wording = parseWording(name, { title, text });
  const before = await selectStored(tx, by, row);
  const own = pickOwnWording(name, language, wording);
  const after = own === null ? null : JSON.stringify({ title: own.title, text: own.text });
  if (before === after) return { outcome: "unchanged", before, after };
  storeWording(tx, { account: by.account, name, language }, wording, by.now);
  return { outcome: before === null ? "created" : "updated", before, after };
}

/** Restores the texts that an email had before a row; false: they have been changed since. */
export async function restoreWording(
  tx: Transaction,
  by: Caller,
  { name, language, before, after }: Place & Stored,
): Promise<boolean> {
  requireAdministrator(by);
  const place = { account: by.account, name, language };
  if ((await selectStored(tx, by, place)) !== after) return false;
  if (before === null) resetWording(tx, place);
  else storeWording(tx, place, JSON.parse(before) as Wording, by.now);
  return true;
}
