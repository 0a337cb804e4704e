import type { Wording } from "../../../records/notifications/index.ts";
import { type Database, statement } from "../../database/database.ts";

// The custom texts of an account's emails, in place of the standard ones. Most accounts have none.

export type AccountWordings = ReadonlyMap<string, Wording>;

export const buildWordingKey = (name: string, language: string): string => `${name} ${language}`;

const selectWordings = statement("SELECT name, language, title, text FROM mail_wordings WHERE account_id = $1");

export async function loadAccountWordings(database: Database, account: string): Promise<AccountWordings> {
  const rows = await database.read(selectWordings, [account]);
  return new Map(
    rows.map(([name, language, title, text]) => [
      buildWordingKey(String(name), String(language)),
      { title: String(title), text: String(text) },
    ]),
  );
}

/** Loads the words of each account once for all emails that are composed together. */
const cached = new WeakMap<object, Map<string, Promise<AccountWordings>>>();

export function loadWordingsOnce(batch: object, database: Database, account: string): Promise<AccountWordings> {
  const known = cached.get(batch) ?? new Map<string, Promise<AccountWordings>>();
  cached.set(batch, known);
  const loaded = known.get(account) ?? loadAccountWordings(database, account);
  known.set(account, loaded);
  return loaded;
}
