import type { Field, KindName } from "../../../records/vocabulary/index.ts";
import { aggregated, attachmentsOf, download } from "./attachments.ts";
import { boolean } from "./boolean.ts";
import { choice } from "./choice.ts";
import { code } from "./code.ts";
import type { FieldKind } from "./kind.ts";
import { decimal, duration, float, id, integer } from "./number.ts";
import { recurrence } from "./recurrence.ts";
import { reference, references } from "./reference.ts";
import { string, text } from "./string.ts";
import { customFields, hash, strings } from "./structured.ts";
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
  backReference: reference,
  strings,
  customFields,
  hash,
  attachments: aggregated,
  attachmentsOf,
  aggregated,
  download,
  code,
  extension: reference,
  localDatetime,
  recurrence,
  subject: aggregated,
};

/** All the server knows about one kind of field. */
export const getKind = (field: Field): FieldKind => kinds[field.kind] as FieldKind;
