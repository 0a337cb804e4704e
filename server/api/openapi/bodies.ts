import type { Field } from "../../../records/vocabulary/index.ts";
import { singular, type Type } from "../../engine/types.ts";
import { id, orNull } from "./basics.ts";
import type { Context, Ref, Schema } from "./components.ts";
import { exampleBody } from "./examples.ts";
import { one, schemaName } from "./names.ts";
import { givenRecurrence } from "./recurrence.ts";
import { bareValue } from "./values.ts";
import { isNeeded, isWritable, type Purpose } from "./writable.ts";

// What a caller may send: every field that is not readonly, references in each of their forms.

const givenReference = (context: Context): Ref =>
  context.components.ref("schemas", "ReferenceInput", () => ({
    anyOf: [
      { type: "integer", minimum: 1 },
      { type: "object", required: ["id"], properties: { id } },
    ],
    description: '`7` and `{"id": 7}` mean the same, and so does `<field>_id: 7`.',
  }));

/** What the declaration says to those who write the field. */
function remarksOn(field: Field, purpose: Purpose): string[] {
  const remarks = field.note === undefined ? [] : [field.note];
  const standing = field.default;
  if (purpose === "create" && standing !== undefined) {
    if ("account" in standing) remarks.push("default: the setting of the account");
    if ("caller" in standing) remarks.push(`default: ${standing.caller === "person" ? "the caller" : "the caller's"}`);
    if ("clock" in standing) remarks.push("default: now");
  }
  if (field.onCreateOnly) remarks.push("cannot be changed later");
  if (field.transient || field.access === "writeonly") remarks.push("not shown in answers");
  return remarks;
}

function described(schema: Schema, remarks: readonly string[]): Schema {
  const all = [...remarks, schema.description].filter((remark) => remark !== undefined);
  return all.length === 0 ? schema : { ...schema, description: all.join("; ") };
}

function givenValue(context: Context, field: Field): Schema {
  if (field.kind === "duration")
    return { type: ["integer", "string"], description: 'minutes, or hours and minutes: "1:45" is 105' };
  if (field.kind === "decimal") return { type: ["number", "string"], pattern: "^[+-]?\\d+(\\.\\d+)?$" };
  if (field.kind === "recurrence") return givenRecurrence(context, field, givenReference(context));
  if (field.kind === "localDatetime")
    return { type: "string", description: "local date and time; an offset is dropped, a date alone is its midnight" };
  return bareValue(context, field);
}

/** The members a field can be written by; the first one is what examples use. */
function membersOf(context: Context, name: string, field: Field, purpose: Purpose): [string, Schema][] {
  const remarks = remarksOn(field, purpose);
  const clearable = field.access !== "required";
  const maybe = (schema: Schema) => (clearable ? orNull(schema) : schema);
  if (field.kind === "reference") {
    const or = field.or === undefined ? "" : ` or ${one(field.or)}`;
    const short = { type: "integer", minimum: 1, description: `id of ${one(field.to)}${or}` };
    return [
      [`${name}_id`, described(maybe(short), remarks)],
      [name, { ...maybe(givenReference(context)), description: `another way to write \`${name}_id\`` }],
    ];
  }
  if (field.kind === "code") {
    const codes = { type: "string", description: `the \`reference\` of ${one(field.to)}` };
    return [
      [name, described(maybe(codes), remarks)],
      [
        `${name}_id`,
        { ...maybe({ type: "integer", minimum: 1 }), description: `another way to write \`${name}\`: an id` },
      ],
    ];
  }
  if (field.kind === "references") {
    const ids = field.plain ? name : `${singular(name)}_ids`;
    const list = { type: "array", items: { type: "integer", minimum: 1 }, description: "the whole list" };
    if (field.plain) return [[ids, described(list, remarks)]];
    return [
      [ids, described(list, remarks)],
      [name, { type: "array", items: givenReference(context), description: `another way to write \`${ids}\`` }],
    ];
  }
  if (field.kind === "attachments")
    return [[name, attachmentInputs(context, { ...field, kind: "attachmentsOf", field: name })]];
  if (field.kind === "attachmentsOf")
    return [[name, described(attachmentInputs(context, field), [`files used inside \`${field.field}\``])]];
  const standing = purpose === "create" && field.default !== undefined && "value" in field.default;
  const schema = described(maybe(givenValue(context, field)), remarks);
  return [[name, standing ? { ...schema, default: (field.default as { value: unknown }).value } : schema]];
}

const attachmentInputs = (context: Context, field: Field): Schema => ({
  ...context.components.ref("schemas", "AttachmentInputs", () => ({
    ...bareValue(context, field),
    description: "keys of uploaded files (`GET /attachments/storage`); `_destroy` takes a file away",
  })),
});

function bodySchema(context: Context, type: Type, purpose: Purpose): Ref {
  const name = `${schemaName(type)}${purpose === "create" ? "Create" : "Update"}`;
  return context.components.ref("schemas", name, () => {
    const properties: Schema = {};
    const required: string[] = [];
    const alternatives: Schema[] = [];
    for (const [fieldName, field] of Object.entries(type.fields)) {
      if (!isWritable(field, purpose)) continue;
      const members = membersOf(context, fieldName, field, purpose);
      for (const [member, schema] of members) properties[member] = schema;
      if (purpose === "update" || !isNeeded(type, fieldName, field)) continue;
      if (members.length === 1) required.push(fieldName);
      else alternatives.push({ anyOf: members.map(([member]) => ({ required: [member] })) });
    }
    return {
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      properties,
      ...(alternatives.length === 0 ? {} : { allOf: alternatives }),
    };
  });
}

export const requestBody = (context: Context, type: Type, purpose: Purpose): Schema => ({
  required: true,
  content: {
    "application/json": { schema: bodySchema(context, type, purpose), example: exampleBody(context, type, purpose) },
  },
});
