import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from "graphql";
import type { Field } from "../../../records/vocabulary/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { dateScalar, decimalScalar, EnumerationScalars, jsonScalar, timeScalar, timestampScalar } from "./scalars.ts";

/** What the parts of the schema share while it is built. Types are created once, under their names. */
export class SchemaContext {
  readonly engine: Engine;
  readonly enumerations = new EnumerationScalars();
  private readonly named = new Map<string, GraphQLNamedType>();

  constructor(engine: Engine) {
    this.engine = engine;
  }

  define<T extends GraphQLNamedType>(name: string, build: () => T): T {
    let known = this.named.get(name);
    if (known === undefined) {
      known = build();
      this.named.set(name, known);
    }
    return known as T;
  }

  /** The scalar of a plain value. */
  pickScalar(field: Field): GraphQLScalarType {
    switch (field.kind) {
      case "integer":
      case "duration":
        return GraphQLInt;
      case "id":
        return GraphQLID;
      case "decimal":
        return decimalScalar;
      case "float":
        return GraphQLFloat;
      case "boolean":
        return GraphQLBoolean;
      case "date":
        return dateScalar;
      case "datetime":
      case "target":
      case "localDatetime":
        return timestampScalar;
      case "timeOfDay":
        return timeScalar;
      case "timeZone":
        return this.enumerations.getTimeZone();
      case "enum":
        return this.enumerations.get(field.enumeration, field.values);
      case "hash":
      case "recurrence":
      case "aggregated":
        return jsonScalar;
      default:
        return GraphQLString;
    }
  }
}

export const nonNullList = (type: GraphQLNamedType) => new GraphQLList(new GraphQLNonNull(type as GraphQLScalarType));
