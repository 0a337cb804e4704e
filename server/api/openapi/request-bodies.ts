import type { Field } from "../../../records/vocabulary/index.ts";
import type { BodyContext } from "../../engine/kinds/description.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Type } from "../../engine/types.ts";
import { idSchema, orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildExampleBody } from "./examples/example-records.ts";
import { getSchemaName, withArticle } from "./names.ts";
import { buildSchemaContext, buildValueSchema } from "./value-schemas.ts";
import { isRequired, isWritable, type Purpose } from "./writable-fields.ts";

// Request bodies: every field that is not readonly, references in each of their forms.

const buildReferenceInput = (context: OpenApiContext): Ref =>
  context.components.ref("schemas", "ReferenceInput", () => ({
    anyOf: [
      { type: "integer", minimum: 1 },
      { type: "object", required: ["id"], properties: { id: idSchema } },
    ],
    description: '`7` and `{"id": 7}` are equivalent, as is `<field>_id: 7`.',
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
  const isShown = field.firstOfLink !== undefined || field.computed !== undefined;
  if ((field.transient && !isShown) || field.access === "writeonly") remarks.push("not returned in responses");
  return remarks;
}

function addRemarks(schema: Schema, remarks: readonly string[]): Schema {
  const all = [...remarks, schema.description].filter((remark) => remark !== undefined);
  return all.length === 0 ? schema : { ...schema, description: all.join("; ") };
}

/** The members that write a field; examples use the first one. */
function buildInputMembers(
  context: OpenApiContext,
  name: string,
  field: Field,
  purpose: Purpose,
): readonly (readonly [string, Schema])[] {
  const { describe } = getKind(field);
  const body: BodyContext = {
    ...buildSchemaContext(context),
    referenceInput: () => buildReferenceInput(context),
    remarks: collectRemarks(field, purpose),
    addRemarks,
    clearable: (schema) => (field.access === "required" ? schema : orNull(schema)),
    nameType: withArticle,
  };
  if (describe?.bodyMembers !== undefined) return describe.bodyMembers(name, field, body);
  const value = describe?.input?.(field, body) ?? buildValueSchema(context, field);
  const schema = addRemarks(body.clearable(value), body.remarks);
  const standing = purpose === "create" && field.default !== undefined && "value" in field.default;
  return [[name, standing ? { ...schema, default: (field.default as { value: unknown }).value } : schema]];
}

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

export const buildJsonBody = (schema: Schema, example: unknown): Schema => ({
  required: true,
  content: { "application/json": { schema, example } },
});

export const buildRequestBody = (context: OpenApiContext, type: Type, purpose: Purpose): Schema =>
  buildJsonBody(buildBodySchema(context, type, purpose), buildExampleBody(context, type, purpose));
