import type { Field, KindName } from "../../records/vocabulary/index.ts";
import { aggregated } from "./aggregated.tsx";
import { attachments } from "./attachments.tsx";
import { attachmentsOf } from "./attachments-of.tsx";
import { boolean } from "./boolean.tsx";
import { code } from "./code.tsx";
import { date } from "./date.tsx";
import { datetime } from "./datetime.tsx";
import { duration } from "./duration.tsx";
import { enumeration } from "./enum.tsx";
import { hash } from "./hash.tsx";
import { id } from "./id.tsx";
import type { FieldKind } from "./kind.ts";
import { decimal, integer } from "./number.tsx";
import { recurrence } from "./recurrence.tsx";
import { backReference, reference } from "./reference.tsx";
import { references } from "./references.tsx";
import { string } from "./string.tsx";
import { strings } from "./strings.tsx";
import { subject } from "./subject.tsx";
import { target } from "./target.tsx";
import { text } from "./text.tsx";
import { timeOfDay } from "./time-of-day.tsx";

const kinds: Record<KindName, FieldKind> = {
  id,
  string,
  text,
  integer,
  decimal,
  float: decimal,
  boolean,
  date,
  datetime,
  target,
  duration,
  timeOfDay,
  timeZone: enumeration,
  enum: enumeration,
  reference,
  references,
  backReference,
  strings,
  customFields: hash,
  hash,
  attachments,
  attachmentsOf,
  aggregated,
  download: string,
  code,
  extension: backReference,
  localDatetime: datetime,
  recurrence,
  subject,
};

export const getFieldKind = (field: Field): FieldKind => kinds[field.kind];
