import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api.ts";
import type { Value } from "../../fields/field-kind.ts";
import { getFieldKind } from "../../fields/index.ts";

export type Values = Record<string, Value>;
type Purpose = "create" | "update";

const isWritable = (name: string, field: Field, purpose: Purpose): boolean =>
  field.access !== "readonly" &&
  !field.internal &&
  !(field.onCreateOnly && purpose === "update") &&
  name !== "disabled" && // an action of its own, not a value among others
  getFieldKind(field).Edit !== undefined;

/** The fields that other systems write are there, but out of the way. */
const secondaryFields = new Set(["source", "sourceID", "custom_fields", "custom_fields_attachments"]);

/**
 * Lines first, then switches, then what takes the whole width, and last what is said about the change itself: a note.
 * Within each, the order of the declaration.
 */
const rank = (field: Field): number =>
  field.transient ? 3 : getFieldKind(field).wide ? 2 : field.kind === "boolean" ? 1 : 0;

/** What a form offers. */
export function pickFormFields(type: RecordType, purpose: Purpose): { first: string[]; further: string[] } {
  const names = Object.entries(type.fields)
    .filter(([name, field]) => isWritable(name, field, purpose))
    .sort(([, one], [, other]) => rank(one) - rank(other))
    .map(([name]) => name);
  return {
    first: names.filter((name) => !secondaryFields.has(name)),
    further: names.filter((name) => secondaryFields.has(name)),
  };
}

export function buildInitialValues(type: RecordType, row: Row | undefined): Values {
  const values: Values = {};
  for (const [name, field] of Object.entries(type.fields)) {
    const standing = field.default !== undefined && "value" in field.default ? field.default.value : null;
    // What acts when a record is saved is kept nowhere: every form begins anew with it.
    values[name] = row === undefined || field.transient ? standing : (row[name] ?? null);
  }
  return values;
}

/** What to send: only what differs, so that a form never undoes what somebody else has changed meanwhile. */
export function pickChangedValues(type: RecordType, before: Values, after: Values, purpose: Purpose): Values {
  const changed: Values = {};
  const { first, further: more } = pickFormFields(type, purpose);
  for (const name of [...first, ...more]) {
    const { toWire = (value: Value) => value } = getFieldKind(type.fields[name] as Field);
    const [old, wanted] = [toWire(before[name]), toWire(after[name])];
    if (JSON.stringify(old) !== JSON.stringify(wanted)) changed[name] = wanted;
  }
  return changed;
}
