import { type EnumerationName, enumerations } from "../../records/enumerations/index.ts";
import { choiceLabel, fieldLabel } from "../../records/languages/index.ts";
import { getMailTexts } from "../../records/notifications/index.ts";
import type { Field } from "../../records/vocabulary/index.ts";
import { getEnumeration } from "../engine/kinds/choice.ts";
import { getKind } from "../engine/kinds/index.ts";
import type { Type } from "../engine/types.ts";
import type { MailRecipient } from "./mail-recipients.ts";

// Formats values in the language, time zone and time format of the recipient.

export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : "–"));

export function formatMoment({ me, clock24h }: MailRecipient, text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const options = { dateStyle: "long", timeStyle: "short", hour12: !clock24h, timeZone: me.zone } as const;
  try {
    return new Intl.DateTimeFormat(me.locale.replace(/@.*$/, ""), options).format(at);
  } catch {
    return new Intl.DateTimeFormat("en-US", options).format(at);
  }
}

/** "Request 123" */
export const formatRecordName = ({ me }: MailRecipient, type: Type, id: number): string =>
  `${getMailTexts(me.locale).types[type.name] ?? fieldLabel(me.locale, type.name)} ${id}`;

/** Formats a value of the API; of a choice's label only the part before the explanation. */
export function formatValue(reader: MailRecipient, field: Field | undefined, value: unknown): string {
  if (value == null) return "–";
  if (typeof value === "object") {
    const { name, subject } = value as { name?: string; subject?: string };
    return name ?? subject ?? "–";
  }
  const meaning = field === undefined ? undefined : getKind(field).meaning;
  if (field !== undefined && meaning === "choice")
    return formatChoice(reader, getEnumeration(field) as EnumerationName, String(value));
  return meaning === "moment" ? formatMoment(reader, String(value)) : String(value);
}

/** Emoji of reactions are their own labels. */
function formatChoice({ me }: MailRecipient, enumeration: EnumerationName, value: string): string {
  if (!(enumerations[enumeration] as readonly string[] | undefined)?.includes(value)) return value;
  return (choiceLabel(me.locale, enumeration, value).split(" - ")[0] as string).trim();
}
