import { type ConstValueNode, GraphQLError, GraphQLScalarType, valueFromASTUntyped } from "graphql";
import { enumerations } from "../../../records/enumerations/index.ts";
import { pickScalarName } from "../model/names.ts";

// Scalars. The engine checks the values of timestamps, dates and numbers; enumerations are checked here, because a filter
// by an unknown value must not find nothing without a word.

const refuse = (value: unknown, name: string): never => {
  throw new GraphQLError(`Could not coerce value ${JSON.stringify(value) ?? "null"} to ${name}`);
};

/** Literals may be written as strings or, like names of enumerations, bare. */
function readLiteral(node: ConstValueNode, name: string): string {
  if (
    node.kind === "StringValue" ||
    node.kind === "EnumValue" ||
    node.kind === "IntValue" ||
    node.kind === "FloatValue"
  )
    return node.value;
  return refuse(valueFromASTUntyped(node as never), name);
}

function createTextScalar(name: string, description: string, check: (text: string) => boolean = () => true) {
  const read = (text: string): string => (text === "" || check(text) ? text : refuse(text, name));
  return new GraphQLScalarType<string, unknown>({
    name,
    description,
    coerceOutputValue: (value) => value,
    coerceInputValue: (value) =>
      typeof value === "string" || typeof value === "number" ? read(String(value)) : refuse(value, name),
    coerceInputLiteral: (node) => read(readLiteral(node, name)),
  });
}

export const timestampScalar = createTextScalar(
  "ISO8601Timestamp",
  "A moment such as 2031-02-01T09:00:00+01:00, in the time zone of the person; targets may also be best_effort, no_target or clock_stopped.",
);
export const dateScalar = createTextScalar("ISO8601Date", "A day such as 2031-02-01.");
export const timeScalar = createTextScalar("ISO8601Time", "A time of day, from 00:00 to 24:00.");
export const decimalScalar = createTextScalar("Decimal", "A number with all digits that are stored.");

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: "JSON",
  description: "Any JSON value.",
  coerceOutputValue: (value) => value,
  coerceInputValue: (value) => value,
  coerceInputLiteral: (node) => valueFromASTUntyped(node as never),
});

const lists: Record<string, readonly string[]> = enumerations;

/** One scalar per enumeration of values, created when a field first needs it. */
export class EnumerationScalars {
  private readonly scalars = new Map<string, GraphQLScalarType>();

  get(enumeration: string, values?: readonly string[]): GraphQLScalarType {
    const name = pickScalarName(enumeration);
    let scalar = this.scalars.get(name);
    if (scalar === undefined) {
      // Of an enumeration that has no list of its own, the field has the values.
      const list = lists[enumeration] ?? values ?? [];
      const known = new Set(list);
      const description = `One of ${list.length > 60 ? `${list.slice(0, 60).join(", ")}, …` : list.join(", ")}.`;
      scalar = createTextScalar(name, description, (text) => known.has(text)) as GraphQLScalarType;
      this.scalars.set(name, scalar);
    }
    return scalar;
  }

  /** Zones have more names than the list: the engine knows them. */
  getTimeZone(): GraphQLScalarType {
    const known = this.scalars.get("TimeZone") ?? createTextScalar("TimeZone", "The name of a time zone.");
    this.scalars.set("TimeZone", known as GraphQLScalarType);
    return known as GraphQLScalarType;
  }
}
