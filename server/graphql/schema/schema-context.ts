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
import type { TimeSlices } from "../../base/time-slices.ts";
import type { Engine } from "../../engine/engine.ts";
import type { GraphForm, GraphScalar } from "../../engine/kinds/graph-form.ts";
import { dateScalar, decimalScalar, EnumerationScalars, jsonScalar, timeScalar, timestampScalar } from "./scalars.ts";

/** The shared context of the schema's parts while it is built. Types are created once, under their names. */
export class SchemaContext {
  readonly engine: Pick<Engine, "types">;
  readonly enumerations = new EnumerationScalars();
  private readonly named = new Map<string, GraphQLNamedType>();

  constructor(engine: Pick<Engine, "types">) {
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

  /** Builds the fields of all types. The library would otherwise do it when the schema is created. */
  async buildFields(slices: TimeSlices): Promise<void> {
    // Building the fields of a type defines further types, which the loop reaches, too.
    for (const type of this.named.values()) {
      if ("getFields" in type) type.getFields();
      await slices.pause();
    }
  }

  /** The scalar of a plain value. */
  pickScalar(form: GraphForm): GraphQLScalarType {
    if (form.is === "choice") return this.enumerations.get(form.enumeration, form.values);
    if (form.is === "value") return form.scalar === "TimeZone" ? this.enumerations.getTimeZone() : scalars[form.scalar];
    return form.is === "id" ? GraphQLID : form.is === "address of a file" ? GraphQLString : jsonScalar;
  }
}

const scalars: Record<Exclude<GraphScalar, "TimeZone">, GraphQLScalarType> = {
  Boolean: GraphQLBoolean,
  Decimal: decimalScalar as GraphQLScalarType,
  Float: GraphQLFloat,
  ISO8601Date: dateScalar as GraphQLScalarType,
  ISO8601Time: timeScalar as GraphQLScalarType,
  ISO8601Timestamp: timestampScalar as GraphQLScalarType,
  Int: GraphQLInt,
  JSON: jsonScalar as GraphQLScalarType,
  String: GraphQLString,
};

export const nonNullList = (type: GraphQLNamedType) => new GraphQLList(new GraphQLNonNull(type as GraphQLScalarType));
