import { fromNumber, isNumeric, type Numeric } from "./number.ts";

// AL7. Null, an empty text and an empty list are blank.

/** A value of an enumeration; its rank is its position there. */
export class Choice {
  readonly value: string;
  readonly words: readonly string[];
  constructor(value: string, words: readonly string[]) {
    this.value = value;
    this.words = words;
  }
}

/** YYYY-MM-DD */
export class Day {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export class Moment {
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

export class Duration {
  readonly minutes: Numeric;
  readonly months: Numeric;
  readonly businessDays: Numeric;
  constructor(minutes: Numeric, months: Numeric = 0, businessDays: Numeric = 0) {
    this.minutes = minutes;
    this.months = months;
    this.businessDays = businessDays;
  }
}

/** A reference to a record by type and id. Its fields are loaded when needed. */
export class Reference {
  readonly type: string;
  readonly id: number | string;
  constructor(type: string, id: number | string) {
    this.type = type;
    this.id = id;
  }
}

/** Values by name: custom fields, an attachment. */
export class Bag {
  readonly members: Readonly<Record<string, Value>>;
  constructor(members: Readonly<Record<string, Value>>) {
    this.members = members;
  }
}

export type Value =
  | null
  | boolean
  | string
  | Numeric
  | Choice
  | Day
  | Moment
  | Duration
  | Reference
  | Bag
  | readonly Value[];

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isBlank = (value: Value): boolean =>
  value === null || value === "" || (isList(value) && value.length === 0);
/** Blank and false are false, everything else is true, including 0. */
export const isTrue = (value: Value): boolean => value !== false && !isBlank(value);

/** Texts and values of enumerations compare alike. */
export const asText = (value: Value): string | null =>
  typeof value === "string" ? value : value instanceof Choice ? value.value : null;

export function describeValueKind(value: Value): string {
  if (isBlank(value)) return "blank";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "text";
  if (isNumeric(value)) return "number";
  if (isList(value)) return "list";
  if (value instanceof Choice) return "text";
  if (value instanceof Day) return "date";
  if (value instanceof Moment) return "date-time";
  if (value instanceof Duration) return "duration";
  if (value instanceof Reference) return value.type;
  return "set of values";
}

/** Converts JSON to a value of the language. */
export function fromJson(json: unknown): Value {
  if (json === null || json === undefined) return null;
  if (typeof json === "string" || typeof json === "boolean") return json;
  if (typeof json === "number") return fromNumber(json);
  if (Array.isArray(json)) return json.slice(0, 1000).map(fromJson);
  return new Bag(Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fromJson(value)])));
}
