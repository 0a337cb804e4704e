import type { Field } from "../../../records/vocabulary/index.ts";
import { plainCell } from "./cell-forms.ts";
import { asScalar } from "./graph-form.ts";
import { equalAndRange, everyOperator, type FieldKind, Refusal, scalar } from "./kind.ts";

type IntegerField = Extract<Field, { kind: "integer" }>;

const largest = 2_147_483_647;

/** Digits only: no fraction, no exponent, nothing beyond the range of the column. */
export function readInteger(input: unknown, min = -largest - 1, max = largest): number {
  const text = scalar(input, "is not a number").trim();
  if (!/^[+-]?\d+$/.test(text))
    throw new Refusal(/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) ? "must be an integer" : "is not a number");
  const number = Number(text);
  if (number > max) throw new Refusal("must be less than or equal to {max}", { max });
  if (number < min) throw new Refusal("must be greater than or equal to {min}", { min });
  return number;
}

export const integer: FieldKind<IntegerField> = {
  column: "integer",
  read(input, { min, max, refusal }) {
    try {
      return readInteger(input, min, max);
    } catch (error) {
      throw refusal === undefined || !(error instanceof Refusal) ? error : new Refusal(refusal);
    }
  },
  parse: Number,
  write: (text) => text,
  filter: everyOperator,
  isMeasure: true,
  groups: "values",
  graph: asScalar("Int"),
  sqlType: "integer",
  schema: (field) => ({
    type: "integer",
    ...(field.min > -largest - 1 ? { minimum: field.min } : {}),
    ...(field.max < largest ? { maximum: field.max } : {}),
  }),
  describe: {
    example: ({ name, field, defaultValue }) =>
      defaultValue ?? Math.min(Math.max(name === "year" ? 2031 : 2, field.min), field.max),
  },
  cell: plainCell,
};

export const id: FieldKind = {
  column: "integer",
  defineColumn: () => "integer NOT NULL",
  read: (input) => readInteger(input, 1),
  parse: Number,
  write: (text) => text,
  filter: everyOperator,
  graph: () => ({ is: "id" }),
  sqlType: "integer",
  schema: () => ({ type: "integer" }),
  describe: { example: ({ type, id: pickId }) => pickId(type) },
  cell: plainCell,
};

/** Text from the wire to the column and back, never a binary float. */
export const decimal: FieldKind = {
  column: "numeric",
  read(input) {
    const text = scalar(input, "is not a number").trim();
    const match = /^([+-]?)0*(\d+)(\.\d+)?$/.exec(text);
    if (match === null || (match[2] as string).length > 18 || (match[3] ?? "").length > 13)
      throw new Refusal("is not a number");
    const sign = match[1] === "-" ? "-" : "";
    return `${sign}${match[2]}${match[3] ?? ""}`;
  },
  parse: (text) => text,
  write: (text) => text,
  filter: equalAndRange,
  isMeasure: true,
  isSame: (a, b) => withoutZeros(String(a)) === withoutZeros(String(b)),
  toAudit: (value) => (value === null ? null : Number(value)),
  graph: asScalar("Decimal"),
  sqlType: "numeric",
  schema: () => ({ type: "number" }),
  meaning: "number",
  describe: {
    input: () => ({ type: ["number", "string"], pattern: "^[+-]?\\d+(\\.\\d+)?$" }),
    example: () => 87.5,
  },
  cell: plainCell,
};

const withoutZeros = (text: string): string =>
  (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace(/^-0$/, "0");

export const float: FieldKind = {
  column: "double precision",
  read(input) {
    const text = scalar(input, "is not a number").trim();
    if (!/^[+-]?\d+(\.\d+)?$/.test(text) || !Number.isFinite(Number(text))) throw new Refusal("is not a number");
    return Number(text);
  },
  parse: Number,
  write: (text) => text,
  filter: equalAndRange,
  isMeasure: true,
  graph: asScalar("Float"),
  sqlType: "double precision",
  schema: () => ({ type: "number" }),
  meaning: "number",
  describe: { example: ({ chosen }) => (chosen === null ? null : 87.5) },
  cell: plainCell,
};

/** Whole minutes; "1:45" is read as 105. */
export const duration: FieldKind = {
  column: "integer",
  read(input) {
    const text = scalar(input, "is not a valid duration").trim();
    const match = /^(\d{1,7}):([0-5]\d)$/.exec(text);
    if (match !== null) return Number(match[1]) * 60 + Number(match[2]);
    if (!/^\d+$/.test(text) || Number(text) > largest) throw new Refusal("is not a valid duration");
    return Number(text);
  },
  parse: Number,
  write: (text) => text,
  filter: everyOperator,
  isMeasure: true,
  graph: asScalar("Int"),
  sqlType: "integer",
  schema: () => ({ type: "integer", minimum: 0, description: "minutes" }),
  describe: {
    input: () => ({ type: ["integer", "string"], description: 'minutes, or hours and minutes: "1:45" is 105' }),
    example: () => 105,
  },
  cell: plainCell,
};
