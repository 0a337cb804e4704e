import type { Field, Members, RecordPart, Shape } from "../../../records/vocabulary/index.ts";
import type { Type } from "../../engine/types.ts";
import { listTypeNames } from "../operations/type-names.ts";
import { orNull } from "./common-schemas.ts";
import type { OpenApiContext, Schema } from "./components.ts";
import { buildProperties, buildRecordSchema } from "./record-schemas.ts";
import { buildReferenceSchema } from "./reference-schemas.ts";
import { buildValueSchema } from "./value-schemas.ts";

// The schemas of answers, bodies and parameters that are not records.

export function buildShapeSchema(context: OpenApiContext, shape: Shape): Schema {
  const present = buildPresentSchema(context, shape);
  const { note, defaultValue, example, format, pattern, minLength } = shape;
  return {
    ...(shape.isNullable ? orNull(present) : present),
    ...(format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(minLength === undefined ? {} : { minLength }),
    ...(shape.isWriteOnly ? { writeOnly: true } : {}),
    ...(note === undefined ? {} : { description: describeNames(context, shape, note) }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    ...(example === undefined ? {} : { example }),
  };
}

/** Names that are separated by commas are no values of the schema: the note lists them. */
const describeNames = (context: OpenApiContext, shape: Shape, note: string): string =>
  shape.kind === "typeName" && shape.isSeveral
    ? `${note}: ${listTypeNames(context.types, shape.among).join(", ")}`
    : note;

function buildPresentSchema(context: OpenApiContext, shape: Shape): Schema {
  switch (shape.kind) {
    case "object": {
      const build = () => buildObjectSchema(context, shape);
      return shape.name === undefined ? build() : context.components.ref("schemas", shape.name, build);
    }
    case "list": {
      const build = () => ({
        type: "array",
        items: buildShapeSchema(context, shape.of),
        ...(shape.max === undefined ? {} : { maxItems: shape.max }),
        ...(shape.min === undefined ? {} : { minItems: shape.min }),
      });
      return shape.name === undefined ? build() : context.components.ref("schemas", shape.name, build);
    }
    case "map":
      return { type: "object", additionalProperties: buildShapeSchema(context, shape.of) };
    case "tuple":
      return {
        type: "array",
        prefixItems: shape.of.map((each) => buildShapeSchema(context, each)),
        minItems: shape.of.filter((each) => !each.isOptional).length,
        maxItems: shape.of.length,
      };
    case "either":
      return { anyOf: shape.of.map((each) => buildShapeSchema(context, each)) };
    case "reference":
      return buildReferenceSchema(context, context.types.get(shape.to));
    case "record": {
      const type = context.types.get(shape.type);
      const { part } = shape;
      if (part === undefined) return buildRecordSchema(context, type);
      return context.components.ref("schemas", part.name, () => buildPartSchema(context, type, part));
    }
    case "anything":
      return {};
    case "typeName":
      return { type: "string", ...(shape.isSeveral ? {} : { enum: listTypeNames(context.types, shape.among) }) };
    case "file":
      return { type: "string", contentMediaType: shape.mediaType };
    default:
      return buildValueSchema(context, { ...shape, access: "readonly" } as Field);
  }
}

function buildPartSchema(context: OpenApiContext, type: Type, { fields, members }: RecordPart): Schema {
  const properties = buildProperties(context, type);
  const shown = ["id", "nodeID", "account", ...("disabled" in properties ? ["disabled"] : []), ...fields];
  return {
    type: "object",
    required: ["id", "nodeID", ...listRequired(members)],
    properties: {
      ...Object.fromEntries(shown.map((name) => [name, properties[name]])),
      ...buildMemberSchemas(context, members),
    },
  };
}

function buildObjectSchema(context: OpenApiContext, { members, others }: Extract<Shape, { kind: "object" }>): Schema {
  const required = listRequired(members);
  const isEmpty = Object.keys(members).length === 0 && others === undefined;
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    ...(isEmpty ? { maxProperties: 0 } : {}),
    properties: buildMemberSchemas(context, members),
    ...(others === undefined ? {} : { additionalProperties: buildShapeSchema(context, others) }),
  };
}

const listRequired = (members: Members): string[] => Object.keys(members).filter((name) => !members[name]?.isOptional);

const buildMemberSchemas = (context: OpenApiContext, members: Members): Schema =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, buildShapeSchema(context, shape)]));
