import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Type } from "../../engine/types.ts";
import { canBeNull, orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildEnumerationSchema } from "./enumeration-schema.ts";
import { getSchemaName } from "./names.ts";
import { buildRecurrenceOutput } from "./recurrence-schemas.ts";
import { buildReferenceSchema } from "./reference-schemas.ts";

// The schema of one value in a response.

const buildCustomFieldsSchema = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "CustomFields", () => ({
    anyOf: [
      { type: "object", additionalProperties: true },
      {
        type: "array",
        items: { type: "object", required: ["id"], properties: { id: { type: "string" }, value: {} } },
      },
    ],
    description:
      'An object `{"<id>": value}`. Callers that name their account by an alias header get an array of `{id, value}`. ' +
      "Both forms are read; fields that are not named keep their value.",
  }));

const buildAttachmentSchema = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "Attachment", () => ({
    type: "object",
    required: ["name", "key", "uri", "inline", "size", "created_at"],
    properties: {
      name: { type: "string", description: "name of the file" },
      key: { type: "string" },
      uri: { type: "string", format: "uri", description: "address of the file, valid for a day" },
      inline: { type: "boolean", description: "used inside a text field" },
      size: { type: "integer", description: "bytes" },
      created_at: { type: "string", format: "date-time" },
    },
  }));

/** An entry of a list inside a record. */
function buildEntrySchema(context: OpenApiContext, child: Type): Ref {
  return context.components.ref("schemas", `${getSchemaName(child)}Entry`, () => ({
    type: "object",
    ...(child.serialize.omitBlankMembers ? { description: "Members without a value are left out." } : {}),
    required: child.defaultFields.filter(
      (name) =>
        child.fields[name]?.kind !== "recurrence" &&
        (!child.serialize.omitBlankMembers || isAlwaysPresent(child, name)),
    ),
    properties: Object.fromEntries(
      child.defaultFields.map((name) => [name, buildOutputValueSchema(context, child, name)]),
    ),
  }));
}

/** Types that omit blank members still include the members that cannot be blank. */
export const isAlwaysPresent = (type: Type, name: string): boolean =>
  !canBeNull(type, name, type.fields[name] as Field);

/** The value without its nullability. */
export function buildValueSchema(context: OpenApiContext, field: Field): Schema {
  const { types } = context;
  switch (field.kind) {
    case "reference": {
      const one = buildReferenceSchema(context, types.get(field.to));
      return field.or === undefined ? one : { anyOf: [one, buildReferenceSchema(context, types.get(field.or))] };
    }
    case "extension":
      return buildReferenceSchema(context, types.get("ui_extension"));
    case "recurrence":
      return buildRecurrenceOutput(context, field);
    case "backReference":
      return buildReferenceSchema(context, types.get(field.from));
    case "references":
      return {
        type: "array",
        items: field.plain ? { type: "integer" } : buildReferenceSchema(context, types.get(field.to)),
      };
    case "aggregated":
      return { type: "array", items: buildEntrySchema(context, types.get(field.of)) };
    case "attachments":
      return { type: "array", items: buildAttachmentSchema(context) };
    case "customFields":
      return buildCustomFieldsSchema(context);
    case "enum":
      if (field.values === undefined)
        return buildEnumerationSchema(context, field.enumeration, getKind(field).schema(field).enum);
  }
  const schema = getKind(field).schema(field);
  return field.format === "email" ? { ...schema, format: "email" } : schema;
}

/** The value of a field in a response, with nullability, notes and readOnly. */
export function buildOutputValueSchema(context: OpenApiContext, type: Type, name: string): Schema {
  const field = type.fields[name] as Field;
  const valueSchema = buildValueSchema(context, field);
  const schema = !type.serialize.omitBlankMembers && canBeNull(type, name, field) ? orNull(valueSchema) : valueSchema;
  const remarks = [
    field.note,
    schema.description,
    field.confidential === undefined ? undefined : "null for callers who may not see it",
  ].filter((remark) => remark !== undefined);
  return {
    ...schema,
    ...(remarks.length === 0 ? {} : { description: remarks.join("; ") }),
    ...(field.access === "readonly" ? { readOnly: true } : {}),
  };
}
