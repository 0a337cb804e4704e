import { enumerations } from "../../../records/enumerations/index.ts";
import type { Field } from "../../../records/vocabulary/index.ts";
import { equalAndSet, type FieldKind, jsonText, Refusal, scalar } from "./kind.ts";

type EnumField = Extract<Field, { kind: "enum" }>;

const lists: Record<string, readonly string[]> = enumerations;
export const listChoices = (field: EnumField): readonly string[] => field.values ?? lists[field.enumeration] ?? [];

/** Longer enumerations, such as those of time zones and currencies, are written out nowhere. */
const fewChoices = 40;
const hasFewChoices = (field: EnumField): boolean => listChoices(field).length <= fewChoices;

/** A currency may be given like a reference: {"id": "eur"}. */
const unwrapCurrency = (input: unknown, { enumeration }: EnumField): unknown =>
  enumeration === "account.currency" && typeof input === "object" && input !== null && "id" in input ? input.id : input;

/** The enumeration of a field whose values are choices. */
export const getEnumeration = (field: Field): string => (field as EnumField).enumeration;

export const choice: FieldKind<EnumField> = {
  column: "text",
  isCovered: true,
  hasFewValues: hasFewChoices,
  read(input, field) {
    const value = scalar(unwrapCurrency(input, field), "is not included in the list");
    if (!listChoices(field).includes(value)) throw new Refusal("is not included in the list");
    return value;
  },
  parse: (text) => text,
  write: jsonText,
  filter: equalAndSet,
  groups: "values",
  /** The rank of a value is its position in the enumeration. */
  sortKey({ field, column }) {
    const list = listChoices(field)
      .map((value) => `'${value.replaceAll("'", "''")}'`)
      .join(",");
    return { expression: `array_position(ARRAY[${list}], ${column})`, nullable: true, sqlType: "integer" };
  },
  graph: (field) => ({ is: "choice", enumeration: field.enumeration, values: listChoices(field) }),
  sqlType: "text",
  schema: (field) => ({ type: "string", enum: listChoices(field) }),
  meaning: "choice",
  describe: {
    output: (field, { enumeration }) =>
      field.values === undefined
        ? enumeration(field.enumeration, listChoices(field))
        : { type: "string", enum: listChoices(field) },
    filterValues(field) {
      return hasFewChoices(field) ? listChoices(field).join(", ") : `a value of enumeration \`${field.enumeration}\``;
    },
    example: ({ field, defaultValue, chosen }) => defaultValue ?? chosen ?? listChoices(field)[0],
  },
  check({ field, report }) {
    if (field.values === undefined && !(field.enumeration in enumerations))
      report(`names the enumeration "${field.enumeration}", which does not exist`);
  },
};
