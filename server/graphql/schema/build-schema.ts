import { GraphQLSchema, isSpecifiedScalarType, printType } from "graphql";
import { TimeSlices } from "../../base/time-slices.ts";
import type { Engine } from "../../engine/engine.ts";
import { isInGraph } from "../model/graph-fields.ts";
import { buildMutationType } from "../write/mutation-type.ts";
import { defineObject } from "./output-types.ts";
import { buildQueryType } from "./query-type.ts";
import { SchemaContext } from "./schema-context.ts";

const description = "The records of the account as a graph.";

/** The schema of all record types. It depends on the declarations alone, so a process builds it once. */
export async function buildGraphqlSchema(
  engine: Pick<Engine, "types">,
  slices = new TimeSlices(),
): Promise<GraphQLSchema> {
  const context = new SchemaContext(engine);
  const query = await buildQueryType(context, slices);
  const mutation = await buildMutationType(context, slices);
  const types = engine.types.all.filter(isInGraph).map((type) => defineObject(context, type));
  await context.buildFields(slices);
  // A test validates it: doing that again in every process would block the event loop.
  return new GraphQLSchema({ description, query, mutation, types, assumeValid: true });
}

/** The schema in the schema definition language. */
export async function printGraphqlSchema(schema: GraphQLSchema, slices = new TimeSlices()): Promise<string> {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  const parts = [`"""${description}"""\nschema {\n  query: ${query?.name}\n  mutation: ${mutation?.name}\n}`];
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith("__") || isSpecifiedScalarType(type)) continue;
    await slices.pause();
    parts.push(printType(type));
  }
  return `${parts.join("\n\n")}\n`;
}
