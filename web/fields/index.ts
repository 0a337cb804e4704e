import type { Field, KindName } from "../../records/vocabulary/index.ts";
import { boolean } from "./boolean.tsx";
import { enumeration } from "./enum.tsx";
import type { FieldKind } from "./field-kind.ts";
import { attachmentsOf } from "./files/attachment-upload.tsx";
import { attachments } from "./files/attachments.tsx";
import { hash } from "./hash.tsx";
import { id } from "./id.tsx";
import { decimal, integer } from "./number.tsx";
import { aggregated } from "./references/aggregated.tsx";
import { code } from "./references/code.tsx";
import { backReference, reference } from "./references/reference.tsx";
import { references } from "./references/references.tsx";
import { subject } from "./references/subject.tsx";
import { string } from "./string.tsx";
import { strings } from "./strings.tsx";
import { text } from "./text.tsx";
import { date } from "./time/date.tsx";
import { datetime } from "./time/datetime.tsx";
import { duration } from "./time/duration.tsx";
import { recurrence } from "./time/recurrence.tsx";
import { target } from "./time/target.tsx";
import { timeOfDay } from "./time/time-of-day.tsx";

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

export const getFieldKind = (field: Field): FieldKind =>
  field.kind === "string" && field.format === "country" ? enumeration : kinds[field.kind];
