import { Forbidden, Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { isAdministrator } from "../../engine/access.ts";
import type { Caller } from "../../engine/caller.ts";
import { statement, type Transaction } from "../../storage/database.ts";
import { findDefinition, parseWording, requireLanguage, storeWording } from "./wording-settings.ts";

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

/** Stores a row of a file, for administrators. */
export async function importWording(
  tx: Transaction,
  by: Caller,
  row: { name: string; language: string; title: string; text: string },
): Promise<"created" | "updated" | "unchanged"> {
  if (!isAdministrator(by, by.account)) throw new Forbidden();
  const { name, language, title, text } = row;
  const problems = [
    ...checkCell("name", () => findDefinition(name)),
    ...checkCell("language", () => requireLanguage(language)),
  ];
  if (problems.length > 0) throw new Invalid(problems);
  const wording = parseWording(name, { title, text });
  const [before] = await tx.query(select, [by.account, name, language]);
  if (before !== undefined && before[0] === wording.title && before[1] === wording.text) return "unchanged";
  storeWording(tx, { account: by.account, name, language }, wording, by.now);
  return before === undefined ? "created" : "updated";
}
