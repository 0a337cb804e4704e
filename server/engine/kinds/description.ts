import type { Field } from "../../../records/vocabulary/index.ts";
import type { Type, TypeRegistry } from "../declaration/type.ts";

// How the document of an API describes the values of a kind. The generator provides the contexts.

export type JsonSchema = Record<string, unknown>;

/** The context for describing values that are composed of others. */
export type SchemaContext = {
  types: TypeRegistry;
  /** a schema that is written once, under this name */
  share(name: string, build: () => JsonSchema): JsonSchema;
  /** a record inside another one */
  reference(target: Type): JsonSchema;
  /** a row of a list inside a record, with the default fields of its type */
  entry(child: Type): JsonSchema;
  /** all fields of one enumeration share one schema */
  enumeration(name: string, values: readonly string[]): JsonSchema;
  orNull(schema: JsonSchema): JsonSchema;
};

/** The context for describing the members of a body that write a field. */
export type BodyContext = SchemaContext & {
  /** one id, in either of its forms */
  referenceInput(): JsonSchema;
  /** what the declaration says about the field */
  remarks: readonly string[];
  addRemarks(schema: JsonSchema, remarks: readonly string[]): JsonSchema;
  /** the schema, with null where the field can be cleared */
  clearable(schema: JsonSchema): JsonSchema;
  /** "a person" */
  nameType(name: string): string;
};

/** The context for building an example value. */
export type ExampleContext<F extends Field = Field> = {
  type: Type;
  name: string;
  field: F;
  types: TypeRegistry;
  /** the value that a new record has */
  defaultValue: unknown;
  /** the text that was chosen for this very field; null: it has no value in examples */
  chosen: string | null | undefined;
  id(type: Type): number;
  text(max: number): string | null;
  moment(): string;
  reference(target: Type): unknown;
  value(type: Type, name: string): unknown;
  entry(child: Type): unknown;
};

/** A kind in the document of an API. What it leaves out follows from its plain schema. */
export type KindDescription<F extends Field = Field> = {
  /** a value in a response, where it is made of other schemas */
  output?(field: F, context: SchemaContext): JsonSchema;
  /** a value in a body, where that differs from a response */
  input?(field: F, context: BodyContext): JsonSchema;
  /** the members that write a field, where it is not one of its name; examples use the first */
  bodyMembers?(name: string, field: F, context: BodyContext): readonly (readonly [string, JsonSchema])[];
  /** the values of a filter, in words */
  filterValues?(field: F, nameType: (name: string) => string): string;
  /** responses never show null, even if the field is nullable */
  isNeverNull?(field: F): boolean;
  /** an example of a value; an empty list unless it says otherwise */
  example?(context: ExampleContext<F>): unknown;
  /** an example of the member that writes the value, where that differs */
  exampleInput?(name: string, field: F, value: unknown): readonly [string, unknown];
};
