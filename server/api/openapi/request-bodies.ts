import type { Field } from "../../../records/vocabulary/index.ts";
import { singular, type Type } from "../../engine/types.ts";
import { idSchema, orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildExampleBody } from "./examples/example-records.ts";
import { getSchemaName, withArticle } from "./names.ts";
import { buildRecurrenceInput } from "./recurrence-schemas.ts";
import { buildValueSchema } from "./value-schemas.ts";
import { isRequired, isWritable, type Purpose } from "./writable-fields.ts";

// Request bodies: every field that is not readonly, references in each of their forms.

const buildReferenceInput = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "ReferenceInput", () => ({
    anyOf: [
      { type: "integer", minimum: 1 },
      { type: "object", required: ["id"], properties: { id: idSchema } },
    ],
    description: '`7` and `{"id": 7}` mean the same, and so does `<field>_id: 7`.',
  }));

/** Remarks that matter to clients that write the field. */
function collectRemarks(field: Field, purpose: Purpose): string[] {
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

function addRemarks(schema: Schema, remarks: readonly string[]): Schema {
  const all = [...remarks, schema.description].filter((remark) => remark !== undefined);
  return all.length === 0 ? schema : { ...schema, description: all.join("; ") };
}

function buildInputValue(context: OpenApiContext, field: Field): Schema {
  if (field.kind === "duration")
    return { type: ["integer", "string"], description: 'minutes, or hours and minutes: "1:45" is 105' };
  if (field.kind === "decimal") return { type: ["number", "string"], pattern: "^[+-]?\\d+(\\.\\d+)?$" };
  if (field.kind === "recurrence") return buildRecurrenceInput(context, field, buildReferenceInput(context));
  if (field.kind === "localDatetime")
    return { type: "string", description: "local date and time; an offset is dropped, a date alone is its midnight" };
  return buildValueSchema(context, field);
}

/** The members that write a field; examples use the first one. */
function buildInputMembers(context: OpenApiContext, name: string, field: Field, purpose: Purpose): [string, Schema][] {
  const remarks = collectRemarks(field, purpose);
  const clearable = field.access !== "required";
  const maybe = (schema: Schema) => (clearable ? orNull(schema) : schema);
  if (field.kind === "reference") {
    const or = field.or === undefined ? "" : ` or ${withArticle(field.or)}`;
    const short = { type: "integer", minimum: 1, description: `id of ${withArticle(field.to)}${or}` };
    return [
      [`${name}_id`, addRemarks(maybe(short), remarks)],
      [name, { ...maybe(buildReferenceInput(context)), description: `another way to write \`${name}_id\`` }],
    ];
  }
  if (field.kind === "code") {
    const codes = { type: "string", description: `the \`reference\` of ${withArticle(field.to)}` };
    return [
      [name, addRemarks(maybe(codes), remarks)],
      [
        `${name}_id`,
        { ...maybe({ type: "integer", minimum: 1 }), description: `another way to write \`${name}\`: an id` },
      ],
    ];
  }
  if (field.kind === "references") {
    const ids = field.plain ? name : `${singular(name)}_ids`;
    const list = { type: "array", items: { type: "integer", minimum: 1 }, description: "the whole list" };
    if (field.plain) return [[ids, addRemarks(list, remarks)]];
    return [
      [ids, addRemarks(list, remarks)],
      [name, { type: "array", items: buildReferenceInput(context), description: `another way to write \`${ids}\`` }],
    ];
  }
  if (field.kind === "attachments")
    return [[name, buildAttachmentInputs(context, { ...field, kind: "attachmentsOf", field: name })]];
  if (field.kind === "attachmentsOf")
    return [[name, addRemarks(buildAttachmentInputs(context, field), [`files used inside \`${field.field}\``])]];
  const standing = purpose === "create" && field.default !== undefined && "value" in field.default;
  const schema = addRemarks(maybe(buildInputValue(context, field)), remarks);
  return [[name, standing ? { ...schema, default: (field.default as { value: unknown }).value } : schema]];
}

const buildAttachmentInputs = (context: OpenApiContext, field: Field): Schema => ({
  ...context.components.ref("schemas", "AttachmentInputs", () => ({
    ...buildValueSchema(context, field),
    description: "keys of uploaded files (`GET /attachments/storage`); `_destroy` takes a file away",
  })),
});

function buildBodySchema(context: OpenApiContext, type: Type, purpose: Purpose): Ref {
  const name = `${getSchemaName(type)}${purpose === "create" ? "Create" : "Update"}`;
  return context.components.ref("schemas", name, () => {
    const properties: Schema = {};
    const required: string[] = [];
    const alternatives: Schema[] = [];
    for (const [fieldName, field] of Object.entries(type.fields)) {
      if (!isWritable(field, purpose)) continue;
      const members = buildInputMembers(context, fieldName, field, purpose);
      for (const [member, schema] of members) properties[member] = schema;
      if (purpose === "update" || !isRequired(type, fieldName, field)) continue;
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

export const buildRequestBody = (context: OpenApiContext, type: Type, purpose: Purpose): Schema => ({
  required: true,
  content: {
    "application/json": {
      schema: buildBodySchema(context, type, purpose),
      example: buildExampleBody(context, type, purpose),
    },
  },
});
