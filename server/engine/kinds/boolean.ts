import type { Field } from "../../../records/vocabulary/index.ts";
import { asScalar } from "./graph-form.ts";
import { type FieldKind, onlyEqual, Refusal } from "./kind.ts";

const trueWords = new Set(["1", "t", "y", "true", "yes", "on"]);

type BooleanField = Extract<Field, { kind: "boolean" }>;
const pickDefault = ({ default: standard }: BooleanField) =>
  standard !== undefined && "value" in standard ? standard.value : null;

export const boolean: FieldKind<BooleanField> = {
  column: "boolean",
  defineColumn(field) {
    const standard = pickDefault(field);
    return standard === null ? "boolean" : `boolean NOT NULL DEFAULT ${standard}`;
  },
  isIndexable: false,
  isCovered: true,
  readBlank: pickDefault,
  read(input) {
    if (typeof input === "boolean") return input;
    if (typeof input === "number" || typeof input === "string")
      return trueWords.has(String(input).trim().toLowerCase());
    throw new Refusal("is not valid");
  },
  parse: (text) => text === "t",
  // "t" in a column of its own, "true" inside a list.
  write: (text) => (text.startsWith("t") ? "true" : "false"),
  filter: onlyEqual,
  groups: "values",
  setRefusal: "Cannot filter on a set of values",
  isAlwaysSet: (field) => field.default !== undefined,
  graph: asScalar("Boolean"),
  sqlType: "boolean",
  schema: () => ({ type: "boolean" }),
  describe: {
    filterValues: () => "true or false",
    isNeverNull: ({ default: standard }) => standard !== undefined && "value" in standard,
    example: ({ defaultValue }) => defaultValue ?? false,
  },
  cell: { isFormulaSafe: true, format: (text) => (text === "t" ? "1" : "0") },
};
