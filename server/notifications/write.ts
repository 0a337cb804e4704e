import { mailWords, type Wording } from "../../records/notifications/index.ts";
import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import type { Account, Caller } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import type { Type } from "../engine/types.ts";
import { rowsByName, type Told, textOf, weightOf, wordsOf } from "../mail/notices.ts";
import { statement } from "../storage/database.ts";
import type { Notifications } from "./context.ts";
import { type Content, type Message, messageFor } from "./message.ts";
import { callerOf, type Reader } from "./readers.ts";
import { broughtBy, subjectOf } from "./recipients.ts";
import { unsubscribeAddress } from "./unsubscribe.ts";
import { inWords, recordName } from "./words.ts";

// One mail for one person about one record: everything that one change has to tell them, read with their own eyes. What
// they may not read is left out, and where nothing is left there is no mail.

export type Written = Message & {
  account: string;
  person: number;
  recipient: string;
  type: string;
  record: number;
  trigger: string;
  regardless: boolean;
};

type Shown = Record<string, unknown>;
/** something a person is told, and what the mail is about */
export type Reason = { told: Told; row: Notification; about: { type: Type; id: number } };

export async function reasonOf(engine: Engine, told: Told): Promise<Reason | null> {
  const row = rowsByName.get(told.row);
  const about = row === undefined ? null : await subjectOf(engine, row, told);
  return row === undefined || about === null ? null : { told, row, about };
}

const wordingOf = (reader: Reader, reason: Reason): Wording =>
  mailWords(reader.me.locale).notices[textOf(reason.row)] ?? { title: "", text: "" };

export async function write(
  { engine, origin, secret }: Notifications,
  reader: Reader,
  reasons: readonly Reason[],
  place: { accounts: ReadonlyMap<string, Account>; names: ReadonlyMap<number, string>; now: Date },
): Promise<Written | null> {
  const notices: { reason: Reason; wording: Wording; values: Record<string, string>; shown: Shown; by: Caller }[] = [];
  const texts = new Map<string, string>();
  for (const reason of [...reasons].sort((one, other) => weight(one) - weight(other))) {
    const by = readsAs(reader, reason.told.account, place);
    const read = by === null ? null : await readsAbout(engine, by, reader, reason);
    if (by === null || read === null) continue;
    for (const [key, text] of read.texts) texts.set(key, text);
    const facts = Object.entries(reason.told.facts ?? {}).map(([name, value]) => [name, String(value)]);
    const values = {
      ...Object.fromEntries(facts),
      ...read.values,
      record: recordName(reader, reason.about.type, reason.about.id),
      name: String(read.shown[reason.about.type.display] ?? ""),
      account: by.accountRecord.name,
      by: (reason.told.by === null ? undefined : place.names.get(reason.told.by)) ?? by.accountRecord.name,
    };
    notices.push({ reason, wording: wordingOf(reader, reason), values, shown: read.shown, by });
  }
  const [first] = notices;
  if (first === undefined) return null;
  const { about, row } = first.reason;
  const isClosed = row.says !== undefined;
  const content: Content = {
    notices,
    record: isClosed ? null : (first.values.record as string),
    name: isClosed || about.type.display === "id" ? "" : (first.values.name as string),
    texts: [...texts.values()],
    link: isClosed ? null : `${origin()}/a/${first.by.account}/${about.type.collection}/${about.id}`,
    account: first.by.accountRecord.name,
    unsubscribe: unsubscribeAddress(secret, origin(), reader),
  };
  return {
    ...messageFor(reader, content),
    account: first.by.account,
    person: reader.me.id,
    recipient: reader.address,
    type: about.type.name,
    record: about.id,
    trigger: row.trigger,
    regardless: notices.some(({ reason }) => reason.row.regardless === true),
  };
}

const weight = ({ told }: Reason): number => weightOf.get(told.row) ?? 0;

/** In the account it happened in, if the person has a part in it; else in the person's own. */
function readsAs(
  reader: Reader,
  account: string,
  { accounts, now }: { accounts: ReadonlyMap<string, Account>; now: Date },
): Caller | null {
  const { me, directory } = reader;
  const there = accounts.get(account);
  const hasPart =
    there !== undefined &&
    (account === me.account || me.roles.has(account) || directory === account || there.directory === me.account);
  const read = hasPart ? there : accounts.get(me.account);
  return read === undefined ? null : callerOf(reader, read, now);
}

type Read = { shown: Shown; values: Record<string, string>; texts: [string, string][] };

/** The record as the person sees it; null when they do not, or when there is something in it that is not for them. */
async function readsAbout(engine: Engine, by: Caller, reader: Reader, reason: Reason): Promise<Read | null> {
  const { told, row, about } = reason;
  if (row.says !== undefined) return saying(engine, reader, reason);
  const { type } = about;
  const fields = new Set(
    [type.display, ...(wordsOf.get(told.row) ?? [])].filter((name) => name in type.fields && type.selectable.has(name)),
  );
  const shown = await seen(engine, by, type, about.id, [...fields]);
  if (shown === null) return null;
  const brought = broughtBy(row, told);
  const note = brought === null ? null : await seen(engine, by, engine.types.named(brought.type), brought.id, ["text"]);
  if (brought !== null && note === null) return null;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(shown)) values[name] = inWords(reader, type.fields[name], value);
  // As the change left them, of what the person may see; and those of the record that is not the one the mail is about.
  const fieldsOfIts = engine.types.named(told.type).fields;
  for (const [name, value] of Object.entries(told.asLeft ?? {}))
    if (name in shown || told.type !== type.name) values[name] = inWords(reader, fieldsOfIts[name], value);
  return { shown, values, texts: note === null ? [] : [[`${brought?.id}`, String(note.text ?? "")]] };
}

async function seen(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  fields: readonly string[],
): Promise<Shown | null> {
  try {
    return JSON.parse(await find(engine, by, type, id, fields)) as Shown;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return null;
    throw error;
  }
}

/** What was kept with the notice: moments, and the names of what was referred to. */
async function saying(engine: Engine, reader: Reader, { told, row }: Reason): Promise<Read> {
  const values: Record<string, string> = {};
  const type = engine.types.named(told.type);
  for (const name of row.says ?? []) {
    const [field, value] = [type.fields[name], told.facts?.[name]];
    if (field?.kind !== "reference" || typeof value !== "number") values[name] = inWords(reader, field, value);
    else {
      const { table, display } = engine.types.named(field.to);
      const [found] = await engine.database.read(statement(`SELECT ${display} FROM ${table} WHERE id = $1`), [value]);
      values[name] = found?.[0] ?? "–";
    }
  }
  return { shown: {}, values, texts: [] };
}
