import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql";

// How long the lists of the description of the schema are: introspection counts to the limits of a document like lists of
// records do.

const average = (sizes: readonly number[]): number =>
  sizes.length === 0 ? 1 : Math.max(1, Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / sizes.length));

const known = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();

/** By type and field of the introspection schema. */
export function getSchemaSizes(schema: GraphQLSchema): ReadonlyMap<string, number> {
  let sizes = known.get(schema);
  if (sizes === undefined) {
    sizes = measureSchema(schema);
    known.set(schema, sizes);
  }
  return sizes;
}

function measureSchema(schema: GraphQLSchema): Map<string, number> {
  const types: GraphQLNamedType[] = Object.values(schema.getTypeMap());
  const composite = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = composite.map((type) => Object.values(type.getFields()));
  return new Map([
    ["__Schema.types", types.length],
    ["__Schema.directives", schema.getDirectives().length],
    ["__Type.fields", average(fields.map(({ length }) => length))],
    ["__Field.args", average(fields.flat().map(({ args }) => args.length))],
    ["__Directive.args", average(schema.getDirectives().map(({ args }) => args.length))],
    [
      "__Type.inputFields",
      average(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length)),
    ],
    ["__Type.enumValues", average(types.filter(isEnumType).map((type) => type.getValues().length))],
    ["__Type.interfaces", average(composite.map((type) => type.getInterfaces().length))],
    ["__Type.possibleTypes", average(types.filter(isAbstractType).map((type) => schema.getPossibleTypes(type).length))],
  ]);
}
