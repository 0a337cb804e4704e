import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import { isReference } from "../../engine/kinds/reference.ts";
import type { Type } from "../../engine/types.ts";
import { canBeNull, idSchema, nodeIdSchema, orNull } from "./common-schemas.ts";
import type { OpenApiContext, Ref, Schema } from "./components.ts";
import { getSchemaName, withArticle } from "./names.ts";

// A reference shows a record inside another one: its id and its names.

export function buildReferenceSchema(context: OpenApiContext, target: Type): Ref {
  return context.components.ref("schemas", `${getSchemaName(target)}Reference`, () =>
    target.routes.singleton ? accountReference : buildRecordReference(context, target),
  );
}

const accountReference: Schema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: { type: "string", description: "the value of the `account` header" }, name: { type: "string" } },
};

export const buildForeignAccountSchema = (context: OpenApiContext): Schema => ({
  ...buildReferenceSchema(context, context.types.get("account")),
  description: "Only if the record belongs to a different account than the account of the call.",
});

function buildRecordReference(context: OpenApiContext, target: Type): Schema {
  const value = (name: string): Schema => {
    const field = target.fields[name] as Field;
    const schema = buildMemberSchema(context, field);
    return canBeNull(target, name, field) ? orNull(schema) : schema;
  };
  const names = [...(target.display === "id" ? [] : [target.display]), ...target.serialize.referenceFields];
  const properties: Schema = { id: idSchema, ...Object.fromEntries(names.map((name) => [name, value(name)])) };
  const required = ["id", ...names, "nodeID"];
  if (target.display !== "id" && target.display !== "name") {
    properties.name = { ...value(target.display), description: `the same as \`${target.display}\`` };
    required.push("name");
  }
  if ("sourceID" in target.fields) properties.sourceID = { type: "string", description: "only if the record has one" };
  if ("disabled" in target.fields)
    properties.disabled = { type: "boolean", const: true, description: "only if the record is disabled" };
  properties.account = buildForeignAccountSchema(context);
  properties.nodeID = nodeIdSchema;
  return { type: "object", description: `Reference to ${withArticle(target.name)}.`, required, properties };
}

/** Members of a reference may be references themselves. */
function buildMemberSchema(context: OpenApiContext, field: Field): Schema {
  if (!isReference(field)) return getKind(field).schema(field);
  const one = buildReferenceSchema(context, context.types.get(field.to));
  return field.or === undefined ? one : { anyOf: [one, buildReferenceSchema(context, context.types.get(field.or))] };
}

/** The subject of a journal line; its member is named after the subject's type. */
export const buildSubjectReference = (context: OpenApiContext, as: "reference" | "entry"): Ref =>
  as === "entry"
    ? context.components.ref("schemas", "RecordEntry", () => ({
        type: "object",
        required: ["id", "href", "display_name"],
        properties: {
          id: idSchema,
          href: { type: "string", description: "path of the record, relative to the base URL" },
          display_name: { type: "string" },
        },
      }))
    : context.components.ref("schemas", "RecordReference", () => ({
        type: "object",
        required: ["id", "nodeID"],
        properties: {
          id: idSchema,
          name: { type: ["string", "null"], description: "null if the record no longer exists" },
          nodeID: nodeIdSchema,
        },
      }));
