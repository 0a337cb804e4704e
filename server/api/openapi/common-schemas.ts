import type { Field } from "../../../records/vocabulary/index.ts";
import { getKind } from "../../engine/kinds/index.ts";
import type { Type } from "../../engine/types.ts";
import type { Schema } from "./components.ts";

// Shared by all schemas: identifiers and nullability.

export const idSchema: Schema = { type: "integer", minimum: 1, maximum: 2_147_483_647 };

export const nodeIdSchema: Schema = {
  type: "string",
  pattern: "^[A-Za-z0-9_-]+$",
  description: "An identifier that is unique across all record types. Can be used in paths instead of the `id`.",
};

/** The same schema, with null permitted. */
export function orNull(schema: Schema): Schema {
  const { type } = schema;
  if (typeof type !== "string") {
    if (Array.isArray(type)) return { ...schema, type: [...type, "null"] };
    return { anyOf: [schema, { type: "null" }] };
  }
  const choices = schema.enum as unknown[] | undefined;
  return { ...schema, type: [type, "null"], ...(choices === undefined ? {} : { enum: [...choices, null] }) };
}

/** Required fields, fields that cannot be cleared and lists are never null in a response. */
export function canBeNull(type: Type, name: string, field: Field): boolean {
  if (field.confidential !== undefined) return true;
  if (field.fallsBackTo !== undefined)
    return canBeNull(type, field.fallsBackTo, type.fields[field.fallsBackTo] as Field);
  if (["id", "created_at", "updated_at", type.states?.field].includes(name) || field.access === "required")
    return false;
  return getKind(field).describe?.isNeverNull?.(field) !== true;
}
