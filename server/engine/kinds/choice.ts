import { enumerations } from "../../../records/enumerations/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { equalAndSet, jsonText, type KindOf, Refusal, scalar } from "./kind.ts";

type EnumField = Extract<Field, { kind: "enum" }>;

const lists: Record<string, readonly string[]> = enumerations;
export const valuesOf = (field: EnumField): readonly string[] => field.values ?? lists[field.enumeration] ?? [];

export const choice: KindOf<EnumField> = {
  read(input, field) {
    const value = scalar(input, "is not included in the list");
    if (!valuesOf(field).includes(value)) throw new Refusal("is not included in the list");
    return value;
  },
  parse: (text) => text,
  write: jsonText,
  filter: equalAndSet,
  sql: "text",
  schema: (field) => ({ type: "string", enum: valuesOf(field) }),
};
