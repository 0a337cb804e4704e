import type { EnumerationName, EnumerationValue } from "../enumerations/index.ts";
import type { Field, Fields } from "./fields.ts";

// The types of values and rows, which the compiler derives from a declaration.

type JsonObject = { readonly [member: string]: unknown };

/** A value in the engine. */
export type Value = string | number | boolean | null | readonly unknown[] | JsonObject;
/** A row of any type. */
export type Values = Record<string, Value>;

/** The types of values that depend on the kind alone. */
type PlainValues = {
  id: number;
  string: string;
  text: string;
  integer: number;
  decimal: string;
  float: number;
  boolean: boolean;
  date: string;
  datetime: string;
  target: string;
  duration: number;
  timeOfDay: string;
  timeZone: string;
  localDatetime: string;
  references: readonly number[];
  strings: readonly string[];
  customFields: JsonObject;
  hash: JsonObject;
  recurrence: JsonObject;
  /** the id of the record, once the code in the input was looked up */
  code: number;
};

/** A value of a field as hooks see it, when there is one. */
export type ValueOf<F extends { kind: string }> = F extends { kind: keyof PlainValues }
  ? PlainValues[F["kind"]]
  : F extends { kind: "enum"; values?: readonly (infer V extends string)[] }
    ? [string] extends [V]
      ? F extends { enumeration: infer E extends EnumerationName }
        ? EnumerationValue<E>
        : string
      : V
    : F extends { kind: "reference" }
      ? F extends { hasWordId: true }
        ? string
        : number
      : Value;

/** Required values and those the service always sets are never missing once a record is stored. */
type IsAlwaysThere<F extends Field> = F extends { kind: "id" } | { alwaysSet: true }
  ? true
  : F extends { access: "required" }
    ? F extends { requiredFrom: "callers" }
      ? false
      : true
    : F extends { access: "readonly"; default: { value: unknown } }
      ? true
      : false;

/**
 * A row of a record type: what hooks read and write. A required value can still be missing in `after` of a new record:
 * the engine checks that after the hooks.
 */
export type RowOf<T extends { fields: Fields }> = string extends keyof T["fields"]
  ? Values
  : {
      -readonly [N in keyof T["fields"]]: IsAlwaysThere<T["fields"][N]> extends true
        ? ValueOf<T["fields"][N]>
        : ValueOf<T["fields"][N]> | null;
    };

/** Values for a create or update: fields that are not named get their default or keep their value. */
export type InputOf<T extends { fields: Fields }> = string extends keyof T["fields"]
  ? Values
  : { -readonly [N in keyof T["fields"]]?: ValueOf<T["fields"][N]> | null };

/** The names of the fields of a type. */
export type FieldName<T extends { fields: Fields }> = keyof T["fields"] & string;

/** A record inside another one, as responses show it. `localized_name`: of types that have one. */
export type ReferenceValue = {
  readonly id: number;
  readonly name: string;
  readonly localized_name?: string;
  readonly disabled?: true;
} & JsonObject;

/** A file of a record, as responses show it. */
export type AttachmentValue = {
  readonly name: string;
  readonly key: string;
  readonly uri: string;
  readonly inline: boolean;
  readonly size: number | null;
  readonly created_at: string;
};

/** A value as responses show it, when there is one. */
type ResponseValueOf<F extends Field> = F extends { kind: "reference" | "backReference" | "extension" }
  ? F extends { hasWordId: true }
    ? { readonly id: string; readonly name: string }
    : ReferenceValue
  : F extends { kind: "references"; plain: true }
    ? readonly number[]
    : F extends { kind: "references" }
      ? readonly ReferenceValue[]
      : F extends { kind: "attachments" }
        ? readonly AttachmentValue[]
        : F extends { kind: "aggregated" }
          ? readonly JsonObject[]
          : F extends { kind: "decimal" }
            ? number
            : F extends { kind: "code" }
              ? string
              : ValueOf<F>;

/** A record as GET shows it, with all its fields. */
export type RecordOf<T extends { fields: Fields }> = { readonly id: number; readonly nodeID: string } & {
  readonly [N in keyof T["fields"] as T["fields"][N] extends { access: "writeonly" } ? never : N]: IsAlwaysThere<
    T["fields"][N]
  > extends true
    ? ResponseValueOf<T["fields"][N]>
    : ResponseValueOf<T["fields"][N]> | null;
};
