import type { Kind } from "./fields.ts";
import type { ValueOf } from "./rows.ts";

// Shapes: what answers, bodies and query parameters that are not records look like. Plain data, like the fields of a
// record type. The TypeScript types of both sides, the OpenAPI schema and the check of answers in tests derive from it.

/** The kinds of fields whose values look the same outside of a record. */
export type ValueKind = Extract<
  Kind,
  {
    kind:
      | "id"
      | "string"
      | "text"
      | "integer"
      | "float"
      | "boolean"
      | "date"
      | "datetime"
      | "target"
      | "duration"
      | "timeOfDay"
      | "timeZone"
      | "localDatetime"
      | "enum"
      | "strings"
      | "customFields"
      | "hash";
  }
>;

type Remarks = {
  /** for readers of the API reference */
  note?: string;
  /** the value can be null */
  isNullable?: true;
  /** the member can be absent */
  isOptional?: true;
  /** what an absent member of a body or query means */
  defaultValue?: string | number | boolean;
  /** for readers of the API reference */
  example?: unknown;
  /** of a string */
  format?: "uri";
  /** the regular expression that a text matches */
  pattern?: string;
  /** of a string */
  minLength?: number;
  /** no answer contains it */
  isWriteOnly?: true;
};

/** Types that a list of names in the API reference consists of. */
export type TypeSelection = "searchable" | "importable" | "exportable" | "bulk-changeable";

export type Members = Readonly<Record<string, Shape>>;
/** `name`: its schema in the API reference */
export type RecordPart = { name: string; fields: readonly string[]; members: Members };
export type Shape = Remarks &
  (
    | ValueKind
    /** `others`: of members with other names, where there may be any */
    | { kind: "object"; members: Members; name?: string; others?: Shape }
    | { kind: "list"; of: Shape; max?: number; min?: number; name?: string }
    /** an object whose members have any names */
    | { kind: "map"; of: Shape }
    | { kind: "tuple"; of: readonly Shape[] }
    | { kind: "either"; of: readonly Shape[] }
    /** a record inside an answer, as records show their references */
    | { kind: "reference"; to: string }
    /** a record as GET shows it; `part`: some of its fields, and further members */
    | { kind: "record"; type: string; part?: RecordPart }
    | { kind: "anything" }
    /** the name of one of these types; `isSeveral`: or of several, separated by commas */
    | { kind: "typeName"; among: TypeSelection; isSeveral?: true }
    /** content that is not JSON */
    | { kind: "file"; mediaType: string }
  );

/** A shape whose values the compiler knows. `valueType` exists for the compiler only. */
export type Shaped<T> = Shape & { readonly valueType?: T };
type Optional<T> = Shaped<T> & { isOptional: true };

/** The values of a shape. Kinds of fields say theirs by their kind. */
export type ShapeValue<S> = "valueType" extends keyof S
  ? S extends { readonly valueType?: infer T }
    ? T
    : never
  : S extends { kind: string }
    ? ValueOf<S>
    : never;

type OptionalName<M> = { [N in keyof M]: M[N] extends { isOptional: true } ? N : never }[keyof M];
export type ObjectValue<M> = [OptionalName<M>] extends [never]
  ? { readonly [N in keyof M]: ShapeValue<M[N]> }
  : { readonly [N in Exclude<keyof M, OptionalName<M>>]: ShapeValue<M[N]> } & {
      readonly [N in OptionalName<M>]?: ShapeValue<M[N]>;
    };

type TupleValue<S extends readonly Shape[]> = S extends readonly [infer First, ...infer Rest extends readonly Shape[]]
  ? First extends { isOptional: true }
    ? readonly [ShapeValue<First>?, ...TupleValue<Rest>]
    : readonly [ShapeValue<First>, ...TupleValue<Rest>]
  : readonly [];

export const object = <M extends Members>(members: M): Shaped<ObjectValue<M>> => ({ kind: "object", members });
/** An answer with a schema of its own in the API reference, which others refer to by this name. */
export const answer = <M extends Members>(name: string, members: M): Shaped<ObjectValue<M>> => ({
  kind: "object",
  name,
  members,
});
export const list = <S extends Shape>(of: S, max?: number, min?: number): Shaped<readonly ShapeValue<S>[]> => ({
  kind: "list",
  of,
  ...(max === undefined ? {} : { max }),
  ...(min === undefined ? {} : { min }),
});
/** A list with a schema of its own in the API reference. */
export const answerList = <S extends Shape>(name: string, of: S): Shaped<readonly ShapeValue<S>[]> => ({
  kind: "list",
  name,
  of,
});
export const map = <S extends Shape>(of: S): Shaped<Readonly<Record<string, ShapeValue<S>>>> => ({ kind: "map", of });
/** The last ones can be optional. */
export const tuple = <S extends readonly Shape[]>(...of: S): Shaped<TupleValue<S>> => ({ kind: "tuple", of });
export const either = <S extends readonly Shape[]>(...of: S): Shaped<ShapeValue<S[number]>> => ({ kind: "either", of });
export const anything: Shaped<unknown> = { kind: "anything" };
/** one of these words, which are not an enumeration */
export const word = <const V extends string>(...values: readonly V[]): Shaped<V> => ({
  kind: "enum",
  enumeration: "",
  values,
});
/** a record in short */
export const named = object({ id: { kind: "integer", min: 1, max: 2_147_483_647 }, name: { kind: "string" } });

export const orNull = <S extends Shape>(shape: S): Shaped<ShapeValue<S> | null> => ({ ...shape, isNullable: true });
export const optional = <S extends Shape>(shape: S): Optional<ShapeValue<S>> => ({ ...shape, isOptional: true });
export const noted = <S extends Shape>(note: string, shape: S): S => ({ ...shape, note });
export const defaultsTo = <S extends Shape>(value: string | number | boolean, shape: S): Optional<ShapeValue<S>> => ({
  ...shape,
  isOptional: true,
  defaultValue: value,
});
/** a text that matches a regular expression */
export const matching = (pattern: string): Shaped<string> => ({ kind: "string", pattern });
/** a text that is stored and never shown */
export const secret = (max: number, minLength?: number): Shaped<string> => ({
  ...{ kind: "string", max, isWriteOnly: true },
  ...(minLength === undefined ? {} : { minLength }),
});
/** Members that can all be absent: the body of a change names some of them. */
export const partial = <M extends Members>(members: M): { [N in keyof M]: Optional<ShapeValue<M[N]>> } =>
  // The compiler doesn't follow the names through Object.entries.
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, optional(shape)])) as never;
export const withExample = <S extends Shape>(example: unknown, shape: S): S => ({ ...shape, example });

/** an object with these members, and any number of others */
export const openObject = <M extends Members, S extends Shape>(
  members: M,
  others: S,
): Shaped<ObjectValue<M> & Readonly<Record<string, ShapeValue<S>>>> => ({ kind: "object", members, others });
export const openAnswer = <M extends Members, S extends Shape>(
  name: string,
  members: M,
  others: S,
): Shaped<ObjectValue<M> & Readonly<Record<string, ShapeValue<S>>>> => ({ kind: "object", name, members, others });

export const url: Shaped<string> = { kind: "string", format: "uri" };
export const typeName = (among: TypeSelection): Shaped<string> => ({ kind: "typeName", among });
/** separated by commas */
export const typeNames = (among: TypeSelection): Shaped<string> => ({ kind: "typeName", among, isSeveral: true });
export const file = (mediaType = "application/octet-stream"): Shaped<unknown> => ({ kind: "file", mediaType });
