import type { Field, RecordType } from "../../../records/vocabulary/index.ts";
import type { Row } from "../../api/index.ts";
import type { Value } from "../../fields/field-kind.ts";
import { getFieldKind } from "../../fields/index.ts";

export type Values = Record<string, Value>;
type Purpose = "create" | "update";

const isWritable = (name: string, field: Field, purpose: Purpose): boolean =>
  field.access !== "readonly" &&
  !field.internal &&
  !(field.onCreateOnly && purpose === "update") &&
  name !== "disabled" && // a separate action, not a value among others
  getFieldKind(field).Edit !== undefined;

export type FieldGroup = "people" | "times" | "choices" | "texts" | "switches" | "systems" | "details";
const groupOrder: readonly FieldGroup[] = ["people", "choices", "times", "details", "texts", "switches", "systems"];

/** Fields that other systems write are shown, but at the end. */
const systemFields = new Set(["source", "sourceID", "custom_fields", "custom_fields_attachments"]);
const timeKinds = ["date", "datetime", "localDatetime", "target", "duration", "timeOfDay", "timeZone", "recurrence"];

function pickGroup(name: string, field: Field): FieldGroup {
  if (systemFields.has(name)) return "systems";
  if (field.kind === "reference" && ["person", "team", "organization", "site"].includes(field.to)) return "people";
  if (timeKinds.includes(field.kind) || (field.kind === "reference" && field.to === "calendar")) return "times";
  if (field.kind === "boolean") return "switches";
  if (getFieldKind(field).wide) return "texts";
  return ["enum", "reference", "code"].includes(field.kind) ? "choices" : "details";
}

/** Up to this number of fields a form shows all of them at once. */
const fewFields = 8;

/** A field that has a value, or is required, isn't hidden. */
const isFilled = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== "" &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

const isNeeded = (type: RecordType, name: string, field: Field): boolean =>
  name === type.display || (field.access === "required" && field.default === undefined);

export type FormFields = { first: string[]; groups: readonly { group: FieldGroup; fields: readonly string[] }[] };

/**
 * The fields of a form: required ones first, then the rest in groups. When editing, fields with a value are shown as
 * well.
 */
export function pickFormFields(type: RecordType, purpose: Purpose, row?: Row, initialValues: Values = {}): FormFields {
  const writable = Object.entries(type.fields).filter(([name, field]) => isWritable(name, field, purpose));
  const rank = ([name, field]: [string, Field]) =>
    (isNeeded(type, name, field) ? 0 : 10) + groupOrder.indexOf(pickGroup(name, field));
  const sorted = [...writable].sort((one, other) => rank(one) - rank(other));
  const isFew = sorted.filter(([name]) => !systemFields.has(name)).length <= fewFields;
  const isFirst = ([name, field]: [string, Field]): boolean => {
    if (systemFields.has(name)) return false;
    if (Object.hasOwn(initialValues, name)) return true;
    return isFew || isNeeded(type, name, field) || (purpose === "update" && !field.transient && isFilled(row?.[name]));
  };
  const rest = sorted.filter((entry) => !isFirst(entry));
  return {
    first: sorted.filter(isFirst).map(([name]) => name),
    groups: groupOrder
      .map((group) => ({
        group,
        fields: rest.filter(([name, field]) => pickGroup(name, field) === group).map(([name]) => name),
      }))
      .filter(({ fields }) => fields.length > 0),
  };
}

export function buildInitialValues(type: RecordType, row: Row | undefined): Values {
  const values: Values = {};
  for (const [name, field] of Object.entries(type.fields)) {
    const defaultValue = field.default !== undefined && "value" in field.default ? field.default.value : null;
    // A transient field only acts when a record is saved and isn't stored: every form starts with its default.
    values[name] = row === undefined || field.transient ? defaultValue : (row[name] ?? null);
  }
  return values;
}

/** Sends only changed values, so that a form never reverts other people's changes. */
export function pickChangedValues(type: RecordType, before: Values, after: Values, purpose: Purpose): Values {
  const changed: Values = {};
  for (const [name, field] of Object.entries(type.fields)) {
    if (!isWritable(name, field, purpose)) continue;
    const { toWire = (value: Value) => value } = getFieldKind(field);
    const [old, wanted] = [toWire(before[name]), toWire(after[name])];
    if (JSON.stringify(old) !== JSON.stringify(wanted)) changed[name] = wanted;
  }
  return changed;
}

/** Field kinds whose value can appear in an address unchanged. */
const plainKinds = ["string", "enum", "date", "timeZone"];

/** Initial values of a new record from the form's address: `service_id=5`, `status=available`. */
export function readInitialValues(type: RecordType, search: Readonly<Record<string, unknown>>): Values {
  const values: Values = {};
  for (const [name, field] of Object.entries(type.fields)) {
    if (!isWritable(name, field, "create")) continue;
    const [id, text] = [search[`${name}_id`], search[name]];
    if (field.kind === "reference" && typeof id === "string" && /^\d{1,10}$/.test(id))
      values[name] = { id: Number(id) };
    else if (plainKinds.includes(field.kind) && typeof text === "string") values[name] = text;
  }
  return values;
}
