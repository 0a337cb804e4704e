import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { type Account, type Caller, mayWorkIn } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import type { Type } from "../engine/types.ts";
import { notificationsByName, type PendingNotification, placeholdersByName } from "../mail/notification-outbox.ts";
import { statement } from "../storage/database.ts";
import { quoteIdentifier } from "../storage/schema/model.ts";
import { formatValue } from "./format-values.ts";
import { buildRecipientCaller, type MailRecipient } from "./mail-recipients.ts";
import { matchesTests } from "./match-change.ts";
import { getIncludedNote, loadAboutRecord } from "./recipients.ts";

// What a person sees of the record a mail is about, through the same door as everybody who asks for it.

type ReadableValues = Record<string, unknown>;
/** something a person is told, and what the mail is about */
export type NotificationReason = {
  pending: PendingNotification;
  definition: Notification;
  about: { type: Type; id: number };
};

export async function loadReason(engine: Engine, told: PendingNotification): Promise<NotificationReason | null> {
  const row = notificationsByName.get(told.row);
  const about = row === undefined ? null : await loadAboutRecord(engine, row, told);
  if (row === undefined || about === null || !(await matchesAboutTests(engine, row, about))) return null;
  return { pending: told, definition: row, about };
}

/** Whether the record the mail is about is of the sort that the row means. */
async function matchesAboutTests(
  engine: Engine,
  { subjectIf: aboutIs }: Notification,
  { type, id }: NotificationReason["about"],
): Promise<boolean> {
  if (aboutIs === undefined) return true;
  const names = Object.keys(aboutIs);
  const columns = names.map((name) => quoteIdentifier(type.columns.get(name) as string)).join(", ");
  const [found] = await engine.database.read(statement(`SELECT ${columns} FROM ${type.table} WHERE id = $1`), [id]);
  return found !== undefined && matchesTests(aboutIs, Object.fromEntries(names.map((name, at) => [name, found[at]])));
}

/** In the account it happened in, if the person has a part in it; else in the person's own. */
export function pickRecipientCaller(
  reader: MailRecipient,
  account: string,
  { accounts, now }: { accounts: ReadonlyMap<string, Account>; now: Date },
): Caller | null {
  const { me, directory } = reader;
  const there = accounts.get(account);
  const read = there !== undefined && mayWorkIn(me, directory, there) ? there : accounts.get(me.account);
  return read === undefined ? null : buildRecipientCaller(reader, read, now);
}

/** `name`: what the record is called; `texts`: what was written, by the id of the note; `isInternal`: not for everybody */
export type ReadableContent = {
  name: string;
  values: Record<string, string>;
  texts: [string, string][];
  isInternal: boolean;
};

/** One person, who hears of one record for these reasons. */
export class RecipientView {
  private readonly engine: Engine;
  private readonly reader: MailRecipient;
  private readonly reasons: readonly NotificationReason[];
  private readonly cached = new Map<string, Promise<ReadableValues | null>>();

  constructor(engine: Engine, reader: MailRecipient, reasons: readonly NotificationReason[]) {
    this.engine = engine;
    this.reader = reader;
    this.reasons = reasons;
  }

  /** What there is to read for one of them; null when the record, or what was written, is not for this person. */
  async load(by: Caller, reason: NotificationReason): Promise<ReadableContent | null> {
    const { engine, reader } = this;
    if (reason.definition.embeddedFields !== undefined) return loadStoredContent(engine, reader, reason);
    const shown = await this.loadRecord(by, reason.about);
    const brought = getIncludedNote(reason.definition, reason.pending);
    const note = brought === null ? {} : await this.loadNote(by, brought);
    if (shown === null || note === null) return null;
    const { text = "", internal = false } = note as ReadableValues;
    const texts: [string, string][] = brought === null ? [] : [[`${brought.id}`, String(text)]];
    const name = String(shown[reason.about.type.display] ?? "");
    return {
      name,
      values: buildPlaceholderValues(engine, reader, reason, shown),
      texts,
      isInternal: internal === true,
    };
  }

  /** All fields that any of the texts wants, read once. */
  private loadRecord(by: Caller, { type, id }: NotificationReason["about"]): Promise<ReadableValues | null> {
    const wanted = [
      type.display,
      ...this.reasons.flatMap(({ pending: told }) => placeholdersByName.get(told.row) ?? []),
    ];
    const fields = [...new Set(wanted)].filter((name) => name in type.fields && type.selectable.has(name));
    return this.loadOnce(`${by.account} ${type.name} ${id}`, () => readIfAllowed(this.engine, by, type, id, fields));
  }

  private loadNote(by: Caller, { type, id }: { type: string; id: number }): Promise<ReadableValues | null> {
    return this.loadOnce(`${by.account} ${type} ${id}`, () =>
      readIfAllowed(this.engine, by, this.engine.types.get(type), id, ["text", "internal"]),
    );
  }

  private loadOnce(key: string, read: () => Promise<ReadableValues | null>): Promise<ReadableValues | null> {
    const known = this.cached.get(key) ?? read();
    this.cached.set(key, known);
    return known;
  }
}

function buildPlaceholderValues(
  engine: Engine,
  reader: MailRecipient,
  { pending: told, about: { type } }: NotificationReason,
  shown: ReadableValues,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(shown)) values[name] = formatValue(reader, type.fields[name], value);
  // As the change left them, of what the person may see; and those of the record that is not the one the mail is about.
  const fieldsOfIts = engine.types.get(told.type).fields;
  for (const [name, value] of Object.entries(told.asLeft ?? {}))
    if (name in shown || told.type !== type.name) values[name] = formatValue(reader, fieldsOfIts[name], value);
  return values;
}

async function readIfAllowed(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  fields: readonly string[],
): Promise<ReadableValues | null> {
  try {
    return JSON.parse(await find(engine, by, type, id, fields)) as ReadableValues;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return null;
    throw error;
  }
}

/** What was kept with the notice: moments, and the names of what was referred to. */
async function loadStoredContent(
  engine: Engine,
  reader: MailRecipient,
  { pending: told, definition: row }: NotificationReason,
): Promise<ReadableContent> {
  const values: Record<string, string> = {};
  const type = engine.types.get(told.type);
  for (const name of row.embeddedFields ?? []) {
    const [field, value] = [type.fields[name], told.facts?.[name]];
    if (field?.kind !== "reference" || typeof value !== "number") values[name] = formatValue(reader, field, value);
    else {
      const { table, display } = engine.types.get(field.to);
      const [found] = await engine.database.read(statement(`SELECT ${display} FROM ${table} WHERE id = $1`), [value]);
      values[name] = found?.[0] ?? "–";
    }
  }
  return { name: "", values, texts: [], isInternal: false };
}
