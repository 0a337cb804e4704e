import { GraphQLSchema, printSchema } from "graphql";
import type { Engine } from "../../engine/engine.ts";
import { isInGraph } from "../model/graph-fields.ts";
import { buildMutationType } from "../write/mutation-type.ts";
import { defineObject } from "./output-types.ts";
import { buildQueryType } from "./query-type.ts";
import { SchemaContext } from "./schema-context.ts";

/** The schema of all record types. It depends on the declarations alone, so a process builds it once. */
export function buildGraphqlSchema(engine: Pick<Engine, "types">): GraphQLSchema {
  const context = new SchemaContext(engine);
  return new GraphQLSchema({
    description: "The records of the account as a graph.",
    query: buildQueryType(context),
    mutation: buildMutationType(context),
    types: engine.types.all.filter(isInGraph).map((type) => defineObject(context, type)),
  });
}

/** The schema in the schema definition language. */
export const printGraphqlSchema = (engine: Pick<Engine, "types">): string =>
  `${printSchema(buildGraphqlSchema(engine))}\n`;
