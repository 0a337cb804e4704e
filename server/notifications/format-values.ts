import { type EnumerationName, enumerations } from "../../records/enumerations/index.ts";
import { choiceLabel, fieldLabel } from "../../records/languages/index.ts";
import { getMailTexts } from "../../records/notifications/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import type { Type } from "../engine/types.ts";
import type { MailRecipient } from "./mail-recipients.ts";

// Values as a person reads them: in their language, their time zone and their way to write a time.

export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : "–"));

export function formatMoment({ me, clock24h }: MailRecipient, text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const how = { dateStyle: "long", timeStyle: "short", hour12: !clock24h, timeZone: me.zone } as const;
  try {
    return new Intl.DateTimeFormat(me.locale.replace(/@.*$/, ""), how).format(at);
  } catch {
    return new Intl.DateTimeFormat("en-US", how).format(at);
  }
}

/** "Request 123" */
export const formatRecordName = ({ me }: MailRecipient, type: Type, id: number): string =>
  `${getMailTexts(me.locale).types[type.name] ?? fieldLabel(me.locale, type.name)} ${id}`;

/** A value as the API shows it, in words; a choice without what its label explains. */
export function formatValue(reader: MailRecipient, field: Field | undefined, value: unknown): string {
  if (value == null) return "–";
  if (typeof value === "object") {
    const { name, subject } = value as { name?: string; subject?: string };
    return name ?? subject ?? "–";
  }
  if (field?.kind === "enum") return formatChoice(reader, field.enumeration as EnumerationName, String(value));
  return field?.kind === "datetime" ? formatMoment(reader, String(value)) : String(value);
}

/** A few choices are their own label: the faces of reactions. */
function formatChoice({ me }: MailRecipient, enumeration: EnumerationName, value: string): string {
  if (!(enumerations[enumeration] as readonly string[] | undefined)?.includes(value)) return value;
  return (choiceLabel(me.locale, enumeration, value).split(" - ")[0] as string).trim();
}
