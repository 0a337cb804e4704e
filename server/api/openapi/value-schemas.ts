import type { Field } from "../../../records/vocabulary/index.ts";
import type { SchemaContext } from "../../engine/kinds/description.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Type } from "../../engine/types.ts";
import { canBeNull, orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { buildEnumerationSchema } from "./enumeration-schema.ts";
import { getSchemaName } from "./names.ts";
import { buildReferenceSchema } from "./reference-schemas.ts";

// The schema of one value in a response.

/** The schemas with which the kinds of fields describe their values. */
export const buildSchemaContext = (context: OpenApiContext): SchemaContext => ({
  types: context.types,
  share: (name, build) => context.components.ref("schemas", name, build),
  reference: (target) => buildReferenceSchema(context, target),
  entry: (child) => buildEntrySchema(context, child),
  enumeration: (name, values) => buildEnumerationSchema(context, name, values),
  orNull,
});

/** An entry of a list inside a record. */
function buildEntrySchema(context: OpenApiContext, child: Type): Ref {
  return context.components.ref("schemas", `${getSchemaName(child)}Entry`, () => ({
    type: "object",
    ...(child.serialize.omitBlankMembers ? { description: "Members without a value are omitted." } : {}),
    required: child.defaultFields.filter(
      (name) => !isLeftOutIfNull(child, name) && (!child.serialize.omitBlankMembers || isAlwaysPresent(child, name)),
    ),
    properties: Object.fromEntries(
      child.defaultFields.map((name) => [name, buildOutputValueSchema(context, child, name)]),
    ),
  }));
}

/** Some kinds leave a member out where it is null. */
export const isLeftOutIfNull = (type: Type, name: string): boolean =>
  getKind(type.fields[name] as Field).omitsNull === true;

/** Types that omit blank members still include the members that cannot be blank. */
export const isAlwaysPresent = (type: Type, name: string): boolean =>
  !canBeNull(type, name, type.fields[name] as Field);

/** The value without its nullability. */
export function buildValueSchema(context: OpenApiContext, field: Field): Schema {
  const kind = getKind(field);
  if (kind.describe?.output !== undefined) return kind.describe.output(field, buildSchemaContext(context));
  const schema = kind.schema(field);
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
    field.confidential === undefined ? undefined : "null for callers who aren't allowed to see it",
  ].filter((remark) => remark !== undefined);
  return {
    ...schema,
    ...(remarks.length === 0 ? {} : { description: remarks.join("; ") }),
    ...(field.access === "readonly" ? { readOnly: true } : {}),
  };
}
