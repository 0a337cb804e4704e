import type { Notification } from "../../records/vocabulary/notifications.ts";
import { Forbidden, NotFound } from "../base/errors.ts";
import { statement } from "../database/database.ts";
import { type Account, type Caller, mayWorkIn } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import { find } from "../engine/find.ts";
import { isReference } from "../engine/kinds/reference.ts";
import type { Type } from "../engine/types.ts";
import { notificationsByName, type PendingNotification, placeholdersByName } from "../mail/notification-outbox.ts";
import { quoteIdentifier } from "../schema/tables/model.ts";
import { formatValue } from "./format-values.ts";
import { buildRecipientCaller, type MailRecipient } from "./mail-recipients.ts";
import { matchesTests } from "./match-change.ts";
import { getIncludedNote, type KnownReferences, loadAboutRecord } from "./recipients.ts";

// Loads what a recipient may see of the record that a mail is about, through the same engine functions as the API.

type ReadableValues = Record<string, unknown>;
/** A pending notification with its definition and the record that the mail is about. */
export type NotificationReason = {
  pending: PendingNotification;
  definition: Notification;
  about: { type: Type; id: number };
};

export async function loadReason(
  engine: Engine,
  pending: PendingNotification,
  known: KnownReferences = new Map(),
): Promise<NotificationReason | null> {
  const definition = notificationsByName.get(pending.row);
  const about = definition === undefined ? null : await loadAboutRecord(engine, definition, pending, known);
  if (definition === undefined || about === null || !(await matchesAboutTests(engine, definition, about))) return null;
  return { pending, definition, about };
}

/** Whether the record that the mail is about meets the conditions of the definition. */
async function matchesAboutTests(
  engine: Engine,
  { subjectIf: tests }: Notification,
  { type, id }: NotificationReason["about"],
): Promise<boolean> {
  if (tests === undefined) return true;
  const names = Object.keys(tests);
  const columns = names.map((name) => quoteIdentifier(type.columns.get(name) as string)).join(", ");
  const [row] = await engine.database.read(statement(`SELECT ${columns} FROM ${type.table} WHERE id = $1`), [id]);
  return row !== undefined && matchesTests(tests, Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

/** A caller in the account of the event, if the person has access to it; otherwise in the person's own account. */
export function pickRecipientCaller(
  reader: MailRecipient,
  account: string,
  { accounts, now }: { accounts: ReadonlyMap<string, Account>; now: Date },
): Caller | null {
  const { me, directory } = reader;
  const eventAccount = accounts.get(account);
  const hasAccess = eventAccount !== undefined && mayWorkIn(me, directory, eventAccount);
  const chosen = hasAccess ? eventAccount : accounts.get(me.account);
  return chosen === undefined ? null : buildRecipientCaller(reader, chosen, now);
}

/** `name`: of the record; `texts`: texts of notes by id; `isInternal`: the note is internal */
export type ReadableContent = {
  name: string;
  values: Record<string, string>;
  texts: [string, string][];
  isInternal: boolean;
};

/** The record as one recipient may see it; caches reads over all reasons, for the email and for the page. */
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

  /** Null: the recipient may not read the record or the note. */
  async load(by: Caller, reason: NotificationReason): Promise<ReadableContent | null> {
    const { engine, reader } = this;
    if (reason.definition.embeddedFields !== undefined) return loadStoredContent(engine, reader, reason);
    const { record, reference, note } = await this.loadParts(by, reason);
    if (record === null || note === null) return null;
    const { text = "", internal = false } = note;
    const texts: [string, string][] = reference === null ? [] : [[`${reference.id}`, String(text)]];
    const name = String(record[reason.about.type.display] ?? "");
    return {
      name,
      values: buildPlaceholderValues(engine, reader, reason, record),
      texts,
      isInternal: internal === true,
    };
  }

  /** Whether `load` would return something. */
  async isReadable(by: Caller, reason: NotificationReason): Promise<boolean> {
    if (reason.definition.embeddedFields !== undefined) return true;
    const { record, note } = await this.loadParts(by, reason);
    return record !== null && note !== null;
  }

  private async loadParts(by: Caller, { about, definition, pending }: NotificationReason) {
    const record = await this.loadRecord(by, about);
    const reference = getIncludedNote(definition, pending);
    const note: ReadableValues | null = reference === null ? {} : await this.loadNote(by, reference);
    return { record, reference, note };
  }

  /** Reads the fields of the placeholders of all texts in one statement. */
  private loadRecord(by: Caller, { type, id }: NotificationReason["about"]): Promise<ReadableValues | null> {
    const names = [type.display, ...this.reasons.flatMap(({ pending }) => placeholdersByName.get(pending.row) ?? [])];
    const fields = [...new Set(names)].filter((name) => name in type.fields && type.selectable.has(name));
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
  { pending, about: { type } }: NotificationReason,
  record: ReadableValues,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) values[name] = formatValue(reader, type.fields[name], value);
  // Values as of the change replace current ones that the recipient may see. Where the changed record is not the one that
  // the mail is about, they are added.
  const { fields } = engine.types.get(pending.type);
  for (const [name, value] of Object.entries(pending.asLeft ?? {}))
    if (name in record || pending.type !== type.name) values[name] = formatValue(reader, fields[name], value);
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

/** Content from the facts that were stored with the notification. */
async function loadStoredContent(
  engine: Engine,
  reader: MailRecipient,
  { pending, definition }: NotificationReason,
): Promise<ReadableContent> {
  const values: Record<string, string> = {};
  const type = engine.types.get(pending.type);
  for (const name of definition.embeddedFields ?? []) {
    const [field, value] = [type.fields[name], pending.facts?.[name]];
    if (!isReference(field) || typeof value !== "number") values[name] = formatValue(reader, field, value);
    else {
      const { table, display } = engine.types.get(field.to);
      const [row] = await engine.database.read(statement(`SELECT ${display} FROM ${table} WHERE id = $1`), [value]);
      values[name] = row?.[0] ?? "–";
    }
  }
  return { name: "", values, texts: [], isInternal: false };
}
