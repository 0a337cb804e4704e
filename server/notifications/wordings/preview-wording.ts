import type { Wording } from "../../../records/notifications/index.ts";
import { Invalid, NotFound } from "../../base/errors.ts";
import type { Caller } from "../../engine/caller.ts";
import type { Engine } from "../../engine/engine.ts";
import { find } from "../../engine/find.ts";
import type { Type } from "../../engine/types.ts";
import { formatRecordName, formatValue } from "../format-values.ts";
import type { MailRecipient } from "../mail-recipients.ts";
import { renderMessage } from "../render-message.ts";
import { findDefinition } from "./wording-settings.ts";

/** A placeholder for values that only a change has, such as a percentage. */
const unknownValue = "…";

type Wanted = { name: string; language: string; wording: Wording; record: number };

/** The mail that the caller would get about a record that they may read. */
export async function previewWording(
  engine: Engine,
  by: Caller,
  { name, language, wording, record }: Wanted,
): Promise<{ subject: string; body: string }> {
  const { about, placeholders } = findDefinition(name);
  const type = engine.types.get([...about][0] as string);
  const reader: MailRecipient = {
    me: { ...by.me, locale: language },
    ...{ address: "", emailPreference: "always", excludesTeamMails: false, isOnline: false },
    ...{ unwanted: new Set<string>(), clock24h: true, directory: null },
  };
  const values = await loadValues(engine, by, type, record, reader, [...placeholders]);
  const { subject, body } = renderMessage(reader, {
    notifications: [{ wording, values }],
    record: values.record ?? null,
    name: values.name ?? "",
    texts: [],
    link: null,
    account: by.accountRecord.name,
    unsubscribe: "",
  });
  return { subject, body };
}

async function loadValues(
  engine: Engine,
  by: Caller,
  type: Type,
  id: number,
  reader: MailRecipient,
  placeholders: readonly string[],
): Promise<Record<string, string>> {
  const fields = [type.display, ...placeholders].filter((field) => field in type.fields && type.selectable.has(field));
  const row = await find(engine, by, type, id, [...new Set(fields)]).catch((error: unknown) => {
    if (error instanceof NotFound) throw new Invalid([["record_id", "is not valid"]]);
    throw error;
  });
  const record = JSON.parse(row) as Record<string, unknown>;
  return {
    ...Object.fromEntries(placeholders.map((placeholder) => [placeholder, unknownValue])),
    ...Object.fromEntries(fields.map((field) => [field, formatValue(reader, type.fields[field], record[field])])),
    record: formatRecordName(reader, type, id),
    name: String(record[type.display] ?? ""),
    account: by.accountRecord.name,
    by: by.me.name,
  };
}
