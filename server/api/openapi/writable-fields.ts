import type { Field } from "../../../records/vocabulary/index.ts";
import type { Type } from "../../engine/types.ts";

// The fields that a client may write, and the required ones.

export type Purpose = "create" | "update";

export const isWritable = (field: Field, purpose: Purpose): boolean =>
  field.access !== "readonly" && !field.internal && !(field.onCreateOnly && purpose === "update");

/** Required in a body: no default, no derivation and no path provides the value. */
export const isRequired = (type: Type, name: string, field: Field): boolean =>
  field.access === "required" &&
  field.default === undefined &&
  field.derived === undefined &&
  type.states?.field !== name &&
  !type.createdUnder.some((place) => place.field === name);
