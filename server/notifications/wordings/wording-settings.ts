import type { AnswerOf } from "../../../records/answers/answer-of.ts";
import type { mailWording } from "../../../records/answers/mail.ts";
import { mailLanguages, type Wording } from "../../../records/notifications/index.ts";
import { Invalid, NotFound, type Problem } from "../../base/errors.ts";
import { type Database, statement, type Transaction } from "../../database/database.ts";
import { isStorable } from "../../engine/kinds/kind.ts";
import { getTextName, notificationsByName, placeholdersByName } from "../../mail/notification-outbox.ts";
import { buildWordingKey, loadAccountWordings } from "./account-wordings.ts";

// The email texts that administrators read and change (D-464).

export type WordingEntry = AnswerOf<typeof mailWording>;

/** Known of every mail. */
const commonPlaceholders = ["record", "name", "account", "by"];
const languages = Object.keys(mailLanguages);
const longest = { title: 200, text: 2000 } as const;

type Definition = { about: Set<string>; placeholders: Set<string> };

/** By the name of the wording: several definitions may share one. */
const definitions: ReadonlyMap<string, Definition> = (() => {
  const found = new Map<string, Definition>();
  for (const [name, row] of notificationsByName) {
    const text = getTextName(row);
    const entry = found.get(text) ?? { about: new Set<string>(), placeholders: new Set(commonPlaceholders) };
    entry.about.add(row.trigger.split("/")[0] ?? "");
    for (const placeholder of placeholdersByName.get(name) ?? []) entry.placeholders.add(placeholder);
    found.set(text, entry);
  }
  return found;
})();

export const findDefinition = (name: string): Definition => {
  const found = definitions.get(name);
  if (found === undefined) throw new NotFound();
  return found;
};

const getDefault = (name: string, language: string): Wording =>
  mailLanguages[language]?.notifications[name] ?? { title: "", text: "" };

function describe(name: string, own: Awaited<ReturnType<typeof loadAccountWordings>>): WordingEntry {
  const { about, placeholders } = findDefinition(name);
  return {
    id: name,
    about: [...about],
    placeholders: [...placeholders],
    texts: languages.map((language) => {
      const chosen = own.get(buildWordingKey(name, language));
      return { language, ...(chosen ?? getDefault(name, language)), changed: chosen !== undefined };
    }),
  };
}

export async function listWordings(database: Database, account: string): Promise<WordingEntry[]> {
  const own = await loadAccountWordings(database, account);
  return [...definitions.keys()].map((name) => describe(name, own));
}

export async function loadWording(database: Database, account: string, name: string): Promise<WordingEntry> {
  findDefinition(name);
  return describe(name, await loadAccountWordings(database, account));
}

/** Title and text with nothing but placeholders that the mail can fill. */
export function parseWording(name: string, members: Readonly<Record<string, unknown>>): Wording {
  const { placeholders } = findDefinition(name);
  const problems: Problem[] = [];
  const parse = (field: "title" | "text"): string => {
    const value = members[field];
    const text = typeof value === "string" ? value.trim() : "";
    const unknown = [...text.matchAll(/\{([^{}]*)\}/g)]
      .map(([, word]) => word ?? "")
      .filter((word) => !placeholders.has(word));
    if (value !== undefined && typeof value !== "string") problems.push([field, "is not valid"]);
    else if (text === "") problems.push([field, "can't be blank"]);
    else if (!isStorable(text)) problems.push([field, "is not valid"]);
    else if (text.length > longest[field])
      problems.push([field, `is too long (maximum is ${longest[field]} characters)`]);
    else if (unknown.length > 0) problems.push([field, `has an unknown placeholder: {${unknown[0]?.slice(0, 60)}}`]);
    return text;
  };
  const wording = { title: parse("title"), text: parse("text") };
  for (const field of Object.keys(members))
    if (field !== "title" && field !== "text") problems.push([field, "is not valid"]);
  if (problems.length > 0) throw new Invalid(problems);
  return wording;
}

export function requireLanguage(language: string): string {
  if (!languages.includes(language)) throw new NotFound();
  return language;
}

const upsert = statement(
  `INSERT INTO mail_wordings (account_id, name, language, title, text, updated_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (account_id, name, language) DO UPDATE SET title = excluded.title, text = excluded.text, updated_at = excluded.updated_at`,
);
const remove = statement("DELETE FROM mail_wordings WHERE account_id = $1 AND name = $2 AND language = $3");

type Place = { account: string; name: string; language: string };

/** Words that are the same as ours are no own words: they follow ours when those change. */
export function pickOwnWording(name: string, language: string, wording: Wording): Wording | null {
  const ours = getDefault(name, language);
  return ours.title === wording.title && ours.text === wording.text ? null : wording;
}

export function storeWording(tx: Transaction, { account, name, language }: Place, wording: Wording, now: Date): void {
  const own = pickOwnWording(name, language, wording);
  if (own === null) tx.send(remove, [account, name, language]);
  else tx.send(upsert, [account, name, language, own.title, own.text, now.toISOString()]);
}

export const resetWording = (tx: Transaction, { account, name, language }: Place): void =>
  tx.send(remove, [account, name, language]);
