import type { Field, KindName } from "../../../records/vocabulary/index.ts";
import { aggregated, attachments, attachmentsOf, download } from "./attachments.ts";
import { boolean } from "./boolean.ts";
import { choice } from "./choice.ts";
import { code } from "./code.ts";
import type { GraphForm } from "./graph-form.ts";
import type { FieldKind } from "./kind.ts";
import { decimal, duration, float, id, integer } from "./number.ts";
import { recurrence } from "./recurrence.ts";
import { backReference, extension, reference, references } from "./reference.ts";
import { string, text } from "./string.ts";
import { customFields, hash, strings } from "./structured.ts";
import { subject } from "./subject.ts";
import { date, datetime, localDatetime, target, timeOfDay, timeZone } from "./time.ts";

const kinds: Record<KindName, unknown> = {
  id,
  string,
  text,
  integer,
  decimal,
  float,
  boolean,
  date,
  datetime,
  target,
  duration,
  timeOfDay,
  timeZone,
  enum: choice,
  reference,
  references,
  backReference,
  strings,
  customFields,
  hash,
  attachments,
  attachmentsOf,
  aggregated,
  download,
  code,
  extension,
  localDatetime,
  recurrence,
  subject,
};

export const getKind = (field: Field): FieldKind => kinds[field.kind] as FieldKind;

/** How the graph shows a field. */
export const getGraphForm = (field: Field): GraphForm =>
  getKind(field).graph?.(field) ?? { is: "value", scalar: "String" };

/** The column of a field, or null when it has none. */
export function pickColumn(name: string, field: Field): string | null {
  const { column, hasIdColumn } = getKind(field);
  if (column === null || field.access === "writeonly" || field.computed !== undefined) return null;
  if (field.transient || field.fallsBackTo !== undefined) return null;
  return field.storedAs ?? (hasIdColumn ? `${name}_id` : name);
}
