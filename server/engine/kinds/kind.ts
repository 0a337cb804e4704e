import type { Field, Value } from "../../../records/vocabulary/index.ts";

export type { Value };

/** What reading a value may depend on. */
export type InputContext = { zone: string; now: Date };

/** What writing a value may depend on: who looks, from where. */
export type Reader = {
  account: string;
  person: number;
  roles: ReadonlySet<string>;
  /** custom fields as an array of {id, value}, for callers that name their account by an alias header */
  customFieldsAsArray: boolean;
  origin: string;
  now: Date;
};

export type Operator = "equal" | "set" | "range";

export type FieldKind<F extends Field = Field> = {
  /** from JSON, a form or a query; throws a Refusal */
  read(input: unknown, field: F, by: InputContext): Value;
  /** from PostgreSQL's text */
  parse(text: string): Value;
  /** PostgreSQL's text to JSON text */
  write(text: string): string;
  /** the operators a filter may use, or null when the kind can never be filtered */
  filter: ReadonlySet<Operator> | null;
  /** from the text of a filter, when that is not read like input */
  readFilter?(text: string): Value;
  /** whether two values mean the same, when equality does not tell */
  isSame?(one: Value, other: Value): boolean;
  /** the SQL type that parameters are cast to */
  sqlType: string;
  /** JSON schema of a value in an answer */
  schema(field: F): Record<string, unknown>;
};

/** Why a value cannot be taken: a message template of records/languages and its numbers. */
export class Refusal extends Error {
  readonly values: Record<string, string | number> | undefined;
  constructor(template: string, values?: Record<string, string | number>) {
    super(template);
    this.values = values;
  }
}

/** NUL and lone surrogates cannot be stored; better said than mangled. */
export const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** A scalar of the input as text; objects and lists are refused with the kind's own words. */
export function scalar(input: unknown, otherwise: string): string {
  if (typeof input === "string") {
    if (!isStorable(input)) throw new Refusal("contains invalid characters");
    return input;
  }
  if (typeof input === "number" || typeof input === "boolean") return String(input);
  throw new Refusal(otherwise);
}

export const jsonText = (text: string): string => JSON.stringify(text);

export const onlyEqual: ReadonlySet<Operator> = new Set(["equal"]);
export const equalAndSet: ReadonlySet<Operator> = new Set(["equal", "set"]);
export const equalAndRange: ReadonlySet<Operator> = new Set(["equal", "range"]);
export const everyOperator: ReadonlySet<Operator> = new Set(["equal", "set", "range"]);
