import type { Field } from "../../../records/vocabulary/index.ts";
import type { Type } from "../../engine/types.ts";

// Which fields a caller writes, and which must be given.

export type Purpose = "create" | "update";

export const isWritable = (field: Field, purpose: Purpose): boolean =>
  field.access !== "readonly" && !field.internal && !(field.onCreateOnly && purpose === "update");

/** Must be given: no default, no rule and no path says it. */
export const isRequired = (type: Type, name: string, field: Field): boolean =>
  field.access === "required" &&
  field.default === undefined &&
  field.derived === undefined &&
  type.states?.field !== name &&
  !type.createdUnder.some((place) => place.field === name);
